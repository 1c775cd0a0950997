#include "render/color.h"

#include <gtest/gtest.h>

#include "fascia/picture.h"

namespace fascia {
namespace {

double luminance(Vec4 c) {
    return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z;
}

double distance(Vec4 a, Vec4 b) {
    const auto root = [](float v) { return std::sqrt(static_cast<double>(v)); };  // steps that look about equal
    return std::hypot(root(a.x) - root(b.x), root(a.y) - root(b.y), root(a.z) - root(b.z));
}

TEST(Color, EveryByteComesBack) {
    for (int b = 0; b < 256; ++b) {
        EXPECT_EQ(picture::byte_of_linear(picture::linear_of_byte()[static_cast<std::size_t>(b)]), b);
    }
}

TEST(Color, IsTheSrgbCurve) {
    EXPECT_NEAR(picture::linear_of_byte()[188], 0.5, 0.005);  // half the light looks like 188
    EXPECT_NEAR(picture::linear_of_byte()[10], 10 / 255.0 / 12.92, 1e-7);
    for (float v = 0; v < 1; v += 0.00037f) {
        const double s = v <= 0.0031308f ? 12.92 * v : 1.055 * std::pow(static_cast<double>(v), 1 / 2.4) - 0.055;
        EXPECT_NEAR(picture::byte_of_linear(v), s * 255, 0.502);
    }
    EXPECT_EQ(picture::byte_of_linear(-1), 0);
    EXPECT_EQ(picture::byte_of_linear(7), 255);
    EXPECT_EQ(picture::byte_of_linear(std::nanf("")), 0);
}

TEST(Color, HeatGetsDarkerAllTheWay) {
    double last = 2;
    for (int i = 0; i <= 100; ++i) {
        const double now = luminance(heat_color(static_cast<float>(i) / 100));
        EXPECT_LT(now, last);
        last = now;
    }
    EXPECT_EQ(heat_color(-3).x, heat_color(0).x);
    EXPECT_EQ(heat_color(9).x, heat_color(1).x);
    EXPECT_EQ(heat_color(std::nanf("")).x, heat_color(0).x);
}

TEST(Color, IndicesAreDistinct) {
    for (int i = 0; i < 27; ++i)
        for (int j = 0; j < i; ++j) EXPECT_GT(distance(index_color(i), index_color(j)), 0.08) << i << " " << j;
    EXPECT_GE(index_color(-1).x, 0);
    EXPECT_GE(index_color(std::numeric_limits<int>::min()).x, 0);
}

TEST(Color, LayersAreAsPublished) {
    const Vec4 bone = layer_color("bone"), muscle = layer_color("muscle"), fat = layer_color("fat");
    const Vec4 skin = layer_color("skin");
    EXPECT_GT(luminance(bone), 0.75);
    EXPECT_GT(muscle.x, 4 * std::max(muscle.y, muscle.z));
    EXPECT_GT(fat.y, 1.5 * std::max(fat.x, fat.z));
    EXPECT_GT(skin.x, skin.y);
    EXPECT_GT(luminance(skin), 0.4);
    EXPECT_GE(layer_color("bark").w, 1);
}

}  // namespace
}  // namespace fascia
