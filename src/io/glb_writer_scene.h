// The scene of a GLB that we write: nodes, materials, textures and rigid meshes, taken from the character's source
// document if there is one (so that what we do not interpret survives), else built from the character.
#pragma once

#include <memory>
#include <vector>

#include <nlohmann/json.hpp>

#include "fascia/character.h"
#include "io/glb_writer_data.h"
#include "io/glb_writer_source.h"

namespace fascia::io {

struct GlbScene {
    nlohmann::json root;                ///< all but buffers, views and accessors
    std::vector<int> node_of;           ///< [Character::nodes] index in root["nodes"]
    int shown = 0;                      ///< the default scene
    std::unique_ptr<GlbSource> source;  ///< null for a generated character

    nlohmann::json& node(int character_node) {
        return root["nodes"][static_cast<std::size_t>(node_of[static_cast<std::size_t>(character_node)])];
    }
};

/// Skinned mesh nodes have neither mesh nor skin yet, there is no clip, and whatever only these used is left out.
GlbScene make_glb_scene(const Character& character, GlbData& data);

/// A primitive of a skinned part with its indices, material and all attributes but positions, normals, tangents, joints
/// and weights.
nlohmann::json make_skinned_primitive(const Character& character, const Part& part, GlbScene& scene, GlbData& data);

/// The same for an attached mesh.
nlohmann::json make_attached_primitive(const Character& character, const Part& part, GlbData& data);
/// A new node of the shown scene that nothing moves.
int add_still_node(const std::string& name, GlbScene& scene);

/// A node of the shown scene that nothing moves, for a mesh that is already in scene space: the mesh's own node if
/// nothing else depends on it, else a new one. Index in root["nodes"].
int make_still_node(const Character& character, int character_node, GlbScene& scene);

/// Sets translation, rotation and scale, leaving out defaults. A sheared node, which the format cannot express, gets
/// the nearest ones.
void set_transform(const Node& node, nlohmann::json& out);

/// Normalised, as the format requires.
std::vector<Vec3> unit_normals(std::span<const Vec3> normals);
std::vector<Vec4> unit_tangents(std::span<const Vec4> tangents);

/// Whether a skinned part had tangents in its file; where another part had some, Mesh::tangents holds fillers for it.
bool has_tangents(const Part& part, const GlbScene& scene);

/// Fills in the asset and the extensions in use, removes empty lists, and writes everything to `out`.
Status write_glb(GlbScene& scene, GlbData& data, AtomicFile& out);

}  // namespace fascia::io
