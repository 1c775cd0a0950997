#include "methods/bones_blending/crease_limits.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "character/blend_seams.h"
#include "fascia/measure.h"

namespace fascia {

namespace {

/// A fold may be this much sharper than that of plain skinning. Stricter than what is promised (1.34 times or 5
/// degrees), because other poses than the tested ones will follow.
constexpr double most_times = 1.26, most_more = 4 * portable::pi / 180;
/// Inside a zone a fold may be as sharp as the zone makes it, up to this angle unless plain skinning folds more: beyond
/// it, blending turns the surface inside out.
constexpr double slit = 75 * portable::pi / 180;
/// The factor on a limit where a fold is too sharp, and the value that counts as zero.
constexpr float left = 0.7f, least = 0.05f;
/// Relaxation sweeps of the membrane per round.
constexpr int sweeps = 8;
/// How far around a fold zones are weakened, in radii of the limb.
constexpr double membrane_width = 0.5;
constexpr float no_limit = -2;
constexpr std::uint32_t none = 0xffffffff;

struct Side {
    std::uint32_t low, high;  ///< welded ends of an edge
    std::uint32_t triangle, corner;
};

/// Edges that exactly two triangles share, as pairs of their sides.
std::vector<std::array<Side, 2>> shared_edges(const Mesh& mesh, const Weld& weld) {
    std::vector<Side> sides;
    for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t)
        for (std::uint32_t k = 0; k < 3; ++k) {
            const std::uint32_t a = weld.id[mesh.triangles[3 * t + k]];
            const std::uint32_t b = weld.id[mesh.triangles[3 * t + (k + 1) % 3]];
            if (a != b) sides.push_back({std::min(a, b), std::max(a, b), t, k});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::array{a.low, a.high, a.triangle, a.corner} < std::array{b.low, b.high, b.triangle, b.corner};
    });
    std::vector<std::array<Side, 2>> out;
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t end = i + 1;
        while (end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high) ++end;
        if (end - i == 2) out.push_back({sides[i], sides[i + 1]});
        i = end;
    }
    return out;
}

template <class PositionOf>
Vec3d normal_of(const std::array<std::uint32_t, 3>& triangle, const PositionOf& position) {
    const Vec3d a = position(triangle[0]);
    return cross(position(triangle[1]) - a, position(triangle[2]) - a);
}

/// Cosine of the angle between two normals; 1 if one of them has no length.
double cosine_between(Vec3d a, Vec3d b) {
    const double square = dot(a, a) * dot(b, b);
    return square > 0 ? dot(a, b) / std::sqrt(square) : 1;
}

double rounded(double value) {
    return value > 0.999 ? 1 : value < 0.02 ? 0 : value;
}

void sort_out(std::vector<std::uint32_t>& numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

/// A quantity while it is lowered: to a limit at some places, and like a membrane around them.
struct CreaseLimits::Gain {
    double ZoneVertex::*what;
    std::vector<double> before;          ///< [near]
    std::vector<float> limit, value;     ///< [places]
    std::vector<std::uint32_t> lowered;  ///< places where the limit was lowered in this round
};
struct CreaseLimits::Lowering {
    std::span<ZoneVertex> vertices;  ///< of the mesh
    Gain alone, fade;
    std::vector<Vec3> positions;  ///< [near * poses]
};

CreaseLimits::CreaseLimits(const Mesh& mesh, std::span<const ZoneVertex> vertices, std::span<const BlendZone> zones,
                           std::size_t poses)
    : poses_(poses) {
    const Weld weld = weld_by_position(mesh.positions);
    std::vector<std::uint32_t> near(mesh.vertex_count(), none), place(weld.count, none);
    const auto local = [&](std::uint32_t v) {
        if (near[v] != none) return near[v];
        near[v] = std::uint32_t(vertices_.size());
        vertices_.push_back(v);
        std::uint32_t& at = place[weld.id[v]];
        if (at == none) at = std::uint32_t(near_place_.size()), near_place_.emplace_back();
        places_.push_back(at);
        near_place_[at].push_back(near[v]);
        return near[v];
    };
    const auto turns = [&](std::uint32_t triangle) {
        const std::uint32_t* const v = &mesh.triangles[3 * std::size_t(triangle)];
        return std::any_of(v, v + 3, [&](std::uint32_t k) { return vertices[k].joint >= 0 && vertices[k].fade > 0; });
    };
    for (const auto& [one, two] : shared_edges(mesh, weld)) {
        if (!turns(one.triangle) && !turns(two.triangle)) continue;
        const auto corner = [&](const Side& side, std::uint32_t k) {
            return local(mesh.triangles[3 * std::size_t(side.triangle) + (side.corner + k) % 3]);
        };
        const Fold fold{{corner(one, 0), corner(one, 1), corner(one, 2)},
                        {corner(two, 0), corner(two, 1), corner(two, 2)},
                        {corner(one, 0), corner(one, 1), corner(one, 2), corner(two, 2)}};
        folds_.push_back(fold);
    }
    folds_at_.resize(near_place_.size());
    beside_.resize(near_place_.size());
    std::vector<double> lengths(near_place_.size(), 0);
    const auto add_beside = [&](std::uint32_t from, std::uint32_t to, double length) {
        if (vertices[vertices_[to]].joint < 0) return;
        beside_[places_[from]].push_back(places_[to]);
        lengths[places_[from]] += length;
    };
    for (std::uint32_t f = 0; f < folds_.size(); ++f) {
        for (const std::uint32_t v : folds_[f].corners) folds_at_[places_[v]].push_back(f);
        const std::uint32_t a = folds_[f].corners[0], b = folds_[f].corners[1];
        const double along = length(to_double(mesh.positions[vertices_[a]]) - to_double(mesh.positions[vertices_[b]]));
        add_beside(a, b, along);
        add_beside(b, a, along);
    }
    for (std::size_t p = 0; p < beside_.size(); ++p) {
        const int joint = vertices[vertices_[near_place_[p][0]]].joint;
        const double width = joint >= 0 ? membrane_width * zones[std::size_t(joint)].radius : 0;
        const double share = width > 0 ? lengths[p] / (double(std::max<std::size_t>(beside_[p].size(), 1)) * width) : 1;
        stiffness_.push_back(float(share * share));
    }
    paths_.resize(vertices_.size() * poses_);
    limits_.resize(folds_.size() * poses_);
}

void CreaseLimits::add_pose(const Surfaces& surfaces) {
    const std::size_t pose = added_++;
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
        const std::uint32_t k = vertices_[v];
        const Vec3 by = surfaces.shared[k] - surfaces.plain[k], half = surfaces.half[k] - surfaces.plain[k],
                   whole = surfaces.whole[k] - surfaces.plain[k];
        // The parabola through the three positions: close to the arc on which vertices move.
        paths_[v * poses_ + pose] = {surfaces.plain[k], by, half * 4.0f - by * 3.0f - whole,
                                     (by + whole) * 2.0f - half * 4.0f};
    }
    const auto limit_of = [&](const Fold& fold, std::span<const Vec3> surface) {
        const auto position = [&](std::uint32_t v) { return to_double(surface[vertices_[v]]); };
        const Vec3d a = normal_of(fold.first, position), b = normal_of(fold.second, position);
        const double angle = portable::arc_tangent(length(cross(a, b)), dot(a, b));
        return std::max(most_times * angle, angle + most_more);
    };
    const auto cosine_of = [](double angle) {
        return angle < portable::pi ? float(portable::cosine(angle)) : no_limit;
    };
    for (std::size_t f = 0; f < folds_.size(); ++f) {
        const double border = limit_of(folds_[f], surfaces.plain);
        const double zone = std::max(limit_of(folds_[f], surfaces.shared), limit_of(folds_[f], surfaces.whole));
        limits_[f * poses_ + pose] = {cosine_of(border), cosine_of(std::max(border, std::min(zone, slit)))};
    }
}

void CreaseLimits::place_vertex(std::size_t vertex, Lowering& now) const {
    ZoneVertex& v = now.vertices[vertices_[vertex]];
    for (const Gain* gain : {&now.alone, &now.fade})
        if (!v.asked) v.*(gain->what) = rounded(gain->before[vertex] * double(gain->value[places_[vertex]]));
    const float alone = float(v.alone), fade = v.joint >= 0 ? float(v.fade) : 0;
    for (std::size_t k = vertex * poses_; k < (vertex + 1) * poses_; ++k) {
        const Path& path = paths_[k];
        now.positions[k] = path.plain + (path.by + (path.once + path.twice * alone) * alone) * fade;
    }
}

bool CreaseLimits::is_too_sharp(std::size_t f, const Lowering& now) const {
    const Fold& fold = folds_[f];
    const auto everywhere = [&](const auto& holds) {
        return std::all_of(fold.corners.begin(), fold.corners.end(),
                           [&](std::uint32_t v) { return holds(now.vertices[vertices_[v]]); });
    };
    const ZoneVertex& first = now.vertices[vertices_[fold.corners[0]]];
    const bool inside =
        everywhere([&](const ZoneVertex& v) { return v.joint == first.joint && v.owner == first.owner && v.turns(); });
    if (inside && everywhere([](const ZoneVertex& v) { return v.alone >= 1 && v.fade >= 1; })) return false;
    for (std::size_t pose = 0; pose < poses_; ++pose) {
        const auto position = [&](std::uint32_t v) { return to_double(now.positions[v * poses_ + pose]); };
        const Vec3d a = normal_of(fold.first, position), b = normal_of(fold.second, position);
        const Limit& least = limits_[f * poses_ + pose];
        if (cosine_between(a, b) < double(inside ? least.inside : least.border)) return true;
    }
    return false;
}

/// Can anything at the corners of a fold still be lowered?
bool CreaseLimits::lowers(const Fold& fold, Gain& gain, const Lowering& now) const {
    bool some = false;
    for (const std::uint32_t corner : fold.corners) {
        const ZoneVertex& v = now.vertices[vertices_[corner]];
        if (v.joint < 0 || v.asked || !(v.*(gain.what) > 0)) continue;
        gain.lowered.push_back(places_[corner]);
        some = true;
    }
    return some;
}

/// changed: receives the places where the value is now lower than before
void CreaseLimits::draw_down(Gain& gain, std::vector<std::uint32_t>& changed) const {
    if (gain.lowered.empty()) return;
    sort_out(gain.lowered);
    for (const std::uint32_t p : gain.lowered) gain.limit[p] = left * gain.value[p] < least ? 0 : left * gain.value[p];
    gain.lowered.clear();
    const std::vector<float> before = gain.value;
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (std::size_t p = 0; p < gain.value.size(); ++p) {
            float sum = 0;
            for (const std::uint32_t q : beside_[p]) sum += gain.value[q];
            const float mean = beside_[p].empty() ? 1 : sum / float(beside_[p].size());
            gain.value[p] = std::min({gain.value[p], gain.limit[p], (mean + stiffness_[p]) / (1 + stiffness_[p])});
        }
    for (std::uint32_t p = 0; p < before.size(); ++p)
        if (gain.value[p] < before[p]) changed.push_back(p);
}

void CreaseLimits::lower(std::span<ZoneVertex> vertices) const {
    const auto gain_of = [&](double ZoneVertex::*what) {
        Gain out{what, {}, std::vector<float>(near_place_.size(), 1), std::vector<float>(near_place_.size(), 1), {}};
        for (const std::uint32_t v : vertices_) out.before.push_back(vertices[v].*what);
        return out;
    };
    Lowering now{.vertices = vertices,
                 .alone = gain_of(&ZoneVertex::alone),
                 .fade = gain_of(&ZoneVertex::fade),
                 .positions = std::vector<Vec3>(paths_.size())};
    for (std::size_t v = 0; v < vertices_.size(); ++v) place_vertex(v, now);
    std::vector<std::uint32_t> watched(folds_.size()), changed;
    for (std::uint32_t f = 0; f < folds_.size(); ++f) watched[f] = f;
    do {
        for (const std::uint32_t f : watched)
            if (is_too_sharp(f, now) && !lowers(folds_[f], now.alone, now)) lowers(folds_[f], now.fade, now);
        changed.clear();
        draw_down(now.alone, changed);
        draw_down(now.fade, changed);
        sort_out(changed);
        watched.clear();
        for (const std::uint32_t p : changed) {
            for (const std::uint32_t v : near_place_[p]) place_vertex(v, now);
            watched.insert(watched.end(), folds_at_[p].begin(), folds_at_[p].end());
        }
        sort_out(watched);
    } while (!watched.empty());
}

}  // namespace fascia
