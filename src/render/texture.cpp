#include "render/texture.h"

#include <algorithm>
#include <cmath>

#include "image/decode.h"
#include "render/color.h"

namespace fascia::picture {
namespace {

constexpr int largest_side = 2048;  // previews are small, so larger images are halved when they are loaded

/// Half the size, averaged in linear light; colours are weighted by alpha so that cut-outs keep clean edges.
Pixels halved(const Pixels& from) {
    const auto& linear = linear_of_byte();
    Pixels to;
    to.width = std::max(1, from.width / 2);
    to.height = std::max(1, from.height / 2);
    to.rgba.resize(static_cast<std::size_t>(to.width) * static_cast<std::size_t>(to.height) * 4);
    for (int y = 0; y < to.height; ++y) {
        for (int x = 0; x < to.width; ++x) {
            float sum[4] = {0, 0, 0, 0}, plain[3] = {0, 0, 0};
            for (int k = 0; k < 4; ++k) {
                const int sx = std::min(2 * x + (k & 1), from.width - 1), sy = std::min(2 * y + k / 2, from.height - 1);
                const std::uint8_t* p =
                    &from.rgba[(static_cast<std::size_t>(sy) * static_cast<std::size_t>(from.width) +
                                static_cast<std::size_t>(sx)) *
                               4];
                for (int c = 0; c < 3; ++c) {
                    sum[c] += linear[p[c]] * p[3];
                    plain[c] += linear[p[c]];
                }
                sum[3] += p[3];
            }
            std::uint8_t* q = &to.rgba[(static_cast<std::size_t>(y) * static_cast<std::size_t>(to.width) +
                                        static_cast<std::size_t>(x)) *
                                       4];
            for (int c = 0; c < 3; ++c) q[c] = byte_of_linear(sum[3] > 0 ? sum[c] / sum[3] : plain[c] / 4);
            q[3] = static_cast<std::uint8_t>(sum[3] / 4 + 0.5f);
        }
    }
    return to;
}

int wrapped(int i, int n) {
    i %= n;
    return i < 0 ? i + n : i;
}

/// The fractional part of a texture coordinate, in [0, 1); 0 if it is not finite.
float fraction(float t) {
    const float f = t - std::floor(t);
    return f >= 0 && f < 1 ? f : 0;
}

}  // namespace

Pixels decode_image(std::span<const std::uint8_t> bytes) {
    image::Pixels decoded;
    image::decode(bytes, image::Channels::rgba, decoded);
    return {decoded.width, decoded.height, std::move(decoded.bytes)};
}

TextureImage::TextureImage(Pixels pixels) {
    if (pixels.width <= 0 || pixels.height <= 0) return;
    while (std::max(pixels.width, pixels.height) > largest_side) pixels = halved(pixels);
    levels_.push_back(std::move(pixels));
    while (levels_.back().width > 1 || levels_.back().height > 1) levels_.push_back(halved(levels_.back()));
}

Vec4 TextureImage::sample_level(Vec2 uv, std::size_t level) const {
    const Pixels& image = levels_[level];
    const auto& linear = linear_of_byte();
    const float x = fraction(uv.x) * static_cast<float>(image.width) - 0.5f;
    const float y = fraction(uv.y) * static_cast<float>(image.height) - 0.5f;
    const int x0 = static_cast<int>(std::floor(x)), y0 = static_cast<int>(std::floor(y));
    const float fx = x - static_cast<float>(x0), fy = y - static_cast<float>(y0);
    Vec4 sum;
    for (int k = 0; k < 4; ++k) {
        const int sx = wrapped(x0 + (k & 1), image.width), sy = wrapped(y0 + k / 2, image.height);
        const float w = ((k & 1) ? fx : 1 - fx) * ((k & 2) ? fy : 1 - fy);
        const std::uint8_t* p = &image.rgba[(static_cast<std::size_t>(sy) * static_cast<std::size_t>(image.width) +
                                             static_cast<std::size_t>(sx)) *
                                            4];
        sum.x += w * linear[p[0]];
        sum.y += w * linear[p[1]];
        sum.z += w * linear[p[2]];
        sum.w += w * static_cast<float>(p[3]) * (1.0f / 255);
    }
    return sum;
}

Vec4 TextureImage::sample(Vec2 uv, float footprint) const {
    if (empty()) return {1, 1, 1, 1};
    const float texels = footprint * static_cast<float>(std::max(width(), height()));
    if (!(texels > 1)) return sample_level(uv, 0);
    const float lod = std::min(std::log2(texels), static_cast<float>(levels_.size() - 1));
    const auto level = static_cast<std::size_t>(lod);
    const float t = lod - static_cast<float>(level);
    const Vec4 a = sample_level(uv, level);
    if (level + 1 >= levels_.size() || t <= 0) return a;
    const Vec4 b = sample_level(uv, level + 1);
    return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t, a.w + (b.w - a.w) * t};
}

}  // namespace fascia::picture
