#include "character/loose_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "character/outermost_points.h"
#include "character/skin_parts.h"

namespace fascia {
namespace {

constexpr double kMostTurn = 1.9;  ///< radians

bool is_finite(Vec3d v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

Vec3d mean_of(const std::vector<Vec3d>& places) {
    Vec3d sum;
    for (const Vec3d& place : places) sum += place;
    return sum * (1.0 / static_cast<double>(places.size()));
}

/// Long and thin, away from where it hangs: a tail or a cape, but neither a belly nor a hood.
bool dangles(const std::vector<Vec3d>& places, Vec3d pivot) {
    constexpr double kThickest = 0.35;
    if (places.size() < 3) return false;
    const Vec3d along = normalized(mean_of(places) - pivot);
    double longest = 0, squares = 0;
    for (const Vec3d& place : places) {
        const Vec3d way = place - pivot;
        const double far = dot(way, along);
        longest = std::max(longest, far);
        squares += dot(way, way) - far * far;
    }
    return std::sqrt(std::max(0.0, squares) / static_cast<double>(places.size())) < kThickest * longest;
}

/// [nodes] Carries `true` on to every node below one that has it.
std::vector<bool> spread_up(const Character& character, std::vector<bool> flags) {
    for (std::size_t n = flags.size(); n-- > 0;)
        for (int above = character.nodes[n].parent; flags[n] && above >= 0; above = character.nodes[above].parent)
            flags[above] = true;
    return flags;
}

}  // namespace

LooseParts::LooseParts(const Character& character, const CharacterRest& rest, const Anatomy& anatomy,
                       const PosedBody& body)
    : frame_(body.alignment().frame), is_loose_(character.nodes.size(), false) {
    const std::vector<int> parts = parts_of_nodes(character, rest, anatomy);
    Vertices skin;
    const auto slots = static_cast<std::size_t>(std::max(0, character.weights.influences));
    for (std::size_t v = 0; slots > 0 && v < character.mesh.positions.size(); ++v) {
        const Vec3d place = to_double(character.mesh.positions[v]);
        if (!is_finite(place) || (v + 1) * slots > character.weights.joints.size()) continue;
        skin.node.push_back(character.joints[character.weights.joints[v * slots]].node);
        skin.place.push_back(place);
    }
    // Nodes that carry a driven joint belong to the body; so do fingers and toes.
    std::vector<bool> drives(character.nodes.size(), false), may_hang(character.nodes.size(), false);
    for (int node : body.driven_nodes()) drives[node] = true;
    drives[body.root_node()] = true;
    for (int node : body.detached_nodes()) drives[node] = true;
    for (const auto* limbs : {&anatomy.arms, &anatomy.legs})
        for (const Limb& limb : *limbs)
            for (int joint : limb.joints)
                if (joint >= 0) drives[rest.nodes[joint]] = true;
    if (anatomy.head >= 0) drives[rest.nodes[anatomy.head]] = true;
    drives = spread_up(character, drives);
    for (std::size_t n = 0; n < drives.size(); ++n) may_hang[n] = !drives[n] && parts[n] == trunk;
    find_joints(character, rest, skin, may_hang);
    find_rigid(character, rest, skin, parts, body);
}

void LooseParts::find_joints(const Character& character, const CharacterRest& rest, const Vertices& skin,
                             const std::vector<bool>& may_hang) {
    for (std::size_t n = 0; n < may_hang.size(); ++n) {
        if (!may_hang[n] || is_loose_[n] || rest.joint_of_node[n] < 0 || rest.locals[n].fixed) continue;
        std::vector<bool> below(may_hang.size(), false);
        below[n] = true;
        for (std::size_t m = n + 1; m < below.size(); ++m)
            below[m] = character.nodes[m].parent >= 0 && below[character.nodes[m].parent];
        std::vector<Vec3d> places;
        for (std::size_t v = 0; v < skin.node.size(); ++v)
            if (below[skin.node[v]]) places.push_back(skin.place[v]);
        const Vec3d pivot = translation_of(rest.world[n]);
        if (!dangles(places, pivot)) continue;
        add(rest, static_cast<int>(n), pivot, places);
        mark_below(character, static_cast<int>(n));
    }
}

/// What is held in a hand of skin, or dangles from the trunk.
void LooseParts::find_rigid(const Character& character, const CharacterRest& rest, const Vertices& skin,
                            const std::vector<int>& parts, const PosedBody& body) {
    std::vector<bool> part_has_skin(kSkinParts, false), node_has_skin(character.nodes.size(), false);
    for (int node : skin.node) part_has_skin[parts[node]] = node_has_skin[node] = true;
    std::map<int, std::vector<Vec3d>> by_node;
    for (const Part& part : character.rigid.parts) {
        const int node = part.node;
        if (node < 0 || is_loose_[node] || rest.joint_of_node[node] >= 0 || rest.locals[node].fixed) continue;
        for (int v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
            const Vec3d place = transform_point(rest.world[node], to_double(character.rigid.positions[v]));
            if (is_finite(place)) by_node[node].push_back(place);
        }
    }
    for (const auto& [node, places] : by_node) {
        int carrier = character.nodes[node].parent;
        while (carrier >= 0 && rest.joint_of_node[carrier] < 0 && !body.is_driven(carrier))
            carrier = character.nodes[carrier].parent;
        if (carrier < 0) continue;
        const int part = parts[carrier];
        const bool is_held = (part == left_hand || part == right_hand) && part_has_skin[part];
        const Vec3d pivot = translation_of(rest.world[is_held ? carrier : node]);
        if (!is_held && !(part == trunk && node_has_skin[carrier] && dangles(places, pivot))) continue;
        add(rest, node, pivot, places);
        mark_below(character, node);
    }
}

void LooseParts::add(const CharacterRest& rest, int node, Vec3d pivot, const std::vector<Vec3d>& places) {
    Thing thing;
    thing.node = node;
    const Affine to_node = inverse(rest.world[node]);
    OutermostVertices outermost(frame_);
    for (std::size_t v = 0; v < places.size(); ++v) outermost.add(node, static_cast<int>(v), places[v]);
    outermost.visit([&](int, int, Vec3d place) { thing.points.push_back(transform_point(to_node, place)); });
    thing.pivot = transform_point(to_node, pivot);
    thing.middle = transform_point(to_node, mean_of(places));
    things_.push_back(std::move(thing));
}

void LooseParts::mark_below(const Character& character, int node) {
    is_loose_[node] = true;
    for (std::size_t n = static_cast<std::size_t>(node) + 1; n < is_loose_.size(); ++n) {
        int above = character.nodes[n].parent;
        while (above > node) above = character.nodes[above].parent;
        if (above == node) is_loose_[n] = true;
    }
}

// ---- turning -------------------------------------------------------------------------------------

void LooseParts::rest_on_floor(const PosedBody& body, double floor, std::size_t frames, double ease,
                               const std::function<void(std::size_t)>& pose) {
    if (things_.empty()) return;
    for (std::size_t f = 0; f < frames; ++f) {
        pose(f);
        for (Thing& thing : things_) thing.world.push_back(body.world()[thing.node]);
    }
    for (Thing& thing : things_) {
        find_axes(thing, ease);
        TimeSeries angle(frames, 0);
        for (std::size_t f = 0; f < frames; ++f) angle[f] = angle_to_clear(thing, f, floor);
        thing.angle = smooth_envelope(angle, ease);
    }
}

/// A part turns up the way it leans; one that hangs straight down turns backwards.
void LooseParts::find_axes(Thing& thing, double ease) const {
    const Vec3d up = frame_.up(), back = rotate(frame_.rotation, {0, 0, -1});
    TimeSeries axes[3];
    for (const Affine& world : thing.world) {
        const Vec3d lean = transform_point(world, thing.middle) - transform_point(world, thing.pivot);
        const Vec3d axis = cross(normalized(lean) + back * 0.1, up);
        axes[0].push_back(axis.x);
        axes[1].push_back(axis.y);
        axes[2].push_back(axis.z);
    }
    for (TimeSeries& axis : axes) axis = smoothed(axis, ease);
    for (std::size_t f = 0; f < thing.world.size(); ++f)
        thing.axis.push_back(normalized(Vec3d{axes[0][f], axes[1][f], axes[2][f]}, cross(back, up)));
}

double LooseParts::lowest_at(const Thing& thing, std::size_t f, double angle) const {
    const Vec3d up = frame_.up(), pivot = transform_point(thing.world[f], thing.pivot);
    const Quat turn = quat_from_axis_angle(thing.axis[f], angle);
    double low = std::numeric_limits<double>::infinity();
    for (const Vec3d& point : thing.points)
        low = std::min(low, dot(pivot + rotate(turn, transform_point(thing.world[f], point) - pivot), up));
    return low;
}

double LooseParts::angle_to_clear(const Thing& thing, std::size_t f, double floor) const {
    const auto lowest_at = [&](double angle) { return this->lowest_at(thing, f, angle); };
    if (lowest_at(0) >= floor) return 0;
    constexpr int kSteps = 24, kHalvings = 12;
    double best = 0, best_low = lowest_at(0);
    for (int step = 1; step <= kSteps; ++step) {
        const double angle = kMostTurn * step / kSteps, low = lowest_at(angle);
        if (low > best_low) best = angle, best_low = low;
        if (low < floor) continue;
        double below = kMostTurn * (step - 1) / kSteps, above = angle;
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = (below + above) / 2;
            (lowest_at(middle) < floor ? below : above) = middle;
        }
        return above;
    }
    return best;
}

TimeSeries LooseParts::remaining_depths(double floor) const {
    TimeSeries depths;
    for (const Thing& thing : things_) {
        depths.resize(thing.angle.size(), 0);
        for (std::size_t f = 0; f < thing.angle.size(); ++f)
            depths[f] = std::max(depths[f], floor - lowest_at(thing, f, thing.angle[f]));
    }
    return depths;
}

void LooseParts::turn(PosedBody& body, std::size_t f) const {
    for (const Thing& thing : things_) {
        if (thing.angle.empty() || thing.angle[f] == 0) continue;
        const Vec3d pivot = transform_point(body.world()[thing.node], thing.pivot);
        body.turn_about(thing.node, pivot, quat_from_axis_angle(thing.axis[f], thing.angle[f]));
    }
}

std::vector<int> LooseParts::turned_nodes() const {
    std::vector<int> nodes;
    for (const Thing& thing : things_)
        if (std::any_of(thing.angle.begin(), thing.angle.end(), [](double angle) { return angle > 0; }))
            nodes.push_back(thing.node);
    return nodes;
}

}  // namespace fascia
