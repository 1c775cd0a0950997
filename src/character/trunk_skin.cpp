#include "character/trunk_skin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "base/union_find.h"

namespace fascia {
namespace {

/// A body is this many spacings large: some two thousand points are kept, whatever the mesh.
constexpr double kSpacings = 60;
constexpr double kBlend = 1.5;  ///< spacings over which planes are averaged

bool is_finite(Vec3d v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

struct Corners {
    Vec3d a, b, c;
};

Corners corners_of(const Mesh& mesh, std::size_t triangle) {
    const std::uint32_t* v = mesh.triangles.data() + 3 * triangle;
    return {to_double(mesh.positions[v[0]]), to_double(mesh.positions[v[1]]), to_double(mesh.positions[v[2]])};
}

/// [vertices] Pieces of the surface that hang together, by their first vertex; vertices at one place are one.
std::vector<int> pieces_of(const Mesh& mesh) {
    UnionFind pieces(mesh.positions.size());
    for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
        pieces.join(mesh.triangles[i], mesh.triangles[i + 1]);
        pieces.join(mesh.triangles[i], mesh.triangles[i + 2]);
    }
    std::vector<int> order(mesh.positions.size());
    std::iota(order.begin(), order.end(), 0);
    const auto place = [&](int v) {
        const Vec3& p = mesh.positions[v];
        return std::tuple(p.x, p.y, p.z, v);
    };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return place(a) < place(b); });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (mesh.positions[order[i]] == mesh.positions[order[i - 1]]) pieces.join(order[i], order[i - 1]);
    std::vector<int> out(mesh.positions.size());
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = static_cast<int>(pieces.lead(static_cast<std::uint32_t>(v)));
    return out;
}

/// [vertices] Is it part of a sheet, such as a cape? What lies on one side of a sheet is not inside anything. The areas
/// of a closed piece, and of a shirt or a trouser leg, cancel each other; those of a sheet do not.
std::vector<bool> find_sheets(const Mesh& mesh) {
    constexpr double kSheet = 0.3;
    const std::vector<int> pieces = pieces_of(mesh);
    std::vector<Vec3d> sum(pieces.size());
    std::vector<double> total(pieces.size());
    for (std::size_t t = 0; t < mesh.triangles.size() / 3; ++t) {
        const auto [a, b, c] = corners_of(mesh, t);
        const Vec3d area = cross(b - a, c - a);
        if (!is_finite(area)) continue;
        const int piece = pieces[mesh.triangles[3 * t]];
        sum[piece] += area;
        total[piece] += length(area);
    }
    std::vector<bool> sheets(pieces.size());
    for (std::size_t v = 0; v < sheets.size(); ++v) sheets[v] = length(sum[pieces[v]]) > kSheet * total[pieces[v]];
    return sheets;
}

/// [triangles] that count.
std::vector<int> triangles_without(const Character& character, const std::vector<bool>& is_left_out) {
    const Mesh& mesh = character.mesh;
    const auto slots = static_cast<std::size_t>(std::max(0, character.weights.influences));
    if (slots == 0 || character.weights.weights.size() < slots * mesh.positions.size()) return {};
    const std::vector<bool> sheets = find_sheets(mesh);
    const auto counts = [&](std::uint32_t v) {
        // The largest weight comes first.
        const int node = character.joints[character.weights.joints[v * slots]].node;
        return !sheets[v] && !is_left_out[node] && is_finite(to_double(mesh.positions[v]));
    };
    std::vector<int> kept;
    for (std::size_t t = 0; t < mesh.triangles.size() / 3; ++t) {
        const std::uint32_t* v = mesh.triangles.data() + 3 * t;
        const auto [a, b, c] = corners_of(mesh, t);
        const Vec3d area = cross(b - a, c - a);
        if (counts(v[0]) && counts(v[1]) && counts(v[2]) && dot(area, area) > 0) kept.push_back(static_cast<int>(t));
    }
    return kept;
}

/// The middles of small triangles that a large one is cut into, as shares of its corners.
template <class Visit>
void visit_parts(int cuts, const Visit& visit) {
    const double step = 1.0 / cuts;
    for (int i = 0; i < cuts; ++i) {
        for (int j = 0; i + j < cuts; ++j) {
            const double a = (i + 1.0 / 3) * step, b = (j + 1.0 / 3) * step;
            visit(Vec3d{a, b, 1 - a - b});
            if (i + j + 1 >= cuts) continue;
            const double c = (i + 2.0 / 3) * step, d = (j + 2.0 / 3) * step;
            visit(Vec3d{c, d, 1 - c - d});
        }
    }
}

/// Points that were kept, by cells of a grid that are as large as the points are apart.
class KeptPoints {
public:
    KeptPoints(Vec3d low, Vec3d extent, double apart)
        : low_(low), apart_(apart), nx_(cells(extent.x)), ny_(cells(extent.y)), nz_(cells(extent.z)) {
        last_.assign(static_cast<std::size_t>(nx_) * ny_ * nz_, -1);
    }

    /// Keeps a point unless a kept one is near and faces the same way, so that both sides of a thin part are kept.
    bool keep(Vec3d place, Vec3d normal) {
        const Vec3d at = (place - low_) * (1 / apart_);
        const int x = static_cast<int>(at.x), y = static_cast<int>(at.y), z = static_cast<int>(at.z);
        for (int k = std::max(z - 1, 0); k <= std::min(z + 1, nz_ - 1); ++k)
            for (int j = std::max(y - 1, 0); j <= std::min(y + 1, ny_ - 1); ++j)
                for (int i = std::max(x - 1, 0); i <= std::min(x + 1, nx_ - 1); ++i)
                    for (int p = last_[cell(i, j, k)]; p >= 0; p = points_[p].before)
                        if (length(points_[p].place - place) < apart_ && dot(points_[p].normal, normal) > kAlike)
                            return false;
        int& last = last_[cell(std::min(x, nx_ - 1), std::min(y, ny_ - 1), std::min(z, nz_ - 1))];
        points_.push_back({place, normal, last});
        last = static_cast<int>(points_.size()) - 1;
        return true;
    }

private:
    static constexpr double kAlike = 0.5;
    struct Point {
        Vec3d place, normal;
        int before;  ///< in the same cell, -1: none
    };

    int cells(double extent) const { return static_cast<int>(extent / apart_) + 1; }
    std::size_t cell(int i, int j, int k) const { return (static_cast<std::size_t>(k) * ny_ + j) * nx_ + i; }

    Vec3d low_;
    double apart_;
    int nx_, ny_, nz_;
    std::vector<int> last_;  ///< [cells]
    std::vector<Point> points_;
};

}  // namespace

TrunkSkin::TrunkSkin(const Character& character, const CharacterRest& rest, const std::vector<bool>& is_left_out) {
    const Mesh& mesh = character.mesh;
    const std::vector<int> triangles = triangles_without(character, is_left_out);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Vec3d low{kInfinity, kInfinity, kInfinity}, high = low * -1, middle;
    for (int t : triangles) {
        const auto [a, b, c] = corners_of(mesh, t);
        for (Vec3d at : {a, b, c}) {
            low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
            high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
            middle += at * (1.0 / (3.0 * static_cast<double>(triangles.size())));
        }
    }
    double radius = 0;  // the same however the body is turned
    for (int t : triangles) radius = std::max(radius, length(corners_of(mesh, t).a - middle));
    spacing_ = 2 * radius / kSpacings;
    if (!(spacing_ > 0)) return;
    KeptPoints kept(low, high - low, spacing_);
    for (int t : triangles) {
        const Corners at = corners_of(mesh, t);
        const Vec3d normal = normalized(cross(at.b - at.a, at.c - at.a));
        const double longest = std::max({length(at.b - at.a), length(at.c - at.b), length(at.a - at.c)});
        const int cuts = std::clamp(static_cast<int>(std::ceil(longest / spacing_)), 1, static_cast<int>(kSpacings));
        visit_parts(cuts, [&](Vec3d shares) {
            const Vec3d place = at.a * shares.x + at.b * shares.y + at.c * shares.z;
            if (kept.keep(place, normal)) add(character, t, shares, place, normal);
        });
    }
    pose(rest.world);
}

void TrunkSkin::add(const Character& character, int triangle, Vec3d shares, Vec3d place, Vec3d normal) {
    const auto slots = static_cast<std::size_t>(character.weights.influences);
    const std::array<double, 3> of_corner{shares.x, shares.y, shares.z};
    Point point{place, normal, static_cast<int>(influences_.size()), 0};
    for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t corner = character.mesh.triangles[3 * static_cast<std::size_t>(triangle) + c];
        for (std::size_t i = corner * slots; i < (corner + 1) * slots; ++i) {
            const double weight = of_corner[c] * character.weights.weights[i];
            if (!(weight > 0)) continue;
            const Joint& joint = character.joints[character.weights.joints[i]];
            const Affine to_joint = inverse(joint.rest);
            influences_.push_back(
                {joint.node, weight, transform_point(to_joint, place), transform_vector(to_joint, normal)});
            ++point.count;
        }
    }
    if (point.count > 0) points_.push_back(point);
}

void TrunkSkin::pose(const std::vector<Affine>& world) {
    for (Point& point : points_) {
        point.place = point.normal = {};
        for (int i = point.first; i < point.first + point.count; ++i) {
            const Influence& influence = influences_[i];
            const Affine& node = world[influence.node];
            point.place += transform_point(node, influence.place) * influence.weight;
            point.normal += transform_vector(node, influence.normal) * influence.weight;
        }
        point.normal = normalized(point.normal);
    }
}

/// The mean of the planes of the nearest points, weighted so that it changes smoothly as the point moves.
SkinDistance TrunkSkin::distance_to(Vec3d place) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Point& point : points_) {
        const Vec3d way = place - point.place;
        nearest = std::min(nearest, dot(way, way));
    }
    nearest = std::sqrt(nearest);
    const double blend = kBlend * spacing_;
    double total = 0, along = 0;
    Vec3d out;
    for (const Point& point : points_) {
        const Vec3d way = place - point.place;
        const double farther = std::sqrt(dot(way, way)) - nearest;
        if (!(farther < blend)) continue;
        const double weight = (1 - farther / blend) * (1 - farther / blend);
        total += weight;
        along += weight * dot(way, point.normal);
        out += point.normal * weight;
    }
    if (!(total > 0) || !(nearest > 0)) return {0, normalized(out)};
    along /= total;
    // Beside an edge, planes say little about a point that is far away: it is outside unless it is clearly not.
    constexpr double kInside = -0.5, kOutside = -0.2;
    const double sight = std::clamp((along / nearest - kInside) / (kOutside - kInside), 0.0, 1.0);
    const double far = std::clamp(nearest / spacing_ - 1, 0.0, 1.0);
    return {along + (nearest - along) * sight * far, normalized(out)};
}

}  // namespace fascia
