// Which pieces of surface enclose flesh, which way they face, and which of them are one body.
#pragma once

#include <cstdint>
#include <vector>

#include "fascia/character.h"
#include "fascia/measure.h"

namespace fascia {

/// In the form that lattice/folds.h expects.
struct BodyShells {
    /// [triangles] Which way each faces, judged by the volume that its component encloses. Even with a hole or an extra
    /// seam a component encloses most of its volume; a sheet encloses none.
    std::vector<std::int32_t> shell;
    /// [triangles] Shells that are as thick as flesh and reach into one another are one body: places where they have
    /// nothing between them only touch. Cloth is thinner, and belongs to the body it covers.
    std::vector<std::int32_t> body;
};
BodyShells find_body_shells(const Mesh& mesh, const Components& components);

}  // namespace fascia
