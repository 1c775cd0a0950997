// Rays from inside a body to its surface, through a tree of boxes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/box.h"

namespace fascia {

/// Spans must outlive it.
class RayTree {
public:
    RayTree(std::span<const Vec3d> positions, std::span<const std::uint32_t> triangles);

    /// Distance to where a ray leaves through the back of a triangle, in multiples of `direction`; fronts are ignored.
    std::optional<double> exit(Vec3d origin, Vec3d direction) const;

private:
    struct Branch {
        Box box;
        std::uint32_t first = 0, count = 0;  ///< triangles of a leaf
        std::uint32_t after = 0;             ///< the branch that follows this one and all below it
    };
    void build(std::uint32_t first, std::uint32_t count, std::span<const Vec3d> centers);

    std::span<const Vec3d> positions_;
    std::span<const std::uint32_t> triangles_;
    std::vector<std::uint32_t> order_;
    std::vector<Branch> branches_;  ///< each followed by all branches below it
};

}  // namespace fascia
