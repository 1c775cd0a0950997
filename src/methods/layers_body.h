// What binding makes of a character for the method `layers`: nodes, their layers, weights, regions and the surface in
// them. Depends on the shape and on settings that need a rebind (resolution, region width, bone width, muscle share).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "embed/trilinear.h"
#include "fascia/method.h"
#include "lattice/grid.h"
#include "methods/pose_gate.h"
#include "sim/lattice_step.h"
#include "skin/skinner.h"

namespace fascia {

struct LayersBody {
    double size = 1;
    lattice::Grid grid;
    Vec3 centre;  ///< rest positions of the nodes are stored about it

    // ---- nodes, in channels of `stride` ----
    std::size_t stride = 0;
    std::vector<std::uint32_t> points;  ///< [nodes] place of each node in the channels
    Floats rest;
    std::vector<std::uint16_t> joints;
    Floats weights;
    std::vector<std::int32_t> neighbours;
    Floats softness, volume_weight;
    std::vector<std::uint32_t> member_first, members, owner_first, owners;
    Floats mass, region;

    // ---- per node, in node order ----
    std::vector<lattice::Cell> cells;
    std::vector<std::uint8_t> layer;  ///< 0 bone, then the flesh's layers from the bone outwards
    std::vector<float> thinness;      ///< g: 1 where flesh is deep, towards 0 where it is thin

    // ---- joints ----
    PoseGate gate;
    std::vector<Affine> inverse_rest;  ///< [joints]
    std::vector<Vec3d> pivots;         ///< [joints] at rest, about the centre

    // ---- the surface ----
    SkinnedSurface surface;
    embedding::Trilinear bound;  ///< points are places in the channels

    std::vector<std::string> warnings;

    sim::LatticeRig lattice() const;
};

/// Builds the body, or says in a sentence why it cannot. `layers` of the flesh must not be empty.
Result<std::shared_ptr<const LayersBody>> build_layers_body(const Character& character, const LayersSettings& settings);

/// Factor on the amount of each joint: the last of the parts that match its name decides.
std::vector<double> joint_amounts(const std::vector<std::string>& joint_names, const Flesh& flesh);

}  // namespace fascia
