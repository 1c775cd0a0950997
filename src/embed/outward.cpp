#include "embed/outward.h"

#include <cmath>
#include <utility>

namespace fascia::embedding {

namespace {

constexpr std::size_t grain = 256;
/// Cosines: of a normal at rest that belongs to its triangles, and the least of one that is shown.
constexpr float belongs = 0.5f, least = 0.25f;

Vec3 facing(std::span<const Vec3> positions, std::uint32_t v, std::span<const std::uint32_t> sides) {
    Vec3 sum;
    for (std::size_t k = 0; k < sides.size(); k += 2)
        sum += cross(positions[sides[k]] - positions[v], positions[sides[k + 1]] - positions[v]);
    const float size = length(sum);
    return size > 0 ? sum * (1 / size) : Vec3{};
}

}  // namespace

OutwardNormals::OutwardNormals(std::span<const Vec3> rest, std::span<const Vec3> normals, const Fans& fans,
                               std::span<const std::uint8_t> watched) {
    first_.push_back(0);
    std::vector<std::uint32_t> corner_of(fans.vertex_count());
    for (std::uint32_t v = 0; v < corner_of.size(); ++v) corner_of[v] = v;
    for (std::uint32_t v = 0; v < corner_of.size(); ++v)
        if (fans.same_place[v] != v) corner_of[fans.same_place[v]] = corner_of[v];
    std::vector<std::uint32_t> sides;
    for (std::uint32_t v = 0; v < normals.size(); ++v) {
        if (!watched[v]) continue;
        sides.clear();
        for (const std::uint32_t at : fans.of(corner_of[v])) {
            const std::uint32_t triangle = at - at % 3;
            sides.push_back(fans.corners[triangle + (at + 1) % 3]);
            sides.push_back(fans.corners[triangle + (at + 2) % 3]);
        }
        const float cosine = dot(facing(rest, v, sides), normals[v]);
        if (!(std::abs(cosine) > belongs)) continue;
        for (std::size_t k = 0; cosine < 0 && k < sides.size(); k += 2) std::swap(sides[k], sides[k + 1]);
        vertices_.push_back(v);
        sides_.insert(sides_.end(), sides.begin(), sides.end());
        first_.push_back(std::uint32_t(sides_.size()));
    }
}

void OutwardNormals::correct(std::span<const Vec3> positions, std::span<Vec3> normals, ThreadPool& pool) const {
    pool.for_ranges(vertices_.size(), grain, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t k = begin; k < end; ++k) {
            const std::uint32_t v = vertices_[k];
            const Vec3 out = facing(positions, v, std::span(sides_).subspan(first_[k], first_[k + 1] - first_[k]));
            const float cosine = dot(out, normals[v]);
            if (cosine < least && (out.x != 0 || out.y != 0 || out.z != 0))
                normals[v] = normalized(normals[v] + out * (least - cosine), normals[v]);
        }
    });
}

}  // namespace fascia::embedding
