// What the parts of the glTF reader pass to one another.
#pragma once

#include <string>
#include <vector>

#include "base/words.h"
#include "fascia/character.h"
#include "fascia/result.h"
#include "io/gltf_model.h"
#include "io/memory_budget.h"
#include "io/remarks.h"

namespace fascia::io {

struct GltfContext {
    const std::string& name;  ///< of the file, for messages
    const gltf::Model& model;
    MemoryBudget& budget;
    Remarks& remarks;
};

/// The node tree in our order, with its default pose.
struct SceneNodes {
    std::vector<Node> nodes;
    std::vector<int> of_source;  ///< [file nodes] index in `nodes`
    std::vector<bool> in_scene;  ///< [nodes] reachable from the default scene
    std::vector<Affine> world;   ///< [nodes] default pose
    std::vector<int> depth;      ///< [nodes] 0 for a root
};
Result<SceneNodes> read_nodes(const GltfContext& context);

/// One skin of the file, bound: how its vertices and joint numbers enter the character.
struct BoundSkin {
    Affine to_scene;          ///< G: from the mesh's own space to the rest shape in scene space
    std::vector<int> joints;  ///< [joints of the skin] index in Character::joints
};
struct BoundSkins {
    std::vector<Joint> joints;
    std::vector<BoundSkin> skins;  ///< [file skins]; empty `joints` if no mesh uses the skin
};
Result<BoundSkins> bind_skins(const GltfContext& context, const SceneNodes& scene);

/// One primitive as the file has it, default morph weights applied, not yet in scene space.
struct Primitive {
    Mesh mesh;                          ///< no parts
    std::vector<std::uint32_t> joints;  ///< [vertices * slots] joint numbers of the skin
    std::vector<float> weights;         ///< [vertices * slots]
    int slots = 0;                      ///< 4 times the number of JOINTS_n
};
/// Without triangles (points, lines) the mesh is empty and a remark is made.
Result<Primitive> read_primitive(const GltfContext& context, int mesh, int primitive,
                                 const std::vector<double>& morph_weights);

std::vector<Clip> read_clips(const GltfContext& context, const SceneNodes& scene);
std::vector<Material> read_materials(const GltfContext& context);
Result<std::vector<Texture>> read_textures(const GltfContext& context);
std::vector<HumanoidBone> read_humanoid(const GltfContext& context, const SceneNodes& scene);

}  // namespace fascia::io
