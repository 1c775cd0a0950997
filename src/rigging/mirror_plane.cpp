#include "rigging/mirror_plane.h"

#include <algorithm>

#include "measure/closest_triangle.h"

namespace fascia {

namespace {

constexpr std::size_t samples = 1500;
constexpr double least_share = 0.95, reach = 0.012;  ///< of the vertices (a bag or a badge is left out); of the size

}  // namespace

std::optional<MirrorPlane> find_mirror_plane(std::span<const Vec3> positions,
                                             std::span<const std::uint32_t> triangles) {
    if (triangles.empty()) return std::nullopt;
    const Box box = box_of(positions);
    const ClosestTriangle surface(positions, triangles);
    const std::size_t step = std::max<std::size_t>(1, positions.size() / samples);
    // Bodies are mirrored from left to right more often than from front to back, and least from top to bottom.
    for (const int axis : {0, 2, 1}) {
        const Vec3d middle = box.middle();
        const MirrorPlane plane{axis, axis == 0 ? middle.x : axis == 1 ? middle.y : middle.z};
        std::size_t all = 0, met = 0;
        for (std::size_t v = 0; v < positions.size(); v += step, ++all)
            met += surface.find(plane.mirrored(to_double(positions[v]))).distance < reach * box.longest();
        if (double(met) >= least_share * double(all)) return plane;
    }
    return std::nullopt;
}

}  // namespace fascia
