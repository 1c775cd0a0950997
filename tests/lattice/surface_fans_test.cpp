#include "lattice/surface_fans.h"

#include <numeric>

#include <gtest/gtest.h>

#include "lattice/meshes.h"

namespace fascia::lattice {
namespace {

using test::box;
using test::TestMesh;

/// [triangles * 3] welded by position, as the readers do.
std::vector<std::uint32_t> welded(const TestMesh& mesh) {
    std::vector<std::uint32_t> out;
    for (const std::uint32_t v : mesh.triangles) {
        std::uint32_t first = 0;
        while (length(mesh.positions[first] - mesh.positions[v]) > 0) ++first;
        out.push_back(first);
    }
    return out;
}

TestMesh without_shared_vertices(const TestMesh& mesh) {
    TestMesh out;
    for (const std::uint32_t v : mesh.triangles) {
        out.triangles.push_back(std::uint32_t(out.positions.size()));
        out.positions.push_back(mesh.positions[v]);
    }
    return out;
}

TEST(SurfaceFans, OneForEachVertexOfAClosedSurfaceWhateverItsSeams) {
    for (const TestMesh& mesh : {box({0, 0, 0}, {1, 1, 1}), without_shared_vertices(box({0, 0, 0}, {1, 1, 1}))}) {
        const SurfaceFans fans = find_fans(mesh.positions, mesh.triangles, welded(mesh));
        EXPECT_EQ(fans.size(), 8u);
        EXPECT_EQ(fans.piece_count, 1u);
        for (std::size_t f = 0; f < fans.size(); ++f)
            for (const std::uint32_t t : fans.around(f))
                EXPECT_TRUE(fans.of_corner[3 * t] == f || fans.of_corner[3 * t + 1] == f ||
                            fans.of_corner[3 * t + 2] == f);
    }
}

TEST(SurfaceFans, BodiesThatTouchInAFaceKeepTheirOwn) {
    // Four corners and four edges in common, where four triangles meet.
    TestMesh mesh = box({0, 0, 0}, {1, 1, 1});
    mesh.add(box({1, 0, 0}, {2, 1, 1}));
    const SurfaceFans fans = find_fans(mesh.positions, mesh.triangles, welded(mesh));
    EXPECT_EQ(fans.size(), 16u);
    EXPECT_EQ(fans.piece_count, 2u);
    EXPECT_NE(fans.piece.front(), fans.piece.back());
}

TEST(SurfaceFans, AFinBelongsToWhatItStandsOn) {
    TestMesh mesh = box({0, 0, 0}, {1, 1, 1});
    mesh.positions.push_back({0.5f, 0, -1});
    mesh.triangles.insert(mesh.triangles.end(), {0, 1, 8});
    const SurfaceFans fans = find_fans(mesh.positions, mesh.triangles, welded(mesh));
    EXPECT_EQ(fans.size(), 9u);
    EXPECT_EQ(fans.piece_count, 1u);
}

}  // namespace
}  // namespace fascia::lattice
