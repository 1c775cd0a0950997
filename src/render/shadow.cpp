#include "render/shadow.h"

#include <algorithm>
#include <cmath>

namespace fascia::picture {
namespace {

constexpr int ground_cells = 224;  // along the longer side of the ground map
constexpr int light_cells = 256;   // along each side of the light's view
constexpr double farthest_cell = 8000;

bool finite(Vec3 p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

/// Surfaces with cut-outs (hair, lashes): a triangle casts a shadow if it is solid at its centre.
bool casts_shadow(const Shot& shot, std::size_t triangle) {
    if (!shot.appearance || shot.colors.size() == shot.positions.size()) return true;
    const Appearance::Data& looks = shot.appearance->data();
    const std::array<std::uint32_t, 3> corners = {shot.triangles[3 * triangle], shot.triangles[3 * triangle + 1],
                                                  shot.triangles[3 * triangle + 2]};
    if (std::max({corners[0], corners[1], corners[2]}) >= looks.colors.size()) return true;
    return looks.solid_at(triangle, corners, {1.0f / 3, 1.0f / 3, 1.0f / 3}, 0);
}

/// Rasterises all triangles of the shot; `place` maps a vertex to (x, y, nearness), with x and y in cells.
template <class Place>
void draw(const Shot& shot, const Place& place, SampleBuffer<1>& buffer) {
    struct Placed {
        std::int32_t x, y;
        float nearness;
        bool usable;
    };
    std::vector<Placed> placed(shot.positions.size());
    for (std::size_t v = 0; v < placed.size(); ++v) {
        const Vec3d p = place(to_double(shot.positions[v]));
        const bool usable = finite(shot.positions[v]) && std::abs(p.x) < farthest_cell && std::abs(p.y) < farthest_cell;
        placed[v].usable = usable;
        if (!usable) continue;
        placed[v].x = static_cast<std::int32_t>(std::lround(p.x * subpixels));
        placed[v].y = static_cast<std::int32_t>(std::lround(p.y * subpixels));
        placed[v].nearness = static_cast<float>(p.z);
    }
    for (std::size_t t = 0; t + 2 < shot.triangles.size(); t += 3) {
        ScreenTriangle triangle;
        bool usable = casts_shadow(shot, t / 3);
        for (std::size_t k = 0; k < 3 && usable; ++k) {
            const std::size_t v = shot.triangles[t + k];
            usable = v < placed.size() && placed[v].usable;
            if (!usable) break;
            triangle.x[k] = placed[v].x;
            triangle.y[k] = placed[v].y;
            triangle.nearness[k] = placed[v].nearness;
        }
        triangle.id = 0;
        if (usable) rasterise<1>(triangle, buffer);
    }
}

/// Running mean over `count` values, `stride` apart; beyond the ends the first and last value repeat.
void running_mean(float* line, int count, std::ptrdiff_t stride, int radius, std::vector<float>& copy) {
    for (int i = 0; i < count; ++i) copy[static_cast<std::size_t>(i)] = line[i * stride];
    const auto value = [&](int i) { return copy[static_cast<std::size_t>(std::clamp(i, 0, count - 1))]; };
    double sum = 0;
    for (int i = -radius; i <= radius; ++i) sum += value(i);
    const double scale = 1.0 / (2 * radius + 1);
    for (int i = 0; i < count; ++i) {
        line[i * stride] = static_cast<float>(sum * scale);
        sum += static_cast<double>(value(i + radius + 1)) - value(i - radius);
    }
}

}  // namespace

float Map::sample(double x, double y) const {
    x -= 0.5;
    y -= 0.5;
    if (!(x > -1 && y > -1 && x < width && y < height)) return 0;
    const int x0 = static_cast<int>(std::floor(x)), y0 = static_cast<int>(std::floor(y));
    const auto fx = static_cast<float>(x - x0), fy = static_cast<float>(y - y0);
    const auto value = [&](int i, int j) {
        if (i < 0 || j < 0 || i >= width || j >= height) return 0.0f;
        return values[static_cast<std::size_t>(j) * static_cast<std::size_t>(width) + static_cast<std::size_t>(i)];
    };
    return (1 - fy) * ((1 - fx) * value(x0, y0) + fx * value(x0 + 1, y0)) +
           fy * ((1 - fx) * value(x0, y0 + 1) + fx * value(x0 + 1, y0 + 1));
}

void blur(Map& map, double radius) {
    std::vector<float> copy(static_cast<std::size_t>(std::max(map.width, map.height)));
    for (int pass = 0; pass < 3; ++pass) {
        // The three radii differ by at most one and average out at the requested one.
        const int r = static_cast<int>(std::floor(radius + pass / 3.0 + 1e-9));
        if (r <= 0) continue;
        for (int y = 0; y < map.height; ++y) running_mean(&map.at(0, y), map.width, 1, r, copy);
        for (int x = 0; x < map.width; ++x) running_mean(&map.at(x, 0), map.height, map.width, r, copy);
    }
}

GroundShadow::GroundShadow(const Shot& shot, const View& view, Vec3d to_light) {
    Vec3d lo, hi;
    tidy_box(view, lo, hi);
    const Vec3d side = hi - lo;
    size_ = std::max({side.x, side.y, side.z});
    const double slope_x = to_light.x / to_light.y, slope_z = to_light.z / to_light.y;

    // The area that the box can shade, straight down and along the light, plus a border for the blur.
    double x1 = lo.x, z1 = lo.z;
    x0_ = hi.x;
    z0_ = hi.z;
    for (int corner = 0; corner < 8; ++corner) {
        const double h = corner & 2 ? std::max(0.0, hi.y - view.ground_y) : 0;
        const double x = (corner & 1 ? hi.x : lo.x) - slope_x * h, z = (corner & 4 ? hi.z : lo.z) - slope_z * h;
        x0_ = std::min(x0_, x), x1 = std::max(x1, x);
        z0_ = std::min(z0_, z), z1 = std::max(z1, z);
    }
    const double around = 0.25 * size_;
    x0_ -= around, z0_ -= around;
    x1 += around, z1 += around;
    cell_ = std::max(x1 - x0_, z1 - z0_) / ground_cells;
    const int width = static_cast<int>(std::ceil((x1 - x0_) / cell_)) + 1;
    const int height = static_cast<int>(std::ceil((z1 - z0_) / cell_)) + 1;

    key_ = Map(width, height, 0);
    sky_ = Map(width, height, 0);
    add_key_shadow(cast(shot, view.ground_y, slope_x, slope_z));
    add_sky_shadow(cast(shot, view.ground_y, 0, 0));
}

std::vector<float> GroundShadow::cast(const Shot& shot, double ground_y, double slope_x, double slope_z) const {
    SampleBuffer<1> buffer;
    buffer.clear(0, 0, key_.width, key_.height, -std::numeric_limits<float>::max());
    draw(
        shot,
        [&](Vec3d p) {
            const double h = std::max(0.0, p.y - ground_y);
            return Vec3d{(p.x - slope_x * h - x0_) / cell_, (p.z - slope_z * h - z0_) / cell_, -h};
        },
        buffer);
    std::vector<float> heights(buffer.id.size(), -1);
    for (std::size_t i = 0; i < heights.size(); ++i)
        if (buffer.id[i] != no_triangle) heights[i] = -buffer.nearness[i];
    return heights;
}

// The higher the caster, the wider its penumbra. Each cell is split between the two nearest of a few blur radii, so
// that the softness varies continuously.
void GroundShadow::add_key_shadow(const std::vector<float>& heights) {
    constexpr int slabs = 6;
    constexpr double narrowest = 0.5;  // cells
    constexpr double spread = 0.13;    // radius over height
    std::vector<Map> slab(slabs, Map(key_.width, key_.height, 0));
    for (std::size_t i = 0; i < heights.size(); ++i) {
        if (heights[i] < 0) continue;
        const double radius = std::max(narrowest, spread * heights[i] / cell_);
        const double level = std::clamp(std::log2(radius / narrowest), 0.0, slabs - 1.0);
        const int below = std::min(static_cast<int>(level), slabs - 2);
        const double t = level - below;
        slab[static_cast<std::size_t>(below)].values[i] = static_cast<float>(1 - t);
        slab[static_cast<std::size_t>(below) + 1].values[i] = static_cast<float>(t);
    }
    for (int k = 0; k < slabs; ++k) {
        Map& map = slab[static_cast<std::size_t>(k)];
        blur(map, narrowest * std::exp2(k));
        for (std::size_t i = 0; i < map.values.size(); ++i) key_.values[i] += map.values[i];
    }
}

// Parts close to the ground block the sky.
void GroundShadow::add_sky_shadow(const std::vector<float>& heights) {
    for (std::size_t i = 0; i < heights.size(); ++i) {
        if (heights[i] < 0) continue;
        const double h = heights[i] / (0.10 * size_);
        sky_.values[i] = static_cast<float>(1 / (1 + h * h));
    }
    blur(sky_, 0.025 * size_ / cell_);
}

GroundShadow::Missing GroundShadow::at(double x, double z) const {
    const double cx = (x - x0_) / cell_, cz = (z - z0_) / cell_;
    return {std::min(1.0f, key_.sample(cx, cz)), sky_.sample(cx, cz)};
}

SelfShadow::SelfShadow(const Shot& shot, const View& view, Vec3d to_light) : to_light_(to_light) {
    Vec3d lo, hi;
    tidy_box(view, lo, hi);
    middle_ = (lo + hi) * 0.5;
    const Vec3d side = hi - lo;
    size_ = std::max({side.x, side.y, side.z});
    u_ = normalized(cross(Vec3d{0, 1, 0}, to_light), {1, 0, 0});
    v_ = cross(to_light, u_);
    // The map covers just the box as seen from the light, so that no resolution is wasted on thin characters.
    double reach = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d p{corner & 1 ? hi.x : lo.x, corner & 2 ? hi.y : lo.y, corner & 4 ? hi.z : lo.z};
        reach = std::max({reach, std::abs(dot(p - middle_, u_)), std::abs(dot(p - middle_, v_))});
    }
    cell_ = 2 * reach * 1.05 / light_cells;

    SampleBuffer<1> buffer;
    const auto lowest = static_cast<float>(-0.75 * size_);
    buffer.clear(0, 0, light_cells, light_cells, lowest);
    draw(
        shot,
        [&](Vec3d p) {
            const Vec3d d = p - middle_;
            return Vec3d{dot(d, u_) / cell_ + light_cells / 2, dot(d, v_) / cell_ + light_cells / 2, dot(d, to_light_)};
        },
        buffer);
    mean_ = Map(light_cells, light_cells, 0);
    square_ = Map(light_cells, light_cells, 0);
    for (std::size_t i = 0; i < mean_.values.size(); ++i) {
        const float n = buffer.nearness[i] / static_cast<float>(size_);
        mean_.values[i] = n;
        square_.values[i] = n * n;
    }
    const double softness = 0.008 * size_ / cell_;
    blur(mean_, softness);
    blur(square_, softness);
}

float SelfShadow::lit(Vec3d position, Vec3d normal) const {
    // Offset along the normal, so that the blur does not make the surface shade itself.
    const Vec3d d = position + normal * (0.012 * size_) - middle_;
    const double x = dot(d, u_) / cell_ + light_cells / 2, y = dot(d, v_) / cell_ + light_cells / 2;
    if (!(x > 1 && y > 1 && x < light_cells - 1 && y < light_cells - 1)) return 1;
    const float own = static_cast<float>(dot(d, to_light_) / size_) + 0.004f;
    const float mean = mean_.sample(x, y);
    if (own >= mean) return 1;
    // Chebyshev's inequality: at most this share of the casters around is farther from the light than this point.
    const float variance = std::max(square_.sample(x, y) - mean * mean, 1e-5f);
    const float distance = mean - own;
    const float share = variance / (variance + distance * distance);
    constexpr float bleeding = 0.25f;  // smaller shares come from overlapping casters and count as full shadow
    return std::clamp((share - bleeding) / (1 - bleeding), 0.0f, 1.0f);
}

}  // namespace fascia::picture
