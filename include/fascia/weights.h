// Automatic skin weights: computed on the voxels of the body and transferred to its vertices. They work on any mesh;
// notes tell what was wrong with it and what was done about it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fascia/api.h"
#include "fascia/character.h"
#include "fascia/result.h"

FASCIA_API_BEGIN
namespace fascia {

struct WeightOptions {
    /// "geodesic", "diffusion", "biharmonic", "nearest", or "file": the file's own; "points": biharmonic, with every
    /// joint a point instead of a bone
    std::string method = "geodesic";
    int resolution = 0;  ///< voxels along the longest side; 0: chosen by the method
    int influences = 4;  ///< 4 or 8
    int threads = 1;
    /// As BindInputs::progress: called with the share that is done; if it returns false, the computation ends with an
    /// error.
    std::function<bool(double share)> progress = nullptr;
};

struct ComputedWeights {
    SkinWeights weights;                ///< finite, not negative, sum 1
    std::size_t voxels = 0;             ///< nodes of the volume
    std::size_t fallback_vertices = 0;  ///< vertices in pieces that no bone reaches; they follow the nearest flesh
    double fallback_share = 0;          ///< of all vertices
    std::vector<std::string> notes;     ///< sentences for a person
};

/// Names for WeightOptions::method.
const std::vector<std::string>& weight_methods();

/// Weights of Character::mesh for all of Character::joints. Fails only if there is no vertex or no joint, or a name is
/// unknown.
Result<ComputedWeights> compute_weights(const Character& character, const WeightOptions& options);

}  // namespace fascia
FASCIA_API_END
