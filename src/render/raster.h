// Rasterises triangles with exact fixed-point coverage: a sample on a shared edge belongs to exactly one triangle.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace fascia::picture {

constexpr int subpixels = 256;                      // fixed-point steps per pixel
constexpr int samples_per_pixel = 8;                // for anti-aliasing
constexpr std::uint32_t no_triangle = 0xffffffffu;  // where a sample sees the background

/// Where a sample is in its pixel, in subpixels.
struct SampleOffset {
    int x, y;
};

/// Eight queens: no two samples share a row, column or diagonal, so edges of every slope are smoothed well.
inline constexpr std::array<SampleOffset, 8> queens_pattern = {
    {{16, 144}, {48, 240}, {80, 176}, {112, 80}, {144, 208}, {176, 48}, {208, 112}, {240, 16}}};
inline constexpr std::array<SampleOffset, 1> center_pattern = {{{128, 128}}};

template <int N>
constexpr const auto& sample_pattern() {
    if constexpr (N == 1)
        return center_pattern;
    else
        return queens_pattern;
}

/// A triangle on the screen. `nearness` grows towards the viewer and is linear over the screen.
struct ScreenTriangle {
    std::array<std::int32_t, 3> x, y;  ///< subpixels; below 2^22 in magnitude
    std::array<float, 3> nearness;
    std::uint32_t id = 0;
};

/// The nearest triangle at every sample of a block of pixels. The N samples of a pixel are stored side by side.
template <int N>
struct SampleBuffer {
    int x0 = 0, y0 = 0, width = 0, height = 0;  ///< the block, in pixels
    std::vector<float> nearness;                ///< [width * height * N]
    std::vector<std::uint32_t> id;              ///< [width * height * N]

    void clear(int x, int y, int w, int h, float farthest) {
        x0 = x, y0 = y, width = w, height = h;
        const std::size_t count = static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * N;
        nearness.assign(count, farthest);
        id.assign(count, no_triangle);
    }
    std::size_t pixel(int x, int y) const {
        return (static_cast<std::size_t>(y - y0) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x - x0)) *
               N;
    }
};

/// a x + b y + c >= 0 inside, with x and y relative to (ox, oy). A sample on an edge that two triangles share belongs
/// to only one of them.
template <class Int>
struct EdgeLine {
    Int a, b, c;
    EdgeLine(std::int32_t x0, std::int32_t y0, std::int32_t x1, std::int32_t y1, std::int32_t ox, std::int32_t oy) {
        a = static_cast<Int>(y0) - static_cast<Int>(y1);
        b = static_cast<Int>(x1) - static_cast<Int>(x0);
        c = -(a * (static_cast<Int>(x0) - ox) + b * (static_cast<Int>(y0) - oy));
        const bool owns_its_samples = a > 0 || (a == 0 && b > 0);
        if (!owns_its_samples) c -= 1;
    }
};

/// Accepts every sample; see `rasterise`.
struct KeepAll {
    static constexpr bool everything = true;
    bool operator()(int, int, SampleOffset, std::uint32_t) const { return true; }
};

struct PixelRange {
    int x_begin, x_end, y_begin, y_end;
};

template <int N, class Int, class Keep>
void rasterise_range(const ScreenTriangle& t, const PixelRange& range, SampleBuffer<N>& buffer, const Keep& keep) {
    constexpr auto& pattern = sample_pattern<N>();
    // Coordinates are relative to the first pixel, so that small triangles fit into 32 bits anywhere in the picture.
    const std::int32_t ox = range.x_begin * subpixels, oy = range.y_begin * subpixels;
    const EdgeLine<Int> edges[3] = {{t.x[0], t.y[0], t.x[1], t.y[1], ox, oy},
                                    {t.x[1], t.y[1], t.x[2], t.y[2], ox, oy},
                                    {t.x[2], t.y[2], t.x[0], t.y[0], ox, oy}};
    // Nearness is linear over the screen: start + gx x + gy y.
    const double x10 = t.x[1] - t.x[0], y10 = t.y[1] - t.y[0], x20 = t.x[2] - t.x[0], y20 = t.y[2] - t.y[0];
    const double n0 = t.nearness[0], n10 = t.nearness[1] - n0, n20 = t.nearness[2] - n0;
    const double area = x10 * y20 - x20 * y10;
    const double gx = (n10 * y20 - n20 * y10) / area, gy = (n20 * x10 - n10 * x20) / area;
    const double start = n0 + gx * (static_cast<double>(ox) - t.x[0]) + gy * (static_cast<double>(oy) - t.y[0]);
    // On thin triangles this plane is steep, so samples are clamped to the range of the corners.
    const float lowest = std::min({t.nearness[0], t.nearness[1], t.nearness[2]});
    const float highest = std::max({t.nearness[0], t.nearness[1], t.nearness[2]});

    Int offsets[3][N], slack[3];
    float plane_offsets[N];
    for (int e = 0; e < 3; ++e) slack[e] = std::numeric_limits<Int>::min();
    for (int s = 0; s < N; ++s) {
        const SampleOffset at = pattern[static_cast<std::size_t>(s)];
        plane_offsets[s] = static_cast<float>(gx * at.x + gy * at.y);
        for (int e = 0; e < 3; ++e) {
            offsets[e][s] = edges[e].a * at.x + edges[e].b * at.y;
            slack[e] = std::max(slack[e], offsets[e][s]);
        }
    }

    for (int y = range.y_begin; y < range.y_end; ++y) {
        const Int dy = static_cast<Int>(y - range.y_begin) * subpixels;
        float* nearness = buffer.nearness.data() + buffer.pixel(range.x_begin, y);
        std::uint32_t* id = buffer.id.data() + buffer.pixel(range.x_begin, y);
        for (int x = range.x_begin; x < range.x_end; ++x, nearness += N, id += N) {
            const Int dx = static_cast<Int>(x - range.x_begin) * subpixels;
            const Int e0 = edges[0].a * dx + edges[0].b * dy + edges[0].c;
            const Int e1 = edges[1].a * dx + edges[1].b * dy + edges[1].c;
            const Int e2 = edges[2].a * dx + edges[2].b * dy + edges[2].c;
            if (e0 + slack[0] < 0 || e1 + slack[1] < 0 || e2 + slack[2] < 0) continue;
            const float plane = static_cast<float>(start + gx * static_cast<double>(dx) + gy * static_cast<double>(dy));
            for (int s = 0; s < N; ++s) {
                const Int sides = (e0 + offsets[0][s]) | (e1 + offsets[1][s]) | (e2 + offsets[2][s]);
                const float value = std::min(std::max(plane + plane_offsets[s], lowest), highest);
                bool wins = (sides >= 0) & (value > nearness[s]);
                if constexpr (!Keep::everything) {
                    wins = wins && keep(x, y, pattern[static_cast<std::size_t>(s)], t.id);
                }
                nearness[s] = wins ? value : nearness[s];
                id[s] = wins ? t.id : id[s];
            }
        }
    }
}

/// Draws a triangle of either winding. Among equally near triangles the first one wins. `keep` may reject samples
/// (cut-outs).
template <int N, class Keep = KeepAll>
void rasterise(ScreenTriangle t, SampleBuffer<N>& buffer, const Keep& keep = {}) {
    const std::int64_t x10 = t.x[1] - t.x[0], y10 = t.y[1] - t.y[0], x20 = t.x[2] - t.x[0], y20 = t.y[2] - t.y[0];
    const std::int64_t area = x10 * y20 - x20 * y10;
    if (area == 0) return;
    if (area < 0) {
        std::swap(t.x[1], t.x[2]);
        std::swap(t.y[1], t.y[2]);
        std::swap(t.nearness[1], t.nearness[2]);
    }
    const auto [left, right] = std::minmax({t.x[0], t.x[1], t.x[2]});
    const auto [top, bottom] = std::minmax({t.y[0], t.y[1], t.y[2]});
    const auto pixel_of = [](std::int32_t v) { return (v - (v & (subpixels - 1))) / subpixels; };  // rounds down
    const PixelRange range{std::max(pixel_of(left), buffer.x0), std::min(pixel_of(right) + 1, buffer.x0 + buffer.width),
                           std::max(pixel_of(top), buffer.y0),
                           std::min(pixel_of(bottom) + 1, buffer.y0 + buffer.height)};
    if (range.x_begin >= range.x_end || range.y_begin >= range.y_end) return;
    constexpr std::int32_t small = 60 * subpixels;  // products of two such lengths, summed, stay below 2^31
    if (right - left < small && bottom - top < small)
        rasterise_range<N, std::int32_t>(t, range, buffer, keep);
    else
        rasterise_range<N, std::int64_t>(t, range, buffer, keep);
}

}  // namespace fascia::picture
