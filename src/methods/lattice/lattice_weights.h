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

/// What weights follow from.
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
    std::vector<std::uint8_t> bone;  ///< [particles] driven, never moved
};

/// From the bones through the body (docs/formulas.md D2). Bone is what lies in the cylinder of one.
ParticleWeights diffused_weights(const WeightInput& in);

/// Those of the surface in the cells around each particle, handed inward from there. Bone is what lies in the cylinder
/// of one that holds more than flesh, and what hangs together with none: a hat follows its weights.
ParticleWeights painted_weights(const WeightInput& in);

/// How deep the flesh is around each particle, as `layers` has it (thin_flesh.h). [particles]
std::vector<float> particle_thinness(const WeightInput& in);

/// Around this joint, scene units.
double bone_width(const WeightInput& in, std::uint16_t joint);

/// Of the bones of a joint the one that lies nearest; null where it has none.
const JointBone* nearest_of_joint(const std::vector<JointBone>& bones, std::uint16_t joint, Vec3d p, double& distance2);

}  // namespace fascia
