#include "image/decode.h"

#if __has_include(<stb/stb_image.h>) && __has_include(<webp/decode.h>)
#define FASCIA_READS_IMAGES 1
#include <webp/decode.h>
// A private copy of the decoder: none of it is visible outside this file.
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

namespace fascia::image {

#ifdef FASCIA_READS_IMAGES

namespace {

constexpr std::size_t most_bytes = 1u << 30;
constexpr std::int64_t most_pixels = 64 << 20;

bool is_too_large(int width, int height) {
    return std::int64_t{width} * height > most_pixels;
}

std::size_t pixel_count(const Pixels& pixels) {
    return static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height);
}

/// The same brightness that stb computes for PNG and JPEG.
void make_grey(Pixels& pixels) {
    std::vector<std::uint8_t> grey(pixel_count(pixels));
    for (std::size_t i = 0; i < grey.size(); ++i) {
        const std::uint8_t* p = &pixels.bytes[4 * i];
        grey[i] = static_cast<std::uint8_t>((p[0] * 77 + p[1] * 150 + p[2] * 29) >> 8);
    }
    pixels.bytes = std::move(grey);
}

Outcome decode_webp(std::span<const std::uint8_t> bytes, int width, int height, Channels channels, Pixels& out) {
    if (is_too_large(width, height)) return Outcome::too_large;
    Pixels pixels{width, height, {}};
    pixels.bytes.resize(pixel_count(pixels) * 4);
    if (WebPDecodeRGBAInto(bytes.data(), bytes.size(), pixels.bytes.data(), pixels.bytes.size(), 4 * width) == nullptr)
        return Outcome::damaged;
    if (channels == Channels::grey) make_grey(pixels);
    out = std::move(pixels);
    return Outcome::decoded;
}

Outcome decode_stb(std::span<const std::uint8_t> bytes, Channels channels, Pixels& out) {
    const int size = static_cast<int>(bytes.size()), wanted = static_cast<int>(channels);
    int width = 0, height = 0, in_file = 0;
    if (!stbi_info_from_memory(bytes.data(), size, &width, &height, &in_file)) return Outcome::damaged;
    if (width <= 0 || height <= 0) return Outcome::damaged;
    if (is_too_large(width, height)) return Outcome::too_large;
    stbi_uc* data = stbi_load_from_memory(bytes.data(), size, &width, &height, &in_file, wanted);
    if (data == nullptr) return Outcome::damaged;
    out = {width, height, {}};
    out.bytes.assign(data, data + pixel_count(out) * static_cast<std::size_t>(wanted));
    stbi_image_free(data);
    return Outcome::decoded;
}

}  // namespace

Outcome decode(std::span<const std::uint8_t> bytes, Channels channels, Pixels& out) {
    out = {};
    if (bytes.empty() || bytes.size() > most_bytes) return Outcome::damaged;
    int width = 0, height = 0;
    if (WebPGetInfo(bytes.data(), bytes.size(), &width, &height))
        return decode_webp(bytes, width, height, channels, out);
    return decode_stb(bytes, channels, out);
}

#else

Outcome decode(std::span<const std::uint8_t>, Channels, Pixels& out) {
    out = {};
    return Outcome::not_built_in;
}

#endif

}  // namespace fascia::image
