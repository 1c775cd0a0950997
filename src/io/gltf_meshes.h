// Turns the mesh nodes of the default scene into one skinned and one rigid mesh.
#pragma once

#include "io/gltf_scene.h"

namespace fascia::io {

struct SceneMeshes {
    Mesh skinned, rigid;
    SkinWeights weights;
};
Result<SceneMeshes> read_meshes(const GltfContext& context, const SceneNodes& scene, const BoundSkins& skins);

/// Every mesh of the default scene in scene space, skinned or not, for a file that is read without its skeleton.
Result<Mesh> read_static_meshes(const GltfContext& context, const SceneNodes& scene);

}  // namespace fascia::io
