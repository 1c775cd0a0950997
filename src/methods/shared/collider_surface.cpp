// What colliders look like.
#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "methods/shared/world_impl.h"

namespace fascia {

namespace {

constexpr int around = 32, rings = 9;  ///< of a sphere

/// Normals by triangle, for shapes with edges.
void add_flat(Vec3 a, Vec3 b, Vec3 c, ColliderSurface& out) {
    const Vec3 n = normalized(cross(b - a, c - a));
    for (const Vec3 p : {a, b, c}) {
        out.triangles.push_back(std::uint32_t(out.positions.size()));
        out.positions.push_back(p);
        out.normals.push_back(n);
    }
}

void add_quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d, ColliderSurface& out) {
    add_flat(a, b, c, out);
    add_flat(a, c, d, out);
}

/// A sphere, pulled apart along y.
void add_round(float radius, float length, ColliderSurface& out) {
    for (int r = 0; r < 2 * rings; ++r) {
        // Two rings at the middle, where the halves separate.
        const double up = portable::pi * double(r < rings ? r : r - 1) / double(2 * rings - 2) - portable::pi / 2;
        const float shift = r < rings ? -length / 2 : length / 2;
        for (int k = 0; k < around; ++k) {
            const double turn = 2 * portable::pi * k / around;
            const Vec3 n = to_float({portable::cosine(up) * portable::cosine(turn), portable::sine(up),
                                     -portable::cosine(up) * portable::sine(turn)});
            out.normals.push_back(n);
            out.positions.push_back(n * radius + Vec3{0, shift, 0});
        }
    }
    for (std::uint32_t r = 0; r + 1 < 2 * rings; ++r)
        for (std::uint32_t k = 0; k < around; ++k) {
            const std::uint32_t a = r * around + k, b = r * around + (k + 1) % around;
            for (const std::uint32_t v : {a, b, b + around, a, b + around, a + around}) out.triangles.push_back(v);
        }
}

void add_box(Vec3 h, ColliderSurface& out) {
    const auto corner = [&](int x, int y, int z) { return Vec3{h.x * float(x), h.y * float(y), h.z * float(z)}; };
    for (const int s : {-1, 1}) {
        add_quad(corner(s, -s, -1), corner(s, s, -1), corner(s, s, 1), corner(s, -s, 1), out);
        add_quad(corner(-1, s, -s), corner(-1, s, s), corner(1, s, s), corner(1, s, -s), out);
        add_quad(corner(-s, -1, s), corner(s, -1, s), corner(s, 1, s), corner(-s, 1, s), out);
    }
}

ColliderSurface own_surface(const Collider& c, double plane_size, Vec3 about) {
    ColliderSurface out;
    const float s = float(plane_size / 2);
    switch (c.shape) {
        case ColliderShape::plane:
            add_quad({about.x - s, 0, about.z + s}, {about.x + s, 0, about.z + s}, {about.x + s, 0, about.z - s},
                     {about.x - s, 0, about.z - s}, out);
            break;
        case ColliderShape::sphere: add_round(float(c.radius), 0, out); break;
        case ColliderShape::capsule: add_round(float(c.radius), float(c.length), out); break;
        case ColliderShape::box: add_box(to_float(c.size) * 0.5f, out); break;
        case ColliderShape::hull:
        case ColliderShape::mesh: {
            const std::vector<std::uint32_t> t =
                c.shape == ColliderShape::hull ? contact::hull_triangles(c.points) : c.triangles;
            for (std::size_t k = 0; k + 2 < t.size(); k += 3)
                add_flat(c.points[t[k]], c.points[t[k + 1]], c.points[t[k + 2]], out);
            break;
        }
    }
    return out;
}

}  // namespace

ColliderSurface surface_of(const World& world, std::size_t collider, double plane_size, Vec3d about) {
    if (collider >= world.collider_count()) return {};
    const Vec3d place = world.place(collider);
    const Quat turn = world.turn(collider);
    ColliderSurface out =
        own_surface(world.collider(collider), plane_size, to_float(rotate(conjugate(turn), about - place)));
    for (Vec3& p : out.positions) p = to_float(rotate(turn, to_double(p)) + place);
    for (Vec3& n : out.normals) n = to_float(rotate(turn, to_double(n)));
    return out;
}

}  // namespace fascia
