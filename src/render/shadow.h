// Soft shadows that the character casts on the ground and on itself.
#pragma once

#include <vector>

#include "render/scene.h"

namespace fascia::picture {

/// A grid of floats with bilinear lookup; 0 outside.
struct Map {
    int width = 0, height = 0;
    std::vector<float> values;  ///< [width * height]

    Map() = default;
    Map(int w, int h, float value)
        : width(w), height(h), values(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), value) {}
    float& at(int x, int y) {
        return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
    /// Bilinear between cell centres.
    float sample(double x, double y) const;
};

/// Approximates a Gaussian by three running means with this radius in cells (fractions are rounded up or down).
void blur(Map& map, double radius);

/// How much of the key light and of the sky is blocked from reaching the ground.
class GroundShadow {
public:
    GroundShadow(const Shot& shot, const View& view, Vec3d to_light);
    struct Missing {
        float key = 0, sky = 0;
    };
    Missing at(double x, double z) const;

private:
    /// For each cell, the height of the lowest triangle that shades it when light falls with this slope; -1 for none.
    std::vector<float> cast(const Shot& shot, double ground_y, double slope_x, double slope_z) const;
    void add_key_shadow(const std::vector<float>& heights);
    void add_sky_shadow(const std::vector<float>& heights);
    double x0_ = 0, z0_ = 0, cell_ = 1, size_ = 1;
    Map key_, sky_;
};

/// A blurred depth map of the character as seen from the key light (variance shadow map).
class SelfShadow {
public:
    SelfShadow(const Shot& shot, const View& view, Vec3d to_light);
    /// Share of the key light that reaches a world position with this normal, 0..1.
    float lit(Vec3d position, Vec3d normal) const;

private:
    Vec3d u_, v_, to_light_, middle_;
    double cell_ = 1, size_ = 1;
    Map mean_, square_;
};

}  // namespace fascia::picture
