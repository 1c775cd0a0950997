// Distances through the body that hardly depend on the grid's orientation: steps along faces, edges and corners of the
// cells cost 3, 4 and 5 (within 6 % of the straight length; steps along faces alone are up to 73 % too long).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/isa.h"
#include "weights/dense.h"
#include "weights/influences.h"

namespace fascia::weights {

/// Length of a face step in chamfer units.
inline constexpr double chamfer_unit = 3;

struct NearestBone {
    std::vector<std::int32_t> distance;  ///< [nodes] chamfer units, -1 where no bone can be reached
    std::vector<std::uint16_t> joint;    ///< [nodes] the joint of the nearest bone
};
/// neighbours: [nodes * 27] by place in the 3x3x3 block, -1 for none.
NearestBone nearest_bones(std::span<const std::int32_t> neighbours, std::span<const NodeJoint> cores);

/// Geodesic weights for all nodes (docs/formulas.md A3). A bone's own voxels are as near as a voxel can be; everywhere
/// else d is the distance beyond that to the nearest bone, in units of the limb's thickness there, so that skin far
/// from its bone bends as sharply as skin near it. Bones beyond the cut-off are not followed.
struct SpreadInput {
    std::span<const std::int32_t> neighbours;
    std::span<const NodeJoint> cores;  ///< ascending by joint
    std::span<const float> thickness;  ///< [nodes] in cells
    double unit = 0.25;                ///< of the thickness: raised, joints bend over a longer stretch
    double eps = 1;                    ///< raised: blends more evenly
    double cutoff = 2;                 ///< of the thickness
    int slots = 8;
};
Influences spread_weights(const SpreadInput& input, const NearestBone& nearest);

/// Bones whose distances are found together, side by side at each node.
inline constexpr std::size_t chamfer_lanes = 32;
inline constexpr std::uint16_t chamfer_far = 0xF000;
/// One sweep up and one down through the nodes: each takes the shortest path through its neighbours, and counts as
/// unreachable if that is longer than its limit. d: [nodes * 32]. Returns whether anything became shorter; once nothing
/// does, distances are exact.
FASCIA_DECLARE_KERNEL(bool sweep_distances(const std::int32_t* neighbours, const std::uint16_t* limit,
                                           std::size_t nodes, std::uint16_t* d))

}  // namespace fascia::weights
