#include "methods/bones_blending/crease_limits.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "fascia/measure.h"

namespace fascia {

namespace {

/// A fold may be this much sharper than that of plain skinning; less than is promised (1.34 times or 5 degrees),
/// because other poses follow than those that are looked at.
constexpr double most_times = 1.2, most_more = 3.5 * portable::pi / 180;
/// Where a zone fades, a fold may be as sharp as the zone alone makes it, but not sharper than this where plain
/// skinning's is not: there, blending turns the surface inside out.
constexpr double slit = 120 * portable::pi / 180;
/// Of a fade: what is left where a fold is too sharp, for so many rounds; after them nothing is.
constexpr float left = 0.7f;
constexpr int gentle_rounds = 40, most_rounds = 400;
/// How far neighbours of what was lowered are drawn towards the mean around them in one round.
constexpr float ease = 0.3f;
/// Fades that nobody sees.
constexpr float least_fade = 0.02f;
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

/// Cosine of the angle between two normals; 1 where one of them has no length.
double cosine_between(Vec3d a, Vec3d b) {
    const double square = dot(a, a) * dot(b, b);
    return square > 0 ? dot(a, b) / std::sqrt(square) : 1;
}

}  // namespace

CreaseLimits::CreaseLimits(const Mesh& mesh, std::span<const Attachment> attached) {
    const Weld weld = weld_by_position(mesh.positions);
    std::vector<std::uint32_t> near(mesh.vertex_count(), none), place(weld.count, none);
    std::uint32_t places = 0;
    const auto local = [&](std::uint32_t v) {
        if (near[v] != none) return near[v];
        near[v] = std::uint32_t(vertices_.size());
        vertices_.push_back(v);
        joints_.push_back(attached[v].joint);
        if (place[weld.id[v]] == none) place[weld.id[v]] = places++;
        places_.push_back(place[weld.id[v]]);
        return near[v];
    };
    const auto blends = [&](std::uint32_t triangle) {
        const std::uint32_t* const v = &mesh.triangles[3 * std::size_t(triangle)];
        return attached[v[0]].fade > 0 || attached[v[1]].fade > 0 || attached[v[2]].fade > 0;
    };
    for (const auto& [one, two] : shared_edges(mesh, weld)) {
        if (!blends(one.triangle) && !blends(two.triangle)) continue;
        const auto corner = [&](const Side& side, std::uint32_t k) {
            return local(mesh.triangles[3 * std::size_t(side.triangle) + (side.corner + k) % 3]);
        };
        const Fold fold{{corner(one, 0), corner(one, 1), corner(one, 2)},
                        {corner(two, 0), corner(two, 1), corner(two, 2)},
                        {corner(one, 0), corner(one, 1), corner(one, 2), corner(two, 2)}};
        folds_.push_back(fold);
    }
    folds_at_.resize(places);
    beside_.resize(places);
    for (std::uint32_t f = 0; f < folds_.size(); ++f) {
        for (const std::uint32_t v : folds_[f].corners) folds_at_[places_[v]].push_back(f);
        const std::uint32_t a = places_[folds_[f].corners[0]], b = places_[folds_[f].corners[1]];
        beside_[a].push_back(b);
        beside_[b].push_back(a);
    }
}

void CreaseLimits::add_pose(std::span<const Vec3> plain, std::span<const Vec3> whole) {
    for (const std::uint32_t v : vertices_) moved_.push_back({plain[v], whole[v] - plain[v]});
    const auto limit_of = [&](const Fold& fold, std::span<const Vec3> surface) {
        const auto position = [&](std::uint32_t v) { return to_double(surface[vertices_[v]]); };
        const Vec3d a = normal_of(fold.first, position), b = normal_of(fold.second, position);
        const double angle = portable::arc_tangent(length(cross(a, b)), dot(a, b));
        return std::max(most_times * angle, angle + most_more);
    };
    const auto cosine_of = [](double angle) {
        return angle < portable::pi ? float(portable::cosine(angle)) : no_limit;
    };
    for (const Fold& fold : folds_) {
        const double border = limit_of(fold, plain);
        const double inside = std::max(border, std::min(limit_of(fold, whole), slit));
        least_cosine_.push_back({cosine_of(border), cosine_of(inside)});
    }
}

bool CreaseLimits::is_inside(const Fold& fold, std::span<const float> fade) const {
    return std::all_of(fold.corners.begin(), fold.corners.end(),
                       [&](std::uint32_t v) { return fade[v] > 0 && joints_[v] == joints_[fold.corners[0]]; });
}

bool CreaseLimits::works_alone(const Fold& fold, std::span<const float> fade) const {
    return std::all_of(fold.corners.begin(), fold.corners.end(), [&](std::uint32_t v) { return fade[v] >= 1; });
}

bool CreaseLimits::is_too_sharp(std::size_t f, std::span<const float> fade) const {
    const Fold& fold = folds_[f];
    const bool inside = is_inside(fold, fade);
    if (inside && works_alone(fold, fade)) return false;
    const std::size_t near = vertices_.size(), poses = moved_.size() / std::max<std::size_t>(near, 1);
    for (std::size_t pose = 0; pose < poses; ++pose) {
        const Moved* const moved = &moved_[pose * near];
        const auto position = [&](std::uint32_t v) { return to_double(moved[v].plain + moved[v].by * fade[v]); };
        const Vec3d a = normal_of(fold.first, position), b = normal_of(fold.second, position);
        const Limit& least = least_cosine_[pose * folds_.size() + f];
        if (cosine_between(a, b) < (inside ? least.inside : least.border)) return true;
    }
    return false;
}

/// Places at the corners of folds that are too sharp, ascending.
std::vector<std::uint32_t> CreaseLimits::sharp_places(std::span<const std::uint32_t> folds,
                                                      std::span<const float> fade) const {
    std::vector<std::uint32_t> out;
    for (const std::uint32_t f : folds)
        if (is_too_sharp(f, fade))
            for (const std::uint32_t v : folds_[f].corners) out.push_back(places_[v]);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// Around places that were lowered others are drawn towards the mean of their neighbours, so that one dent does not
/// make the next. places: on return with those that were lowered
void CreaseLimits::ease_around(std::vector<std::uint32_t>& places, std::span<float> gain) const {
    std::vector<std::uint32_t> ring;
    for (const std::uint32_t p : places) ring.insert(ring.end(), beside_[p].begin(), beside_[p].end());
    std::sort(ring.begin(), ring.end());
    ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
    std::vector<float> eased;
    for (const std::uint32_t p : ring) {
        float sum = 0;
        for (const std::uint32_t q : beside_[p]) sum += gain[q];
        eased.push_back(std::min(gain[p], gain[p] + ease * (sum / float(beside_[p].size()) - gain[p])));
    }
    for (std::size_t i = 0; i < ring.size(); ++i)
        if (eased[i] < gain[ring[i]]) {
            gain[ring[i]] = eased[i];
            places.push_back(ring[i]);
        }
}

void CreaseLimits::lower(std::span<Attachment> attached) const {
    std::vector<float> gain(beside_.size(), 1), fade(vertices_.size());
    std::vector<std::uint32_t> watched(folds_.size());
    for (std::uint32_t f = 0; f < folds_.size(); ++f) watched[f] = f;
    const auto faded = [&](std::size_t v) {
        const float f = float(attached[vertices_[v]].fade) * gain[places_[v]];
        return joints_[v] < 0 || f < least_fade ? 0 : f;
    };
    for (int round = 0; round < most_rounds; ++round) {
        for (std::size_t v = 0; v < fade.size(); ++v) fade[v] = faded(v);
        std::vector<std::uint32_t> lowered = sharp_places(watched, fade);
        if (lowered.empty()) break;
        for (const std::uint32_t p : lowered) gain[p] *= round < gentle_rounds ? left : 0;
        if (round < gentle_rounds) ease_around(lowered, gain);
        watched.clear();
        for (const std::uint32_t p : lowered) watched.insert(watched.end(), folds_at_[p].begin(), folds_at_[p].end());
        std::sort(watched.begin(), watched.end());
        watched.erase(std::unique(watched.begin(), watched.end()), watched.end());
    }
    for (std::size_t v = 0; v < fade.size(); ++v)
        if (attached[vertices_[v]].joint >= 0 && gain[places_[v]] < 1) attached[vertices_[v]].fade = double(fade[v]);
}

}  // namespace fascia
