// The tube against its closed forms (docs/formulas.md 0.7).
#include <set>

#include "bundled_body.h"

namespace fascia::test {
namespace {

constexpr double pi = 3.14159265358979;
const double polygon = 32 * std::sin(2 * pi / 64) / pi;  // area of a 64-gon over that of its circle

class Tube : public ::testing::Test {
protected:
    const Character& tube = bundled("tube");
    const std::vector<std::uint32_t>& triangles = tube.mesh.triangles;

    double kept(const char* clip, double seconds) const {
        return signed_volume(skinned(tube, &clip_named(tube, clip), seconds), triangles) /
               signed_volume(rest_points(tube), triangles);
    }
};

TEST_F(Tube, IsAClosedCylinder) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> directed;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const auto a = triangles[i], b = triangles[i % 3 == 2 ? i - 2 : i + 1];
        EXPECT_TRUE(directed.insert({a, b}).second);
    }
    for (const auto& [a, b] : directed) EXPECT_TRUE(directed.count({b, a}));
    EXPECT_EQ(static_cast<long>(tube.mesh.vertex_count()) - static_cast<long>(triangles.size() / 6), 2);
    EXPECT_NEAR(signed_volume(rest_points(tube), triangles), 8 * pi * polygon, 1e-4);
    const Box box = box_of(rest_points(tube));
    EXPECT_EQ(box.low.x, -4);
    EXPECT_EQ(box.high.x, 4);
    EXPECT_NEAR(box.high.y, 1, 1e-6);
    std::map<float, int> rings;
    for (const Vec3& p : tube.mesh.positions)
        if (std::abs(p.y * p.y + p.z * p.z - 1) < 1e-5f) ++rings[p.x];
    EXPECT_EQ(rings.size(), 161u);
    for (const auto& [x, count] : rings) EXPECT_EQ(count, 64) << x;
    EXPECT_EQ(rings.count(0.0f), 1u);
}

TEST_F(Tube, WeightsAreLinearAcrossTheJoint) {
    for (std::size_t v = 0; v < tube.mesh.vertex_count(); ++v) {
        const double wanted = std::clamp((static_cast<double>(tube.mesh.positions[v].x) + 1) / 2, 0.0, 1.0);
        double second = 0, sum = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            sum += static_cast<double>(tube.weights.weights[v * 4 + k]);
            if (tube.weights.joints[v * 4 + k] == 1) second += static_cast<double>(tube.weights.weights[v * 4 + k]);
        }
        EXPECT_NEAR(second, wanted, 1e-6);
        EXPECT_NEAR(sum, 1, 1e-7);
        EXPECT_GE(tube.weights.weights[v * 4], tube.weights.weights[v * 4 + 1]);
    }
}

TEST_F(Tube, HasTwoJointsAlongItsAxis) {
    ASSERT_EQ(tube.joints.size(), 2u);
    EXPECT_EQ(tube.joints[1].parent, 0);
    EXPECT_EQ(translation_of(tube.joints[0].rest).x, -4);
    EXPECT_EQ(translation_of(tube.joints[1].rest).x, 0);
    EXPECT_EQ(tube.joints[0].tail.x, 0);
    EXPECT_EQ(tube.joints[1].tail.x, 4);
}

TEST_F(Tube, ClipsTurnEvenlyAndHold) {
    const std::map<std::string, std::pair<double, Vec3d>> turns{
        {"bend", {120, {0, 0, 1}}}, {"bend135", {135, {0, 0, 1}}}, {"twist", {180, {1, 0, 0}}}};
    EXPECT_EQ(tube.clips.size(), 4u);
    for (const auto& [name, turn] : turns) {
        const Clip& clip = clip_named(tube, name);
        EXPECT_EQ(clip.duration, 5);
        for (const double t : {0.0, 0.4, 1.1, 1.5, 2.9, 3.0, 4.0, 5.0}) {
            const double angle = std::min(t / 3, 1.0) * turn.first * pi / 180;
            Pose pose;
            evaluate(tube, &clip, t, pose);
            const Vec3d probe{0.3, 0.5, -0.2};
            const Vec3d wanted = rotate(quat_from_axis_angle(turn.second, angle), probe);
            EXPECT_LT(length(transform_vector(pose.joints[1], probe) - wanted), 2e-6) << name << " at " << t;
        }
    }
    EXPECT_EQ(clip_named(tube, "twist").channels[0].times.size(), 14u) << "a key every 15 degrees, and the hold";
}

TEST_F(Tube, LinearBlendingLosesWhatTheClosedFormSays) {
    // Twist a: 4 b / (3 L) sin^2(a/2) of the volume; bend: half of that. b = 1, L = 8.
    const auto loss = [](double degrees) { return 4.0 / 24 * std::pow(std::sin(degrees * pi / 360), 2); };
    EXPECT_NEAR(1 - kept("twist", 1.5), loss(90), 2e-3);
    EXPECT_NEAR(1 - kept("twist", 3), loss(180), 2e-3);
    EXPECT_NEAR(1 - kept("bend", 3), loss(120) / 2, 2e-3);
    EXPECT_NEAR(1 - kept("bend135", 4), loss(135) / 2, 2e-3);
    EXPECT_NEAR(kept("rest", 1), 1, 1e-9);
}

TEST_F(Tube, RingAtTheJointShrinksByTheCosineOfHalfTheTwist) {
    for (const double degrees : {60.0, 90.0, 120.0, 180.0}) {
        const auto now = skinned(tube, &clip_named(tube, "twist"), degrees / 60);
        double largest = 0;
        for (std::size_t v = 0; v < now.size(); ++v) {
            if (tube.mesh.positions[v].x != 0) continue;
            const double r = std::sqrt(now[v].y * now[v].y + now[v].z * now[v].z);
            EXPECT_NEAR(r, std::cos(degrees * pi / 360), 2e-6);
            largest = std::max(largest, r);
        }
        if (degrees == 180) {
            EXPECT_LT(largest, 1e-6);
        }
    }
}

}  // namespace
}  // namespace fascia::test
