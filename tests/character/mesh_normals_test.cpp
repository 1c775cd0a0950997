// Normals of files that were exported with other axes, or with pieces turned inside out.
#include "character/mesh_normals.h"

#include <gtest/gtest.h>

#include "support/shapes.h"

namespace fascia {
namespace {

using NormalOf = Vec3 (*)(Vec3 outwards);

/// A ball around `centre`, with `normal_of` instead of its own normals.
void add_ball(Mesh& mesh, Vec3 centre, NormalOf normal_of) {
    constexpr int rings = 16, sides = 24;
    const auto first = std::uint32_t(mesh.positions.size());
    for (int r = 0; r <= rings; ++r)
        for (int s = 0; s <= sides; ++s) {
            const double a = std::numbers::pi * r / rings, b = 2 * std::numbers::pi * (s % sides) / sides;
            const Vec3 out = to_float(Vec3d{std::sin(a) * std::cos(b), std::cos(a), -std::sin(a) * std::sin(b)});
            mesh.positions.push_back(r == 0 || r == rings ? centre + Vec3{0, r == 0 ? 1.0f : -1.0f, 0} : centre + out);
            mesh.normals.push_back(normal_of(out));
        }
    for (std::uint32_t r = 0; r < rings; ++r)
        for (std::uint32_t s = 0; s < sides; ++s) {
            const std::uint32_t a = first + r * (sides + 1) + s, b = a + sides + 1;
            for (const std::uint32_t v : {a, b, b + 1, a, b + 1, a + 1}) mesh.triangles.push_back(v);
        }
}

Vec3 right(Vec3 out) {
    return out;
}
Vec3 inwards(Vec3 out) {
    return out * -1.0f;
}
/// Z up instead of Y up. Nowhere does such a normal point to the other side of a ball.
Vec3 of_other_axes(Vec3 out) {
    return {out.x, -out.z, out.y};
}

double worst_cosine(const Mesh& mesh, Vec3 centre, std::size_t first, std::size_t last) {
    double worst = 1;
    for (std::size_t v = first; v < last; ++v)
        worst = std::min(worst, double(dot(mesh.normals[v], normalized(mesh.positions[v] - centre))));
    return worst;
}

TEST(MeshNormals, OfOtherAxesAreComputedAnew) {
    Mesh ball;
    add_ball(ball, {}, of_other_axes);
    EXPECT_TRUE(replace_contrary_normals(ball));
    EXPECT_GT(worst_cosine(ball, {}, 0, ball.positions.size()), 0.98);
    EXPECT_FALSE(replace_contrary_normals(ball)) << "now they agree";
}

TEST(MeshNormals, OfASmallPieceTurnedInsideOutAreComputedAnew) {
    Mesh two;
    add_ball(two, {}, right);
    const std::size_t between = two.positions.size();
    for (Vec3& p : two.positions) p = p * 5.0f;
    const std::vector<Vec3> kept = two.normals;
    const Vec3 eye{0, 0, 7};
    add_ball(two, eye, inwards);
    EXPECT_TRUE(replace_contrary_normals(two));
    EXPECT_GT(worst_cosine(two, eye, between, two.positions.size()), 0.98);
    for (std::size_t v = 0; v < between; ++v) EXPECT_EQ(two.normals[v], kept[v]);
}

TEST(MeshNormals, SmoothOnesOfACoarseMeshAreKept) {
    const test::Shape box = test::box_shape({-1, -1, -1}, {1, 2, 1});
    Mesh mesh;
    mesh.positions = box.positions;
    mesh.triangles = box.triangles;
    for (const Vec3 p : mesh.positions) mesh.normals.push_back(normalized(p));
    EXPECT_FALSE(replace_contrary_normals(mesh));
}

}  // namespace
}  // namespace fascia
