// A surface that is skinned: bound once, then positions, normals and tangents for any pose.
#pragma once

#include <span>
#include <vector>

#include "base/workspace.h"
#include "skin/bound_weights.h"
#include "skin/joint_maps.h"

namespace fascia {

class SkinnedSurface {
public:
    SkinnedSurface() = default;
    SkinnedSurface(const SkinSource& source, std::span<const Affine> rest);

    std::size_t vertex_count() const { return positions_.size(); }
    std::size_t unweighted() const { return weights_.unweighted; }

    /// Linear blend skinning at the joint matrices `pose`. Spans of `out` that are too short are left alone.
    void lbs(std::span<const Affine> pose, const Surface& out, Workspace& work) const;
    /// Dual quaternion skinning; scale and shear are blended linearly first.
    void dqs(std::span<const Affine> pose, const Surface& out, Workspace& work) const;

private:
    BoundWeights weights_;
    Vec3 centre_;
    std::vector<Vec3> positions_;  ///< [vertices] about the centre
    std::vector<Vec3> normals_;    ///< [vertices] or empty
    std::vector<Vec3> tangents_;   ///< [vertices] or empty
    std::vector<float> handedness_;
    std::vector<Affine> inverse_rest_;  ///< [joints] centred
    std::vector<Vec3d> pivots_;         ///< [joints] at rest, about the centre
};

}  // namespace fascia
