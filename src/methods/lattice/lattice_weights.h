// Weights of the particles: those of the file, or those that diffuse from the bones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "body/body_cells.h"
#include "fascia/settings.h"
#include "lattice/corners.h"
#include "methods/lattice/lattice_body.h"

namespace fascia {

/// What the weights are derived from.
struct WeightInput {
    const Character& character;
    const std::vector<JointBone>& bones;
    std::span<const std::uint16_t> followed;  ///< [triangles] the joint that each follows
    const BodyCells& filled;
    const lattice::CornerLattice& corners;
    const std::vector<Vec3d>& places;  ///< [particles]
    const LatticeSettings& settings;
    double size;

    double h() const { return filled.grid.h; }
};

/// Four slots.
struct ParticleWeights {
    weights::Influences influences;
    std::vector<std::uint8_t> bone;  ///< [particles] driven only
};

/// Diffused from the bones through the body (docs/formulas.md D2). Particles inside the cylinder of a bone are bone.
ParticleWeights diffused_weights(const WeightInput& in);

/// Taken from the surface in the cells around each particle, and passed inward from there. The particles inside the
/// cylinder of a bone that is not merely a handle of soft flesh count as bone, and so do all particles of pieces
/// without any bone: a hat follows its weights.
ParticleWeights painted_weights(const WeightInput& in);

/// How deep the flesh is around each particle, as in `layers` (thin_flesh.h). [particles]
std::vector<float> particle_thinness(const WeightInput& in);

/// The width around the bones of this joint, in scene units.
double bone_width(const WeightInput& in, std::uint16_t joint);

/// The nearest of the bones of a joint; null if it has none.
const JointBone* nearest_of_joint(const std::vector<JointBone>& bones, std::uint16_t joint, Vec3d p, double& distance2);

}  // namespace fascia
