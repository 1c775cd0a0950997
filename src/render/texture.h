// Decoded images with mipmaps, sampled in linear light.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia::picture {

/// sRGB with straight alpha, 4 bytes per pixel, row by row from the top.
struct Pixels {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
};

/// Decodes PNG, JPEG or WebP; empty if the bytes are something else, damaged or unreasonably large.
Pixels decode_image(std::span<const std::uint8_t> bytes);

/// An image with its mipmaps, repeated in both directions. (0, 0) is the top left corner, as in glTF.
class TextureImage {
public:
    TextureImage() = default;
    explicit TextureImage(Pixels pixels);

    bool empty() const { return levels_.empty(); }
    int width() const { return empty() ? 0 : levels_[0].width; }
    int height() const { return empty() ? 0 : levels_[0].height; }

    /// Linear colour and alpha; `footprint` is the size of the sampled area in u and v (0: full resolution).
    Vec4 sample(Vec2 uv, float footprint) const;

private:
    Vec4 sample_level(Vec2 uv, std::size_t level) const;
    std::vector<Pixels> levels_;
};

}  // namespace fascia::picture
