// How much of the flesh's motion each vertex has of its own: from the mask, from parts that name its mesh or material,
// and from its shell. Joints' amounts are applied in addition (flesh_settings.h).
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
    std::vector<float> own;   ///< [vertices] 0..2, or empty: 0. The value of a mesh or material replaces that of joints

    bool empty() const { return mask.empty() && own.empty(); }
};

/// shells: empty if the body's shape does not count. Shells given an amount by a part of the settings are no longer
/// stiff.
Result<VertexAmounts> vertex_amounts(const Character& character, const FleshSettings& settings,
                                     const BindInputs& inputs, Shells& shells);

/// The same inside the body.
struct NodeAmounts {
    std::vector<float> mask, own;  ///< [nodes] or empty

    /// Is it driven like bone?
    bool is_still(std::size_t node) const;
    /// Has its mesh or material given it an amount?
    bool swings(std::size_t node) const;
};
NodeAmounts amounts_in_body(const Mesh& mesh, const VertexAmounts& amounts, const lattice::Grid& grid,
                            const lattice::Tissue& tissue, std::span<const Vec3d> centers);

/// The surface's shells; none if the settings go by names or the file's weights are not used.
Shells shells_for(const Character& character, const FleshSettings& settings, const BindInputs& inputs);

}  // namespace fascia
