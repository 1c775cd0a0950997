// Base colours and their pictures; everything else about a material stays in the source document.
#include <algorithm>

#include <fmt/format.h>

#include "io/accessor_reader.h"
#include "io/gltf_scene.h"
#include "io/json_fields.h"

namespace fascia::io {

namespace {

using nlohmann::json;

const json& extension_of(const json& object, const char* extension) {
    return member(member(object, "extensions"), extension);
}

bool can_be_shown(const gltf::Model& model, int image) {
    if (image < 0 || static_cast<std::size_t>(image) >= model.images.size()) return false;
    const gltf::Image& found = model.images[static_cast<std::size_t>(image)];
    return found.buffer_view >= 0 && found.mime != "image/ktx2";
}

/// The image behind a texture; -1 if none could be found and shown. KHR_texture_basisu names pictures that only
/// graphics cards read; portable files have a plain one beside it.
int image_of(const gltf::Model& model, int texture) {
    const json& textures = array_field(model.source, "textures");
    if (texture < 0 || static_cast<std::size_t>(texture) >= textures.size()) return -1;
    const json& source = textures[static_cast<std::size_t>(texture)];
    const int webp = index_field(extension_of(source, "EXT_texture_webp"), "source");
    if (can_be_shown(model, webp)) return webp;
    const int plain = index_field(source, "source");
    return can_be_shown(model, plain) ? plain : -1;
}

float clamped(double value) {
    return static_cast<float>(std::clamp(value, 0.0, 1.0));
}

void set_color(const std::vector<double>& factor, Material& out) {
    if (factor.size() == 4)
        out.base_color = {clamped(factor[0]), clamped(factor[1]), clamped(factor[2]), clamped(factor[3])};
}

/// The older way to write a base colour.
void read_specular_glossiness(const gltf::Model& model, const json& older, Material& out) {
    set_color(numbers_field(older, "diffuseFactor"), out);
    if (const json& texture = member(older, "diffuseTexture"); texture.contains("index"))
        out.texture = image_of(model, index_field(texture, "index"));
}

Material read_material(const gltf::Model& model, const json& source) {
    const json& pbr = member(source, "pbrMetallicRoughness");
    const std::string alpha = string_field(source, "alphaMode");
    Material out;
    out.name = short_name(string_field(source, "name"));
    out.double_sided = member(source, "doubleSided") == true;
    if (alpha == "MASK") {
        const json& cutoff = member(source, "alphaCutoff");
        out.alpha_cutoff = cutoff.is_number() ? cutoff.get<float>() : 0.5f;
    }
    if (alpha == "BLEND") out.alpha_cutoff = 0.5f;
    set_color(numbers_field(pbr, "baseColorFactor"), out);
    out.texture = image_of(model, index_field(member(pbr, "baseColorTexture"), "index"));
    if (const json& older = extension_of(source, "KHR_materials_pbrSpecularGlossiness"); older.is_object())
        read_specular_glossiness(model, older, out);
    return out;
}

}  // namespace

std::vector<Material> read_materials(const GltfContext& context) {
    std::vector<Material> out;
    for (const json& source : array_field(context.model.source, "materials")) {
        Material material = read_material(context.model, source);
        if (material.name.empty()) material.name = fmt::format("material_{}", out.size());
        out.push_back(std::move(material));
    }
    return out;
}

Result<std::vector<Texture>> read_textures(const GltfContext& context) {
    std::vector<Texture> out;
    for (const gltf::Image& image : context.model.images) {
        Texture texture;
        texture.name = short_name(image.name);
        texture.mime = image.mime;
        if (image.buffer_view >= 0) {
            const std::string what = fmt::format("{}: image {}", context.name, out.size());
            auto bytes = buffer_view_bytes(context.model, image.buffer_view, what);
            if (!bytes) return bytes.error();
            if (auto status = context.budget.take(bytes->size, 1, what); !status) return status.error();
            texture.bytes.assign(bytes->data, bytes->data + bytes->size);
        }
        out.push_back(std::move(texture));
    }
    return out;
}

}  // namespace fascia::io
