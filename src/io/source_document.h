// The glTF file behind a Character, after decoding: every accessor is plain (no Draco, no meshopt, no sparse, always a
// bufferView), and every image that was found has a bufferView with the file's own bytes. The GLB writer starts from
// it, so that what we do not interpret survives a bake. Compressed source bytes may remain in buffers that nothing
// refers to any more.
#pragma once

#include "fascia/character.h"
#include "io/gltf_model.h"

namespace fascia {

struct SourceDocument {
    gltf::Model model;
};

}  // namespace fascia
