#include "character/trunk_skin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace fascia {
namespace {

/// A body is this many spacings large: some two thousand vertices are kept, whatever the mesh.
constexpr double kSpacings = 40;

bool is_finite(Vec3d v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Area-weighted, from the faces: the file's own normals may say anything.
std::vector<Vec3d> face_normals(const Mesh& mesh) {
    std::vector<Vec3d> normals(mesh.positions.size());
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const std::uint32_t* corners = mesh.triangles.data() + t;
        const Vec3d a = to_double(mesh.positions[corners[0]]);
        const Vec3d area = cross(to_double(mesh.positions[corners[1]]) - a, to_double(mesh.positions[corners[2]]) - a);
        if (!is_finite(area)) continue;
        for (int i = 0; i < 3; ++i) normals[corners[i]] += area;
    }
    for (Vec3d& normal : normals) normal = normalized(normal);
    return normals;
}

}  // namespace

TrunkSkin::TrunkSkin(const Character& character, const CharacterRest& rest, const std::vector<bool>& is_left_out) {
    const std::vector<Vec3d> normals = face_normals(character.mesh);
    for (int v : spread_vertices(character, is_left_out, normals)) add(character, v, normals[v]);
    pose(rest.world);
}

/// One vertex per cell of a grid and main direction of its normal, so that both sides of a thin part are kept.
std::vector<int> TrunkSkin::spread_vertices(const Character& character, const std::vector<bool>& is_left_out,
                                            const std::vector<Vec3d>& normals) {
    const auto slots = static_cast<std::size_t>(std::max(0, character.weights.influences));
    const std::size_t vertices = slots > 0 ? std::min(normals.size(), character.weights.weights.size() / slots) : 0;
    std::vector<int> kept;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Vec3d low{kInfinity, kInfinity, kInfinity}, high = low * -1;
    for (std::size_t v = 0; v < vertices; ++v) {
        const Vec3d place = to_double(character.mesh.positions[v]);
        // The largest weight comes first.
        if (!is_finite(place) || !(dot(normals[v], normals[v]) > 0) ||
            is_left_out[character.joints[character.weights.joints[v * slots]].node])
            continue;
        kept.push_back(static_cast<int>(v));
        low = {std::min(low.x, place.x), std::min(low.y, place.y), std::min(low.z, place.z)};
        high = {std::max(high.x, place.x), std::max(high.y, place.y), std::max(high.z, place.z)};
    }
    if (kept.empty()) return kept;
    const Vec3d extent = high - low;
    spacing_ = std::max({extent.x, extent.y, extent.z}) / kSpacings;
    if (!(spacing_ > 0)) return {};
    const auto cell_of = [&](int v) {
        const Vec3d at = (to_double(character.mesh.positions[v]) - low) * (1 / spacing_), n = normals[v];
        const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
        const int side = x >= y && x >= z ? (n.x > 0 ? 0 : 1) : y >= z ? (n.y > 0 ? 2 : 3) : (n.z > 0 ? 4 : 5);
        return std::array{static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z), side};
    };
    std::vector<std::pair<std::array<int, 4>, int>> cells;
    for (int v : kept) cells.emplace_back(cell_of(v), v);
    std::sort(cells.begin(), cells.end());
    const auto in_one_cell = [](const auto& a, const auto& b) { return a.first == b.first; };
    cells.erase(std::unique(cells.begin(), cells.end(), in_one_cell), cells.end());
    kept.clear();
    for (const auto& [cell, vertex] : cells) kept.push_back(vertex);
    return kept;
}

void TrunkSkin::add(const Character& character, int vertex, Vec3d normal) {
    const auto slots = static_cast<std::size_t>(character.weights.influences);
    const Vec3d place = to_double(character.mesh.positions[vertex]);
    Point point{place, normal, static_cast<int>(influences_.size()), 0};
    for (std::size_t i = vertex * slots; i < (vertex + 1) * slots; ++i) {
        const double weight = character.weights.weights[i];
        if (!(weight > 0)) continue;
        const Joint& joint = character.joints[character.weights.joints[i]];
        const Affine to_joint = inverse(joint.rest);
        influences_.push_back(
            {joint.node, weight, transform_point(to_joint, place), transform_vector(to_joint, normal)});
        ++point.count;
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

/// The mean of the planes of the nearest vertices, weighted so that it changes smoothly as the point moves.
SkinDistance TrunkSkin::distance_to(Vec3d place) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Point& point : points_) {
        const Vec3d way = place - point.place;
        nearest = std::min(nearest, dot(way, way));
    }
    nearest = std::sqrt(nearest);
    double total = 0, along = 0;
    Vec3d out;
    for (const Point& point : points_) {
        const Vec3d way = place - point.place;
        const double farther = std::sqrt(dot(way, way)) - nearest;
        if (!(farther < spacing_)) continue;
        const double weight = (1 - farther / spacing_) * (1 - farther / spacing_);
        total += weight;
        along += weight * dot(way, point.normal);
        out += point.normal * weight;
    }
    if (!(total > 0)) return {std::numeric_limits<double>::infinity(), {}};
    along /= total;
    // Beside an edge, planes say little about a point that is far away: it is outside unless it is clearly not.
    constexpr double kClearly = 0.3;
    if (nearest > spacing_ && along > -kClearly * nearest) along = nearest;
    return {along, normalized(out)};
}

}  // namespace fascia
