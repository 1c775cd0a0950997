#include "sim/blend_points.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace fascia::sim {

namespace {

constexpr int lanes = SegmentLayout::lanes;
using LaneWeights = std::array<float, lanes>;

float total(const LaneWeights& weights) {
    return std::accumulate(weights.begin(), weights.end(), 0.0f);
}

}  // namespace

BlendTable make_blend_table(const SegmentLayout& layout, std::span<const std::uint16_t> joints,
                            std::span<const float> weights) {
    std::vector<std::map<std::uint16_t, LaneWeights>> shares(layout.segments());
    for (std::size_t p = 0; p < layout.slots.size(); ++p)
        for (std::size_t k = 4 * p; k < 4 * p + 4; ++k)
            if (weights[k] > 0) shares[layout.lane_of[p] / lanes][joints[k]][layout.lane_of[p] % lanes] += weights[k];
    BlendTable out;
    out.first.push_back(0);
    for (const auto& segment : shares) {
        std::vector<std::pair<std::uint16_t, LaneWeights>> sorted(segment.begin(), segment.end());
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const auto& a, const auto& b) { return total(a.second) > total(b.second); });
        for (const auto& [joint, share] : sorted) {
            out.joints.push_back(joint);
            out.weights.insert(out.weights.end(), share.begin(), share.end());
        }
        out.first.push_back(std::uint32_t(out.joints.size()));
    }
    return out;
}

void blend_all(const BlendedPoints& points, ThreadPool& pool) {
    constexpr std::size_t grain = 16;
    pool.for_ranges(points.segments, grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(blend_points)(points, begin, end);
    });
}

}  // namespace fascia::sim
