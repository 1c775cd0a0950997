// What is measured of a neck, so that one can be taken onto another: a line along it from the lowest vertebra to the
// top of the head, and how deep and wide the body is there.
#pragma once

#include <optional>
#include <vector>

#include "fascia/math.h"
#include "measure/closest_triangle.h"
#include "rigging/ray_tree.h"

namespace fascia {

/// The skin about a neck. Places are measured in the body's own axes: left, up, forward.
class NeckSkin {
public:
    NeckSkin(std::vector<Vec3> positions, std::vector<Vec3> normals, std::vector<std::uint32_t> triangles);
    NeckSkin(const NeckSkin&) = delete;
    NeckSkin& operator=(const NeckSkin&) = delete;

    std::optional<double> exit(Vec3d from, Vec3d direction) const { return rays_.exit(from, direction); }
    /// How deep a place lies; negative outside.
    double depth(Vec3d p) const;
    /// `p` if it is at least this deep, otherwise the place below it that is.
    Vec3d sunk(Vec3d p, double depth) const;

private:
    struct Below {
        double depth = 0;
        Vec3d inward;
    };
    Below below(Vec3d p) const;

    std::vector<Vec3> positions_, normals_;
    std::vector<std::uint32_t> triangles_;
    std::vector<Vec3d> exact_;
    ClosestTriangle near_;
    RayTree rays_;
};

/// Where the joints and the skin of a neck are.
struct NeckMeasure {
    Vec3d root, head;  ///< pivots of the lowest vertebra and of the skull
    double chin = 0;   ///< height at which the front of the neck becomes the chin, if it was found
    double top = 0;    ///< height of the top of the head
    bool has_chin = false;

    /// The line through both pivots; beyond them it goes straight up and down.
    Vec3d line(double height) const;
};

/// Finds the chin and the top; false if the head has no skin above it.
bool measure_neck(const NeckSkin& skin, NeckMeasure& neck);

/// What lies inside the skin at a height.
struct NeckSlice {
    double middle = 0;  ///< between front and back
    double half_depth = 0, half_width = 0;
};
/// At heights in ascending order; smoothed along them, so that ears and noses hardly count. Rays that meet no skin are
/// left to their neighbours.
std::vector<NeckSlice> slice_neck(const NeckSkin& skin, const NeckMeasure& neck, const std::vector<double>& heights);

}  // namespace fascia
