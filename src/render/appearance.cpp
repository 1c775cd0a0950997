#include "render/appearance.h"

#include <algorithm>

namespace fascia {
namespace {

const Material* material_of(const Character& character, const Part& part) {
    const auto count = static_cast<int>(character.materials.size());
    return part.material >= 0 && part.material < count ? &character.materials[static_cast<std::size_t>(part.material)]
                                                       : nullptr;
}

/// [first, first + count) clamped to what exists: a caller may have filled in the parts by hand.
struct Range {
    std::size_t begin = 0, end = 0;
    Range(int first, int count, std::size_t size) {
        begin = std::min(static_cast<std::size_t>(std::max(first, 0)), size);
        end = std::min(begin + static_cast<std::size_t>(std::max(count, 0)), size);
    }
};

Vec4 product(Vec4 a, Vec4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}

/// Base colour * COLOR_0 of every vertex of one mesh.
std::vector<Vec4> plain_colors(const Character& character, const Mesh& mesh) {
    std::vector<Vec4> colors(mesh.vertex_count(), Material{}.base_color);
    for (const Part& part : mesh.parts) {
        const Material* material = material_of(character, part);
        if (!material) continue;
        const Range range(part.first_vertex, part.vertex_count, colors.size());
        std::fill(colors.begin() + static_cast<std::ptrdiff_t>(range.begin),
                  colors.begin() + static_cast<std::ptrdiff_t>(range.end), material->base_color);
    }
    if (mesh.colors.size() == colors.size()) {
        for (std::size_t i = 0; i < colors.size(); ++i) colors[i] = product(colors[i], mesh.colors[i]);
    }
    return colors;
}

std::vector<picture::TextureImage> decode_textures(const Character& character) {
    std::vector<picture::TextureImage> images;
    images.reserve(character.textures.size());
    for (const Texture& texture : character.textures) images.emplace_back(picture::decode_image(texture.bytes));
    return images;
}

/// Index of the decoded image of a material, -1 if there is none.
int image_of(const Material* material, const std::vector<picture::TextureImage>& images) {
    if (!material || material->texture < 0 || material->texture >= static_cast<int>(images.size())) return -1;
    return images[static_cast<std::size_t>(material->texture)].empty() ? -1 : material->texture;
}

void append_mesh(const Character& character, const Mesh& mesh, Appearance::Data& data) {
    const auto first_vertex = static_cast<std::uint32_t>(data.colors.size());
    const std::size_t first_triangle = data.surface_of.size();
    const std::vector<Vec4> colors = plain_colors(character, mesh);
    data.colors.insert(data.colors.end(), colors.begin(), colors.end());
    if (mesh.uvs.size() == mesh.vertex_count()) data.uvs.insert(data.uvs.end(), mesh.uvs.begin(), mesh.uvs.end());
    data.uvs.resize(data.colors.size());
    for (const std::uint32_t v : mesh.triangles) data.triangles.push_back(first_vertex + v);

    const auto plain_surface = static_cast<std::uint16_t>(data.surfaces.size() - 1);
    data.surface_of.resize(first_triangle + mesh.triangle_count(), plain_surface);
    for (const Part& part : mesh.parts) {
        const Material* material = material_of(character, part);
        if (!material || part.material >= plain_surface || mesh.uvs.size() != mesh.vertex_count()) continue;
        const Range range(part.first_triangle, part.triangle_count, mesh.triangle_count());
        for (std::size_t t = range.begin; t < range.end; ++t)
            data.surface_of[first_triangle + t] = static_cast<std::uint16_t>(part.material);
    }
}

}  // namespace

bool Appearance::Data::solid_at(std::size_t triangle, const std::array<std::uint32_t, 3>& corners,
                                const std::array<float, 3>& weights, float footprint) const {
    const float cutoff = cutoff_of(triangle);
    if (!(cutoff > 0)) return true;
    float alpha = 0;
    Vec2 uv;
    for (std::size_t k = 0; k < 3; ++k) {
        alpha += weights[k] * colors[corners[k]].w;
        uv.x += weights[k] * uvs[corners[k]].x;
        uv.y += weights[k] * uvs[corners[k]].y;
    }
    if (const picture::TextureImage* image = image_of(triangle)) alpha *= image->sample(uv, footprint).w;
    return alpha >= cutoff;
}

Appearance::Appearance(const Character& character) {
    auto data = std::make_shared<Data>();
    data->images = decode_textures(character);
    constexpr std::size_t most_surfaces = 60000;  // indices are 16 bits
    const std::size_t count = std::min(character.materials.size(), most_surfaces);
    for (std::size_t m = 0; m < count; ++m) {
        const Material& material = character.materials[m];
        data->surfaces.push_back({image_of(&material, data->images), material.alpha_cutoff});
    }
    data->surfaces.push_back({});
    append_mesh(character, character.mesh, *data);
    append_mesh(character, character.rigid, *data);
    append_mesh(character, character.attached, *data);
    data_ = std::move(data);
}

std::span<const std::uint32_t> Appearance::triangles() const {
    return data_->triangles;
}

Shot Appearance::shot(std::span<const Vec3> positions, std::span<const Vec3> normals) const {
    Shot shot;
    shot.positions = positions;
    shot.normals = normals;
    shot.triangles = data_->triangles;
    shot.appearance = this;
    return shot;
}

std::vector<Vec4> vertex_colors(const Character& character, const Mesh& mesh) {
    std::vector<Vec4> colors = plain_colors(character, mesh);
    if (mesh.uvs.size() != mesh.vertex_count()) return colors;
    const std::vector<picture::TextureImage> images = decode_textures(character);
    for (const Part& part : mesh.parts) {
        const int image = image_of(material_of(character, part), images);
        if (image < 0) continue;
        const Range range(part.first_vertex, part.vertex_count, colors.size());
        for (std::size_t v = range.begin; v < range.end; ++v)
            colors[v] = product(colors[v], images[static_cast<std::size_t>(image)].sample(mesh.uvs[v], 0));
    }
    return colors;
}

}  // namespace fascia
