#include "render/raster.h"

#include <random>

#include <gtest/gtest.h>

namespace fascia::picture {
namespace {

ScreenTriangle triangle(std::array<std::int32_t, 3> x, std::array<std::int32_t, 3> y, std::uint32_t id) {
    return {x, y, {0.5f, 0.5f, 0.5f}, id};
}

template <int N>
SampleBuffer<N> empty_buffer(int width, int height) {
    SampleBuffer<N> buffer;
    buffer.clear(0, 0, width, height, 0);
    return buffer;
}

/// How many of the triangles cover each sample.
template <int N>
std::vector<int> cover_counts(const std::vector<ScreenTriangle>& triangles, int width, int height) {
    std::vector<int> counts(static_cast<std::size_t>(width * height * N));
    for (const ScreenTriangle& t : triangles) {
        auto buffer = empty_buffer<N>(width, height);
        rasterise(t, buffer);
        for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += buffer.id[i] != no_triangle;
    }
    return counts;
}

/// A rectangle with corners at half pixels, so that samples lie on its border, split into a fan around a point inside.
std::vector<ScreenTriangle> fan(int left, int top, int right, int bottom, int x, int y) {
    const int px[4] = {left, right, right, left}, py[4] = {top, top, bottom, bottom};
    std::vector<ScreenTriangle> triangles;
    for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t n = (k + 1) % 4;
        // Every other triangle has the opposite winding.
        if (k % 2 == 0)
            triangles.push_back(triangle({px[k], px[n], x}, {py[k], py[n], y}, 0));
        else
            triangles.push_back(triangle({px[n], px[k], x}, {py[n], py[k], y}, 0));
    }
    return triangles;
}

template <int N>
void expect_watertight(int width, int height, int reach) {
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
        const auto inside = [&](int lo, int hi) {
            return lo + static_cast<int>(random() % static_cast<unsigned>(hi - lo));
        };
        const int left = 16 * inside(-reach, 10), top = 16 * inside(-reach, 10);
        const int right = 16 * inside(200, 200 + reach), bottom = 16 * inside(200, 200 + reach);
        // In every other round the shared corner lies exactly on a sample, which is the hardest case.
        const int x = 16 * inside(20, 190) + (round % 2), y = 16 * inside(20, 190);
        const auto counts = cover_counts<N>(fan(left, top, right, bottom, x, y), width, height);
        for (int py = 0; py < height; ++py) {
            for (int px = 0; px < width; ++px) {
                for (int s = 0; s < N; ++s) {
                    const SampleOffset at = sample_pattern<N>()[static_cast<std::size_t>(s)];
                    const int sx = px * subpixels + at.x, sy = py * subpixels + at.y;
                    const bool strictly_inside = sx > left && sx < right && sy > top && sy < bottom;
                    const bool strictly_outside = sx < left || sx > right || sy < top || sy > bottom;
                    const int count = counts[static_cast<std::size_t>((py * width + px) * N + s)];
                    if (strictly_inside) {
                        ASSERT_EQ(count, 1) << "sample " << sx << ", " << sy;
                    } else if (strictly_outside) {
                        ASSERT_EQ(count, 0) << "sample " << sx << ", " << sy;
                    } else {
                        ASSERT_LE(count, 1);
                    }
                }
            }
        }
    }
}

TEST(Raster, TrianglesOfAFanShareNoSampleAndLeaveNoneOut) {
    expect_watertight<1>(20, 20, 10);
    expect_watertight<8>(20, 20, 10);
}

TEST(Raster, TheSameHoldsForTrianglesFarLargerThanThePicture) {
    expect_watertight<8>(20, 20, 200000);
}

TEST(Raster, CoverageIsTheArea) {
    auto buffer = empty_buffer<8>(64, 64);
    const auto t = triangle({1300, 14900, 5000}, {700, 4100, 15800}, 3);
    rasterise(t, buffer);
    const auto covered = static_cast<double>(std::count(buffer.id.begin(), buffer.id.end(), 3u)) / 8;
    const double area =
        0.5 * std::abs(double(t.x[1] - t.x[0]) * (t.y[2] - t.y[0]) - double(t.x[2] - t.x[0]) * (t.y[1] - t.y[0])) /
        (subpixels * subpixels);
    EXPECT_NEAR(covered, area, 0.005 * area);
}

TEST(Raster, TheNearerSampleWinsInAnyOrder) {
    // Two triangles that cut through each other along the middle of the picture.
    ScreenTriangle left{{0, 0, 16 * 256}, {0, 16 * 256, 8 * 256}, {0.9f, 0.9f, 0.1f}, 1};
    ScreenTriangle right{{16 * 256, 16 * 256, 0}, {0, 16 * 256, 8 * 256}, {0.9f, 0.9f, 0.1f}, 2};
    for (const bool swap : {false, true}) {
        auto buffer = empty_buffer<8>(16, 16);
        rasterise(swap ? right : left, buffer);
        rasterise(swap ? left : right, buffer);
        for (int x = 0; x < 16; ++x)
            for (std::size_t s = 0; s < 8; ++s)
                EXPECT_EQ(buffer.id[buffer.pixel(x, 8) + s], x < 8 ? 1u : 2u) << x << " " << swap;
    }
}

TEST(Raster, NearnessIsLinearAndStaysWithinTheCorners) {
    auto buffer = empty_buffer<1>(32, 32);
    // 0.1 + 0.02 x + 0.005 y in pixels.
    rasterise(ScreenTriangle{{0, 32 * 256, 0}, {0, 0, 32 * 256}, {0.1f, 0.74f, 0.26f}, 5}, buffer);
    EXPECT_NEAR(buffer.nearness[buffer.pixel(10, 4)], 0.1 + 0.02 * 10.5 + 0.005 * 4.5, 1e-6);
    // A sliver whose plane is nearly vertical.
    auto thin = empty_buffer<8>(32, 32);
    rasterise(ScreenTriangle{{0, 31 * 256, 16 * 256}, {100, 140, 121}, {0.2f, 0.3f, 0.9f}, 5}, thin);
    for (std::size_t i = 0; i < thin.id.size(); ++i) {
        if (thin.id[i] == no_triangle) continue;
        EXPECT_GE(thin.nearness[i], 0.2f);
        EXPECT_LE(thin.nearness[i], 0.9f);
    }
}

TEST(Raster, ABlockDrawsWhatTheWholeDraws) {
    const auto t = triangle({-300, 5100, 2000}, {200, 900, 5300}, 1);
    auto whole = empty_buffer<8>(20, 20);
    rasterise(t, whole);
    SampleBuffer<8> block;
    block.clear(3, 7, 9, 6, 0);
    rasterise(t, block);
    for (int y = 7; y < 13; ++y)
        for (int x = 3; x < 12; ++x)
            for (std::size_t s = 0; s < 8; ++s)
                ASSERT_EQ(block.id[block.pixel(x, y) + s], whole.id[whole.pixel(x, y) + s]);
}

}  // namespace
}  // namespace fascia::picture
