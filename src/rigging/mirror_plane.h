// The plane in which a body is symmetric, perpendicular to one of the axes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/box.h"

namespace fascia {

struct MirrorPlane {
    int axis = 0;
    double at = 0;

    double side(Vec3d p) const { return (axis == 0 ? p.x : axis == 1 ? p.y : p.z) - at; }
    Vec3d mirrored(Vec3d p) const { return moved(p, -2 * side(p)); }
    Vec3d onto(Vec3d p) const { return moved(p, -side(p)); }

private:
    Vec3d moved(Vec3d p, double by) const {
        (axis == 0 ? p.x : axis == 1 ? p.y : p.z) += by;
        return p;
    }
};

/// No value if more than a few vertices have no surface opposite them.
std::optional<MirrorPlane> find_mirror_plane(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles);

}  // namespace fascia
