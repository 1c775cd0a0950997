// Points of a volumetric body as the skeleton carries them, near the origin wherever the character stands.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "methods/volumetric/volumetric_body.h"
#include "skin/skinned_surface.h"

namespace fascia {

class PointSkin {
public:
    enum class Blend { linear, dual_quaternions };

    PointSkin() = default;
    /// points: of the body, in the order in which they are written
    PointSkin(const VolumetricBody& body, std::span<const std::uint32_t> points, std::span<const Affine> rest,
              Blend blend);

    std::size_t size() const { return size_; }
    /// Where the first joint carries the middle of the body.
    Vec3d origin(std::span<const Affine> pose) const;
    /// places: [3 * size()] channels, scene units about origin(pose)
    void pose(std::span<const Affine> pose, std::span<float> places, Workspace& work) const;

private:
    std::size_t size_ = 0;
    Vec3d centre_;
    Affine inverse_rest_;  ///< of the first joint
    std::variant<DqsSurface, LbsSurface> skin_;
};

/// The rotations of points as their joints blend them.
class PointTurns {
public:
    PointTurns() = default;
    PointTurns(const VolumetricBody& body, std::span<const std::uint32_t> points, std::span<const Affine> rest);

    std::size_t size() const { return weights_.size() / 4; }
    /// rotations: [4 * size()] w, x, y, z channels. False: some bone is scaled relative to the first, so that rotations
    /// are not everything.
    bool turn(std::span<const Affine> pose, std::span<float> rotations, Workspace& work) const;

private:
    RestFrame rest_;
    std::vector<std::uint16_t> joints_;  ///< [points * 4]
    std::vector<float> weights_;         ///< [points * 4]
};

}  // namespace fascia
