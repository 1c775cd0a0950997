#include "render/scene.h"

#include <algorithm>

namespace fascia::picture {
namespace {

constexpr double guard_band = 8192;  // pixels around the picture; triangles within it need no clipping
constexpr double too_far = 1e30;     // coordinates beyond this are treated as infinite

/// A triangle that is being clipped, in camera space.
using Polygon = std::array<Vec3d, 9>;

/// Keeps the side of the plane where dot(normal, p) >= offset.
int clip(const Polygon& in, int count, Vec3d normal, double offset, Polygon& out) {
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        const Vec3d a = in[static_cast<std::size_t>(i)], b = in[static_cast<std::size_t>((i + 1) % count)];
        const double da = dot(normal, a) - offset, db = dot(normal, b) - offset;
        if (da >= 0) out[static_cast<std::size_t>(kept++)] = a;
        if ((da >= 0) != (db >= 0)) out[static_cast<std::size_t>(kept++)] = a + (b - a) * (da / (da - db));
    }
    return kept;
}

class ScreenMaker {
public:
    ScreenMaker(Scene& scene, int width, int height)
        : scene_(scene), camera_(scene.camera), width_(width), height_(height) {}

    void add(std::size_t triangle) {
        const auto corners = scene_.corners(triangle);
        const Vec3d a = scene_.positions[corners[0]], b = scene_.positions[corners[1]],
                    c = scene_.positions[corners[2]];
        const unsigned codes[3] = {outcode(a), outcode(b), outcode(c)};
        if (codes[0] & codes[1] & codes[2] & outside_picture) return;
        const auto id = static_cast<std::uint32_t>(triangle);
        if (((codes[0] | codes[1] | codes[2]) & must_be_cut) == 0) {
            emit(a, b, c, id);
            return;
        }
        Polygon polygon{a, b, c}, other;
        int count = clip(polygon, 3, {0, 0, 1}, camera_.near_plane, other);
        const double reach_x = (width_ / 2.0 + guard_band) / camera_.focal;
        const double reach_y = (height_ / 2.0 + guard_band) / camera_.focal;
        count = clip(other, count, {1, 0, reach_x}, 0, polygon);
        count = clip(polygon, count, {-1, 0, reach_x}, 0, other);
        count = clip(other, count, {0, 1, reach_y}, 0, polygon);
        count = clip(polygon, count, {0, -1, reach_y}, 0, other);
        for (int i = 2; i < count; ++i)
            emit(other[0], other[static_cast<std::size_t>(i - 1)], other[static_cast<std::size_t>(i)], id);
    }

private:
    enum : unsigned { left = 1, right = 2, above = 4, below = 8, behind = 16, guard = 32 };
    static constexpr unsigned outside_picture = left | right | above | below | behind;
    static constexpr unsigned must_be_cut = behind | guard;

    unsigned outcode(Vec3d p) const {
        if (p.z < camera_.near_plane) return behind;
        const double px = camera_.center_x + camera_.focal * p.x / p.z;
        const double py = camera_.center_y - camera_.focal * p.y / p.z;
        unsigned code = 0;
        if (px < 0) code |= left;
        if (px > width_) code |= right;
        if (py < 0) code |= above;
        if (py > height_) code |= below;
        if (px < -guard_band || px > width_ + guard_band || py < -guard_band || py > height_ + guard_band)
            code |= guard;
        return code;
    }

    void emit(Vec3d a, Vec3d b, Vec3d c, std::uint32_t id) {
        ScreenTriangle t;
        t.id = id;
        const Vec3d corners[3] = {a, b, c};
        for (std::size_t i = 0; i < 3; ++i) {
            const double z = std::max(corners[i].z, camera_.near_plane);
            t.x[i] = static_cast<std::int32_t>(
                std::lround((camera_.center_x + camera_.focal * corners[i].x / z) * subpixels));
            t.y[i] = static_cast<std::int32_t>(
                std::lround((camera_.center_y - camera_.focal * corners[i].y / z) * subpixels));
            t.nearness[i] = static_cast<float>(camera_.near_plane / z);
        }
        scene_.triangles.push_back(t);
    }

    Scene& scene_;
    const Camera& camera_;
    double width_, height_;
};

Vec3d camera_position(const Camera& camera, Vec3 p) {
    const Vec3d c = camera.to_camera(to_double(p));
    const bool usable = std::abs(c.x) < too_far && std::abs(c.y) < too_far && std::abs(c.z) < too_far;
    return usable ? c : Vec3d{std::numeric_limits<double>::quiet_NaN(), 0, 0};
}

/// Vertex normals from the triangles around each vertex, weighted by their area.
std::vector<Vec3> normals_from_triangles(const Scene& scene) {
    std::vector<Vec3d> sums(scene.positions.size());
    for (std::size_t t = 0; t < scene.indices.size() / 3; ++t) {
        if (!scene.drawable_triangle(t)) continue;
        const auto c = scene.corners(t);
        const Vec3d a = scene.positions[c[0]];
        // Camera space is left-handed (x right, y up, z forward), so the operands are swapped.
        const Vec3d normal = cross(scene.positions[c[2]] - a, scene.positions[c[1]] - a);
        for (const std::uint32_t v : c) sums[v] += normal;
    }
    std::vector<Vec3> normals(sums.size());
    for (std::size_t v = 0; v < sums.size(); ++v) normals[v] = to_float(normalized(sums[v]));
    return normals;
}

std::vector<Vec3> normals_in_camera(const Camera& camera, std::span<const Vec3> world) {
    std::vector<Vec3> normals(world.size());
    for (std::size_t v = 0; v < world.size(); ++v) {
        const Vec3 n = normalized(to_float(camera.to_camera_direction(to_double(world[v]))));
        normals[v] = std::isfinite(n.x + n.y + n.z) ? n : Vec3{};
    }
    return normals;
}

}  // namespace

bool Scene::drawable_triangle(std::size_t triangle) const {
    for (const std::uint32_t v : corners(triangle))
        if (v >= positions.size() || !drawable(v)) return false;
    return true;
}

Scene make_scene(const Shot& shot, const Camera& camera, int width, int height) {
    Scene scene;
    scene.camera = camera;
    scene.indices = shot.triangles;
    scene.positions.resize(shot.positions.size());
    for (std::size_t v = 0; v < shot.positions.size(); ++v)
        scene.positions[v] = camera_position(camera, shot.positions[v]);
    if (shot.normals.size() == shot.positions.size())
        scene.normals = normals_in_camera(camera, shot.normals);
    else
        scene.normals = normals_from_triangles(scene);
    if (shot.colors.size() == shot.positions.size()) {
        scene.colors = shot.colors;
    } else if (shot.appearance && shot.appearance->data().colors.size() >= shot.positions.size()) {
        scene.looks = &shot.appearance->data();
        scene.colors = scene.looks->colors;
    }
    scene.triangles.reserve(scene.indices.size() / 3);
    ScreenMaker maker(scene, width, height);
    for (std::size_t t = 0; t < scene.indices.size() / 3; ++t)
        if (scene.drawable_triangle(t)) maker.add(t);
    return scene;
}

std::array<float, 3> corner_weights(const Scene& scene, const std::array<std::uint32_t, 3>& corners, Vec3d ray) {
    const Vec3d a = scene.positions[corners[0]], b = scene.positions[corners[1]], c = scene.positions[corners[2]];
    // Volumes of the tetrahedra between the ray and each edge; in double, because they are differences of large terms.
    const double volume = dot(cross(b - a, c - a), a);
    if (volume == 0) return {1.0f / 3, 1.0f / 3, 1.0f / 3};
    const double sign = volume < 0 ? -1 : 1;
    double wa = std::max(0.0, sign * dot(ray, cross(b, c))), wb = std::max(0.0, sign * dot(ray, cross(c, a)));
    double wc = std::max(0.0, sign * dot(ray, cross(a, b)));
    const double sum = wa + wb + wc;
    if (!(sum > 0)) return {1.0f / 3, 1.0f / 3, 1.0f / 3};
    return {static_cast<float>(wa / sum), static_cast<float>(wb / sum), static_cast<float>(wc / sum)};
}

}  // namespace fascia::picture
