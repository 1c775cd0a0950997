// The data behind Appearance: what the renderer looks up for each triangle, vertex and texture.
#pragma once

#include <array>
#include <vector>

#include "fascia/picture.h"
#include "render/texture.h"

namespace fascia {

struct Appearance::Data {
    struct Surface {
        int image = -1;          ///< index in `images`, -1 for none
        float alpha_cutoff = 0;  ///< samples with less alpha are not drawn; 0 draws everything
    };
    std::vector<std::uint32_t> triangles;       ///< [triangles * 3]
    std::vector<std::uint16_t> surface_of;      ///< [triangles] index in `surfaces`
    std::vector<Surface> surfaces;              ///< one per material, plus one for triangles without a material
    std::vector<Vec4> colors;                   ///< [vertices] base colour * vertex colour, linear
    std::vector<Vec2> uvs;                      ///< [vertices]
    std::vector<picture::TextureImage> images;  ///< one per texture of the character; empty if it could not be decoded

    /// The texture of a triangle; null if it has none.
    const picture::TextureImage* image_of(std::size_t triangle) const {
        if (triangle >= surface_of.size()) return nullptr;
        const int image = surfaces[surface_of[triangle]].image;
        return image < 0 ? nullptr : &images[static_cast<std::size_t>(image)];
    }
    /// False if the texture makes the triangle transparent at the point with these corner weights.
    bool solid_at(std::size_t triangle, const std::array<std::uint32_t, 3>& corners,
                  const std::array<float, 3>& weights, float footprint) const;
    float cutoff_of(std::size_t triangle) const {
        return triangle < surface_of.size() ? surfaces[surface_of[triangle]].alpha_cutoff : 0;
    }
};

}  // namespace fascia
