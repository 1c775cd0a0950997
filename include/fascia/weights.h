// Automatic skin weights: computed on the voxels of the body and carried to its vertices. They never fail on a mesh:
// what was met and what was done about it is told in notes.
#pragma once

#include <string>
#include <vector>

#include "fascia/character.h"
#include "fascia/result.h"

namespace fascia {

struct WeightOptions {
    std::string method = "geodesic";  ///< "geodesic", "diffusion", "biharmonic", "nearest", or "file": those it has
    int resolution = 0;               ///< voxels along the longest side; 0: chosen by the method
    int influences = 4;               ///< 4 or 8
    int threads = 1;
};

struct ComputedWeights {
    SkinWeights weights;                ///< finite, not negative, sum 1
    std::size_t voxels = 0;             ///< nodes of the volume
    std::size_t fallback_vertices = 0;  ///< vertices in pieces that no bone reaches: they follow the nearest flesh
    double fallback_share = 0;          ///< of all vertices
    std::vector<std::string> notes;     ///< sentences for a person
};

/// Names for WeightOptions::method.
const std::vector<std::string>& weight_methods();

/// Weights of Character::mesh for all of Character::joints. Fails only where there is no vertex or no joint, and for
/// unknown names.
Result<ComputedWeights> compute_weights(const Character& character, const WeightOptions& options);

}  // namespace fascia
