#include "methods/shared/world_touch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/hash.h"
#include "base/workspace.h"

namespace fascia {

namespace {

constexpr int patch_cells = 2;        ///< places of a cube of this edge, in h, form a patch
constexpr double push_out_speed = 1;  ///< sizes per second at which solids push out what was in them
constexpr float stretched = 1.3f;     ///< how much wider than at rest a patch may be
constexpr float around = 1.2f;        ///< in h, added to the stretched radius of a patch
constexpr float least_yield = 0.3f;   ///< places that yield by less are not pressed any harder
constexpr float stiff = 1e-3f;        ///< in h: less is bone

using Cell = std::tuple<long, long, long>;

Cell cell_of(Vec3 p, double edge) {
    return {long(std::floor(p.x / edge)), long(std::floor(p.y / edge)), long(std::floor(p.z / edge))};
}

/// Among the vertices that a point carries more than any other point does, the one farthest out along their mean
/// normal. Every point that carries the surface is then asked by a place of its own.
std::vector<std::uint32_t> outermost(std::span<const Vec3> places, std::span<const Vec3> normals,
                                     const embedding::Trilinear& bound) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> groups;
    for (std::uint32_t v = 0; v < places.size(); ++v) {
        const float* weights = &bound.weights[std::size_t(bound.slots) * v];
        const std::size_t main = std::size_t(std::max_element(weights, weights + bound.slots) - weights);
        groups[bound.points[std::size_t(bound.slots) * v + main]].push_back(v);
    }
    std::vector<std::uint32_t> out;
    for (const auto& [point, vertices] : groups) {
        Vec3 mean;
        for (const std::uint32_t v : vertices) mean += normals[v];
        const auto further = [&](std::uint32_t a, std::uint32_t b) {
            return dot(places[a], mean) < dot(places[b], mean);
        };
        out.push_back(*std::max_element(vertices.begin(), vertices.end(), further));
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<Vec3> normals_of(const RestSurface& surface, std::span<const Vec3> places) {
    std::vector<Vec3> out(places.size());
    const auto& t = surface.triangles;
    for (std::size_t k = 0; k + 2 < t.size(); k += 3) {
        const Vec3 n = cross(places[t[k + 1]] - places[t[k]], places[t[k + 2]] - places[t[k]]);
        for (std::size_t c = 0; c < 3; ++c) out[t[k + c]] += n;
    }
    for (Vec3& n : out) n = normalized(n);
    return out;
}

/// The four largest weights of a vertex, with the sum 1.
void take_weights(const SkinWeights& from, std::size_t vertex, std::uint16_t* joints, float* weights) {
    const auto count = std::size_t(from.influences);
    std::fill(joints, joints + 4, std::uint16_t(0));
    std::fill(weights, weights + 4, 0.0f);
    for (std::size_t k = vertex * count; k < (vertex + 1) * count; ++k) {
        const std::size_t least = std::size_t(std::min_element(weights, weights + 4) - weights);
        if (from.weights[k] > weights[least]) weights[least] = from.weights[k], joints[least] = from.joints[k];
    }
    const float sum = weights[0] + weights[1] + weights[2] + weights[3];
    for (std::size_t k = 0; k < 4; ++k) weights[k] = sum > 0 ? weights[k] / sum : k == 0 ? 1.0f : 0.0f;
}

}  // namespace

WorldTouch::WorldTouch(const TouchableBody& body)
    : push_out_(float(push_out_speed * body.size / body.h)), skinned_(body.skinned), linear_(body.linear) {
    limit_.assign(body.stride, 0);
    for (std::size_t i = 0; i < body.slots.size(); ++i)
        if (body.reach[i] > stiff) limit_[body.slots[i]] = body.reach[i];
    for (const Joint& joint : body.surface->joints) {
        joint_numbers_.emplace(joint.name, int(joint_rests_.size()));
        joint_rests_.push_back(translation_of(joint.rest));
    }
    std::vector<Vec3> local;
    for (const Vec3 v : body.surface->positions)
        local.push_back(to_float(to_axes((to_double(v) - body.centre) * (1 / body.h), body.turn)));

    // Places of one patch are next to each other.
    std::map<Cell, std::vector<Place>> patches;
    for (const std::uint32_t v : outermost(local, normals_of(*body.surface, local), *body.bound)) {
        Place place;
        place.rest = local[v];
        take_weights(body.surface->weights, v, place.joints, place.skin);
        place.yield = 0;
        for (std::size_t k = 0; k < slots; ++k) {
            const std::uint32_t at = body.slots[body.bound->points[slots * v + k]];
            place.carriers[k] = at;
            place.weights[k] = body.bound->weights[slots * v + k];
            place.shares[k] = place.weights[k] * (body.shown.empty() ? 1 : body.shown[at]);
            if (limit_[at] > 0) place.yield += place.shares[k];
        }
        if (!(place.yield > 0)) continue;  // nothing but bone
        place.yield = std::max(place.yield, least_yield);
        patches[cell_of(place.rest, patch_cells)].push_back(place);
    }
    for (const auto& [cell, places] : patches) {
        Patch patch{std::uint32_t(places_.size()), std::uint32_t(places.size()), 0, 0};
        Vec3 middle;
        for (const Place& place : places) middle += place.rest * (1.0f / float(places.size()));
        const auto nearer = [&](const Place& a, const Place& b) {
            return length(a.rest - middle) < length(b.rest - middle);
        };
        const Place& lead = *std::min_element(places.begin(), places.end(), nearer);
        patch.lead = lead.carriers[std::size_t(std::max_element(lead.shares, lead.shares + slots) - lead.shares)];
        for (const Place& place : places) patch.radius = std::max(patch.radius, length(place.rest - lead.rest));
        patch.radius = patch.radius * stretched + around;
        largest_patch_ = std::max(largest_patch_, patch.radius);
        patches_.push_back(patch);
        places_.insert(places_.end(), places.begin(), places.end());
    }
}

// ---- where solids are ------------------------------------------------------------------------------------------
/// -1: it moves with no joint; the joint count: with a joint that this body does not have.
int WorldTouch::joint_of(const World::Impl& world, std::size_t solid) const {
    const std::string& name = world.settings.colliders[solid].joint;
    if (name.empty()) return -1;
    const auto found = joint_numbers_.find(name);
    return found == joint_numbers_.end() ? int(joint_rests_.size()) : found->second;
}

SolidPlace WorldTouch::place_of(const World::Impl& world, std::size_t solid, double share,
                                std::span<const JointPlace> joints) const {
    const SolidPlace own = between(world.last[solid], world.now[solid], share);
    const int joint = joint_of(world, solid);
    if (joint < 0 || std::size_t(joint) >= joints.size()) return own;
    const JointPlace& with = joints[std::size_t(joint)];
    return {rotate(with.rotation, own.place - joint_rests_[std::size_t(joint)]) * with.scale + with.place,
            normalized(with.rotation * own.turn)};
}

WorldTouch::SolidFrame WorldTouch::frame_of(const SolidPlace& place, const PointFrame& frame) const {
    const Quat back = conjugate(place.turn);
    SolidFrame out;
    const Vec3d columns[3] = {rotate(back, from_axes(Vec3d{1, 0, 0}, frame.turn)) * frame.scale,
                              rotate(back, from_axes(Vec3d{0, 1, 0}, frame.turn)) * frame.scale,
                              rotate(back, from_axes(Vec3d{0, 0, 1}, frame.turn)) * frame.scale};
    out.rows[0] = to_float({columns[0].x, columns[1].x, columns[2].x});
    out.rows[1] = to_float({columns[0].y, columns[1].y, columns[2].y});
    out.rows[2] = to_float({columns[0].z, columns[1].z, columns[2].z});
    out.shift = to_float(rotate(back, frame.origin - place.place));
    out.scale = float(frame.scale);
    return out;
}

void WorldTouch::find_near(const World::Impl& world, const PointFrame& frame, contact::ConstChannels positions,
                           std::vector<std::uint32_t>& out) const {
    out.clear();
    contact::FloatBox box;
    for (const Patch& patch : patches_) box.add(positions.at(patch.lead));
    // Wide enough for the motion of both within a frame.
    const Vec3 middle = (box.low + box.high) * 0.5f;
    const float radius = length(box.high - box.low) * 0.65f + 2 * largest_patch_;
    const Vec3d centre = frame.origin + from_axes(to_double(middle), frame.turn) * frame.scale;
    for (std::uint32_t k = 0; k < world.solids.size(); ++k) {
        const int joint = joint_of(world, k);
        if (joint >= int(joint_rests_.size())) continue;
        if (joint < 0) {
            Vec3 ignored;
            const contact::Solid& solid = world.solids[k];
            const auto gap = [&](const SolidPlace& place) {
                const Vec3 c = to_float(rotate(conjugate(place.turn), centre - place.place));
                if (solid.is_endless()) return solid.distance(c, ignored);
                const Vec3 half = (solid.box().high - solid.box().low) * 0.5f,
                           at = (solid.box().high + solid.box().low) * 0.5f;
                return length(c - at) - length(half);
            };
            const float way = float(length(world.now[k].place - world.last[k].place));
            if (std::min(gap(world.last[k]), gap(world.now[k])) > radius * float(frame.scale) + way) continue;
        }
        out.push_back(k);
    }
}

int WorldTouch::main_joint(const Place& place) const {
    return place.joints[std::size_t(std::max_element(place.skin, place.skin + 4) - place.skin)];
}

// ---- one step --------------------------------------------------------------------------------------------------
Vec3 WorldTouch::skinned_place(const Place& place, std::span<const float> duals) const {
    const auto moved = [&](const float* q, const float* t) {
        // p + 2 r x (r x p + w p), and the translation 2 (w t - t_w r + r x t).
        const Vec3 r{q[1], q[2], q[3]}, d{t[1], t[2], t[3]}, p = place.rest;
        return p + cross(r, cross(r, p) + p * q[0]) * 2 + (d * q[0] - r * t[0] + cross(r, d)) * 2;
    };
    if (linear_) {
        Vec3 out;
        for (std::size_t k = 0; k < 4; ++k)
            if (place.skin[k] > 0) {
                const float* dual = &duals[8 * std::size_t(place.joints[k])];
                out += moved(dual, dual + 4) * place.skin[k];
            }
        return out;
    }
    float mixed[8] = {};
    for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t c = 0; c < 8; ++c) mixed[c] += place.skin[k] * duals[8 * std::size_t(place.joints[k]) + c];
    const float size = std::sqrt(mixed[0] * mixed[0] + mixed[1] * mixed[1] + mixed[2] * mixed[2] + mixed[3] * mixed[3]);
    for (float& each : mixed) each /= size > 0 ? size : 1;
    return moved(mixed, mixed + 4);
}

WorldTouch::Moving WorldTouch::moving_place(const Place& place, const contact::TouchedPoints& points,
                                            std::span<const float> duals) const {
    Moving out;
    if (skinned_) out.at = skinned_place(place, duals);
    for (std::size_t c = 0; c < slots; ++c) {
        const float weight = place.weights[c], share = place.shares[c];
        if (weight == 0) continue;
        const std::uint32_t i = place.carriers[c];
        const Vec3 driven = points.driven.at(i);
        if (!skinned_) out.at += driven * weight;
        out.at += (points.positions.at(i) - driven) * share;
        out.speed += points.driven_speed.at(i) * weight + points.velocities.at(i) * share;
    }
    return out;
}

void WorldTouch::press_one(const World::Impl& world, std::uint32_t solid_number, const TouchingBodyNow& body,
                           const contact::TouchedPoints& points, Scratch& scratch) const {
    const contact::Solid& solid = world.solids[solid_number];
    const SolidFrame now = frame_of(scratch.now[solid_number], body.frame),
                     before = frame_of(scratch.before[solid_number], body.frame);
    const int joint = joint_of(world, solid_number);
    const float scale = now.scale, dt = points.dt, friction = float(world.settings.colliders[solid_number].friction);
    // A sphere that contains the solid throughout the step, in the units of the points.
    const Vec3 half = (solid.box().high - solid.box().low) * 0.5f, own = (solid.box().high + solid.box().low) * 0.5f;
    const auto middle = [&](const SolidFrame& f) { return f.out_of_solid(own - f.shift) * (1 / scale); };
    const Vec3 centre = solid.is_endless() ? Vec3{} : middle(now);
    const float bound = solid.is_endless() ? 0 : length(half) / scale + 2 * length(centre - middle(before));
    for (std::size_t k = 0; k < patches_.size(); ++k) {
        const Patch& patch = patches_[k];
        const Vec4& first = scratch.leads[k];
        const Vec3 apart = Vec3{first.x, first.y, first.z} - centre;
        const float near = bound + first.w;
        if (!solid.is_endless() && dot(apart, apart) > near * near) continue;
        // Neither goes further than its motion in this step.
        const Vec3 lead = points.positions.at(patch.lead), at = now.in_solid(lead);
        const float way = length(at - before.in_solid(lead - points.speed(patch.lead) * dt));
        const float reach = patch.radius * scale + 2 * way;
        const contact::FloatBox& box = solid.box();
        if (!solid.is_endless() &&
            !(at.x > box.low.x - reach && at.y > box.low.y - reach && at.z > box.low.z - reach &&
              at.x < box.high.x + reach && at.y < box.high.y + reach && at.z < box.high.z + reach))
            continue;
        Vec3 ignored;
        if (solid.is_endless() && solid.distance(at, ignored) > reach) continue;
        for (std::uint32_t s = patch.first; s < patch.first + patch.count; ++s) {
            const Place& place = places_[s];
            if (joint == main_joint(place)) continue;
            if (scratch.known[s] != scratch.step) {
                scratch.known[s] = scratch.step;
                scratch.moving[s] = moving_place(place, points, body.duals);
            }
            const Moving& moving = scratch.moving[s];
            contact::SolidTouch touch;
            const contact::WayInSolid own_way{before.in_solid(moving.at - moving.speed * dt), now.in_solid(moving.at)};
            if (!contact::has_met(solid, own_way, touch)) continue;
            touch.depth /= scale;
            touch.out = now.out_of_solid(touch.out);
            touch.speed = now.out_of_solid(own_way.to - own_way.from) * (1 / (scale * dt));
            touch.friction = friction;
            touch.solid_speed = moving.speed - touch.speed;
            const Vec3 move = contact::move_out(touch, push_out_ * dt, dt) * (1 / place.yield);
            for (std::size_t c = 0; c < slots; ++c)
                if (place.weights[c] > 0 && limit_[place.carriers[c]] > 0)
                    scratch.sums.ask(place.carriers[c], place.weights[c], move, touch.solid_speed);
        }
    }
}

bool WorldTouch::press(const World::Impl& world, const TouchingBodyNow& body, Scratch& scratch) const {
    contact::TouchedPoints points = body.points;
    points.limit = limit_;
    scratch.sums.begin(limit_.size());
    ++scratch.step;
    // Each asks for itself: memory may run out between the two.
    if (scratch.moving.size() < places_.size()) scratch.moving.resize(places_.size());
    if (scratch.known.size() < places_.size()) scratch.known.resize(places_.size(), 0);
    const std::span<Vec4> leads = sized(scratch.leads, patches_.size());
    for (std::size_t k = 0; k < patches_.size(); ++k) {
        const Patch& patch = patches_[k];
        const Vec3 at = points.positions.at(patch.lead);
        leads[k] = {at.x, at.y, at.z, patch.radius + 2 * points.dt * length(points.speed(patch.lead))};
    }
    for (const std::uint32_t solid : scratch.near) press_one(world, solid, body, points, scratch);
    if (scratch.sums.empty()) return false;
    scratch.sums.apply(points);
    return true;
}

std::uint64_t WorldTouch::tag(const World::Impl& world, std::span<const std::uint32_t> near) const {
    Hasher hasher;
    for (const std::uint32_t k : near) {
        hasher.bytes(&k, sizeof k);
        hasher.bytes(&world.marks[k], sizeof world.marks[k]);
        hasher.bytes(&world.last[k], sizeof world.last[k]);
        hasher.bytes(&world.now[k], sizeof world.now[k]);
    }
    const Wind& wind = world.settings.wind;
    hasher.bytes(&wind.push, sizeof wind.push);
    hasher.bytes(&world.settings.gravity, sizeof world.settings.gravity);
    for (const Attractor& each : world.settings.attractors) {
        const double numbers[] = {each.place.x, each.place.y, each.place.z, each.radius, each.strength};
        hasher.bytes(numbers, sizeof numbers);
    }
    if (world.is_restless()) hasher.bytes(&world.time, sizeof world.time);
    return hasher.value();
}

}  // namespace fascia
