#include "methods/handles/reduced_handles.h"

#include <algorithm>

namespace fascia {

namespace {

constexpr std::size_t most_frames = 80;

/// As a joint's matrix. frame: the columns of R, then t in units about the origin
Affine joint_of(const float* frame, Vec3d origin, double unit) {
    Affine out;
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) out.m[r][c] = double(frame[3 * c + r]);
        out.m[r][3] = double(frame[9 + r]) * unit;
    }
    out.m[0][3] += origin.x, out.m[1][3] += origin.y, out.m[2][3] += origin.z;
    return out;
}

}  // namespace

ReducedHandles::ReducedHandles(const RestSurface& rest, const HandlePoints& points)
    : arap_(points.arap.rest(), points.arap.graph(), most_frames), rest_(points.arap.rest()) {
    const sim::SpreadFrames& spread = arap_.spread();
    constexpr std::size_t slots = sim::SpreadFrames::influences;
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    for (const std::uint32_t p : points.places)
        for (std::size_t s = p * slots; s < (p + 1) * slots; ++s)
            joints.push_back(spread.frames[s]), weights.push_back(spread.weights[s]);
    std::vector<Affine> places;
    for (const std::uint32_t p : spread.centres) places.push_back(compose(to_double(points.rest[p]), {}, {1, 1, 1}));
    skin_ = LbsSurface({rest.positions, rest.normals, rest.tangents, joints, weights, int(slots)}, places);
}

ReducedFactor ReducedHandles::factor(std::span<const std::uint8_t> held, const LinkHold& links) const {
    ReducedFactor out;
    out.hold = sim::ReducedHold(arap_, held);
    out.links = links.only(out.hold.chosen(), held.size());
    out.links_at_frames = links.only(centres(), held.size());
    return out;
}

void ReducedHandles::follow(const ReducedFactor& factor, const HandlePoints& points, std::span<const LinkMap> links,
                            std::span<const Affine> carried, std::span<const std::uint8_t> enabled, Vec3d origin,
                            std::span<float> turns, int rounds, Scratch& scratch, std::span<float> frames) const {
    const std::vector<std::uint32_t>& chosen = factor.hold.chosen();
    const std::span<float> places = sized(scratch.places, sim::arap_floats * chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        const std::size_t p = chosen[k];
        const Vec3d at = to_double(points.rest[p]);
        Vec3d sum{};
        for (std::size_t s = p * points.influences; s < (p + 1) * points.influences; ++s)
            if (points.weights[s] > 0)
                sum += transform_point(carried[points.joints[s]], at) * double(points.weights[s]);
        const Vec3d near = (sum - origin) * (1 / points.unit);
        float* to = &places[sim::arap_floats * k];
        to[0] = float(near.x), to[1] = float(near.y), to[2] = float(near.z);
    }
    if (rounds > 0) factor.links.place(links, carried, enabled, origin, points.unit, places, {}, 0);
    const std::span<Vec3> targets = sized(scratch.targets, chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        const float* at = &places[sim::arap_floats * k];
        targets[k] = {at[0], at[1], at[2]};
    }
    const std::size_t count = frame_count();
    const std::span<float> unused = sized(scratch.centres, sim::arap_floats * count);
    if (rounds > 0) factor.links_at_frames.place(links, carried, enabled, origin, points.unit, unused, turns, count);
    factor.hold.solve(arap_, targets, turns, rounds, scratch.arap, frames);
}

void ReducedHandles::show(std::span<const float> frames, Vec3d origin, double unit, Scratch& scratch,
                          const Surface& out, Workspace& work) const {
    const std::span<Affine> pose = sized(scratch.pose, frame_count());
    for (std::size_t k = 0; k < pose.size(); ++k) pose[k] = joint_of(&frames[12 * k], origin, unit);
    skin_.skin(pose, out, work);
}

Affine ReducedHandles::at_point(std::span<const float> frames, std::uint32_t point) const {
    constexpr std::size_t slots = sim::SpreadFrames::influences;
    Affine out;
    for (auto& row : out.m) std::fill(std::begin(row), std::end(row), 0.0);
    const sim::SpreadFrames& spread = arap_.spread();
    for (std::size_t s = point * slots; s < (point + 1) * slots; ++s) {
        const std::size_t k = spread.frames[s];
        const double w = double(spread.weights[s]);
        const Affine frame = joint_of(&frames[12 * k], {}, 1);
        const Vec3d at = transform_point(frame, to_double(rest_[point]) - to_double(arap_.centres()[k]));
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 3; ++c) out.m[r][c] += w * frame.m[r][c];
        out.m[0][3] += w * at.x, out.m[1][3] += w * at.y, out.m[2][3] += w * at.z;
    }
    return out;
}

}  // namespace fascia
