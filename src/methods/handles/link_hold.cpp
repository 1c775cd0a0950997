#include "methods/handles/link_hold.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/portable_math.h"

namespace fascia {

namespace {

/// A link holds a point if both ends together have more than this of its weight.
constexpr double least_weight = 0.75;
/// Flesh nearer to a bend than its own thickness would be crushed inside it; a little more is left free, so that it can
/// give way.
constexpr float almost = 0.999f;
constexpr double room = 1;

/// 1 where a link holds, falling to 0 at a handle. along: from that end, in units of the scene
double share_at(double along, double reach, double apart) {
    if (reach == 0) return 1;
    return std::clamp(along / std::max(reach * apart, 1e-300), 0.0, 1.0);
}

/// How far along a link a point must be from one end to be held, in distances from the link. Seen from the end, a link
/// holds a quarter of the angle to the next link there: half of its own half, since links that turn towards each other
/// need room. A link that is alone there need not bend.
double reach_at(std::size_t end, std::size_t other, std::span<const PseudoEdge> links,
                const std::vector<Vec3d>& handles) {
    const Vec3d arm = normalized(handles[other] - handles[end]);
    double nearest = -1;
    bool alone = true;
    for (const auto& [a, b] : links) {
        if ((a != end && b != end) || a == other || b == other) continue;
        nearest = std::max(nearest, dot(arm, normalized(handles[a == end ? b : a] - handles[end])));
        alone = false;
    }
    if (alone) return 0;
    const double half = std::sqrt(std::max(0.0, (1 + nearest) / 2));  // cosine of half the angle
    return room * std::sqrt((1 + half) / std::max(1 - half, 1e-12));
}

}  // namespace

LinkHold::LinkHold(const HandlePoints& points, const HandleMaps& maps, double proximal)
    : ends_(maps.links().begin(), maps.links().end()) {
    const std::vector<Vec3d>& handles = maps.places();
    std::vector<std::vector<std::uint32_t>> links_of(handles.size());
    std::vector<std::array<double, 2>> reaches;
    for (std::uint32_t k = 0; k < ends_.size(); ++k) {
        const auto [a, b] = ends_[k];
        links_of[a].push_back(k), links_of[b].push_back(k);
        reaches.push_back({reach_at(a, b, ends_, handles), reach_at(b, a, ends_, handles)});
    }
    std::vector<double> weights(handles.size(), 0);
    for (std::uint32_t p = 0; p < points.size(); ++p) {
        const std::size_t first = p * points.influences, last = first + points.influences;
        for (std::size_t s = first; s < last; ++s) weights[points.joints[s]] += double(points.weights[s]);
        for (std::size_t s = first; s < last; ++s)
            if (double(points.weights[s]) > proximal) near_.push_back({p, points.joints[s], points.rest[p]});
        double most = least_weight;
        Point best{p, 0, 0, {}, 0};
        for (std::size_t s = first; s < last; ++s)
            for (const std::uint32_t k : links_of[points.joints[s]]) {
                const auto [a, b] = ends_[k];
                const double both = weights[a] + weights[b];
                const Vec3d arm = handles[b] - handles[a], from_a = to_double(points.rest[p]) - handles[a];
                if (!(both > most) || !(dot(arm, arm) > 0)) continue;
                const double along = dot(from_a, arm) / dot(arm, arm);
                const Vec3d off = from_a - arm * along;
                const double size = length(arm), apart = length(off);
                const double share = std::min(share_at(along * size, reaches[k][0], apart),
                                              share_at((1 - along) * size, reaches[k][1], apart));
                if (!(share > 0)) continue;
                most = both, best = {p, k, float(along), to_float(off), float(share)};
                // Beyond its ends a link holds nothing, but flesh moves along with it.
                if (along < 0 || along > 1) best.share = std::min(best.share, almost);
            }
        for (std::size_t s = first; s < last; ++s) weights[points.joints[s]] = 0;
        if (most > least_weight) points_.push_back(best);
    }
    of_links_.assign(points.size(), 0);
    for (const Point& p : points_) of_links_[p.point] = p.share == 1;
}

LinkHold LinkHold::only(std::span<const std::uint32_t> chosen, std::size_t points) const {
    constexpr std::uint32_t nowhere = 0xffffffffu;
    std::vector<std::uint32_t> number(points, nowhere);
    for (std::uint32_t k = 0; k < chosen.size(); ++k) number[chosen[k]] = k;
    LinkHold out;
    out.ends_ = ends_;
    out.of_links_.assign(chosen.size(), 0);
    for (Point p : points_)
        if ((p.point = number[p.point]) != nowhere) out.points_.push_back(p), out.of_links_[p.point] = p.share == 1;
    for (Near p : near_)
        if ((p.point = number[p.point]) != nowhere) out.near_.push_back(p);
    return out;
}

void LinkHold::add_held(std::span<const std::uint8_t> enabled, std::span<std::uint8_t> held) const {
    for (const Point& p : points_)
        if (p.share == 1 && enabled[ends_[p.link].first] && enabled[ends_[p.link].second]) held[p.point] = 1;
}

void LinkHold::place(std::span<const LinkMap> links, std::span<const Affine> of_handles,
                     std::span<const std::uint8_t> enabled, Vec3d origin, double unit, std::span<float> places,
                     std::span<float> turns, std::size_t stride) const {
    const auto put = [&](std::uint32_t point, Vec3d at, float share) {
        float* place = &places[sim::arap_floats * point];
        const float to[3] = {float((at.x - origin.x) / unit), float((at.y - origin.y) / unit),
                             float((at.z - origin.z) / unit)};
        for (std::size_t c = 0; c < 3; ++c) place[c] = share == 1 ? to[c] : place[c] + (to[c] - place[c]) * share;
    };
    const auto turn = [&](std::uint32_t point, Quat q, float share) {
        const float to[4] = {float(q.w), float(q.x), float(q.y), float(q.z)};
        float was[4], along = 0, square = 0;
        for (std::size_t c = 0; c < 4; ++c) was[c] = turns[c * stride + point], along += was[c] * to[c];
        for (std::size_t c = 0; c < 4; ++c)
            was[c] = (1 - share) * was[c] + (along < 0 ? -share : share) * to[c], square += was[c] * was[c];
        const float size = square > 1e-8f ? 1 / std::sqrt(square) : 0;
        for (std::size_t c = 0; c < 4; ++c) turns[c * stride + point] = size > 0 ? size * was[c] : to[c];
    };
    for (const Point& p : points_) {
        if (turns.empty() && p.share != 1) continue;
        if (!enabled[ends_[p.link].first] || !enabled[ends_[p.link].second]) continue;
        const LinkMap& map = links[p.link];
        const double t = double(p.along);
        Vec3d off = to_double(p.off) * ((1 - t) * map.scales[0] + t * map.scales[1]);
        const double twist = (1 - t) * map.twists[0] + t * map.twists[1], half = 0.5 * twist;
        const Vec3d pole = map.axis * portable::sine(half);
        const Quat whole = twist == 0 ? map.turn : map.turn * Quat{portable::cosine(half), pole.x, pole.y, pole.z};
        put(p.point, map.from + (map.to - map.from) * t + rotate(whole, off), p.share);
        if (!turns.empty()) turn(p.point, whole, p.share);
    }
    // Handles come last: points that one holds follow it, unless a link holds them.
    for (const Near& p : near_)
        if (enabled[p.handle] && !may_hold(p.point))
            put(p.point, transform_point(of_handles[p.handle], to_double(p.rest)), 1);
}

}  // namespace fascia
