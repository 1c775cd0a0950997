// Closed, manifold, in one piece, evenly meshed, facing outwards.
#include <numeric>
#include <set>

#include "bundled_body.h"

namespace fascia::test {
namespace {

class Surface : public ::testing::TestWithParam<std::string> {
protected:
    const Character& body = bundled(GetParam());
    const std::vector<std::uint32_t>& triangles = body.mesh.triangles;
    std::vector<Vec3d> points = rest_points(body);

    Vec3d corner(std::size_t i) const { return points[triangles[i]]; }
};

TEST_P(Surface, EveryEdgeHasTwoTrianglesOfOppositeDirection) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> directed;
    for (std::size_t t = 0; t < triangles.size(); t += 3) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto a = triangles[t + k], b = triangles[t + (k + 1) % 3];
            ASSERT_NE(a, b);
            ++directed[{a, b}];
        }
    }
    for (const auto& [edge, count] : directed) {
        ASSERT_EQ(count, 1);
        ASSERT_EQ(directed.count({edge.second, edge.first}), 1u);
    }
}

TEST_P(Surface, EveryVertexHasOneFanOfTriangles) {
    // Opposite edges of the triangles at a vertex form one ring: walking it visits all of them.
    std::vector<std::map<std::uint32_t, std::uint32_t>> ring(points.size());
    for (std::size_t t = 0; t < triangles.size(); t += 3)
        for (std::size_t k = 0; k < 3; ++k)
            ring[triangles[t + k]][triangles[t + (k + 1) % 3]] = triangles[t + (k + 2) % 3];
    for (const auto& next : ring) {
        ASSERT_GE(next.size(), 3u);
        const auto first = next.begin()->first;
        std::size_t steps = 0;
        auto v = first;
        do {
            const auto found = next.find(v);
            ASSERT_NE(found, next.end());
            v = found->second;
            ++steps;
        } while (v != first && steps <= next.size());
        EXPECT_EQ(steps, next.size());
    }
}

TEST_P(Surface, IsOnePieceWithoutHandles) {
    std::vector<std::uint32_t> root(points.size());
    std::iota(root.begin(), root.end(), 0u);
    const auto find = [&](std::uint32_t v) {
        while (root[v] != v) v = root[v] = root[root[v]];
        return v;
    };
    for (std::size_t i = 0; i < triangles.size(); i += 3) {
        root[find(triangles[i])] = find(triangles[i + 1]);
        root[find(triangles[i])] = find(triangles[i + 2]);
    }
    std::set<std::uint32_t> pieces;
    for (std::uint32_t v = 0; v < root.size(); ++v) pieces.insert(find(v));
    EXPECT_EQ(pieces.size(), 1u);
    const long faces = static_cast<long>(triangles.size() / 3), edges = faces * 3 / 2;
    EXPECT_EQ(static_cast<long>(points.size()) - edges + faces, 2) << "Euler characteristic";
}

TEST_P(Surface, FacesOutwardAndAgreesWithItsNormals) {
    EXPECT_GT(signed_volume(points, triangles), 0.1);
    for (std::size_t t = 0; t < triangles.size(); t += 3) {
        const Vec3d n = cross(corner(t + 1) - corner(t), corner(t + 2) - corner(t));
        ASSERT_GT(length(n), 1e-9);
        Vec3d sum;
        for (std::size_t k = 0; k < 3; ++k) sum += to_double(body.mesh.normals[triangles[t + k]]);
        EXPECT_GT(dot(normalized(n), normalized(sum)), 0.2) << "triangle " << t / 3 << " at y " << corner(t).y;
    }
    for (const Vec3& n : body.mesh.normals) EXPECT_NEAR(length(n), 1, 1e-5);
}

TEST_P(Surface, TrianglesAreEven) {
    std::size_t narrow = 0, all = 0;
    double smallest = 180;
    for (std::size_t t = 0; t < triangles.size(); t += 3) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d p = corner(t + k), a = corner(t + (k + 1) % 3) - p, b = corner(t + (k + 2) % 3) - p;
            const double angle = std::atan2(length(cross(a, b)), dot(a, b)) * 180 / 3.14159265358979;
            smallest = std::min(smallest, angle);
            narrow += angle < 25;
            ++all;
        }
    }
    EXPECT_LT(static_cast<double>(narrow), 0.01 * static_cast<double>(all));
    EXPECT_GT(smallest, 10);
}

TEST_P(Surface, EdgesChangeLengthGradually) {
    // Around one vertex the longest edge is at most a few times the shortest: no sudden change of density.
    std::vector<double> shortest(points.size(), 1e9), longest(points.size(), 0);
    for (std::size_t t = 0; t < triangles.size(); t += 3) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto a = triangles[t + k], b = triangles[t + (k + 1) % 3];
            const double l = length(points[b] - points[a]);
            for (const auto v : {a, b}) {
                shortest[v] = std::min(shortest[v], l);
                longest[v] = std::max(longest[v], l);
            }
        }
    }
    std::size_t uneven = 0;
    for (std::size_t v = 0; v < points.size(); ++v) {
        uneven += longest[v] > 2.2 * shortest[v];
        EXPECT_LT(longest[v], 4.5 * shortest[v]);
    }
    EXPECT_LT(static_cast<double>(uneven), 0.02 * static_cast<double>(points.size()));
}

TEST_P(Surface, HasTheSizeAndDetailThatWasAskedFor) {
    EXPECT_GE(points.size(), 5000u);
    EXPECT_LE(points.size(), 15000u);
    ASSERT_EQ(body.mesh.colors.size(), points.size());
    ASSERT_EQ(body.mesh.normals.size(), points.size());
    for (const Vec4& c : body.mesh.colors) {
        for (const float part : {c.x, c.y, c.z}) {
            EXPECT_GE(part, 0);
            EXPECT_LE(part, 1);
        }
        EXPECT_EQ(c.w, 1);
    }
    ASSERT_EQ(body.mesh.parts.size(), 1u);
    const Part& part = body.mesh.parts[0];
    EXPECT_EQ(part.vertex_count, static_cast<int>(points.size()));
    EXPECT_EQ(part.triangle_count, static_cast<int>(triangles.size() / 3));
    EXPECT_EQ(body.materials.at(static_cast<std::size_t>(part.material)).base_color.w, 1);
    EXPECT_EQ(body.nodes.at(static_cast<std::size_t>(part.node)).parent, -1);
}

INSTANTIATE_TEST_SUITE_P(Creatures, Surface, ::testing::ValuesIn(creatures()));

TEST(Creatures, StandOnTheGroundAndLookAlongZ) {
    for (const std::string& name : creatures()) {
        const Character& body = bundled(name);
        const Box box = box_of(rest_points(body));
        EXPECT_NEAR(box.low.y, 0, 0.01) << name;
        EXPECT_GT(box.high.y, 1) << name;
        EXPECT_LT(box.high.y, 2.2) << name;
        // The whites of the eyes and their highlights face forward.
        Vec3d looking;
        std::size_t count = 0;
        for (std::size_t v = 0; v < body.mesh.vertex_count(); ++v) {
            const Vec4& c = body.mesh.colors[v];
            if (std::min({c.x, c.y, c.z}) < 0.99f) continue;
            looking += to_double(body.mesh.normals[v]);
            ++count;
        }
        ASSERT_GT(count, 50u) << name;
        EXPECT_GT(normalized(looking).z, 0.8) << name;
    }
}

TEST(Bundled, NamesTheNearestWhenAskedForAnUnknownOne) {
    const auto result = bundled_character("buny");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, Error::Kind::usage);
    EXPECT_NE(result.error().message.find("bunny"), std::string::npos);
    EXPECT_EQ(bundled_names(), (std::vector<std::string>{"bunny", "gnome", "bloat", "neck", "tube"}));
}

}  // namespace
}  // namespace fascia::test
