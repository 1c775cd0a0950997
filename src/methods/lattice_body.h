// What binding makes of a character for the method `lattice`: cells with particles at their corners, weights, parts
// around joints, and the surface in the cells.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "embed/trilinear.h"
#include "fascia/method.h"
#include "lattice/corners.h"
#include "lattice/grid.h"
#include "methods/pose_gate.h"
#include "methods/rest_surface.h"
#include "sim/lattice_swing.h"
#include "skin/volume_parts.h"
#include "weights/influences.h"

namespace fascia {

struct LatticeBody {
    double size = 1;
    lattice::Grid grid;
    Vec3d centre;
    std::size_t cell_count = 0;
    lattice::CornerLattice corners;

    // ---- particles, in channels; lengths in cells about the centre ----
    std::size_t stride = 0;             ///< particles, rounded up to a multiple of eight, and eight more
    std::vector<std::uint32_t> slots;   ///< [particles] 0, 1, 2 ...
    Floats rest;                        ///< [3 * stride]
    std::vector<std::uint16_t> joints;  ///< [4 * stride]
    Floats weights;                     ///< [4 * stride] largest first
    Floats pivots;                      ///< [3 * stride] joint between the two strongest bones, or empty
    std::vector<std::uint8_t> bone;     ///< [particles] 1 inside the cylinder around a bone: driven, never moved
    sim::SwingRegions regions;          ///< of shape matching
    std::vector<int> part;              ///< [particles] joint whose part it belongs to
    VolumeParts volumes;

    // ---- joints ----
    PoseGate gate;
    std::vector<Affine> inverse_rest;
    std::vector<int> parents;
    std::vector<Vec3d> joint_pivots;  ///< [joints] at rest, in the particles' coordinates

    // ---- the surface ----
    RestSurface surface;
    embedding::Trilinear bound;

    std::vector<std::string> warnings;

    std::size_t particle_count() const { return slots.size(); }
};

/// Builds the body, or says in a sentence why it cannot.
Result<std::shared_ptr<const LatticeBody>> build_lattice_body(const Character& character,
                                                              const LatticeSettings& settings);

/// A bone of the skeleton: from its joint to a child, or to the joint's tail.
struct JointBone {
    Vec3d a, b;
    std::uint16_t joint = 0;
    int child = -1;  ///< -1: a tail
};

/// Diffusion weights of the particles (docs/formulas.md D2), four slots.
struct ParticleWeights {
    weights::Influences influences;
    std::vector<std::uint8_t> bone;  ///< [particles] inside the cylinder of a bone
};

/// Parts around joints (docs/formulas.md D4), [particles]: of the strongest bone the half that a particle lies in.
std::vector<int> joint_parts(const weights::Influences& influences, const std::vector<Vec3d>& places,
                             const std::vector<JointBone>& bones);

/// What the volume pass needs of the parts, root to leaves (docs/formulas.md D5).
VolumeParts volume_parts(const lattice::CornerLattice& corners, const std::vector<int>& part,
                         const weights::Influences& influences, const std::vector<int>& parents,
                         std::span<const float> rest, std::size_t stride);

}  // namespace fascia
