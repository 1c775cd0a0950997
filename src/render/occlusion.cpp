#include "render/occlusion.h"

#include <cmath>
#include <numbers>

namespace fascia::picture {
namespace {

constexpr int taps = 16;

/// A sunflower pattern, which covers the unit disc evenly.
std::array<Vec2, taps> make_pattern() {
    std::array<Vec2, taps> pattern;
    const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
    for (int i = 0; i < taps; ++i) {
        const double r = std::sqrt((i + 0.5) / taps), a = golden * i;
        pattern[static_cast<std::size_t>(i)] = {static_cast<float>(r * std::cos(a)),
                                                static_cast<float>(r * std::sin(a))};
    }
    return pattern;
}

}  // namespace

Occlusion::Occlusion(const Scene& scene, int width, int height)
    : camera_(scene.camera), radius_(static_cast<float>(0.05 * scene.camera.size)) {
    depth_.clear(0, 0, width, height, 0);
    for (const ScreenTriangle& t : scene.triangles) draw_triangle(scene, t, depth_);
}

float Occlusion::open(double px, double py, Vec3 position, Vec3 normal) const {
    static const std::array<Vec2, taps> pattern = make_pattern();
    const float reach = static_cast<float>(camera_.focal) * radius_ / position.z;  // pixels
    const float bias = 0.02f * radius_, least = 0.02f * radius_ * radius_;
    float hidden = 0;
    for (const Vec2 tap : pattern) {
        const double qx = px + tap.x * reach, qy = py + tap.y * reach;
        const int ix = static_cast<int>(qx), iy = static_cast<int>(qy);
        if (qx < 0 || qy < 0 || ix >= depth_.width || iy >= depth_.height) continue;
        const float nearness = depth_.nearness[depth_.pixel(ix, iy)];
        if (nearness <= 0) continue;
        const double z = camera_.near_plane / nearness;
        const Vec3 there = to_float(camera_.ray(ix + 0.5, iy + 0.5) * z);
        const Vec3 d = there - position;
        const float distance2 = dot(d, d);
        const float above = dot(d, normal) - bias;
        // Anything much farther away than the radius is not part of this crease and blocks nothing.
        const float fade = 1 - distance2 / (4 * radius_ * radius_);
        if (above > 0 && fade > 0) hidden += above / std::sqrt(distance2 + least) * fade;
    }
    const float open = 1 - 1.6f * hidden / taps;
    return open > 0 ? open : 0;
}

}  // namespace fascia::picture
