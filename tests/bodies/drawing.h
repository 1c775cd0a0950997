// What all drawn bodies begin and end with.
#pragma once

#include <string>

#include "design.h"

namespace fascia::test {

/// Lengths of the surface's edges, plain and fine, and of the cells it is cut from.
struct Grain {
    double edge, fine_edge, cell;
};

/// A design of that name, drawn and with its bones.
inline characters::Design drawn(const std::string& name, Grain grain, void (*sculpt)(characters::Sculpture&),
                                void (*rig)(characters::Skeleton&)) {
    characters::Design out;
    out.name = name;
    out.sculpture.edge = grain.edge;
    out.sculpture.fine_edge = grain.fine_edge;
    out.sculpture.cell = grain.cell;
    sculpt(out.sculpture);
    rig(out.skeleton);
    return out;
}

/// After shells have been added to its one part.
inline void count_again(Character& character) {
    character.mesh.parts.front().vertex_count = int(character.mesh.vertex_count());
    character.mesh.parts.front().triangle_count = int(character.mesh.triangle_count());
}

}  // namespace fascia::test
