// Solids: distances in closed form, and what flesh that gets into them does.
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "contact/solid_press.h"
#include "support/shapes.h"

namespace fascia::contact {
namespace {

const Vec3 places[] = {{0.1f, 0.05f, -0.02f}, {0.4f, 0.3f, 0.2f}, {-0.25f, 0.02f, 0.35f}, {0.02f, -0.6f, 0.03f}};

TEST(Solid, SimpleOnesKnowTheirDistance) {
    Vec3 out;
    for (const Vec3 p : places) {
        EXPECT_NEAR(Solid::plane().distance(p, out), p.y, 1e-7);
        EXPECT_NEAR(Solid::sphere(0.3f).distance(p, out), length(p) - 0.3f, 1e-6);
        EXPECT_NEAR(dot(out, p), length(p), 1e-6) << "out is away from the middle";
        const Vec3 axis{0, std::min(0.2f, std::max(-0.2f, p.y)), 0};
        EXPECT_NEAR(Solid::capsule(0.1f, 0.4f).distance(p, out), length(p - axis) - 0.1f, 1e-6);
    }
    const Solid box = Solid::box({0.4f, 1, 0.6f});
    EXPECT_NEAR(box.distance({0.15f, 0.1f, 0.1f}, out), -0.05f, 1e-6);
    EXPECT_EQ(out, (Vec3{1, 0, 0}));
    EXPECT_NEAR(box.distance({0.5f, 0.9f, 0}, out), 0.5f, 1e-6);
    EXPECT_NEAR(out.x, 0.6f, 1e-6);
    EXPECT_NEAR(out.y, 0.8f, 1e-6);
}

TEST(Solid, OutIsTheGradient) {
    const std::vector<Solid> solids{Solid::sphere(0.3f), Solid::capsule(0.1f, 0.4f), Solid::box({0.4f, 1, 0.6f})};
    constexpr float step = 1e-3f;
    for (const Solid& solid : solids)
        for (const Vec3 p : places) {
            Vec3 out, ignored;
            solid.distance(p, out);
            const auto slope = [&](Vec3 along) {
                return (solid.distance(p + along * step, ignored) - solid.distance(p - along * step, ignored)) /
                       (2 * step);
            };
            EXPECT_NEAR(out.x, slope({1, 0, 0}), 3e-3);
            EXPECT_NEAR(out.y, slope({0, 1, 0}), 3e-3);
            EXPECT_NEAR(out.z, slope({0, 0, 1}), 3e-3);
        }
}

TEST(Solid, AHullAroundABoxIsTheBoxInsideAndAtItsFaces) {
    const test::Shape shape = test::box_shape({-0.2f, -0.5f, -0.3f}, {0.2f, 0.5f, 0.3f});
    std::vector<Vec3> points = shape.positions;
    points.insert(points.end(), {{0, 0, 0}, {0.1f, -0.2f, 0.05f}, {0.2f, 0, 0}});  // nothing new
    const std::vector<HalfSpace> sides = convex_hull(points);
    EXPECT_EQ(sides.size(), 6u);
    const Solid hull = Solid::hull(sides, points), box = Solid::box({0.4f, 1, 0.6f});
    for (const Vec3 p : places) {
        Vec3 a, b;
        const float near = hull.distance(p, a), right = box.distance(p, b);
        EXPECT_EQ(near < 0, right < 0);
        EXPECT_LE(near, right + 1e-6f);
        if (right < 0) {
            EXPECT_NEAR(near, right, 1e-6);
        }
    }
    EXPECT_TRUE(convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}).empty()) << "flat";
    EXPECT_TRUE(is_closed(hull_triangles(points)));
}

TEST(Solid, HullsHoldAllTheirPoints) {
    std::uint64_t dice = 5;
    const auto roll = [&] {
        dice = dice * 6364136223846793005ull + 1442695040888963407ull;
        return float(dice >> 40) / float(1u << 24) - 0.5f;
    };
    std::vector<Vec3> right;
    for (int k = 0; k < 200; ++k) right.push_back({roll(), roll(), roll()});
    // Of the two, one begins with a tetrahedron that is inside out.
    std::vector<Vec3> points = right;
    for (Vec3& p : points) p.x = -p.x;
    const std::vector<HalfSpace> mirrored = convex_hull(points);
    EXPECT_EQ(mirrored.size(), convex_hull(right).size());
    for (const Vec3 p : points)
        for (const HalfSpace& side : mirrored) ASSERT_LE(dot(side.normal, p) - side.height, 1e-5f);
    points = right;
    const std::vector<HalfSpace> sides = convex_hull(points);
    std::size_t on_sides = 0;
    for (const Vec3 p : points)
        for (const HalfSpace& side : sides) {
            const float above = dot(side.normal, p) - side.height;
            EXPECT_LE(above, 1e-5f);
            on_sides += above > -1e-6f;
        }
    EXPECT_GE(on_sides, 3 * sides.size()) << "every side rests on three points";
}

TEST(Solid, AHullOfVeryManyPointsIsNearlyTheirs) {
    // On a ball every point is a corner.
    std::vector<Vec3> points;
    for (int k = 0; k < 20000; ++k) {
        const double up = 1 - (2 * k + 1) / 20000.0, around = std::sqrt(1 - up * up), turn = 2.39996 * k;
        points.push_back({float(around * std::cos(turn)), float(up), float(around * std::sin(turn))});
    }
    const std::vector<HalfSpace> sides = convex_hull(points);
    EXPECT_LT(sides.size(), 2000u);
    EXPECT_GT(sides.size(), 1500u);
    const Solid hull = Solid::hull(sides, points);
    Vec3 out;
    for (std::size_t k = 0; k < points.size(); k += 97) {
        EXPECT_NEAR(hull.distance(points[k], out), 0, 5e-3);
        EXPECT_NEAR(dot(out, points[k]), 1, 5e-3);
    }
    EXPECT_TRUE(is_closed(hull_triangles(points)));
}

TEST(Solid, WhatPassesASmallMeshFarAwayDoesNotMeetIt) {
    const test::Shape shape = test::box_shape({-0.01f, -0.01f, -0.01f}, {0.01f, 0.01f, 0.01f});
    const Solid mesh = Solid::mesh(shape.positions, shape.triangles);
    SolidTouch touch;
    EXPECT_FALSE(has_met(mesh, {{0.5f, 1, 0}, {0.5f, -1, 0}}, touch));
    ASSERT_TRUE(has_met(mesh, {{0.001f, 1, 0.002f}, {0.001f, -1, 0.002f}}, touch));
    EXPECT_NEAR(touch.out.y, 1, 1e-3);
    EXPECT_NEAR(touch.depth, 1.01f, 2e-3);
    Vec3 out;
    EXPECT_NEAR(mesh.distance({0.31f, 0.41f, 0}, out), 0.5f, 1e-3);
}

TEST(Solid, AClosedMeshIsADistanceField) {
    const test::Shape shape = test::box_shape({-0.2f, -0.5f, -0.3f}, {0.2f, 0.5f, 0.3f});
    EXPECT_TRUE(is_closed(shape.triangles));
    std::vector<std::uint32_t> open = shape.triangles;
    open.resize(open.size() - 3);
    EXPECT_FALSE(is_closed(open));
    const Solid mesh = Solid::mesh(shape.positions, shape.triangles), box = Solid::box({0.4f, 1, 0.6f});
    for (float x = -0.19f; x < 0.19f; x += 0.03f)
        for (float y = -0.49f; y < 0.49f; y += 0.07f) {
            Vec3 a, b;
            const Vec3 p{x, y, 0.11f};
            EXPECT_NEAR(mesh.distance(p, a), box.distance(p, b), 0.011) << x << " " << y;
        }
    Vec3 out;
    EXPECT_GT(mesh.distance({0.23f, 0, 0}, out), 0);
    EXPECT_GT(out.x, 0.99f);
}

/// Unlike a box, a tetrahedron has no two triangles that make a parallelogram.
TEST(Solid, ATetrahedronIsSolidOnOneSideOfItsSlope) {
    const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Solid mesh = Solid::mesh(points, std::vector<std::uint32_t>{0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3});
    Vec3 out;
    for (const float x : {0.1f, 0.25f, 0.45f, 0.6f, 0.85f})
        for (const float y : {0.12f, 0.5f, 0.8f}) {
            const float above = (x + y + 0.1f - 1) / std::sqrt(3.0f);
            if (std::abs(above) < 0.04f) continue;
            EXPECT_EQ(mesh.distance({x, y, 0.1f}, out) < 0, above < 0) << x << " " << y;
        }
}

TEST(Solid, AWayThroughASphereMeetsItWhereItEnters) {
    const Solid ball = Solid::sphere(0.1f);
    EXPECT_NEAR(ball.first_met({-1, 0.06f, 0}, {1, 0.06f, 0}), (1 - 0.08f) / 2, 1e-3);
    EXPECT_EQ(ball.first_met({-1, 0.11f, 0}, {1, 0.11f, 0}), 1);
    SolidTouch touch;
    ASSERT_TRUE(has_met(ball, {{-1, 0, 0}, {1, 0, 0}}, touch)) << "it has passed through";
    EXPECT_NEAR(touch.out.x, -1, 1e-3);
    EXPECT_NEAR(touch.depth, 1.1f, 1e-2);
    EXPECT_FALSE(has_met(ball, {{-1, 0.3f, 0}, {1, 0.3f, 0}}, touch));
    ASSERT_TRUE(has_met(ball, {{-0.05f, 0, 0}, {-0.04f, 0, 0}}, touch)) << "it began inside";
    EXPECT_NEAR(touch.depth, 0.06f, 1e-6);
}

/// One point of flesh that nothing holds.
struct FreePoint {
    float at[3] = {0, 0, 0}, speed[3] = {0, 0, 0}, driven[3] = {0, 0, 0}, still[3] = {0, 0, 0};
    std::vector<float> limit{1e6f}, give{1};
    static constexpr float dt = 1.0f / 240;

    TouchedPoints points() { return {{1, at}, {1, speed}, {1, driven}, {1, still}, limit, give, dt}; }
    /// Falls for a step, then is put out of the solid.
    void step(const Solid& solid, Vec3 gravity, float friction, float most = 1e6f) {
        const TouchedPoints all = points();
        const Vec3 from = all.positions.at(0);
        all.velocities.set(0, all.velocities.at(0) + gravity * dt);
        all.positions.set(0, from + all.velocities.at(0) * dt);
        SolidTouch touch;
        touch.friction = friction;
        if (!has_met(solid, {from, all.positions.at(0)}, touch)) return;
        touch.speed = all.velocities.at(0);
        PressSums sums;
        sums.begin(1);
        sums.ask(0, 1, move_out(touch, most, dt), {});
        sums.apply(all);
    }
};

TEST(SolidPress, WhatFallsOnAPlaneRestsOnIt) {
    FreePoint point;
    point.at[1] = 0.5f;
    for (int k = 0; k < 480; ++k) point.step(Solid::plane(), {0, -9.81f, 0}, 0.5f);
    EXPECT_NEAR(point.at[1], 0, 1e-5);
    EXPECT_NEAR(point.speed[1], 0, 1e-5);
}

TEST(SolidPress, ABlockHoldsOnASlopeBelowItsAngleAndSlidesAbove) {
    constexpr float friction = 0.5f, g = 9.81f, seconds = 1;
    for (const double degrees : {15.0, 25.0, 35.0, 50.0}) {
        const double angle = degrees * std::numbers::pi / 180;
        // The slope is level, and gravity leans.
        const Vec3 gravity{float(g * std::sin(angle)), -float(g * std::cos(angle)), 0};
        FreePoint point;
        for (int k = 0; k < 240; ++k) point.step(Solid::plane(), gravity, friction);
        const double slides = std::max(0.0, g * (std::sin(angle) - friction * std::cos(angle)));
        EXPECT_NEAR(point.at[0], slides * seconds * seconds / 2, 0.02 * slides + 1e-4) << degrees;
        EXPECT_NEAR(point.speed[0], slides * seconds, 0.01 * slides + 1e-4) << degrees;
    }
}

TEST(SolidPress, NothingBouncesOrGainsEnergy) {
    FreePoint point;
    point.at[1] = 1;
    float most = 9.81f;  // energy of unit mass
    for (int k = 0; k < 400; ++k) {
        point.step(Solid::box({2, 0.5f, 2}), {0, -9.81f, 0}, 0);
        const float now = 9.81f * point.at[1] + 0.5f * point.speed[1] * point.speed[1];
        EXPECT_LE(now, most + 0.05f);
        most = std::min(most, now);
    }
    EXPECT_NEAR(point.at[1], 0.25f, 1e-5);
}

TEST(SolidPress, PushesOutAtTheSpeedThatIsAllowedAndGivesNone) {
    FreePoint point;
    point.at[1] = -0.5f;
    constexpr float most = 0.01f;
    float before = point.at[1];
    for (int k = 0; k < 60; ++k) {
        point.step(Solid::plane(), {}, 0, most);
        EXPECT_LE(point.at[1] - before, most + 1e-6f);
        before = point.at[1];
        EXPECT_EQ(point.speed[1], 0);
    }
    EXPECT_NEAR(point.at[1], 0, 1e-6);
}

TEST(SolidPress, AMoveEndsAtTheLimitAndAtTheSpeedOfTheSolid) {
    for (const float solid : {0.0f, 30.0f, 1000.0f}) {
        FreePoint point;
        point.limit[0] = 0.1f;
        point.at[1] = -0.1f;
        point.speed[1] = -4;
        const TouchedPoints all = point.points();
        PressSums sums;
        sums.begin(1);
        sums.ask(0, 1, {0, 0.4f, 0}, {0, solid, 0});
        sums.apply(all);
        EXPECT_NEAR(point.at[1], 0.1f, 1e-6);
        EXPECT_NEAR(point.speed[1], std::min(solid, -4 + 0.2f * 240), 1e-4) << solid;
    }
}

}  // namespace
}  // namespace fascia::contact
