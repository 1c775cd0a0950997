#include "base/portable_math.h"

#include <cmath>

#include <gtest/gtest.h>

namespace fascia::portable {
namespace {

TEST(PortableMath, AgreesWithTheLibrary) {
    for (double x = -30; x < 30; x += 0.0137) {
        EXPECT_NEAR(sine(x), std::sin(x), 1e-14);
        EXPECT_NEAR(cosine(x), std::cos(x), 1e-14);
        EXPECT_NEAR(exponential(x) / std::exp(x), 1, 2e-14);
        EXPECT_NEAR(logarithm(std::exp(x)), x, 1e-13);
        for (double y = -3; y < 3; y += 0.77) EXPECT_NEAR(arc_tangent(y, x), std::atan2(y, x), 1e-14);
    }
    EXPECT_EQ(arc_tangent(0, 0), 0);
    EXPECT_NEAR(arc_tangent(1, 0), pi / 2, 1e-15);
    EXPECT_EQ(exponential(-1000), 0);
}

TEST(PortableMath, AnglesOfAnySizeStayAngles) {
    for (double x = 1e8; x < 1e12; x *= 3.7) EXPECT_NEAR(sine(x), std::sin(x), 1e-4 * (x / 1e12) + 1e-6) << x;
    for (const double x : {1e14, -1e17, 1e300, -1e308, HUGE_VAL, std::nan("")}) {
        EXPECT_LE(std::abs(sine(x)), 1 + 1e-9) << x;
        EXPECT_LE(std::abs(cosine(x)), 1 + 1e-9) << x;
    }
    EXPECT_EQ(exponential(std::nan("")), 0);
}

TEST(PortableMath, RoundsToWhatAFloatHolds) {
    const Vec3d v = rounded_to_float({0.1, 1 / 3.0, -1e-3});
    EXPECT_EQ(v.x, double(0.1f));
    EXPECT_EQ(v.y, double(float(1 / 3.0)));
    EXPECT_EQ(v.z, double(-1e-3f));
}

}  // namespace
}  // namespace fascia::portable
