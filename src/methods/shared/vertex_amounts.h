// How much of the flesh's motion each vertex is given by itself: by the mask, by parts that name its mesh or material,
// and by its shell. Joints' amounts come on top (flesh_settings.h).
#pragma once

#include <vector>

#include "body/shells.h"
#include "fascia/method.h"
#include "lattice/connectivity.h"
#include "lattice/grid.h"

namespace fascia {

/// amount = mask * (the joints' amount) + own, per vertex or carried into the body.
struct VertexAmounts {
    std::vector<float> mask;  ///< [vertices] 0..1, or empty: 1
    std::vector<float> own;   ///< [vertices] 0..2, or empty: 0. What a mesh or material says replaces what joints say

    bool empty() const { return mask.empty() && own.empty(); }
};

/// shells: empty where the body's shape is not asked. Shells that a part of the settings gives an amount are no longer
/// stiff.
Result<VertexAmounts> vertex_amounts(const Character& character, const FleshSettings& settings,
                                     const BindInputs& inputs, Shells& shells);

/// The same inside the body.
struct NodeAmounts {
    std::vector<float> mask, own;  ///< [nodes] or empty

    /// Driven like bone.
    bool is_still(std::size_t node) const;
    /// Given an amount by its mesh or material.
    bool swings(std::size_t node) const;
};
NodeAmounts amounts_in_body(const Mesh& mesh, const VertexAmounts& amounts, const lattice::Grid& grid,
                            const lattice::Tissue& tissue, std::span<const Vec3d> centers);

/// The surface's shells, or none where the settings go by names or the file's weights are not used.
Shells shells_for(const Character& character, const FleshSettings& settings, const BindInputs& inputs);

}  // namespace fascia
