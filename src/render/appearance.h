// Inside of Appearance: what the renderer looks up per triangle, vertex and texture.
#pragma once

#include <array>
#include <vector>

#include "fascia/picture.h"
#include "render/texture.h"

namespace fascia {

struct Appearance::Data {
    struct Surface {
        int image = -1;          ///< in `images`, -1 for none
        float alpha_cutoff = 0;  ///< samples with less alpha are not drawn; 0 draws everything
    };
    std::vector<std::uint32_t> triangles;       ///< [triangles * 3]
    std::vector<std::uint16_t> surface_of;      ///< [triangles] in `surfaces`
    std::vector<Surface> surfaces;              ///< one per material, and a plain one
    std::vector<Vec4> colors;                   ///< [vertices] base colour * vertex colour, linear
    std::vector<Vec2> uvs;                      ///< [vertices]
    std::vector<picture::TextureImage> images;  ///< one per texture of the character; empty where undecodable

    /// What the triangle's texture says; null where it has none.
    const picture::TextureImage* image_of(std::size_t triangle) const {
        if (triangle >= surface_of.size()) return nullptr;
        const int image = surfaces[surface_of[triangle]].image;
        return image < 0 ? nullptr : &images[static_cast<std::size_t>(image)];
    }
    /// False where the texture cuts the triangle away at these weights of its corners.
    bool solid_at(std::size_t triangle, const std::array<std::uint32_t, 3>& corners,
                  const std::array<float, 3>& weights, float footprint) const;
    float cutoff_of(std::size_t triangle) const {
        return triangle < surface_of.size() ? surfaces[surface_of[triangle]].alpha_cutoff : 0;
    }
};

}  // namespace fascia
