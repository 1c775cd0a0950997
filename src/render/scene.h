// A shot as seen by a camera: vertices in camera space and the triangles that may be visible.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "fascia/picture.h"
#include "render/appearance.h"
#include "render/camera.h"
#include "render/raster.h"

namespace fascia::picture {

struct Scene {
    Camera camera;
    std::span<const std::uint32_t> indices;   ///< [triangles * 3]
    std::vector<Vec3d> positions;             ///< [vertices] camera space; x is NaN if the vertex cannot be drawn
    std::vector<Vec3> normals;                ///< [vertices] camera space, unit or zero
    std::span<const Vec4> colors;             ///< [vertices] or empty
    const Appearance::Data* looks = nullptr;  ///< textures and cut-outs, or null
    std::vector<ScreenTriangle> triangles;    ///< clipped, in the shot's order; id: triangle of the shot

    bool drawable(std::size_t vertex) const { return !std::isnan(positions[vertex].x); }
    std::array<std::uint32_t, 3> corners(std::size_t triangle) const {
        return {indices[3 * triangle], indices[3 * triangle + 1], indices[3 * triangle + 2]};
    }
    /// False if a corner does not exist or cannot be drawn.
    bool drawable_triangle(std::size_t triangle) const;
};

Scene make_scene(const Shot& shot, const Camera& camera, int width, int height);

/// Barycentric weights of the point where the ray (z = 1, camera space) meets the plane of the triangle, clamped to the
/// triangle.
std::array<float, 3> corner_weights(const Scene& scene, const std::array<std::uint32_t, 3>& corners, Vec3d ray);

/// Rejects the samples that a texture makes transparent (leaves, lashes, hair).
struct KeepSolid {
    static constexpr bool everything = false;
    const Scene& scene;
    bool operator()(int x, int y, SampleOffset at, std::uint32_t id) const {
        const Vec3d ray = scene.camera.ray(x + at.x / double{subpixels}, y + at.y / double{subpixels});
        const auto corners = scene.corners(id);
        return scene.looks->solid_at(id, corners, corner_weights(scene, corners, ray), 0);
    }
};

/// Draws a triangle of the scene, respecting its cut-outs.
template <int N>
void draw_triangle(const Scene& scene, const ScreenTriangle& t, SampleBuffer<N>& samples) {
    if (scene.looks && scene.looks->cutoff_of(t.id) > 0)
        rasterise(t, samples, KeepSolid{scene});
    else
        rasterise(t, samples);
}

}  // namespace fascia::picture
