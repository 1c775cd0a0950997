// Small closed surfaces with known volumes and angles.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "fascia/math.h"

namespace fascia::test {

struct Shape {
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> triangles;
};

/// Axis-aligned box from `low` to `high`, outward orientation, 8 vertices.
inline Shape box_shape(Vec3 low, Vec3 high) {
    Shape s;
    for (int i = 0; i < 8; ++i)
        s.positions.push_back({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
    s.triangles = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                   2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    return s;
}

/// Gives every triangle its own corners: flat shading, as in many files.
inline Shape unwelded(const Shape& s) {
    Shape out;
    for (const std::uint32_t v : s.triangles) {
        out.triangles.push_back(static_cast<std::uint32_t>(out.positions.size()));
        out.positions.push_back(s.positions[v]);
    }
    return out;
}

/// Side walls of a regular prism around z: `sides` quads of two triangles each. Neighbouring walls meet at 2 pi /
/// sides.
inline Shape prism_walls(int sides) {
    Shape s;
    for (int k = 0; k < sides; ++k) {
        const double a = 2 * std::numbers::pi * k / sides;
        for (const float z : {0.0f, 1.0f})
            s.positions.push_back({static_cast<float>(std::cos(a)), static_cast<float>(std::sin(a)), z});
    }
    for (int k = 0; k < sides; ++k) {
        const auto a = static_cast<std::uint32_t>(2 * k), b = static_cast<std::uint32_t>(2 * ((k + 1) % sides));
        for (const std::uint32_t v : {a, b, a + 1, b, b + 1, a + 1}) s.triangles.push_back(v);
    }
    return s;
}

inline void append(Shape& to, const Shape& other) {
    const auto first = static_cast<std::uint32_t>(to.positions.size());
    to.positions.insert(to.positions.end(), other.positions.begin(), other.positions.end());
    for (const std::uint32_t v : other.triangles) to.triangles.push_back(first + v);
}

}  // namespace fascia::test
