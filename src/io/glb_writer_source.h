// What a written GLB carries over from the file behind a character: the JSON of everything but binary data, and tightly
// packed copies of accessors, so that unused bytes stay behind.
#pragma once

#include <map>
#include <set>
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

    /// Index of the accessor in the new file; -1 where the source has none that can be read. Copied once for each use.
    int accessor(int source, ViewUse use, const std::string& attribute = {});

    /// Mesh `source` without the primitives in `left_out`, joints and weights; -1 where nothing is left.
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
    nlohmann::json attributes(const std::map<std::string, int>& source, bool target);
    nlohmann::json rigid_primitive(const gltf::Primitive& source);
    const gltf::Primitive* primitive(int mesh, int index) const;

    const gltf::Model& model_;
    GlbData& data_;
    std::map<std::pair<int, std::pair<ViewUse, std::string>>, int> copied_;
    std::map<int, int> whole_meshes_;
    bool quantized_ = false;
};

/// Removes members that are null, and makes null items of lists empty objects.
void drop_nulls(nlohmann::json& value);

}  // namespace fascia::io
