// Two other ways to solve for the voxels of `volumetric-arap`, to compare it with: finite elements of the Saint
// Venant-Kirchhoff material, and rigid cells joined by elastic faces (PriMO on volumes).
#pragma once

#include <cstdint>
#include <vector>

#include "volumetric_models.h"

namespace fascia::experiments {

/// Points at the corners of voxels, in edges of a voxel.
struct Voxels {
    std::vector<Vec3d> rest, now;
    std::vector<std::uint32_t> cells;  ///< [cells * 8] by bits: 1 upper along x, 2 along y, 4 along z
    std::vector<std::uint8_t> held;    ///< [points] 1: by the skeleton
    double edge = 1;
};

/// Of a rig bound with volumetric-arap: what its bones hold, and everything where skinning puts it.
class VoxelRig {
public:
    VoxelRig(const ModelBody& body, int resolution, const char* embed = "trilinear");

    /// All points where skinning puts them at this share of the pose.
    Voxels skinned(double share);
    /// The surface that such points carry.
    Held carried(const Voxels& voxels);
    std::size_t cell_count() const { return rig_->inside()->point_cells().size() / 8; }

private:
    const ModelBody* body_;
    RigPtr rig_;
    State state_;
    Workspace work_{1};
};

/// Poisson's ratio 0.45. Goes to the pose in `steps`; in each, the free points move until the elastic energy is least.
Voxels saint_venant_kirchhoff(VoxelRig& rig, int steps, int iterations);

/// Botsch et al. 2007: neighbours whose common faces come apart pull at each other.
Voxels rigid_cells(VoxelRig& rig, int sweeps);

}  // namespace fascia::experiments
