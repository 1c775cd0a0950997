// sRGB bytes and linear light.
#pragma once

#include <array>
#include <cstdint>

#include "fascia/math.h"

namespace fascia::picture {

/// Linear light of each sRGB byte.
const std::array<float, 256>& linear_of_byte();

/// The sRGB byte nearest to a linear value; values outside [0, 1] and NaN are clamped.
std::uint8_t byte_of_linear(float linear);

/// Linear RGBA of an sRGB colour written as 0xRRGGBB.
Vec4 linear_of_hex(std::uint32_t rgb);

}  // namespace fascia::picture
