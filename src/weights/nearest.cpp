#include "weights/nearest.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fascia::weights {

double squared_distance(Vec3d p, const Segment& segment) {
    const Vec3d along = segment.b - segment.a;
    const double l2 = dot(along, along);
    const double t = l2 > 0 ? std::clamp(dot(p - segment.a, along) / l2, 0.0, 1.0) : 0.0;
    const Vec3d off = p - (segment.a + along * t);
    return dot(off, off);
}

namespace {

constexpr std::uint32_t leaf_size = 8;
constexpr double slack = 1 - 1e-9;  ///< distances to boxes and to segments are rounded differently

}  // namespace

NearestSegment::NearestSegment(std::span<const Segment> segments) : segments_(segments), order_(segments.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    Box all;
    all.last = std::uint32_t(segments.size());
    boxes_.push_back(all);
    split(0);
}

void NearestSegment::enclose(Box& box) const {
    box.low = {INFINITY, INFINITY, INFINITY}, box.high = {-INFINITY, -INFINITY, -INFINITY};
    for (std::uint32_t k = box.first; k < box.last; ++k)
        for (const Vec3d p : {segments_[order_[k]].a, segments_[order_[k]].b}) {
            box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
            box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
        }
}

void NearestSegment::split(std::uint32_t at) {
    enclose(boxes_[at]);
    const Box box = boxes_[at];
    if (box.last - box.first <= leaf_size) return;
    const Vec3d size = box.high - box.low;
    const auto along = [&](std::uint32_t k) {
        const Vec3d middle = segments_[k].a + segments_[k].b;
        return size.x >= size.y && size.x >= size.z ? middle.x : size.y >= size.z ? middle.y : middle.z;
    };
    const std::uint32_t half = box.first + (box.last - box.first) / 2;
    std::nth_element(order_.begin() + box.first, order_.begin() + half, order_.begin() + box.last,
                     [&](std::uint32_t a, std::uint32_t b) { return along(a) < along(b); });
    const auto left = std::uint32_t(boxes_.size());
    boxes_[at].left = left;
    boxes_.resize(boxes_.size() + 2);
    boxes_[left].first = box.first, boxes_[left].last = half;
    boxes_[left + 1].first = half, boxes_[left + 1].last = box.last;
    split(left);
    split(left + 1);
}

double NearestSegment::squared_distance(Vec3d p, const Box& box) {
    const Vec3d off{std::max({box.low.x - p.x, 0.0, p.x - box.high.x}),
                    std::max({box.low.y - p.y, 0.0, p.y - box.high.y}),
                    std::max({box.low.z - p.z, 0.0, p.z - box.high.z})};
    return dot(off, off);
}

void NearestSegment::look(std::uint32_t at, Vec3d p, Best& best) const {
    const Box& box = boxes_[at];
    if (box.left == 0) {
        for (std::uint32_t k = box.first; k < box.last; ++k) {
            const double d = weights::squared_distance(p, segments_[order_[k]]);
            if (d < best.least || (d == best.least && order_[k] < best.segment)) best = {d, order_[k]};
        }
        return;
    }
    const double d[2] = {squared_distance(p, boxes_[box.left]), squared_distance(p, boxes_[box.left + 1])};
    const int nearer = d[1] < d[0];
    for (const int side : {nearer, 1 - nearer})
        if (d[side] * slack <= best.least) look(box.left + std::uint32_t(side), p, best);
}

std::uint16_t NearestSegment::joint_at(Vec3d p) const {
    Best best;
    look(0, p, best);
    return best.segment < segments_.size() ? segments_[best.segment].joint : std::uint16_t{0};
}

}  // namespace fascia::weights
