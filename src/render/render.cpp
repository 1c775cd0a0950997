// Renders one picture band by band: triangles are rasterised into samples, then each pixel shades what its samples see.
#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"
#include "render/color.h"
#include "render/ground_lines.h"
#include "render/light.h"
#include "render/occlusion.h"
#include "render/scene.h"
#include "render/shadow.h"

namespace fascia {
namespace picture {
namespace {

constexpr int band_rows = 32;  // few enough that the samples of a band stay in the cache
constexpr int largest_picture = 16384;
constexpr Vec4 clay{0.62f, 0.58f, 0.54f, 1};

class Painter {
public:
    Painter(const Shot& shot, const View& view, int width, int height)
        : view_(view),
          width_(width),
          height_(height),
          scene_(make_scene(shot, make_camera(view, width, height), width, height)),
          lights_(make_lights(scene_.camera)),
          occlusion_(scene_, width, height),
          self_shadow_(shot, view, key_direction(scene_.camera)),
          ground_shadow_(shot, view, key_direction(scene_.camera)),
          ground_lines_(view, scene_.camera) {
        sort_into_bands();
    }

    int bands() const { return (height_ + band_rows - 1) / band_rows; }

    /// Paints the rows of one band; bands do not depend on each other.
    void paint_band(int band, Image& image) const {
        const int y0 = band * band_rows, rows = std::min(band_rows, height_ - y0);
        SampleBuffer<samples_per_pixel> samples;
        samples.clear(0, y0, width_, rows, 0);
        for (const std::uint32_t t : triangles_of_band_[static_cast<std::size_t>(band)])
            draw_triangle(scene_, scene_.triangles[t], samples);
        std::uint8_t* out = image.rgb.data() + static_cast<std::size_t>(y0) * static_cast<std::size_t>(width_) * 3;
        for (int y = y0; y < y0 + rows; ++y) {
            for (int x = 0; x < width_; ++x, out += 3) {
                const Vec3 light = pixel(x, y, samples.id.data() + samples.pixel(x, y));
                out[0] = byte_of_linear(light.x);
                out[1] = byte_of_linear(light.y);
                out[2] = byte_of_linear(light.z);
            }
        }
    }

private:
    void sort_into_bands() {
        triangles_of_band_.resize(static_cast<std::size_t>(bands()));
        for (std::size_t t = 0; t < scene_.triangles.size(); ++t) {
            const auto [top, bottom] =
                std::minmax({scene_.triangles[t].y[0], scene_.triangles[t].y[1], scene_.triangles[t].y[2]});
            const int first = std::max(0, top / (subpixels * band_rows));
            const int last = std::min(bands() - 1, bottom / (subpixels * band_rows));
            for (int b = first; b <= last; ++b)
                triangles_of_band_[static_cast<std::size_t>(b)].push_back(static_cast<std::uint32_t>(t));
        }
    }

    /// Shades each triangle that the pixel's samples see once, at the mean position of those samples.
    Vec3 pixel(int x, int y, const std::uint32_t* ids) const {
        const bool alike =
            std::all_of(ids + 1, ids + samples_per_pixel, [&](std::uint32_t id) { return id == ids[0]; });
        if (alike) return seen(ids[0], x + 0.5, y + 0.5);
        Vec3 sum;
        bool done[samples_per_pixel] = {};
        for (int s = 0; s < samples_per_pixel; ++s) {
            if (done[s]) continue;
            double px = 0, py = 0;
            int count = 0;
            for (int k = s; k < samples_per_pixel; ++k) {
                if (ids[k] != ids[s]) continue;
                done[k] = true;
                px += queens_pattern[static_cast<std::size_t>(k)].x;
                py += queens_pattern[static_cast<std::size_t>(k)].y;
                ++count;
            }
            const Vec3 light = seen(ids[s], x + px / (count * subpixels), y + py / (count * subpixels));
            sum += light * (static_cast<float>(count) / samples_per_pixel);
        }
        return sum;
    }

    Vec3 seen(std::uint32_t id, double px, double py) const {
        return id == no_triangle ? background(px, py) : surface(id, px, py);
    }

    Vec3 background(double px, double py) const {
        const Vec3 light = backdrop(static_cast<float>(py / height_));
        Vec3d place, right, below;
        if (!view_.ground || !ground_at(px, py, place)) return light;
        const auto missing = ground_shadow_.at(place.x, place.z);
        const float shaded = (1 - 0.34f * missing.key) * (1 - 0.40f * missing.sky);
        if (!ground_at(px + 1, py, right) || !ground_at(px, py + 1, below)) return light * shaded;
        const Vec3d a = right - place, b = below - place;
        return light * (shaded * (1 - ground_lines_.darkness(place.x, place.z, std::abs(a.x) + std::abs(b.x),
                                                             std::abs(a.z) + std::abs(b.z))));
    }

    /// Where the ground is seen at a place in the picture; false above the horizon.
    bool ground_at(double px, double py, Vec3d& place) const {
        const Camera& camera = scene_.camera;
        const Vec3d ray = camera.to_world_direction(camera.ray(px, py));
        const double drop = camera.eye.y - view_.ground_y;
        if (!(drop > 0) || !(ray.y < 0)) return false;
        place = camera.eye + ray * (-drop / ray.y);
        return true;
    }

    Vec3 surface(std::uint32_t id, double px, double py) const {
        const auto corners = scene_.corners(id);
        const Vec3d ray = scene_.camera.ray(px, py);
        const auto w = corner_weights(scene_, corners, ray);
        const Vec3d a = scene_.positions[corners[0]], b = scene_.positions[corners[1]],
                    c = scene_.positions[corners[2]];
        const Vec3d place = a * double{w[0]} + b * double{w[1]} + c * double{w[2]};

        SurfacePoint point;
        point.to_viewer = to_float(normalized(-place));
        Vec3 face = to_float(normalized(cross(b - a, c - a)));
        if (dot(face, point.to_viewer) < 0) face = -face;
        Vec3 normal =
            scene_.normals[corners[0]] * w[0] + scene_.normals[corners[1]] * w[1] + scene_.normals[corners[2]] * w[2];
        normal = normalized(normal, face);
        if (dot(normal, face) < 0) normal = -normal;  // seen from behind, or stored inverted
        point.normal = normal;
        point.color = color(id, corners, w, px, py);
        point.open = occlusion_.open(px, py, to_float(place), normal);
        const Camera& camera = scene_.camera;
        if (dot(normal, lights_.key) > -0.2f) {
            point.lit = self_shadow_.lit(camera.eye + camera.to_world_direction(place),
                                         camera.to_world_direction(to_double(normal)));
        }
        return shade(lights_, point);
    }

    Vec3 color(std::uint32_t id, const std::array<std::uint32_t, 3>& corners, const std::array<float, 3>& w, double px,
               double py) const {
        if (scene_.colors.empty()) return {clay.x, clay.y, clay.z};
        Vec3 color;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec4 c = scene_.colors[corners[k]];
            color += Vec3{c.x, c.y, c.z} * w[k];
        }
        const TextureImage* image = scene_.looks ? scene_.looks->image_of(id) : nullptr;
        if (!image) return color;
        const Vec2 uv = uv_at(corners, w);
        // The area of the texture within a pixel, estimated from points half a pixel to the right and below.
        const Vec2 right = uv_at(corners, corner_weights(scene_, corners, scene_.camera.ray(px + 0.5, py)));
        const Vec2 below = uv_at(corners, corner_weights(scene_, corners, scene_.camera.ray(px, py + 0.5)));
        const float footprint =
            2 * std::max(std::hypot(right.x - uv.x, right.y - uv.y), std::hypot(below.x - uv.x, below.y - uv.y));
        const Vec4 texel = image->sample(uv, footprint);
        return {color.x * texel.x, color.y * texel.y, color.z * texel.z};
    }

    Vec2 uv_at(const std::array<std::uint32_t, 3>& corners, const std::array<float, 3>& w) const {
        const Vec2 a = scene_.looks->uvs[corners[0]], b = scene_.looks->uvs[corners[1]],
                   c = scene_.looks->uvs[corners[2]];
        return {w[0] * a.x + w[1] * b.x + w[2] * c.x, w[0] * a.y + w[1] * b.y + w[2] * c.y};
    }

    View view_;
    int width_, height_;
    Scene scene_;
    Lights lights_;
    Occlusion occlusion_;
    SelfShadow self_shadow_;
    GroundShadow ground_shadow_;
    GroundLines ground_lines_;
    std::vector<std::vector<std::uint32_t>> triangles_of_band_;
};

}  // namespace
}  // namespace picture

Image render(const Shot& shot, const View& view, int width, int height, int threads) {
    Image image;
    if (width <= 0 || height <= 0 || width > picture::largest_picture || height > picture::largest_picture)
        return image;
    image.width = width;
    image.height = height;
    image.rgb.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    const picture::Painter painter(shot, view, width, height);
    ThreadPool pool(std::max(threads, 1));
    pool.for_ranges(static_cast<std::size_t>(painter.bands()), 1, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t band = begin; band < end; ++band) painter.paint_band(static_cast<int>(band), image);
    });
    return image;
}

}  // namespace fascia
