// The bust: a closed skin of the asked size, the same on both sides, weights without jumps, clips that close.
#include <array>
#include <map>

#include "bundled_body.h"

namespace fascia::test {
namespace {

const Character& bust() {
    return bundled("neck");
}

TEST(Neck, SkinIsOneClosedSurfaceOfTheAskedSize) {
    const Mesh& mesh = bust().mesh;
    EXPECT_GE(mesh.vertex_count(), 3000u);
    EXPECT_LE(mesh.vertex_count(), 8000u);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3)
        for (std::size_t k = 0; k < 3; ++k) ++edges[{mesh.triangles[t + k], mesh.triangles[t + (k + 1) % 3]}];
    for (const auto& [edge, count] : edges) {
        ASSERT_EQ(count, 1);
        ASSERT_EQ(edges.count({edge.second, edge.first}), 1u);
    }
    EXPECT_EQ(static_cast<long>(mesh.vertex_count()) - static_cast<long>(edges.size() / 2) +
                  static_cast<long>(mesh.triangle_count()),
              2)
        << "Euler characteristic of one sphere";
    // Of a man's head, neck and shoulders, in cubic metres.
    const double volume = signed_volume(rest_points(bust()), mesh.triangles);
    EXPECT_GT(volume, 0.010);
    EXPECT_LT(volume, 0.016);
}

TEST(Neck, SkinHasNoFolds) {
    const Mesh& mesh = bust().mesh;
    const std::vector<Vec3d> points = rest_points(bust());
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
        const Vec3d a = points[mesh.triangles[t]], b = points[mesh.triangles[t + 1]], c = points[mesh.triangles[t + 2]];
        const Vec3d n = cross(b - a, c - a);
        ASSERT_GT(length(n), 1e-10);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_GT(dot(normalized(n), to_double(mesh.normals[mesh.triangles[t + k]])), 0.2) << a.x << " " << a.y;
    }
}

TEST(Neck, StandsOnTheGroundInMetresAndLooksAlongZ) {
    const Box box = box_of(rest_points(bust()));
    EXPECT_NEAR(box.low.y, 0, 0.002);
    EXPECT_NEAR(box.high.y, 0.467, 0.01);
    EXPECT_NEAR(box.low.x, -box.high.x, 0.002);
    // The nose is what reaches furthest forward; the back of the head lies opposite.
    Vec3d nose{0, 0, -1};
    for (const Vec3d& p : rest_points(bust()))
        if (p.z > nose.z) nose = p;
    EXPECT_NEAR(nose.x, 0, 0.01);
    EXPECT_NEAR(nose.y, 0.317, 0.01);
}

TEST(Neck, LeftMirrorsRight) {
    const std::vector<Vec3d> points = rest_points(bust());
    // Triangles need not mirror each other, but the surface does: a vertex of the other side lies within an edge.
    std::map<std::array<int, 3>, std::vector<std::size_t>> cells;
    constexpr double cell = 0.02;
    const auto cell_of = [&](Vec3d p) {
        return std::array<int, 3>{int(std::floor(p.x / cell)), int(std::floor(p.y / cell)),
                                  int(std::floor(p.z / cell))};
    };
    for (std::size_t v = 0; v < points.size(); ++v) cells[cell_of(points[v])].push_back(v);
    for (std::size_t v = 0; v < points.size(); v += 3) {
        const Vec3d p{-points[v].x, points[v].y, points[v].z};
        double off = 1;
        const std::array<int, 3> home = cell_of(p);
        for (int i = 0; i < 27; ++i) {
            const auto found = cells.find({home[0] + i % 3 - 1, home[1] + i / 3 % 3 - 1, home[2] + i / 9 - 1});
            if (found == cells.end()) continue;
            for (const std::size_t u : found->second) off = std::min(off, length(points[u] - p));
        }
        // Edges are at most 13 mm; in between, the nearest vertex is no further than that.
        EXPECT_LT(off, 0.012) << p.x << " " << p.y << " " << p.z;
    }
    const double left = points.size();
    std::size_t right = 0;
    for (const Vec3d& p : points) right += p.x < 0;
    EXPECT_NEAR(static_cast<double>(right) / left, 0.5, 0.02);
}

TEST(Neck, HasTheJointsOfASpine) {
    std::string parent;
    for (const char* name : {"base", "C7", "C6", "C5", "C4", "C3", "C2", "C1", "skull", "jaw"}) {
        const int j = joint_index(bust(), name);
        ASSERT_GE(j, 0) << name;
        const Joint& joint = bust().joints[static_cast<std::size_t>(j)];
        EXPECT_EQ(joint.parent, parent.empty() ? -1 : joint_index(bust(), parent)) << name;
        parent = name;
    }
}

TEST(Neck, WeightsAreWholeAndWithoutJumps) {
    const Character& c = bust();
    const std::size_t n = static_cast<std::size_t>(c.weights.influences), joints = c.joints.size();
    std::vector<double> dense(c.mesh.vertex_count() * joints, 0);
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) {
            const double w = c.weights.weights[v * n + k];
            ASSERT_GE(w, 0);
            dense[v * joints + c.weights.joints[v * n + k]] += w;
            sum += w;
        }
        ASSERT_NEAR(sum, 1, 1e-6);
    }
    double steepest = 0;
    for (std::size_t t = 0; t < c.mesh.triangles.size(); t += 3)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t a = c.mesh.triangles[t + k], b = c.mesh.triangles[t + (k + 1) % 3];
            double change = 0;
            for (std::size_t j = 0; j < joints; ++j) change += std::abs(dense[a * joints + j] - dense[b * joints + j]);
            steepest = std::max(steepest, change / 2);
        }
    EXPECT_LT(steepest, 0.5) << "share that changes hands along one edge";
    // Crown and sole stay with their bones.
    const auto share = [&](Vec3d at, const char* joint) {
        std::size_t nearest = 0;
        for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v)
            if (length(to_double(c.mesh.positions[v]) - at) < length(to_double(c.mesh.positions[nearest]) - at))
                nearest = v;
        return dense[nearest * joints + static_cast<std::size_t>(joint_index(c, joint))];
    };
    EXPECT_GT(share({0, 0.467, 0}, "skull"), 0.99);
    EXPECT_GT(share({0, 0, 0}, "base"), 0.99);
    EXPECT_GT(share({0, 0.25, 0.08}, "jaw"), 0.9) << "chin";
    EXPECT_GT(share({0, 0.206, 0.05}, "larynx"), 0.5) << "larynx";
}

TEST(Neck, ClipsCloseAndMoveTheHeadAsTheySay) {
    const Character& c = bust();
    const auto skull_at = [&](const char* clip, double seconds) {
        Pose pose;
        evaluate(c, &clip_named(c, clip), seconds, pose);
        const std::size_t j = static_cast<std::size_t>(joint_index(c, "skull"));
        return pose.joints[j] * inverse(c.joints[j].rest);
    };
    for (const char* name : {"flexion", "extension", "rotation", "lateral", "jaw", "nod", "swallow"}) {
        const Clip& clip = clip_named(c, name);
        const std::vector<Vec3d> first = skinned(c, &clip, 0), last = skinned(c, &clip, clip.duration);
        double gap = 0, moved = 0;
        for (std::size_t v = 0; v < first.size(); ++v) gap = std::max(gap, length(first[v] - last[v]));
        EXPECT_LT(gap, 1e-7) << name;
        for (int i = 1; i < 8; ++i) {
            const std::vector<Vec3d> now = skinned(c, &clip, clip.duration * i / 8 + 0.05);
            for (std::size_t v = 0; v < now.size(); v += 5) moved = std::max(moved, length(now[v] - first[v]));
        }
        EXPECT_GT(moved, 0.005) << name;
    }
    const Vec3d ahead{0, 0, 1}, up{0, 1, 0};
    EXPECT_LT(transform_vector(skull_at("flexion", 2), ahead).y, -0.6);
    EXPECT_GT(transform_vector(skull_at("extension", 2), ahead).y, 0.6);
    EXPECT_GT(transform_vector(skull_at("rotation", 1), ahead).x, 0.85);
    EXPECT_LT(transform_vector(skull_at("rotation", 3), ahead).x, -0.85);
    EXPECT_GT(transform_vector(skull_at("lateral", 1), up).x, 0.55);
    EXPECT_NEAR(transform_vector(skull_at("jaw", 1.5), ahead).z, 1, 1e-9);
}

}  // namespace
}  // namespace fascia::test
