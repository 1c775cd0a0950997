// Masks: a number per vertex, from its colours or from an image in UV space.
#include <algorithm>
#include <cmath>

#include "fascia/io.h"
#include "io/file_bytes.h"

#if __has_include(<stb/stb_image.h>)
#define FASCIA_READS_IMAGES 1
// A private copy of the decoder: nothing of it is seen outside of this file.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_MAX_DIMENSIONS 16384
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop
#endif

namespace fascia {

namespace {

/// One byte per pixel, row by row from the top.
struct GreyImage {
    int width = 0, height = 0;
    std::vector<std::uint8_t> pixels;
};

#ifdef FASCIA_READS_IMAGES
Result<GreyImage> decode_grey(const std::vector<std::uint8_t>& bytes, const std::string& path) {
    constexpr std::int64_t most_pixels = 64 << 20;
    GreyImage out;
    int channels = 0;
    const int size = int(std::min<std::size_t>(bytes.size(), 1u << 30));
    const bool known = stbi_info_from_memory(bytes.data(), size, &out.width, &out.height, &channels) != 0;
    if (known && std::int64_t(out.width) * out.height > most_pixels)
        return input_error("mask '" + path + "' has more than 64 million pixels; make it smaller");
    stbi_uc* data = known ? stbi_load_from_memory(bytes.data(), size, &out.width, &out.height, &channels, 1) : nullptr;
    if (data == nullptr || out.width <= 0 || out.height <= 0) {
        stbi_image_free(data);
        return input_error("mask '" + path + "' is neither a sound PNG nor a sound JPEG");
    }
    out.pixels.assign(data, data + std::size_t(out.width) * std::size_t(out.height));
    stbi_image_free(data);
    return out;
}
#else
Result<GreyImage> decode_grey(const std::vector<std::uint8_t>&, const std::string& path) {
    return usage_error("mask '" + path + "': this build reads no images; use a vertex colour such as COLOR_1.r");
}
#endif

int wrapped(int i, int n) {
    i %= n;
    return i < 0 ? i + n : i;
}

/// Brightness between the four pixels around a place, 0..1; the image repeats.
float sample(const GreyImage& image, Vec2 uv) {
    if (!std::isfinite(uv.x) || !std::isfinite(uv.y)) return 0;
    const float x = (uv.x - std::floor(uv.x)) * float(image.width) - 0.5f,
                y = (uv.y - std::floor(uv.y)) * float(image.height) - 0.5f;
    const int left = int(std::floor(x)), top = int(std::floor(y));
    const float right_share = x - float(left), low_share = y - float(top);
    const auto at = [&](int dx, int dy) {
        const int column = wrapped(left + dx, image.width), row = wrapped(top + dy, image.height);
        return float(image.pixels[std::size_t(row) * std::size_t(image.width) + std::size_t(column)]) / 255;
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
    const Result<GreyImage> image = decode_grey(*bytes, mask);
    if (!image) return image.error();
    std::vector<float> out;
    for (const Vec2 uv : character.mesh.uvs) out.push_back(sample(*image, uv));
    return out;
}

}  // namespace fascia
