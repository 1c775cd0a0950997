#include "character/continuing_child.h"

#include <algorithm>
#include <cmath>

namespace fascia {

double skeleton_extent(std::span<const Vec3d> heads) {
    if (heads.empty()) return 0;
    Vec3d low = heads[0], high = low;
    for (const Vec3d p : heads) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return length(high - low);
}

Vec3d arriving_direction(std::span<const Vec3d> heads, std::span<const int> parents, std::size_t joint,
                         double smallest) {
    for (int at = parents[joint]; at >= 0; at = parents[std::size_t(at)]) {
        const Vec3d step = heads[joint] - heads[std::size_t(at)];
        if (length(step) > smallest) return normalized(step);
    }
    return {0, 0, 0};
}

std::vector<int> continuing_children(std::span<const Vec3d> heads, std::span<const int> parents) {
    const std::size_t n = heads.size();
    const double smallest = coincident_joints * skeleton_extent(heads);
    std::vector<int> followers(n, 0), out(n, -1);
    std::vector<double> best(n, -INFINITY);
    for (std::size_t j = 0; j < n; ++j)
        for (int up = parents[j]; up >= 0; up = parents[std::size_t(up)]) ++followers[std::size_t(up)];
    for (std::size_t child = 0; child < n; ++child) {
        if (parents[child] < 0) continue;
        const auto j = std::size_t(parents[child]);
        const Vec3d step = heads[child] - heads[j];
        if (length(step) <= smallest) continue;
        const double score =
            dot(normalized(step), arriving_direction(heads, parents, j, smallest)) + 1e-6 * followers[child];
        if (score > best[j]) best[j] = score, out[j] = int(child);
    }
    return out;
}

}  // namespace fascia
