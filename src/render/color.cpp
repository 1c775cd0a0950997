#include "render/color.h"

#include <cmath>

namespace fascia::picture {
namespace {

double linear_of_srgb(double s) {
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

std::array<float, 256> make_linear_table() {
    std::array<float, 256> table{};
    for (int i = 0; i < 256; ++i) table[static_cast<std::size_t>(i)] = static_cast<float>(linear_of_srgb(i / 255.0));
    return table;
}

// A table over the square root, which is close to the sRGB curve, gives a first guess; stepping over thresholds gives
// the exact byte. This needs no pow per pixel and gives the same byte on every machine.
constexpr int guess_steps = 1024;

struct ByteTable {
    std::array<float, 257> threshold{};  // byte b holds linear values in [threshold[b], threshold[b + 1])
    std::array<std::uint8_t, guess_steps + 1> guess{};
};

ByteTable make_byte_table() {
    ByteTable table;
    table.threshold[0] = -1;
    for (int b = 1; b < 256; ++b)
        table.threshold[static_cast<std::size_t>(b)] = static_cast<float>(linear_of_srgb((b - 0.5) / 255.0));
    table.threshold[256] = 2;
    int b = 0;
    for (int i = 0; i <= guess_steps; ++i) {
        const double root = static_cast<double>(i) / guess_steps;
        while (b < 255 && table.threshold[static_cast<std::size_t>(b) + 1] <= root * root) ++b;
        table.guess[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(b > 0 ? b - 1 : 0);
    }
    return table;
}

}  // namespace

const std::array<float, 256>& linear_of_byte() {
    static const std::array<float, 256> table = make_linear_table();
    return table;
}

std::uint8_t byte_of_linear(float linear) {
    static const ByteTable table = make_byte_table();
    if (!(linear > 0)) return 0;
    if (linear >= 1) return 255;
    std::size_t b = table.guess[static_cast<std::size_t>(std::sqrt(linear) * guess_steps)];
    while (table.threshold[b + 1] <= linear) ++b;
    return static_cast<std::uint8_t>(b);
}

Vec4 linear_of_hex(std::uint32_t rgb) {
    const auto& table = linear_of_byte();
    return {table[(rgb >> 16) & 255], table[(rgb >> 8) & 255], table[rgb & 255], 1};
}

}  // namespace fascia::picture
