#include <cmath>

#include <gtest/gtest.h>

#include "render/ground_lines.h"
#include "shapes.h"

namespace fascia {
namespace {

/// The ground under a figure whose lowest point moves like this for two seconds and lies at `rest` in the rest pose,
/// both in units of its size.
template <class Height>
double ground_of(const Height& height, double size = 1, double rest = 20) {
    std::vector<double> times, lowest;
    for (int i = 0; i <= 120; ++i) {
        times.push_back(i / 60.0);
        lowest.push_back(size * height(i / 60.0));
    }
    return ground_height(times, lowest, size, rest) / size;
}

TEST(GroundHeight, IsWhereTheFigureStands) {
    for (const double size : {0.01, 1.0, 500.0})
        for (const double y : {0.0, 3.0, -0.7}) EXPECT_NEAR(ground_of([&](double) { return y; }, size), y, 1e-9);
    EXPECT_EQ(ground_height({}, {}, 1, 0), 0);
    EXPECT_EQ(ground_height(std::vector<double>{0}, std::vector<double>{2}, 1, 0), 2);
}

TEST(GroundHeight, IsNotRaisedByAJump) {
    // One long jump, and many short ones.
    const auto jump = [](double t) { return t > 0.3 && t < 1.7 ? 0.7 * std::sin((t - 0.3) / 1.4 * 3.1416) : 0.0; };
    const auto hops = [](double t) { return std::max(0.0, 0.15 * std::sin(9 * t)); };
    EXPECT_NEAR(ground_of(jump), 0, 0.01);
    EXPECT_NEAR(ground_of(hops), 0, 0.01);
    EXPECT_NEAR(ground_of([&](double t) { return 5 + hops(t); }), 5, 0.01);
}

TEST(GroundHeight, IsNotLoweredByAHandThatDips) {
    const auto dip = [](double t) { return t > 0.9 && t < 1.1 ? -0.5 * std::sin((t - 0.9) / 0.2 * 3.1416) : 0.0; };
    EXPECT_NEAR(ground_of(dip), 0, 0.01);
    EXPECT_NEAR(ground_of([&](double t) { return 4 + dip(t); }), 4, 0.01);
}

TEST(GroundHeight, IsZeroForAFigureThatStandsThereAtRest) {
    // An axe that hangs below the feet for most of the time, and a body that is shaken up and down.
    const auto axe = [](double t) { return t < 1.8 ? -0.08 : 0.002; };
    const auto shaken = [](double t) { return 0.2 * std::sin(9 * t); };
    EXPECT_NEAR(ground_of(axe, 1, 0.001), 0, 0.01);
    EXPECT_NEAR(ground_of(shaken, 1, 0.001), 0, 0.03);
    // But not where the whole motion is elsewhere.
    EXPECT_NEAR(ground_of([](double) { return 0.7; }, 1, 0.001), 0.7, 1e-9);
    EXPECT_NEAR(ground_of([](double) { return -0.7; }, 1, 0.001), -0.7, 1e-9);
    // Feet that stand a little above it stand on the ground.
    EXPECT_NEAR(ground_of([](double) { return 0.012; }, 1, 0.001), 0.012, 1e-9);
}

TEST(GroundHeight, OfStepsIsTheLowerOne) {
    EXPECT_NEAR(ground_of([](double t) { return t < 0.9 ? 0.0 : 0.3; }), 0, 0.01);
    EXPECT_NEAR(ground_of([](double t) { return 0.008 * std::sin(40 * t); }), 0, 0.01);
}

TEST(GroundHeight, LiesBelowWhatFlies) {
    // Wings that beat slowly, and a body that rises and falls.
    const auto wings = [](double t) { return -0.06 - 0.25 * std::max(0.0, std::sin(3.1416 * t)); };
    EXPECT_LT(ground_of(wings), -0.31);
    EXPECT_GT(ground_of(wings), -0.5);
    EXPECT_LT(ground_of([](double t) { return 3 + std::sin(6 * t); }), 2);
}

TEST(GroundHeight, OfAGallopIsWhereItComesDown) {
    EXPECT_NEAR(ground_of([](double t) { return 0.15 - 0.15 * std::sin(14 * t); }, 1, 0.0), 0, 0.02);
}

TEST(LowestHeight, IgnoresASingleVertex) {
    std::vector<Vec3> points;
    for (int i = 0; i < 2000; ++i) points.push_back({0, static_cast<float>(i) * 0.001f, 0});
    points.push_back({0, -9, 0});
    points.push_back({0, std::nanf(""), 0});
    EXPECT_NEAR(lowest_height(points), 0.001, 1e-6);
    EXPECT_EQ(lowest_height(std::vector<Vec3>{{0, 3, 0}}), 3);
    EXPECT_EQ(lowest_height({}), 0);
}

View lined_floor() {
    View view;
    view.box_min = {-0.5, 0, -0.5};
    view.box_max = {0.5, 1, 0.5};
    view.ground_lines = 0.5;
    view.aim = Aim{{0, 0.5, 0}, 3};
    return view;
}

View moved(View view, double x, double z) {
    const Vec3d way{x, 0, z};
    view.box_min += way;
    view.box_max += way;
    view.aim->target += way;
    return view;
}

TEST(GroundLines, AreFixedInTheWorld) {
    const View view = lined_floor();
    const auto picture_of = [](const View& v) { return render({}, v, 80, 60).rgb; };
    View plain = view;
    plain.ground_lines = 0;
    EXPECT_NE(picture_of(view), picture_of(plain));
    // Moved by a whole number of spacings the camera sees the same picture; moved by half a spacing it does not.
    EXPECT_EQ(picture_of(view), picture_of(moved(view, 2, -4)));
    EXPECT_NE(picture_of(view), picture_of(moved(view, 0.25, 0)));
    EXPECT_NE(picture_of(view), picture_of(moved(view, 0, 0.25)));
}

TEST(GroundLines, KeepTheirMeanHoweverWideAPixelIs) {
    const picture::GroundLines lines(lined_floor(), picture::make_camera(lined_floor(), 80, 60));
    const auto mean_over_a_space = [&](double pixel) {
        constexpr int steps = 5000;
        double sum = 0;
        for (int i = 0; i < steps; ++i) sum += static_cast<double>(lines.darkness(0.5 * i / steps, 0.25, pixel, 1e-6));
        return sum / steps;
    };
    const double thin = mean_over_a_space(1e-6);
    EXPECT_GT(thin, 0.001);
    for (const double pixel : {0.01, 0.1, 0.4, 0.9}) EXPECT_NEAR(mean_over_a_space(pixel), thin, 0.02 * thin);
    EXPECT_EQ(lines.darkness(0.25, 0.25, 1e-6, 1e-6), 0);   // between the lines
    EXPECT_GT(lines.darkness(0.5, 0.25, 1e-6, 1e-6), 0.2);  // on one
    EXPECT_EQ(lines.darkness(50, 0.25, 1e-6, 1e-6), 0);     // far away
}

}  // namespace
}  // namespace fascia
