#include <numbers>

#include <gtest/gtest.h>

#include "fascia/math.h"

namespace fascia {
namespace {

constexpr double pi = std::numbers::pi;

double max_difference(const Affine& a, const Affine& b) {
    double worst = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) worst = std::max(worst, std::abs(a.m[r][c] - b.m[r][c]));
    return worst;
}

TEST(Affine, InverseUndoesTheMap) {
    const Affine a = compose({1, -2, 3}, quat_from_axis_angle(normalized(Vec3d{1, 2, -1}), 2.1), {0.5, 2, 3});
    EXPECT_LT(max_difference(a * inverse(a), Affine{}), 1e-14);
    EXPECT_LT(max_difference(inverse(a) * a, Affine{}), 1e-14);
}

TEST(Affine, InvertibilityDoesNotDependOnScale) {
    EXPECT_TRUE(is_invertible(compose({}, {}, {1e-6, 1e-6, 1e-6})));
    EXPECT_TRUE(is_invertible(compose({}, {}, {1e6, 1e6, 1e6})));
    EXPECT_FALSE(is_invertible(compose({}, {}, {1, 1, 0})));
    Affine bad;
    bad.m[1][2] = std::nan("");
    EXPECT_FALSE(is_invertible(bad));
}

TEST(Affine, DecomposeGivesBackWhatWasComposed) {
    const Quat q = quat_from_axis_angle(normalized(Vec3d{0.3, -1, 2}), 1.234);
    Vec3d t, s;
    Quat r;
    ASSERT_TRUE(decompose(compose({4, 5, 6}, q, {2, 3, 0.25}), t, r, s));
    EXPECT_NEAR(std::abs(dot(q, r)), 1, 1e-14);
    EXPECT_NEAR(s.x, 2, 1e-14);
    EXPECT_NEAR(s.y, 3, 1e-14);
    EXPECT_NEAR(s.z, 0.25, 1e-14);
    EXPECT_EQ(t.y, 5);
    Affine sheared;
    sheared.m[0][1] = 0.5;
    EXPECT_FALSE(decompose(sheared, t, r, s));
}

TEST(Quat, FromMatrixIsStableNearHalfTurns) {
    for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}, normalized(Vec3d{1, 1, 1})}) {
        for (const double angle : {0.0, 1.0, pi - 1e-7, pi, pi + 1e-7, 5.0}) {
            const Quat q = quat_from_axis_angle(axis, angle);
            const Quat back = quat_from_matrix(compose({}, q, {1, 1, 1}));
            EXPECT_NEAR(std::abs(dot(q, back)), 1, 1e-14) << "angle " << angle;
        }
    }
}

TEST(Quat, SlerpTakesTheShortWay) {
    const Quat a{}, b = quat_from_axis_angle({0, 1, 0}, 1.0);
    const Quat half = slerp(a, {-b.w, -b.x, -b.y, -b.z}, 0.5);
    EXPECT_NEAR(std::abs(dot(half, quat_from_axis_angle({0, 1, 0}, 0.5))), 1, 1e-14);
}

}  // namespace
}  // namespace fascia
