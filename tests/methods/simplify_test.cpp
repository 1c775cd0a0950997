// Surfaces with fewer vertices: what must not happen to them on the way.
#include "body/simplify.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "body/least_of.h"

namespace fascia {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// How often each edge is used, in either direction.
std::map<Edge, int> uses_of_edges(const SimplerSurface& surface) {
    std::map<Edge, int> out;
    for (std::size_t t = 0; t < surface.triangles.size(); t += 3)
        for (std::size_t k = 0; k < 3; ++k)
            ++out[std::minmax(surface.triangles[t + k], surface.triangles[t + (k + 1) % 3])];
    return out;
}

struct Sheet {
    std::vector<Vec3d> positions;
    std::vector<std::uint32_t> triangles;
};

/// Squares of two triangles each; `rows` rows of `columns` vertices. round: the last column meets the first
Sheet sheet(std::uint32_t rows, std::uint32_t columns, bool round = false) {
    Sheet out;
    for (std::uint32_t y = 0; y < rows; ++y)
        for (std::uint32_t x = 0; x < columns; ++x) out.positions.push_back({double(x), double(y), 0});
    for (std::uint32_t y = 0; y + 1 < rows; ++y)
        for (std::uint32_t x = 0; x + (round ? 0 : 1) < columns; ++x) {
            const std::uint32_t a = y * columns + x, b = y * columns + (x + 1) % columns, c = a + columns,
                                d = b + columns;
            for (const std::uint32_t v : {a, b, d, a, d, c}) out.triangles.push_back(v);
        }
    return out;
}

TEST(LeastOf, IsTheFirstOfTheLeast) {
    std::mt19937 random(3);
    for (const std::size_t places : {1u, 2u, 5u, 64u, 100u}) {
        LeastOf least(places);
        std::vector<double> values(places, LeastOf::none);
        for (int k = 0; k < 2000; ++k) {
            const std::size_t place = random() % places;
            values[place] = random() % 5 == 0 ? LeastOf::none : double(random() % 40);
            least.set(place, values[place]);
            const auto first = std::min_element(values.begin(), values.end());
            ASSERT_EQ(least.any(), *first < LeastOf::none);
            if (*first < LeastOf::none) {
                ASSERT_EQ(least.first(), std::size_t(first - values.begin()));
            }
        }
    }
}

/// Across it is shorter than along it: of a narrow one nothing may go.
TEST(Simplify, ARibbonDoesNotClose) {
    for (const double width : {0.3, 0.12}) {
        Sheet ribbon = sheet(40, 2);
        for (Vec3d& p : ribbon.positions) p.x *= width;
        // Diagonals to and fro: at every other vertex there are four triangles, and two at those between.
        for (std::uint32_t y = 1; y < 39; y += 2) {
            const std::uint32_t a = 2 * y, quad[6] = {a, a + 1, a + 2, a + 1, a + 3, a + 2};
            std::copy(quad, quad + 6, &ribbon.triangles[6 * std::size_t(y)]);
        }
        const SimplerSurface simpler = simplify(ribbon.positions, ribbon.triangles, 30);
        if (width > 0.2) {
            EXPECT_LE(simpler.vertices.size(), 30u);
        }
        std::map<std::uint32_t, int> borders;
        for (const auto& [edge, uses] : uses_of_edges(simpler)) {
            if (uses == 1) ++borders[edge.first], ++borders[edge.second];
        }
        EXPECT_EQ(borders.size(), simpler.vertices.size());
        for (const auto& [vertex, count] : borders) EXPECT_EQ(count, 2) << vertex << ": two borders meet";
    }
}

TEST(Simplify, AThinTubeStaysATube) {
    for (const double thick : {1.0, 0.27}) {
        Sheet tube = sheet(40, 3, true);
        const double corners[3][2] = {{0.3, 0}, {-0.15, 0.26}, {-0.15, -0.26}};
        for (std::size_t v = 0; v < tube.positions.size(); ++v) {
            Vec3d& p = tube.positions[v];
            p.x = thick * corners[v % 3][0], p.z = thick * corners[v % 3][1];
        }
        const SimplerSurface simpler = simplify(tube.positions, tube.triangles, 30);
        for (const auto& [edge, uses] : uses_of_edges(simpler)) EXPECT_LE(uses, 2) << "three sheets at an edge";
        EXPECT_GE(simpler.vertices.size(), 6u);
    }
}

/// The shortest edge leads across the line through two neighbours.
TEST(Simplify, ATriangleDoesNotTurnOver) {
    const std::vector<Vec3d> positions{{0, 0, 0},    {1, 0, 0},     {0.4, 1, 0},   {0.2, 2, 0},
                                       {-1.5, 1, 0}, {-1.5, -1, 0}, {0.5, -1.5, 0}};
    std::vector<std::uint32_t> triangles;
    for (std::uint32_t k = 1; k <= 6; ++k)
        for (const std::uint32_t v : {0u, k, k % 6 + 1}) triangles.push_back(v);
    const SimplerSurface simpler = simplify(positions, triangles, 6);
    EXPECT_EQ(simpler.vertices.size(), 6u);
    for (std::size_t t = 0; t < simpler.triangles.size(); t += 3) {
        const auto at = [&](std::size_t k) { return positions[simpler.vertices[simpler.triangles[t + k]]]; };
        EXPECT_GT(cross(at(1) - at(0), at(2) - at(0)).z, 0);
    }
}

TEST(Simplify, NothingFoldsInAPlane) {
    Sheet plane = sheet(25, 25);
    std::mt19937 random(6);
    std::uniform_real_distribution<double> unit(-0.2, 0.2);
    for (std::size_t v = 0; v < plane.positions.size(); ++v) {
        const std::size_t x = v % 25, y = v / 25;
        if (x > 0 && x < 24 && y > 0 && y < 24)
            plane.positions[v].x += unit(random), plane.positions[v].y += unit(random);
    }
    for (const std::size_t most : {400u, 200u, 120u}) {
        const SimplerSurface simpler = simplify(plane.positions, plane.triangles, most);
        for (std::size_t t = 0; t < simpler.triangles.size(); t += 3) {
            const auto at = [&](std::size_t k) { return plane.positions[simpler.vertices[simpler.triangles[t + k]]]; };
            const double area = cross(at(1) - at(0), at(2) - at(0)).z;
            EXPECT_GT(area, 0) << most;
            double squares = 0;
            for (std::size_t k = 0; k < 3; ++k) squares += dot(at(k) - at((k + 1) % 3), at(k) - at((k + 1) % 3));
            EXPECT_GT(2 * std::sqrt(3) * area, 0.149 * squares) << most << ": a needle";
        }
    }
}

/// Two hubs next to each other in a wheel: the shortest edge by far, but one hub would have all the spokes.
TEST(Simplify, NoVertexGathersTooManyTriangles) {
    constexpr std::uint32_t rim = 16;
    Sheet wheel;
    for (std::uint32_t k = 0; k < rim; ++k) {
        const double angle = 2 * 3.14159265358979 * k / rim;
        wheel.positions.push_back({std::cos(angle), std::sin(angle), 0});
    }
    wheel.positions.push_back({0.01, 0, 0});
    wheel.positions.push_back({-0.01, 0, 0});
    // Spokes from rim / 4 to 3 rim / 4 belong to the left hub, the others to the right one.
    for (std::uint32_t k = 0; k < rim; ++k) {
        const bool left = k >= rim / 4 && k < 3 * rim / 4;
        for (const std::uint32_t v : {k, (k + 1) % rim, rim + (left ? 1u : 0u)}) wheel.triangles.push_back(v);
    }
    for (const std::uint32_t v : {rim, rim / 4, rim + 1, rim + 1, 3 * rim / 4, rim}) wheel.triangles.push_back(v);
    const SimplerSurface simpler = simplify(wheel.positions, wheel.triangles, rim + 1);
    EXPECT_EQ(simpler.vertices.size(), rim + 1);
    std::map<std::uint32_t, int> around;
    for (const std::uint32_t v : simpler.triangles) ++around[v];
    for (const auto& [vertex, triangles] : around) EXPECT_LE(triangles, 14) << vertex;
}

TEST(Simplify, ATetrahedronStays) {
    const std::vector<Vec3d> positions{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    const std::vector<std::uint32_t> triangles{0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    EXPECT_EQ(simplify(positions, triangles, 1).triangles, triangles);
}

}  // namespace
}  // namespace fascia
