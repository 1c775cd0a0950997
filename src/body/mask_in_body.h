// A mask painted on the surface, carried into the body.
#pragma once

#include <span>
#include <vector>

#include "fascia/character.h"
#include "lattice/connectivity.h"
#include "lattice/grid.h"

namespace fascia {

/// Flesh whose mask is below this follows the skeleton like bone.
inline constexpr float blackest_mask = 0.01f;

/// [nodes] 0..1 from [vertices] 0..1. centers: [nodes]
std::vector<float> mask_in_body(const Mesh& mesh, const std::vector<float>& mask, const lattice::Grid& grid,
                                const lattice::Tissue& tissue, std::span<const Vec3d> centers);

}  // namespace fascia
