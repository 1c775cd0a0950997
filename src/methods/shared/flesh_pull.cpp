#include "methods/shared/flesh_pull.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "embed/ray_hit.h"

namespace fascia {

namespace {

constexpr double hand_radius = 0.1;  ///< of the size: how far a hand takes flesh along
constexpr double hand_reach = 0.1;   ///< of the size: a target further away than twice this pulls no harder
constexpr double hand_gap = 0.25;    ///< of the size: at a larger distance there is nothing to hold
constexpr double hand_hz = 14;       ///< frequency of a single node, without flesh around it, in a firm hand
constexpr double hand_damping = 0.7;
constexpr double longest_arm = 3;  ///< voxels, from the node held to the point of the surface

/// Where a point is shown, in the frame.
Vec3d node_place(const GripBody& body, const GripPlace& place, const State& state, std::size_t slot) {
    const std::size_t n = body.stride;
    const auto seen = [&](std::size_t k) {
        if (body.shown.empty()) return state.positions[k];
        return place.driven[k] + body.shown[slot] * (state.positions[k] - place.driven[k]);
    };
    return {seen(slot), seen(n + slot), seen(2 * n + slot)};
}

/// The map by which scaled bones stretch the surroundings of a point, relative to the frame's origin.
Affine stretch_at(const GripBody& body, const GripPlace& place, std::size_t slot) {
    Affine out{{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
    for (std::size_t k = slot; k < 4 * body.stride; k += body.stride) {
        const double w = body.weights[k];
        if (w == 0) continue;
        const Affine& map = place.stretch[body.joints[k]];
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 4; ++c) out.m[r][c] += w * map.m[r][c];
    }
    return out;
}

/// Converts a position in the scene, near a point, to the frame.
Vec3d to_frame(const GripBody& body, const GripPlace& place, std::size_t slot, Vec3d scene) {
    Vec3d about = scene - place.frame.origin;
    if (!place.stretch.empty()) about = transform_point(inverse(stretch_at(body, place, slot)), about);
    return to_axes(about * (1 / place.frame.scale), place.frame.turn);
}

/// Converts a short displacement in the frame, at a point, to the scene.
Vec3d way_in_scene(const GripBody& body, const GripPlace& place, std::size_t slot, Vec3d way) {
    const Vec3d out = from_axes(way, place.frame.turn) * place.frame.scale;
    if (place.stretch.empty()) return out;
    const Affine map = stretch_at(body, place, slot);
    return transform_point(map, out) - transform_point(map, {});
}

Vec3d rest_place(const GripBody& body, std::size_t node) {
    const std::size_t n = body.stride, slot = body.slots[node];
    return {body.rest[slot], body.rest[n + slot], body.rest[2 * n + slot]};
}

bool carries_surface(const GripBody& body, std::size_t node) {
    return std::binary_search(body.carriers.begin(), body.carriers.end(), body.slots[node]);
}

struct Nearest {
    std::ptrdiff_t flesh = -1;  ///< the node of flesh under the surface that gives way, or -1
    double gap = 1e300;         ///< to any node under the surface
};

Nearest nearest_to(const GripBody& body, const GripPlace& place, const State& state, Vec3d point,
                   std::span<const float> give) {
    Nearest out;
    double least = 1e300;
    for (std::size_t i = 0; i < body.slots.size(); ++i) {
        if (!carries_surface(body, i)) continue;
        const std::size_t slot = body.slots[i];
        const Vec3d off = node_place(body, place, state, slot) - to_frame(body, place, slot, point);
        const double square = dot(off, off);
        out.gap = std::min(out.gap, std::sqrt(square));
        if (body.flesh[i] != 0 && give[i] > 0 && square < least) least = square, out.flesh = std::ptrdiff_t(i);
    }
    return out;
}

/// Limits the length smoothly to `limit`; the direction stays, and short vectors hardly change.
Vec3d capped(Vec3d v, double limit) {
    const double l = length(v);
    return v * (1 / std::sqrt(1 + l * l / (limit * limit)));
}

}  // namespace

bool is_held(const State& state, std::size_t stride) {
    const Grip& grip = state.grip;
    return !grip.points.empty() && grip.shares.size() == grip.points.size() &&
           *std::max_element(grip.points.begin(), grip.points.end()) < stride;
}

bool grip_flesh(const GripBody& body, const GripPlace& place, Vec3d point, std::span<const float> give, State& state) {
    const auto [held, gap] = nearest_to(body, place, state, point, give);
    if (held < 0 || !(gap <= std::max(hand_gap * body.size / body.h, longest_arm))) return false;
    const double radius = std::max(hand_radius * body.size / body.h, 2.5);
    const Vec3d centre = rest_place(body, std::size_t(held));

    // Walks through the tissue, so that the other leg, right beside the one held, is not pulled along.
    std::vector<std::uint8_t> seen(body.slots.size(), 0);
    std::vector<std::uint32_t> queue{std::uint32_t(held)};
    seen[std::size_t(held)] = 1;
    Grip& grip = state.grip;
    grip = {};
    for (std::size_t k = 0; k < queue.size(); ++k) {
        const std::uint32_t i = queue[k];
        const Vec3d off = rest_place(body, i) - centre;
        const double inside = 1 - dot(off, off) / (radius * radius);
        if (body.flesh[i] != 0) {
            grip.points.push_back(body.slots[i]);
            grip.shares.push_back(float(inside * inside * give[i]));
        }
        for (const std::uint32_t next : body.links.of(i)) {
            const Vec3d d = rest_place(body, next) - centre;
            if (!seen[next] && dot(d, d) < radius * radius) seen[next] = 1, queue.push_back(next);
        }
    }
    // The arm is limited to the cells around the node.
    const std::size_t slot = body.slots[std::size_t(held)];
    const Vec3d arm = to_frame(body, place, slot, point) - node_place(body, place, state, slot);
    const double within = std::min(1.0, longest_arm / std::max(length(arm), 1e-9));
    grip.arm = way_in_scene(body, place, slot, arm * within);
    return true;
}

/// [Iwamoto 2015, fig. 11]
void push_of_grip(const GripBody& body, const GripPlace& place, const State& state, double t, double dt,
                  std::span<float> out) {
    const Grip& grip = state.grip;
    const std::size_t n = body.stride;
    const Vec3d target = grip.last_target * (1 - t) + grip.target * t;
    // Far targets only give a direction; this keeps their squares finite.
    const double far = 1e6 * body.size / body.h;
    Vec3d gap =
        to_frame(body, place, grip.points[0], target - grip.arm) - node_place(body, place, state, grip.points[0]);
    gap = {std::clamp(gap.x, -far, far), std::clamp(gap.y, -far, far), std::clamp(gap.z, -far, far)};
    gap = capped(gap, 2 * hand_reach * body.size / body.h);

    const double w = 2 * portable::pi * hand_hz * std::sqrt(grip.strength);
    const Vec3 pull = to_float(gap * std::min(w * w * dt, 0.5 / dt));
    const float brake = float(std::min(2 * hand_damping * w * dt, 0.5)), along[3] = {pull.x, pull.y, pull.z};
    for (std::size_t k = 0; k < grip.points.size(); ++k)
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t at = c * n + grip.points[k];
            out[at] = grip.shares[k] * (along[c] - brake * state.velocities[at]);
        }
}

std::optional<Vec3d> pick_surface(const Rig& rig, std::span<const std::uint32_t> triangles, const Ray& ray,
                                  const State& state, Workspace& work) {
    std::vector<Vec3> positions(rig.vertex_count());
    rig.embed(state, {positions, {}, {}}, work);
    const auto t = embedding::first_hit(ray.origin, ray.direction, positions, triangles);
    if (!t) return std::nullopt;
    return ray.origin + ray.direction * *t;
}

}  // namespace fascia
