#include "lattice/overlaps.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "lattice/meshes.h"

namespace fascia::lattice {
namespace {

using test::box;
using test::sphere;
using test::TestMesh;

std::size_t overlapped(const TestMesh& mesh) {
    const Grid grid = make_grid({-2, -2, -2}, {2, 2, 2}, 40);  // cells of 0.1
    return count_overlapped_cells(mesh.positions, mesh.triangles, grid);
}

TEST(Overlaps, WhatBelongsToTwoBoxes) {
    TestMesh mesh = box({-1, -1, -1}, {0.3f, 1, 1});
    mesh.add(box({-0.3f, -0.5f, -0.5f}, {1, 0.5f, 0.5f}));
    EXPECT_EQ(overlapped(mesh), 6u * 10 * 10);
}

TEST(Overlaps, NoneWhereASurfaceIsSound) {
    EXPECT_EQ(overlapped(sphere(4, 1.5f)), 0u);
    TestMesh apart = box({-1, -1, -1}, {-0.5f, 1, 1});
    apart.add(box({0.5f, -1, -1}, {1, 1, 1}));
    EXPECT_EQ(overlapped(apart), 0u);
}

TEST(Overlaps, NoneInACavityOrInsideOut) {
    TestMesh hollow = box({-1, -1, -1}, {1, 1, 1}), inner = box({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});
    for (std::size_t t = 0; t < inner.triangles.size(); t += 3) std::swap(inner.triangles[t], inner.triangles[t + 1]);
    hollow.add(inner);
    EXPECT_EQ(overlapped(hollow), 0u);
    EXPECT_EQ(overlapped(inner), 0u);
}

TEST(Overlaps, OneClosedSurfaceThatIsPinchedThroughItself) {
    // A sphere whose cap is pushed down and out through the bottom: there it is inside out.
    TestMesh mesh = sphere(4, 1.5f);
    for (Vec3& p : mesh.positions)
        if (p.y > 0.5f) p.y = 0.5f - 2.4f * (p.y - 0.5f);
    EXPECT_GT(overlapped(mesh), 0u);
}

TEST(Overlaps, AHoleIsNoOverlap) {
    TestMesh mesh = sphere(4, 1.5f);
    mesh.triangles.resize(mesh.triangles.size() * 3 / 4);
    EXPECT_EQ(overlapped(mesh), 0u);
    // Through a box without its far wall into the next: no cell is inside two of them.
    TestMesh row = box({-1.5f, -1, -1}, {-0.5f, 1, 1});
    std::vector<std::uint32_t> kept;
    for (std::size_t t = 0; t < row.triangles.size(); t += 3) {
        const auto is_far = [&](std::size_t k) { return row.positions[row.triangles[t + k]].x == -0.5f; };
        if (is_far(0) && is_far(1) && is_far(2)) continue;
        kept.insert(kept.end(), &row.triangles[t], &row.triangles[t] + 3);
    }
    ASSERT_EQ(kept.size(), row.triangles.size() - 6);
    row.triangles = kept;
    row.add(box({0.5f, -1, -1}, {1.5f, 1, 1}));
    EXPECT_EQ(overlapped(row), 0u);
}

// ---- triangles of a piece that passes through itself -------------------------------------------------------------
std::size_t marked(const TestMesh& mesh, std::vector<std::uint32_t> piece = {}) {
    if (piece.empty()) piece.assign(mesh.triangles.size() / 3, 0);
    const std::vector<std::uint8_t> found = overlapped_triangles(mesh.positions, mesh.triangles, piece, {0.05, 1e-3});
    return std::size_t(std::count(found.begin(), found.end(), std::uint8_t(1)));
}

TEST(OverlappedTriangles, AreThoseOfTwoBoxesInOneAnother) {
    for (const float overlap : {0.3f, 0.004f}) {
        for (int axis = 0; axis < 3; ++axis) {
            Vec3 low{-1, -1, -1}, high{1, 1, 1}, from{-0.5f, -0.5f, -0.5f}, to{0.5f, 0.5f, 0.5f};
            (axis == 0 ? from.x : axis == 1 ? from.y : from.z) = 1 - overlap;
            (axis == 0 ? to.x : axis == 1 ? to.y : to.z) = 2;
            TestMesh mesh = box(low, high);
            mesh.add(box(from, to));
            // Rays along the axis meet both walls of two triangles each, those across it the sides of the second box.
            EXPECT_EQ(marked(mesh), overlap > 0.1f ? 12u : 4u) << axis << " " << overlap;
            EXPECT_EQ(marked(mesh, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}), 0u);
            for (std::size_t t = 0; t < mesh.triangles.size(); t += 3)
                std::swap(mesh.triangles[t], mesh.triangles[t + 1]);
            EXPECT_EQ(marked(mesh), overlap > 0.1f ? 12u : 4u) << "inside out";
        }
    }
}

TEST(OverlappedTriangles, AreNoneWhereASurfaceIsSoundOrOnlyTouches) {
    EXPECT_EQ(marked(sphere(4, 1.5f)), 0u);
    TestMesh beside = box({-1, -1, -1}, {0, 1, 1});
    beside.add(box({0, -1, -1}, {1, 1, 1}));
    EXPECT_EQ(marked(beside), 0u);
    TestMesh hollow = box({-1, -1, -1}, {1, 1, 1}), inner = box({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});
    for (std::size_t t = 0; t < inner.triangles.size(); t += 3) std::swap(inner.triangles[t], inner.triangles[t + 1]);
    hollow.add(inner);
    EXPECT_EQ(marked(hollow), 0u);
    EXPECT_EQ(marked({}), 0u);
}

}  // namespace
}  // namespace fascia::lattice
