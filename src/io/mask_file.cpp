// Masks: a number per vertex, from its colours or from an image in UV space.
#include <algorithm>
#include <cmath>

#include "fascia/io.h"
#include "image/decode.h"
#include "io/file_bytes.h"

namespace fascia {

namespace {

using image::Pixels;

/// One byte per pixel.
Result<Pixels> decode_grey(const std::vector<std::uint8_t>& bytes, const std::string& path) {
    Pixels out;
    switch (image::decode(bytes, image::Channels::grey, out)) {
        case image::Outcome::decoded: return out;
        case image::Outcome::too_large:
            return input_error("mask '" + path + "' has more than 64 million pixels; make it smaller");
        case image::Outcome::not_built_in:
            return usage_error("mask '" + path +
                               "': this build reads no images; use a vertex colour such as COLOR_1.r");
        default: return input_error("mask '" + path + "' is not a sound PNG, JPEG or WebP");
    }
}

int wrapped(int i, int n) {
    i %= n;
    return i < 0 ? i + n : i;
}

/// Brightness, 0..1, interpolated between the four nearest pixels; the image repeats.
float sample(const Pixels& image, Vec2 uv) {
    if (!std::isfinite(uv.x) || !std::isfinite(uv.y)) return 0;
    const float x = (uv.x - std::floor(uv.x)) * float(image.width) - 0.5f,
                y = (uv.y - std::floor(uv.y)) * float(image.height) - 0.5f;
    const int left = int(std::floor(x)), top = int(std::floor(y));
    const float right_share = x - float(left), low_share = y - float(top);
    const auto at = [&](int dx, int dy) {
        const int column = wrapped(left + dx, image.width), row = wrapped(top + dy, image.height);
        return float(image.bytes[std::size_t(row) * std::size_t(image.width) + std::size_t(column)]) / 255;
    };
    const float above = at(0, 0) * (1 - right_share) + at(1, 0) * right_share;
    const float below = at(0, 1) * (1 - right_share) + at(1, 1) * right_share;
    return above * (1 - low_share) + below * low_share;
}

}  // namespace

Result<std::vector<float>> load_mask(const std::string& mask, const Character& character) {
    if (mask.rfind("COLOR_", 0) == 0) return mask_from_colors(mask, character);
    if (character.mesh.uvs.empty())
        return usage_error("mask '" + mask + "' is an image, but " + character.name +
                           " has no texture coordinates; use a vertex colour such as COLOR_1.r");
    const Result<io::Bytes> bytes = io::read_file(mask);
    if (!bytes) return bytes.error();
    const Result<Pixels> image = decode_grey(*bytes, mask);
    if (!image) return image.error();
    std::vector<float> out;
    for (const Vec2 uv : character.mesh.uvs) out.push_back(sample(*image, uv));
    return out;
}

}  // namespace fascia
