// From a static mesh to a body with handles: where points could pose it, and how they are linked.
#pragma once

#include <string>
#include <vector>

#include "fascia/api.h"
#include "fascia/rig_mesh.h"

FASCIA_API_BEGIN
namespace fascia {

struct HandleOptions {
    int count = 0;              ///< how many handles; 0: as many as the shape suggests
    int clusters = 5;           ///< thicknesses to tell apart, 2..12
    Skeleton points;            ///< given handles; parents are links
    bool add_to_found = false;  ///< given handles come on top of those that are found, instead of replacing them
};

struct PlacedHandles {
    Skeleton handles;  ///< linked by a tree, parents first
    bool mirrored = false;
    std::vector<std::string> notes;  ///< sentences for a person
};

/// Places handles where the body becomes thicker or thinner, at its ends, and far from all others; always inside the
/// body. Whatever given links do not connect is linked by the shortest tree through the tissue (docs/formulas.md C18).
Result<PlacedHandles> place_handles(const Mesh& mesh, const std::string& name, const HandleOptions& options);

/// The same with weights for the points: a character that binds with `handles`, and with any other method.
Result<RiggedMesh> rig_with_handles(const Mesh& mesh, const std::string& name, const HandleOptions& options);

/// As a .tgf file holds them.
std::string handles_to_tgf(const Skeleton& handles);

}  // namespace fascia
FASCIA_API_END
