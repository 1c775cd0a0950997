#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "fascia/measure.h"
#include "support/shapes.h"
#include "support/tube.h"

namespace fascia {
namespace {

using test::Shape;

TEST(Weld, EqualPositionsShareAnId) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Vec3> p{{1, 2, 3},   {0, 0, 0},   {1, 2, 3},      {-0.0f, 0, -0.0f},
                              {nan, 0, 0}, {nan, 0, 0}, {1, 2, 3.0001f}};
    const Weld w = weld_by_position(p);
    EXPECT_EQ(w.id, (std::vector<std::uint32_t>{0, 1, 0, 1, 2, 3, 4}));
    EXPECT_EQ(w.count, 5u);
    EXPECT_EQ(weld_by_position({}).count, 0u);
}

TEST(Weld, EqualsBruteForce) {
    std::mt19937 random(1);
    std::vector<Vec3> p;
    for (int i = 0; i < 3000; ++i)
        p.push_back({float(random() % 9) - 4, float(random() % 9) - 4, float(random() % 9) - 4});
    const Weld w = weld_by_position(p);
    std::vector<std::uint32_t> expected;
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        std::size_t first = 0;
        while (!(p[first] == p[i])) ++first;
        expected.push_back(first == i ? next++ : expected[first]);
    }
    EXPECT_EQ(w.id, expected);
    EXPECT_EQ(w.count, next);
}

TEST(Weld, ManyNansStayQuick) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Vec3> p(200000, Vec3{nan, nan, nan});
    EXPECT_EQ(weld_by_position(p).count, p.size());
}

Components components_of(const Shape& s) {
    return find_components(s.triangles, weld_by_position(s.positions));
}

TEST(Components, ABoxIsClosedAlsoWhenUnwelded) {
    const Shape b = test::box_shape({0, 0, 0}, {1, 2, 3});
    for (const Shape& s : {b, test::unwelded(b)}) {
        const Components c = components_of(s);
        EXPECT_EQ(c.closed, std::vector<bool>{true});
        EXPECT_EQ(c.of_triangle, std::vector<std::uint32_t>(12, 0));
    }
}

TEST(Components, AMissingOrTurnedTriangleOpensIt) {
    Shape s = test::box_shape({0, 0, 0}, {1, 1, 1});
    Shape open = s;
    open.triangles.resize(33);
    EXPECT_EQ(components_of(open).closed, std::vector<bool>{false});
    std::swap(s.triangles[0], s.triangles[1]);
    EXPECT_EQ(components_of(s).closed, std::vector<bool>{false});
}

TEST(Components, AreNumberedByTheirFirstTriangle) {
    Shape s = test::box_shape({3, 0, 0}, {4, 1, 1});
    test::append(s, test::prism_walls(5));
    test::append(s, test::box_shape({5, 5, 5}, {6, 6, 6}));
    const Components c = components_of(s);
    EXPECT_EQ(c.closed, (std::vector<bool>{true, false, true}));
    EXPECT_EQ(c.of_triangle.front(), 0u);
    EXPECT_EQ(c.of_triangle[12], 1u);
    EXPECT_EQ(c.of_triangle.back(), 2u);
}

TEST(Components, CollapsedTrianglesDoNotOpenASurface) {
    Shape s = test::box_shape({0, 0, 0}, {1, 1, 1});
    s.triangles.insert(s.triangles.end(), {0, 0, 1});
    EXPECT_EQ(components_of(s).closed, std::vector<bool>{true});
    Shape alone;
    alone.positions = {{0, 0, 0}, {1, 0, 0}};
    alone.triangles = {0, 1, 1};
    EXPECT_EQ(components_of(alone).closed, std::vector<bool>{false});
}

TEST(Components, EqualBruteForceOnRandomSoups) {
    std::mt19937 random(2);
    for (int round = 0; round < 200; ++round) {
        Weld weld;
        weld.count = 12;
        for (std::uint32_t v = 0; v < 12; ++v) weld.id.push_back(v);
        std::vector<std::uint32_t> triangles;
        for (unsigned t = 0; t < 3 + random() % 10; ++t)
            for (int k = 0; k < 3; ++k) triangles.push_back(static_cast<std::uint32_t>(random() % 12));
        const Components c = find_components(triangles, weld);

        // Spread numbers over shared vertices until nothing changes.
        const std::size_t count = triangles.size() / 3;
        std::vector<std::size_t> number(count);
        for (std::size_t t = 0; t < count; ++t) number[t] = t;
        for (bool again = true; again;) {
            again = false;
            for (std::size_t a = 0; a < count; ++a)
                for (std::size_t b = 0; b < count; ++b)
                    for (int i = 0; i < 9; ++i)
                        if (triangles[3 * a + i / 3] == triangles[3 * b + i % 3] && number[a] > number[b]) {
                            number[a] = number[b];
                            again = true;
                        }
        }
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = 0; b < count; ++b)
                EXPECT_EQ(number[a] == number[b], c.of_triangle[a] == c.of_triangle[b]);

        std::map<std::uint32_t, std::map<std::pair<std::uint32_t, std::uint32_t>, int>> directed;
        for (std::size_t t = 0; t < count; ++t) {
            const std::uint32_t* v = &triangles[3 * t];
            if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
            for (int k = 0; k < 3; ++k) ++directed[c.of_triangle[t]][{v[k], v[(k + 1) % 3]}];
        }
        for (std::uint32_t i = 0; i < c.closed.size(); ++i) {
            bool closed = !directed[i].empty();
            for (const auto& [edge, uses] : directed[i])
                closed = closed && uses == 1 && directed[i].count({edge.second, edge.first}) == 1;
            EXPECT_EQ(c.closed[i], closed);
        }
    }
}

TEST(Volume, OfBoxes) {
    Shape s = test::box_shape({3, 0, 0}, {4, 2, 3});
    EXPECT_NEAR(*closed_volume(s.positions, s.triangles, components_of(s)), 6, 1e-12);
    test::append(s, test::box_shape({10, 10, 10}, {11, 11, 11}));
    test::append(s, test::prism_walls(7));  // open: does not count
    EXPECT_NEAR(*closed_volume(s.positions, s.triangles, components_of(s)), 7, 1e-12);
    const Shape inside_out = [] {
        Shape b = test::box_shape({0, 0, 0}, {1, 1, 1});
        for (std::size_t t = 0; t < b.triangles.size(); t += 3) std::swap(b.triangles[t], b.triangles[t + 1]);
        return b;
    }();
    EXPECT_NEAR(*closed_volume(inside_out.positions, inside_out.triangles, components_of(inside_out)), -1, 1e-12);
}

TEST(Volume, NothingForOpenSurfaces) {
    const Shape s = test::prism_walls(6);
    EXPECT_FALSE(closed_volume(s.positions, s.triangles, components_of(s)).has_value());
    EXPECT_FALSE(closed_volume({}, {}, Components{}).has_value());
}

TEST(Volume, DoesNotSufferFarFromTheOrigin) {
    const float far = 16384;
    const Shape s = test::box_shape({far, far, far}, {far + 1, far + 1, far + 1});
    EXPECT_NEAR(*closed_volume(s.positions, s.triangles, components_of(s)), 1, 1e-12);
}

TEST(Volume, OfTheTubeIsThatOfItsPolygon) {
    const Mesh tube = test::tube_mesh({16, 24, 1});
    const Components c = find_components(tube.triangles, weld_by_position(tube.positions));
    EXPECT_EQ(c.closed, std::vector<bool>{true});
    const double area = 0.5 * 24 * std::sin(2 * std::numbers::pi / 24);
    EXPECT_NEAR(*closed_volume(tube.positions, tube.triangles, c), 8 * area, 1e-5);
}

}  // namespace
}  // namespace fascia
