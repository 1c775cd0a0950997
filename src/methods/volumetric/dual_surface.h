// A surface carried by the motions of voxel corners: each corner blends those of its joints, and each vertex those of
// the corners around it. Blending the corners' positions instead would shorten the space between corners that turn
// relative to one another; blended motions do not lose volume.
#pragma once

#include <span>
#include <vector>

#include "methods/volumetric/fitted_weights.h"
#include "methods/volumetric/volumetric_body.h"
#include "skin/dual_cells.h"
#include "skin/skinned_surface.h"

namespace fascia {

struct CarriedMesh;

class DualSurface {
public:
    DualSurface() = default;
    /// The body's own surface.
    DualSurface(const VolumetricBody& body, const PointWeights& weights, std::span<const Affine> rest);
    /// A further mesh.
    DualSurface(const VolumetricBody& body, const PointWeights& weights, const CarriedMesh& mesh,
                std::span<const Affine> rest);

    std::size_t vertex_count() const { return cells_.vertices; }
    /// The points of the body that carry it, ascending.
    const std::vector<std::uint32_t>& points() const { return points_; }
    /// By place in points().
    const embedding::Trilinear& bound() const { return bound_; }

    /// Arrays of `out` that are too short, or that do not exist at rest, are left alone.
    void skin(std::span<const Affine> pose, const Surface& out, Workspace& work) const;

private:
    void choose_points(const VolumetricBody& body);
    void bind_points(const VolumetricBody& body, const PointWeights& weights);
    std::span<const float> stretched(const Floats& rest, std::span<const float> joint_rows, float fourth,
                                     Workspace& work) const;

    RestFrame rest_;
    std::vector<std::uint32_t> points_;
    embedding::Trilinear bound_;  ///< points are places in `points_`
    BoundWeights weights_;        ///< of the points
    DualPoints duals_;
    DualCells cells_;
    Floats positions_, normals_, tangents_;
    std::vector<float> handedness_;
};

}  // namespace fascia
