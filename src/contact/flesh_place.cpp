#include "contact/flesh_place.h"

#include <algorithm>
#include <cmath>

namespace fascia::contact {

namespace {

constexpr int longest_walk = 6;   ///< points
constexpr float farthest = 1.6f;  ///< from the last of them, along each axis
constexpr int middle = 13;        ///< of a block of 27

int side_of(float x) {
    return x < -0.5f ? -1 : x > 0.5f ? 1 : 0;
}
std::uint32_t place_of(int x, int y, int z) {
    return std::uint32_t(middle + 9 * z + 3 * y + x);
}

/// The neighbour towards `back`, or along one axis only where there is none across.
std::uint32_t next_towards(const std::uint32_t* around, Vec3 back) {
    const int x = side_of(back.x), y = side_of(back.y), z = side_of(back.z);
    const std::uint32_t across = around[place_of(x, y, z)];
    if (across != TouchingBody::none) return across;
    const float ax = std::abs(back.x), ay = std::abs(back.y), az = std::abs(back.z);
    std::uint32_t best = TouchingBody::none;
    float most = 0.5f;
    const auto offer = [&](float off, std::uint32_t place) {
        if (off > most && around[place] != TouchingBody::none) most = off, best = around[place];
    };
    offer(ax, place_of(x, 0, 0));
    offer(ay, place_of(0, y, 0));
    offer(az, place_of(0, 0, z));
    return best;
}

}  // namespace

void FleshPlaces::begin(const TouchingBody& body, const PointTurns& turns) {
    turns_ = turns;
    known_.resize(body.stride);
    if (round_of_.size() != body.stride) round_of_.assign(body.stride, 0), round_ = 0;
    if (++round_ == 0) std::fill(round_of_.begin(), round_of_.end(), 0u), ++round_;
}

/// R = blend of the joints' rotations, times the point's own turn relative to it.
const Turn& FleshPlaces::turn_of(const TouchingBody& body, std::uint32_t i) {
    if (round_of_[i] == round_) return known_[i];
    round_of_[i] = round_;
    const TouchingBody::Point& point = body.points[i];
    const std::size_t n = body.stride;
    float w = 0;
    Vec3 u;
    for (std::size_t k = 0; k < 4; ++k) {
        if (point.shares[k] == 0) continue;
        const float* dual = &turns_.duals[8 * std::size_t(point.joints[k])];
        w += point.shares[k] * dual[0];
        u += Vec3{dual[1], dual[2], dual[3]} * point.shares[k];
    }
    const float size = std::sqrt(w * w + dot(u, u));
    const float scale = size > 0 ? 1 / size : 0.0f;
    w *= scale;
    u = u * scale;
    const float a = turns_.fitted[i];
    const Vec3 b{turns_.fitted[n + i], turns_.fitted[2 * n + i], turns_.fitted[3 * n + i]};
    return known_[i] = {w * a - dot(u, b), b * w + u * a + cross(u, b)};
}

bool FleshPlaces::find(const TouchingBody& body, const TouchedPoints& points, Vec3 place, std::uint32_t start,
                       FleshPlace& out) {
    std::uint32_t at = start;
    Vec3 back;
    for (int step = 0;; ++step) {
        back = turn_of(body, at).back(place - points.positions.at(at));
        const std::uint32_t next = step < longest_walk ? next_towards(body.around(at), back) : TouchingBody::none;
        if (next == TouchingBody::none || next == at) break;
        at = next;
    }
    if (!(std::max({std::abs(back.x), std::abs(back.y), std::abs(back.z)}) < farthest)) return false;
    const std::uint32_t cell = place_of(side_of(back.x), side_of(back.y), side_of(back.z));
    if ((body.points[at].linked >> cell & 1u) == 0) return false;

    // Between the point and those on this side of it.
    const std::uint32_t* around = body.around(at);
    const Turn own = turn_of(body, at);
    const float off[3] = {std::min(std::abs(back.x), 0.5f), std::min(std::abs(back.y), 0.5f),
                          std::min(std::abs(back.z), 0.5f)};
    const int way[3] = {back.x < 0 ? -1 : 1, back.y < 0 ? -1 : 1, back.z < 0 ? -1 : 1};
    out.home = at;
    out.count = 0;
    float all = 0;
    Vec3 now, off_home;
    for (int corner = 0; corner < 8; ++corner) {
        const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
        const float weight = (x ? off[0] : 1 - off[0]) * (y ? off[1] : 1 - off[1]) * (z ? off[2] : 1 - off[2]);
        const std::uint32_t point = around[place_of(x * way[0], y * way[1], z * way[2])];
        if (point == TouchingBody::none || weight < TouchingBody::least_weight) continue;
        now += points.positions.at(point) * weight;
        off_home += Vec3{float(x * way[0]), float(y * way[1]), float(z * way[2])} * weight;
        all += weight;
        out.points[out.count] = point;
        out.weights[out.count++] = weight;
    }
    const float share = 1 / all;  // its own is at least 1/8
    for (std::uint32_t k = 0; k < out.count; ++k) out.weights[k] *= share;
    out.turn = own;
    const Vec3 rest = body.points[at].rest + off_home * share;
    out.rest = rest + own.back(place - now * share);
    return true;
}

}  // namespace fascia::contact
