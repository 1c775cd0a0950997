// Base colours and their pictures; everything else about a material stays in the source document.
#include <algorithm>

#include <fmt/format.h>

#include "io/accessor_reader.h"
#include "io/gltf_scene.h"

namespace fascia::io {

namespace {

const tinygltf::Value* find(const tinygltf::ExtensionMap& extensions, const char* extension, const char* key) {
    const auto found = extensions.find(extension);
    if (found == extensions.end() || !found->second.IsObject() || !found->second.Has(key)) return nullptr;
    return &found->second.Get(key);
}

/// The image behind a texture, -1 where there is none that could be found.
int image_of(const tinygltf::Model& model, int texture) {
    if (texture < 0 || static_cast<std::size_t>(texture) >= model.textures.size()) return -1;
    const tinygltf::Texture& source = model.textures[static_cast<std::size_t>(texture)];
    int image = source.source;
    if (const tinygltf::Value* webp = find(source.extensions, "EXT_texture_webp", "source");
        webp != nullptr && webp->IsInt()) {
        image = webp->GetNumberAsInt();
    }
    const bool known = image >= 0 && static_cast<std::size_t>(image) < model.images.size();
    return known && model.images[static_cast<std::size_t>(image)].bufferView >= 0 ? image : -1;
}

float clamped(double value) {
    return static_cast<float>(std::clamp(value, 0.0, 1.0));
}

void set_color(const std::vector<double>& factor, Material& out) {
    if (factor.size() == 4)
        out.base_color = {clamped(factor[0]), clamped(factor[1]), clamped(factor[2]), clamped(factor[3])};
}

/// The older way to write a base colour.
void read_specular_glossiness(const tinygltf::Model& model, const tinygltf::Material& source, Material& out) {
    constexpr const char* extension = "KHR_materials_pbrSpecularGlossiness";
    if (const tinygltf::Value* diffuse = find(source.extensions, extension, "diffuseFactor");
        diffuse != nullptr && diffuse->IsArray()) {
        std::vector<double> factor;
        for (std::size_t i = 0; i < diffuse->ArrayLen(); ++i)
            factor.push_back(diffuse->Get(static_cast<int>(i)).GetNumberAsDouble());
        set_color(factor, out);
    }
    if (const tinygltf::Value* texture = find(source.extensions, extension, "diffuseTexture");
        texture != nullptr && texture->Has("index")) {
        out.texture = image_of(model, texture->Get("index").GetNumberAsInt());
    }
}

}  // namespace

std::vector<Material> read_materials(const GltfContext& context) {
    std::vector<Material> out;
    for (const tinygltf::Material& source : context.model.materials) {
        Material material;
        material.name = source.name.empty() ? fmt::format("material_{}", out.size()) : source.name;
        material.double_sided = source.doubleSided;
        if (source.alphaMode == "MASK") material.alpha_cutoff = static_cast<float>(source.alphaCutoff);
        if (source.alphaMode == "BLEND") material.alpha_cutoff = 0.5f;
        set_color(source.pbrMetallicRoughness.baseColorFactor, material);
        material.texture = image_of(context.model, source.pbrMetallicRoughness.baseColorTexture.index);
        if (source.extensions.count("KHR_materials_pbrSpecularGlossiness") != 0)
            read_specular_glossiness(context.model, source, material);
        out.push_back(std::move(material));
    }
    return out;
}

Result<std::vector<Texture>> read_textures(const GltfContext& context) {
    std::vector<Texture> out;
    for (const tinygltf::Image& image : context.model.images) {
        Texture texture;
        texture.name = image.name;
        texture.mime = image.mimeType;
        if (image.bufferView >= 0) {
            const std::string what = fmt::format("{}: image {}", context.name, out.size());
            auto bytes = buffer_view_bytes(context.model, image.bufferView, what);
            if (!bytes) return bytes.error();
            if (auto status = context.budget.take(bytes->size, 1, what); !status) return status.error();
            texture.bytes.assign(bytes->data, bytes->data + bytes->size);
        }
        out.push_back(std::move(texture));
    }
    return out;
}

}  // namespace fascia::io
