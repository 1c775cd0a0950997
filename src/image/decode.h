// PNG, JPEG and WebP to bytes. The decoders of stb and libwebp are set up here and nowhere else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fascia::image {

/// Row by row from the top, as stored (sRGB for colours), with straight alpha.
struct Pixels {
    int width = 0, height = 0;
    std::vector<std::uint8_t> bytes;  ///< [height * width * channels]
};

enum class Channels { grey = 1, rgba = 4 };

enum class Outcome {
    decoded,
    damaged,      ///< or no picture at all
    too_large,    ///< more than 64 million pixels
    not_built_in  ///< this build has no decoders
};

/// `out` is empty unless the picture was decoded.
Outcome decode(std::span<const std::uint8_t> bytes, Channels channels, Pixels& out);

}  // namespace fascia::image
