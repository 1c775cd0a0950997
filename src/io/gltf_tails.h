// The end of a bone in a glTF file. The format has joints only as points, so if a bone does not end where the reader
// would guess, its node says so: "extras": {"fascia_tail": [x, y, z]}, in the joint's own space.
#pragma once

#include "io/glb_writer_scene.h"
#include "io/gltf_scene.h"

namespace fascia::io {

/// Takes the ends that the file states; one that is not a point near the body is ignored with a remark.
void read_tails(const GltfContext& context, const SceneNodes& scene, const Mesh& mesh, std::vector<Joint>& joints);

/// States the ends that guess_tails would not find again.
void write_tails(const Character& character, GlbScene& scene);

}  // namespace fascia::io
