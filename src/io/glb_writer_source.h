// What a written GLB carries over from the file behind a character: the JSON of everything but binary data, and tightly
// packed copies of accessors, so that unused bytes stay behind.
#pragma once

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <nlohmann/json.hpp>

#include "io/glb_writer_data.h"
#include "io/source_document.h"

namespace fascia::io {

class GlbSource {
public:
    GlbSource(const gltf::Model& model, GlbData& data) : model_(model), data_(data) {}

    /// The document without meshes, skins, clips, pictures, buffers and extensions that no longer apply (VRM).
    nlohmann::json skeleton_json() const;

    /// Mesh `source` without the primitives in `left_out`, joints and weights; -1 if nothing is left.
    int rigid_mesh(int source, const std::set<int>& left_out, nlohmann::json& meshes);

    /// Attributes of a primitive that do not depend on the pose: texture coordinates, colours, custom ones.
    nlohmann::json constant_attributes(int mesh, int primitive, std::size_t vertices);
    bool has_attribute(int mesh, int primitive, const std::string& semantic) const;
    /// Material, extensions and extras of a primitive.
    nlohmann::json primitive_properties(int mesh, int primitive) const;

    /// Fills "images" and "textures" of `root` and removes references to missing pictures.
    void add_pictures(nlohmann::json& root);

    /// Whether an attribute was copied that only KHR_mesh_quantization allows.
    bool quantized() const { return quantized_; }

private:
    // Copies of accessors: their index in the new file, -1 if the source has none that the format allows there.
    int attribute(int source, const std::string& name, bool target, std::size_t vertices);
    int indices(int source, std::size_t vertices);
    int neutral_set(const std::string& kind, std::size_t vertices);

    nlohmann::json attributes(const gltf::Attributes& source, bool target, std::size_t vertices);
    /// Sets of texture coordinates and colours are numbered without gaps, and those that a material uses are there.
    void complete_sets(int material, std::size_t vertices, nlohmann::json& attributes);
    bool has_material(int material) const;
    nlohmann::json rigid_primitive(const gltf::Primitive& source);
    const gltf::Primitive* primitive(int mesh, int index) const;

    const gltf::Model& model_;
    GlbData& data_;
    std::map<std::tuple<int, std::string, bool>, int> copied_;  ///< by accessor, attribute and whether in a target
    std::map<int, int> copied_indices_;
    std::map<std::pair<std::string, std::size_t>, int> neutral_sets_;  ///< by kind and number of vertices
    std::map<int, int> whole_meshes_;
    bool quantized_ = false;
};

/// Morph targets of a written mesh.
std::size_t target_count(const nlohmann::json& mesh);

/// Removes members that are null, and makes null items of lists empty objects.
void drop_nulls(nlohmann::json& value);

}  // namespace fascia::io
