// What skinning starts from: spans over a rest surface and its weights.
#pragma once

#include <cstdint>
#include <span>

#include "fascia/math.h"

namespace fascia {

constexpr int max_influences = 8;

struct SkinSource {
    std::span<const Vec3> positions;        ///< [vertices] rest
    std::span<const Vec3> normals;          ///< [vertices] or empty
    std::span<const Vec4> tangents;         ///< [vertices] or empty
    std::span<const std::uint16_t> joints;  ///< [vertices * influences]
    std::span<const float> weights;         ///< [vertices * influences] not negative
    int influences = 0;                     ///< 1..8
};

}  // namespace fascia
