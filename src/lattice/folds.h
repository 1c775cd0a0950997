// Limbs that are folded at rest: a thigh on its shank, an arm at the flank. The two are neighbours in the skeleton and
// may share cells, but between their surfaces is nothing, and they must be able to part.
#pragma once

#include <cstdint>
#include <span>

#include "fascia/math.h"

namespace fascia::lattice {

/// What knows which side of a surface is outside.
class Folds {
public:
    /// shell: [triangles] k for the k-th closed piece of surface, -k where its triangles face inwards, 0 where nobody
    /// knows; empty: nobody knows.
    Folds(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
          std::span<const std::int32_t> shell)
        : positions_(positions), triangles_(triangles), shell_(shell) {}

    bool known() const { return !shell_.empty(); }

    /// The two lists of triangles look at one another across empty space where they come nearest to `place`. Both sides
    /// of a thin part look away from one another, cloth and skin look the same way: these are no folds.
    bool between(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, Vec3d place) const;

private:
    Vec3d corner(std::uint32_t t, int k) const { return to_double(positions_[triangles_[3 * t + k]]); }
    Vec3d nearest(std::uint32_t t, Vec3d place) const;
    Vec3d outward(std::uint32_t t) const;

    std::span<const Vec3> positions_;
    std::span<const std::uint32_t> triangles_;
    std::span<const std::int32_t> shell_;
};

}  // namespace fascia::lattice
