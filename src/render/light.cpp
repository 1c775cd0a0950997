#include "render/light.h"

#include <algorithm>

namespace fascia::picture {
namespace {

constexpr Vec3 sky_light{0.39f, 0.41f, 0.44f}, floor_light{0.23f, 0.215f, 0.205f};
constexpr Vec3 key_light{0.86f, 0.83f, 0.785f}, fill_light{0.13f, 0.14f, 0.16f}, back_light{0.20f, 0.21f, 0.22f};

Vec3 product(Vec3 a, Vec3 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}

/// Lambert's cosine, extended a little past the terminator as under a large light.
float wrapped_cosine(float cosine, float wrap) {
    const float w = std::max(0.0f, (cosine + wrap) / (1 + wrap));
    return w * w * (1 - 0.35f * (1 - w));
}

/// Keeps values below the knee and compresses the rest so that they never reach 1: highlights do not burn out.
float soft_shoulder(float v) {
    constexpr float knee = 0.7f;
    if (v <= knee) return v;
    const float t = (v - knee) / (1 - knee);
    return knee + (1 - knee) * t / (1 + t);
}

Vec3 in_camera(const Camera& camera, double right, double up, double towards_viewer) {
    // "Up" is along y and "towards the viewer" is horizontal, so the pitch of the camera does not tilt the lights.
    const Vec3d level = normalized(cross(camera.right, Vec3d{0, 1, 0}), -camera.forward);
    const Vec3d world = camera.right * right + Vec3d{0, 1, 0} * up + level * towards_viewer;
    return to_float(camera.to_camera_direction(normalized(world)));
}

}  // namespace

Lights make_lights(const Camera& camera) {
    return {in_camera(camera, 0, 1, 0), in_camera(camera, -0.55, 1.0, 0.75), in_camera(camera, 0.9, 0.25, 0.5),
            in_camera(camera, 0.5, 0.6, -0.8)};
}

Vec3d key_direction(const Camera& camera) {
    return camera.to_world_direction(to_double(make_lights(camera).key));
}

Vec3 shade(const Lights& lights, const SurfacePoint& p) {
    const float height = 0.5f + 0.5f * dot(p.normal, lights.up);
    const Vec3 around = (floor_light * (1 - height) + sky_light * height) * p.open;
    // The key light is large, so creases block some of it, too.
    const float key = wrapped_cosine(dot(p.normal, lights.key), 0.2f) * p.lit * (0.6f + 0.4f * p.open);
    const float fill = wrapped_cosine(dot(p.normal, lights.fill), 0.4f) * p.open;
    Vec3 light = product(p.color, around + key_light * key + fill_light * fill);

    const float facing = std::clamp(dot(p.normal, p.to_viewer), 0.0f, 1.0f);
    const float grazing = (1 - facing) * (1 - facing) * (1 - facing);
    const float rim = grazing * wrapped_cosine(dot(p.normal, lights.back), 0.3f) * p.open;
    light += product(back_light, p.color * 0.7f + Vec3{0.3f, 0.3f, 0.3f}) * (rim * 1.6f);

    const Vec3 half = normalized(lights.key + p.to_viewer);
    float gloss = std::max(0.0f, dot(p.normal, half));
    for (int i = 0; i < 5; ++i) gloss *= gloss;  // to the 32nd power
    light += key_light * (0.07f * gloss * p.lit * p.open);
    return {soft_shoulder(light.x), soft_shoulder(light.y), soft_shoulder(light.z)};
}

Vec3 backdrop(float height) {
    constexpr Vec3 top{0.80f, 0.815f, 0.84f}, bottom{0.62f, 0.625f, 0.635f};
    const float t = std::clamp(height, 0.0f, 1.0f);
    const float s = t * t * (3 - 2 * t);
    return top * (1 - s) + bottom * s;
}

}  // namespace fascia::picture
