#include "fascia/subdivide.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "fascia/measure.h"
#include "fascia/method.h"
#include "support/small_character.h"
#include "support/tube.h"

namespace fascia {
namespace {

bool closed(const Mesh& mesh) {
    const Components components = find_components(mesh.triangles, weld_by_position(mesh.positions));
    for (const bool c : components.closed)
        if (!c) return false;
    return !components.closed.empty();
}

double volume(const Mesh& mesh) {
    const Components components = find_components(mesh.triangles, weld_by_position(mesh.positions));
    return closed_volume(mesh.positions, mesh.triangles, components).value_or(0);
}

TEST(Subdivide, FourKeepsTheSurfaceClosedAndItsShape) {
    const Character c = test::tube_character({8, 12, 2});
    const auto out = subdivide(c, "upper", Split::four);
    ASSERT_TRUE(out.ok());
    EXPECT_GT(out->split_triangles, 0u);
    EXPECT_GT(out->induced_triangles, 0u);
    EXPECT_TRUE(closed(out->character.mesh));
    EXPECT_NEAR(volume(out->character.mesh), volume(c.mesh), 1e-4);
    EXPECT_GE(out->character.mesh.triangle_count(), c.mesh.triangle_count() + 3 * out->split_triangles);
    EXPECT_LE(out->character.mesh.triangle_count(),
              c.mesh.triangle_count() + 3 * out->split_triangles + 2 * out->induced_triangles);
}

TEST(Subdivide, ThreeAddsOneVertexAndTwoTrianglesEach) {
    const Character c = test::tube_character({8, 12, 2});
    const auto out = subdivide(c, "upper", Split::three);
    ASSERT_TRUE(out.ok());
    EXPECT_EQ(out->induced_triangles, 0u);
    EXPECT_EQ(out->character.mesh.vertex_count(), c.mesh.vertex_count() + out->split_triangles);
    EXPECT_EQ(out->character.mesh.triangle_count(), c.mesh.triangle_count() + 2 * out->split_triangles);
    EXPECT_TRUE(closed(out->character.mesh));
}

TEST(Subdivide, SeamsStayShut) {
    // Every triangle has its own vertices: all edges are seams.
    Character c = test::tube_character({8, 12, 2});
    Character flat = c;
    flat.mesh = {};
    flat.weights.joints.clear();
    flat.weights.weights.clear();
    for (const std::uint32_t v : c.mesh.triangles) {
        flat.mesh.triangles.push_back(std::uint32_t(flat.mesh.positions.size()));
        flat.mesh.positions.push_back(c.mesh.positions[v]);
        flat.mesh.normals.push_back(c.mesh.normals[v]);
        for (int s = 0; s < 4; ++s) {
            flat.weights.joints.push_back(c.weights.joints[4 * v + s]);
            flat.weights.weights.push_back(c.weights.weights[4 * v + s]);
        }
    }
    const auto out = subdivide(flat, "upper", Split::four);
    ASSERT_TRUE(out.ok());
    EXPECT_TRUE(closed(out->character.mesh));
    EXPECT_EQ(out->split_triangles, subdivide(c, "upper", Split::four)->split_triangles);
}

TEST(Subdivide, AttributesAreAveragedAndPartsKept) {
    const Character c = test::small_character();
    const auto out = subdivide(c, "upper", Split::four);
    ASSERT_TRUE(out.ok());
    const Mesh& mesh = out->character.mesh;
    ASSERT_EQ(mesh.parts.size(), c.mesh.parts.size());
    EXPECT_EQ(mesh.parts[0].vertex_count, int(mesh.vertex_count()));
    EXPECT_EQ(mesh.parts[0].triangle_count, int(mesh.triangle_count()));
    ASSERT_EQ(mesh.uvs.size(), mesh.vertex_count());
    ASSERT_EQ(mesh.colors.size(), mesh.vertex_count());
    ASSERT_EQ(out->character.weights.weights.size(), 4 * mesh.vertex_count());
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
        EXPECT_NEAR(mesh.colors[v].x, mesh.positions[v].y / 2, 1e-6);  // the column is coloured like this
        EXPECT_NEAR(length(mesh.normals[v]), 1, 1e-5);
        float sum = 0;
        for (int s = 0; s < 4; ++s) sum += out->character.weights.weights[4 * v + s];
        EXPECT_NEAR(sum, 1, 1e-6);
    }
    EXPECT_TRUE(fascia::bind(out->character, LbsSettings{}).ok());
}

TEST(Subdivide, OfTooManyJointsTheStrongestStay) {
    // A triangle whose corners follow four joints each, seven along an edge between them.
    Character c;
    c.name = "card";
    for (int j = 0; j < 8; ++j) {
        Node node;
        node.name = "joint" + std::to_string(j);
        c.nodes.push_back(node);
        Joint joint;
        joint.name = node.name;
        joint.node = j;
        joint.parent = j == 0 ? -1 : 0;
        c.joints.push_back(joint);
    }
    c.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    c.mesh.normals.assign(3, {0, 0, 1});
    c.mesh.triangles = {0, 1, 2};
    c.weights.influences = 4;
    // The joints' numbers say nothing about their weights.
    c.weights.joints = {0, 1, 2, 3, 0, 6, 5, 4, 0, 1, 2, 3};
    c.weights.weights = {0.1f, 0.4f, 0.3f, 0.2f, 0.1f, 0.15f, 0.35f, 0.4f, 0.1f, 0.4f, 0.3f, 0.2f};
    const auto out = subdivide(c, "joint0", Split::four);
    ASSERT_TRUE(out.ok()) << out.error().message;
    const Mesh& mesh = out->character.mesh;
    bool found = false;
    for (std::size_t v = 3; v < mesh.vertex_count(); ++v) {
        if (length(mesh.positions[v] - Vec3{0.5f, 0, 0}) > 1e-6f) continue;
        found = true;
        std::map<int, float> weights;
        for (std::size_t s = 4 * v; s < 4 * v + 4; ++s)
            weights[out->character.weights.joints[s]] = out->character.weights.weights[s];
        const float sum = 0.4f + 0.4f + 0.35f + 0.3f;
        ASSERT_EQ(weights.size(), 4u);
        EXPECT_NEAR(weights[1], 0.4f / sum, 1e-6);
        EXPECT_NEAR(weights[4], 0.4f / sum, 1e-6);
        EXPECT_NEAR(weights[5], 0.35f / sum, 1e-6);
        EXPECT_NEAR(weights[2], 0.3f / sum, 1e-6);
    }
    EXPECT_TRUE(found);
}

/// Largest angle between the normals of triangles that share an edge.
double sharpest(const Mesh& mesh, const std::vector<Vec3>& p) {
    const auto normal = [&](std::size_t t) {
        const std::uint32_t* c = &mesh.triangles[3 * t];
        return normalized(cross(p[c[1]] - p[c[0]], p[c[2]] - p[c[0]]));
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> seen;
    double most = 0;
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t a = mesh.triangles[3 * t + k], b = mesh.triangles[3 * t + (k + 1) % 3];
            const auto other = seen.find({b, a});
            if (other == seen.end()) {
                seen[{a, b}] = t;
            } else if (std::abs(p[a].x) < 3.9f && length(normal(t)) > 0 && length(normal(other->second)) > 0) {
                most = std::max(most, std::acos(std::clamp(double(dot(normal(t), normal(other->second))), -1.0, 1.0)));
            }
        }
    return most * 180 / std::numbers::pi;
}

TEST(Subdivide, CoarseElbowBendsSmootherAfterwards) {
    const Character c = test::tube_character({8, 12, 2});
    BonesBlendingSettings settings;
    settings.joints.push_back({"upper", -2.0, 2.0, 1.0});
    const std::vector<Affine> pose{
        c.joints[0].rest, compose({}, quat_from_axis_angle({0, 0, 1}, 135 * std::numbers::pi / 180), {1, 1, 1})};
    const auto curvature = [&](const Character& character) {
        const auto rig = fascia::bind(character, settings);
        State state = make_state(**rig);
        Workspace work;
        reset(**rig, pose, state, work);
        std::vector<Vec3> out(character.mesh.vertex_count());
        embed(**rig, state, {out, {}, {}}, work);
        return sharpest(character.mesh, out);
    };
    const auto finer = subdivide(c, "upper", Split::four);
    ASSERT_TRUE(finer.ok());
    EXPECT_LT(curvature(finer->character), curvature(c));
}

TEST(Subdivide, MisspeltJointIsNamed) {
    const auto out = subdivide(test::tube_character({8, 12, 2}), "uper", Split::four);
    ASSERT_FALSE(out.ok());
    EXPECT_NE(out.error().message.find("upper"), std::string::npos);
}

}  // namespace
}  // namespace fascia
