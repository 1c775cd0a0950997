// Colours that stand for numbers.
#include <algorithm>
#include <array>
#include <cmath>

#include "fascia/picture.h"
#include "render/color.h"

namespace fascia {
namespace {

Vec4 mix(Vec4 a, Vec4 b, float t) {
    return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t, 1};
}

}  // namespace

Vec4 heat_color(float value) {
    // From grey through yellow to deep red: steadily darker in greyscale print, and inconspicuous near zero.
    static const std::array<Vec4, 6> stops = {picture::linear_of_hex(0xe3e3e0), picture::linear_of_hex(0xf2dd8e),
                                              picture::linear_of_hex(0xf4b03e), picture::linear_of_hex(0xe56b2c),
                                              picture::linear_of_hex(0xba2631), picture::linear_of_hex(0x6b0f3c)};
    const float clamped = value > 0 ? std::min(value, 1.0f) : 0;  // NaN counts as 0
    const float place = clamped * static_cast<float>(stops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
    return mix(stops[below], stops[below + 1], place - static_cast<float>(below));
}

Vec4 stiff_color() {
    return picture::linear_of_hex(0x5b7fa6);
}

Vec4 index_color(int index) {
    // Neighbours differ in lightness as well as in hue. After one round the same hues return paler, then darker.
    static const std::array<Vec4, 9> base = {
        picture::linear_of_hex(0x3b75b8), picture::linear_of_hex(0xf2a93b), picture::linear_of_hex(0x2c9c83),
        picture::linear_of_hex(0xd65f3f), picture::linear_of_hex(0x86c5e8), picture::linear_of_hex(0x8a4f9e),
        picture::linear_of_hex(0xe8d958), picture::linear_of_hex(0xd98cb3), picture::linear_of_hex(0x6e6a66)};
    const auto i = static_cast<std::size_t>(index < 0 ? -(index + 1) : index);
    const Vec4 color = base[i % base.size()];
    switch (i / base.size() % 3) {
        case 1: return mix(color, {1, 1, 1, 1}, 0.45f);
        case 2: return mix(color, {0, 0, 0, 1}, 0.5f);
        default: return color;
    }
}

Vec4 layer_color(std::string_view layer) {
    if (layer == "bone") return picture::linear_of_hex(0xefece2);
    if (layer == "muscle") return picture::linear_of_hex(0xc2352f);
    if (layer == "fat") return picture::linear_of_hex(0x5aa84f);
    if (layer == "skin") return picture::linear_of_hex(0xf0b3a6);
    unsigned sum = 0;
    for (const char c : layer) sum = sum * 31 + static_cast<unsigned char>(c);
    return index_color(static_cast<int>(sum % 27));
}

}  // namespace fascia
