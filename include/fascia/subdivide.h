// Finer triangles where a joint bends the skin: a separate step, before any method is bound.
#pragma once

#include <string>

#include "fascia/api.h"
#include "fascia/character.h"
#include "fascia/result.h"

FASCIA_API_BEGIN
namespace fascia {

/// How a triangle near the joint is split.
enum class Split {
    three,  ///< 1:3, a vertex in the middle: fewer triangles, but long ones
    four,   ///< 1:4, vertices in the middle of the edges; neighbours are split too, so that no gap opens
};

struct Subdivided {
    Character character;
    std::size_t split_triangles = 0;    ///< triangles connected to the joint
    std::size_t induced_triangles = 0;  ///< neighbours that were split too (1:4)
};

/// Splits the triangles whose three vertices all turn with `joint`. Attributes are averaged, seams and parts are kept,
/// and a watertight surface stays watertight. The error suggests the nearest joint.
Result<Subdivided> subdivide(const Character& character, const std::string& joint, Split split);

}  // namespace fascia
FASCIA_API_END
