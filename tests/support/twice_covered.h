// How much space a surface covers, and how much of it more than once: by columns of rays, counting how often each
// enters and leaves. Uses nothing of what it measures.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fascia/math.h"

namespace fascia::test {

struct Covered {
    double once = 0, twice = 0;  ///< volumes; what is covered three times counts as twice covered two times over
};

inline Covered covered_by(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, double cell) {
    Vec3d low{1e30, 1e30, 0}, high{-1e30, -1e30, 0};
    for (const Vec3 v : positions) {
        low = {std::min(low.x, double(v.x)), std::min(low.y, double(v.y)), 0};
        high = {std::max(high.x, double(v.x)), std::max(high.y, double(v.y)), 0};
    }
    const int nx = int((high.x - low.x) / cell) + 1, ny = int((high.y - low.y) / cell) + 1;
    std::vector<std::vector<std::pair<double, int>>> columns(std::size_t(nx) * std::size_t(ny));
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const Vec3d a = to_double(positions[triangles[t]]), b = to_double(positions[triangles[t + 1]]),
                    c = to_double(positions[triangles[t + 2]]);
        const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        if (area == 0) continue;
        const auto first = [&](double x, double y, double z, double from) {
            return std::max(0, int((std::min({x, y, z}) - from) / cell) - 1);
        };
        const auto last = [&](double x, double y, double z, double from, int n) {
            return std::min(n - 1, int((std::max({x, y, z}) - from) / cell) + 1);
        };
        for (int y = first(a.y, b.y, c.y, low.y); y <= last(a.y, b.y, c.y, low.y, ny); ++y)
            for (int x = first(a.x, b.x, c.x, low.x); x <= last(a.x, b.x, c.x, low.x, nx); ++x) {
                // Off the middle, so that no ray meets an edge of a regular mesh.
                const double px = low.x + (x + 0.5003) * cell, py = low.y + (y + 0.5007) * cell;
                const double u = ((b.x - px) * (c.y - py) - (b.y - py) * (c.x - px)) / area;
                const double v = ((c.x - px) * (a.y - py) - (c.y - py) * (a.x - px)) / area;
                if (u < 0 || v < 0 || u + v > 1) continue;
                columns[std::size_t(y) * std::size_t(nx) + std::size_t(x)].push_back(
                    {u * a.z + v * b.z + (1 - u - v) * c.z, area > 0 ? -1 : 1});
            }
    }
    Covered out;
    for (auto& column : columns) {
        std::sort(column.begin(), column.end());
        int inside = 0;
        for (std::size_t k = 0; k + 1 < column.size(); ++k) {
            inside += column[k].second;
            const double volume = (column[k + 1].first - column[k].first) * cell * cell;
            if (inside >= 1) out.once += volume;
            if (inside >= 2) out.twice += volume * (inside - 1);
        }
    }
    return out;
}

}  // namespace fascia::test
