// The volume that a surface covers twice, against closed forms and against winding numbers (sums of solid angles) at
// sample points.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "fascia/penetration.h"
#include "support/shapes.h"

namespace fascia {
namespace {

/// How often a closed surface goes around p: the sum of its triangles' solid angles.
double winding(Vec3d p, const std::vector<Vec3>& positions, const std::vector<std::uint32_t>& triangles) {
    double sum = 0;
    for (std::size_t t = 0; t < triangles.size(); t += 3) {
        const Vec3d a = to_double(positions[triangles[t]]) - p, b = to_double(positions[triangles[t + 1]]) - p,
                    c = to_double(positions[triangles[t + 2]]) - p;
        const double x = length(a), y = length(b), z = length(c);
        sum += std::atan2(dot(a, cross(b, c)), x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
    }
    return sum / (2 * std::numbers::pi);
}

test::Shape ball(Vec3 centre, float radius, int rings) {
    test::Shape s;
    const int around = 2 * rings;
    for (int i = 0; i <= rings; ++i)
        for (int k = 0; k < around; ++k) {
            const double up = std::numbers::pi * i / rings, turn = 2 * std::numbers::pi * (k + 0.31) / around;
            s.positions.push_back(centre + Vec3{float(std::sin(up) * std::cos(turn)),
                                                float(std::sin(up) * std::sin(turn)), float(std::cos(up))} *
                                               radius);
            if (i == rings) continue;
            const auto a = std::uint32_t(i * around + k), b = std::uint32_t(i * around + (k + 1) % around),
                       w = std::uint32_t(around);
            for (const std::uint32_t v : {a, a + w, b, b, a + w, b + w}) s.triangles.push_back(v);
        }
    // The poles are one vertex each.
    for (int k = 0; k < around; ++k) {
        s.positions[std::size_t(k)] = centre + Vec3{0, 0, radius};
        s.positions[std::size_t(rings * around + k)] = centre - Vec3{0, 0, radius};
    }
    return s;
}

/// Two shapes that lie apart at rest.
struct Pair {
    test::Shape both;
    std::size_t first = 0;

    Pair(const test::Shape& a, const test::Shape& b) : both(a), first(a.positions.size()) { test::append(both, b); }
    std::vector<Vec3> moved(Vec3 by) const {
        std::vector<Vec3> out = both.positions;
        for (std::size_t v = first; v < out.size(); ++v) out[v] += by;
        return out;
    }
};

TEST(OverlapMeter, BoxesThatShareACorner) {
    const Pair boxes(test::box_shape({0, 0, 0}, {1, 1, 1}), test::box_shape({3, 0.03f, 0.06f}, {4, 1.03f, 1.06f}));
    const OverlapMeter meter(boxes.both.positions, boxes.both.triangles);
    EXPECT_EQ(meter.measure(boxes.both.positions).twice_volume, 0);
    const Overlap found = meter.measure(boxes.moved({-2.5f, 0.57f, 0.64f}));
    EXPECT_NEAR(found.twice_volume, 0.5 * 0.4 * 0.3 / 2, 0.02 * 0.03);
    EXPECT_EQ(found.vertices_inside, 2u) << "a corner of each";
}

TEST(OverlapMeter, BallsShareALens) {
    constexpr double r = 1, d = 1.2;
    const Pair balls(ball({0, 0, 0}, 1, 24), ball({3, 0, 0}, 1, 24));
    const OverlapMeter meter(balls.both.positions, balls.both.triangles);
    const double lens = std::numbers::pi * (4 * r + d) * (2 * r - d) * (2 * r - d) / 12,
                 whole = 2 * 4.0 / 3 * std::numbers::pi * r * r * r;
    EXPECT_EQ(meter.measure(balls.both.positions).twice_volume, 0);
    EXPECT_NEAR(meter.measure(balls.moved({-1.8f, 0, 0})).twice_volume, lens / whole, 0.03 * lens / whole);
}

TEST(OverlapMeter, AgreesWithSolidAngles) {
    Pair balls(ball({0, 0, 0}, 1, 10), ball({3, 0, 0}, 0.7f, 8));
    const OverlapMeter meter(balls.both.positions, balls.both.triangles);
    std::vector<Vec3> pressed = balls.moved({-1.9f, 0.2f, 0.1f});
    for (Vec3& p : pressed) p.z += 0.3f * std::sin(3 * p.x);
    std::size_t inside = 0;
    for (std::size_t v = 0; v < pressed.size(); ++v) {
        bool again = false;
        for (std::size_t k = 0; k < v; ++k) again = again || balls.both.positions[k] == balls.both.positions[v];
        // On the skin of the one, wholly within the other.
        std::vector<std::uint32_t> others;
        for (std::size_t t = 0; t < balls.both.triangles.size(); t += 3)
            if ((balls.both.triangles[t] < balls.first) != (v < balls.first))
                others.insert(others.end(), &balls.both.triangles[t], &balls.both.triangles[t] + 3);
        inside += !again && winding(to_double(pressed[v]), pressed, others) > 0.5;
    }
    constexpr int side = 28;
    std::size_t twice = 0, once = 0;
    for (int i = 0; i < side * side * side; ++i) {
        const Vec3d p{-1.4 + 3.6 * (i % side + 0.5) / side, -1.4 + 2.8 * (i / side % side + 0.5) / side,
                      -1.5 + 3.0 * (i / side / side + 0.5) / side};
        const double around = winding(p, pressed, balls.both.triangles);
        twice += around > 1.5;
        once += around > 0.5;
    }
    const Overlap found = meter.measure(pressed);
    EXPECT_GT(inside, 20u);
    EXPECT_EQ(found.vertices_inside, inside);
    // The volume at rest is that of both balls.
    const double whole = double(once + twice);
    EXPECT_NEAR(found.twice_volume, double(twice) / whole, 0.06 * double(twice) / whole);
}

TEST(OverlapMeter, WhatIsCoveredAtRestDoesNotCount) {
    const Pair boxes(test::box_shape({0, 0, 0}, {1, 1, 1}), test::box_shape({0.5f, 0.2f, 0.2f}, {2, 0.8f, 0.8f}));
    const OverlapMeter meter(boxes.both.positions, boxes.both.triangles);
    EXPECT_EQ(meter.measure(boxes.both.positions).twice_volume, 0);
    EXPECT_EQ(meter.measure(boxes.both.positions).vertices_inside, 0u);
}

TEST(OverlapMeter, HolesAreClosedAndInsideOutIsTurned) {
    test::Shape open = test::box_shape({0, 0, 0}, {1, 1, 1});
    open.triangles.erase(open.triangles.begin(), open.triangles.begin() + 6);  // a lid
    test::Shape turned = test::box_shape({3, 0.1f, 0.1f}, {4, 0.6f, 0.6f});
    for (std::size_t t = 0; t < turned.triangles.size(); t += 3)
        std::swap(turned.triangles[t], turned.triangles[t + 1]);
    const Pair boxes(open, turned);
    const OverlapMeter meter(boxes.both.positions, boxes.both.triangles);
    EXPECT_NEAR(meter.measure(boxes.moved({-2.5f, 0, 0})).twice_volume, 0.5 * 0.5 * 0.5 / 1.25, 0.005);
}

TEST(OverlapMeter, ASheetHoldsNoFlesh) {
    test::Shape sheet;
    sheet.positions = {{3, 0, 0.2f}, {4, 0, 0.3f}, {4, 1, 0.2f}, {3, 1, 0.3f}};
    sheet.triangles = {0, 1, 2, 0, 2, 3};
    const Pair both(test::box_shape({0, 0, 0}, {1, 1, 1}), sheet);
    const OverlapMeter meter(both.both.positions, both.both.triangles);
    const Overlap found = meter.measure(both.moved({-2.5f, 0.1f, 0}));
    EXPECT_EQ(found.twice_volume, 0);
    EXPECT_EQ(found.vertices_inside, 1u) << "but it can be inside";
}

}  // namespace
}  // namespace fascia
