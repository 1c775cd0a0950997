#include "methods/neck/moved_bones.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/portable_math.h"
#include "sim/mass_properties.h"

namespace fascia {

namespace {

/// Where the springs of posture hold a bone: at the corners of a tetrahedron.
constexpr std::array<Vec3d, 4> corners{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};

/// The mass of the flesh around a bone, as a share of the heaviest bone.
constexpr double flesh_share = 0.1;
/// Steps of the bones in one of the flesh: their turns are large.
constexpr int substeps = 4;

int body_named(const AnatomyScene& scene, const std::string& name) {
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
        if (scene.bodies[b].name == name) return int(b);
    return -1;
}

void write_bone(const sim::BodyState& state, std::span<float> m) {
    const Vec3d at = state.place.at, p = state.momentum, s = state.spin;
    const Quat q = state.place.turn;
    const double all[] = {at.x, at.y, at.z, q.w, q.x, q.y, q.z, p.x, p.y, p.z, s.x, s.y, s.z};
    for (std::size_t k = 0; k < m.size(); ++k) m[k] = float(all[k]);
}

}  // namespace

MovedBones::MovedBones(const AnatomyScene& scene, std::span<const std::uint16_t> joint_of,
                       std::span<const Vec3d> centres, std::span<const int> parents, std::span<const Vec3d> pivots,
                       double posture)
    : bone_of_(parents.size(), -1), pivots_(pivots.begin(), pivots.end()) {
    // What ball joints link, bone by bone, to the first that no joint holds.
    std::vector<int> number(scene.bodies.size(), -1);  // 0: the base, then bones
    sim::BodyParts parts;
    for (const AnatomyScene::Joint& joint : scene.joints) {
        const int a = body_named(scene, joint.a), b = body_named(scene, joint.b);
        if (joint.revolute || a < 0 || b < 0) continue;
        const auto &above = scene.bodies[std::size_t(a)], &own = scene.bodies[std::size_t(b)];
        if (above.free || own.free || number[std::size_t(b)] >= 0 || joint_of[std::size_t(a)] == 0xffff) continue;
        if (bones_.empty()) {
            number[std::size_t(a)] = 0;
            base_ = std::size_t(a), base_joint_ = joint_of[base_], base_centre_ = centres[base_];
            parts.bodies.push_back({});
        }
        const std::size_t j = joint_of[std::size_t(b)];
        if (number[std::size_t(a)] < 0 || j == base_joint_ || bone_of_[j] >= 0) continue;
        const sim::MassProperties found = sim::mass_properties(own.solid.points, own.solid.triangles);
        const double volume = std::abs(found.volume), cubic = scene.unit * scene.unit * scene.unit;
        const double mass = own.mass > 0 ? own.mass : volume * own.density * cubic;
        if (!(mass > 0)) continue;
        double reach = 0;
        for (const Vec3d& p : own.solid.points) reach = std::max(reach, length(p - found.centre));
        sim::RigidBody rigid;
        rigid.mass = mass;
        rigid.inertia = sim::scaled_identity(0.01 * mass * reach * reach);
        if (volume > 0) rigid.inertia = rigid.inertia + found.inertia * (mass / found.volume);
        number[std::size_t(b)] = int(parts.bodies.size());
        bone_of_[j] = int(bones_.size());
        bones_.push_back({std::size_t(b), j, found.centre, 0.6 * reach});
        parts.bodies.push_back(rigid);
        const Vec3d axis = normalized(joint.axis, {1, 0, 0});
        const Vec3d at_a = joint.at - centres[std::size_t(a)];
        parts.balls.push_back({{number[std::size_t(a)], number[std::size_t(b)], at_a, joint.at - found.centre},
                               axis,
                               axis,
                               joint.limit < 180 ? joint.limit * portable::pi / 180 : 4.0});
        // Springs count by how much their bone weighs, or a head would fall where vertebrae stand.
        for (const Vec3d& corner : corners)
            parts.ties.push_back({number[std::size_t(b)], corner * bones_.back().radius, posture});
    }
    if (bones_.empty()) return;
    for (std::size_t k = 0; k < scene.actuators.size(); ++k) {
        const AnatomyScene::Actuator& each = scene.actuators[k];
        const int a = body_named(scene, each.a), b = body_named(scene, each.b);
        if (a < 0 || b < 0 || number[std::size_t(a)] < 0 || number[std::size_t(b)] < 0) continue;
        sim::HillMuscle muscle;
        muscle.strongest = each.f0 / scene.unit;
        muscle.best_length = each.lo > 0 ? each.lo : length(each.to - each.from);
        muscle.most_length = each.lmax > muscle.best_length ? each.lmax : 1.5 * muscle.best_length;
        muscle.passive = each.gamma;
        muscle.damping = each.damping / scene.unit;
        const auto own = [&](Vec3d at, int body) { return at - centres[std::size_t(body)]; };
        parts.muscles.push_back(
            {{number[std::size_t(a)], number[std::size_t(b)], own(each.from, a), own(each.to, b)}, muscle});
        actuators_.push_back(k);
    }
    // Vertebrae carry flesh: by themselves they would be grains between the muscles and the head.
    double heaviest = 0;
    for (const sim::RigidBody& body : parts.bodies) heaviest = std::max(heaviest, body.mass);
    for (std::size_t k = 0; k < bones_.size(); ++k) {
        sim::RigidBody& body = parts.bodies[k + 1];
        const double more = std::max(0.0, flesh_share * heaviest - body.mass), reach = bones_[k].radius;
        body.mass += more;
        body.inertia = body.inertia + sim::scaled_identity(more * reach * reach);
    }
    bodies_ = sim::RigidBodies(std::move(parts));
    for (std::size_t j = 0; j < parents.size(); ++j)
        follows_.push_back(bone_of_[j] >= 0 ? int(j) : parents[j] < 0 ? -1 : follows_[std::size_t(parents[j])]);
}

/// Where the skeleton alone would have a bone, in the coordinates of the base.
sim::BodyPlace MovedBones::posed(const Bone& bone, std::span<const JointPlace> places) const {
    const JointPlace &base = places[base_joint_], &own = places[bone.joint];
    const Quat back = conjugate(base.rotation), turn = back * own.rotation;
    const Vec3d pivot = rotate(back, own.place - base.place) * (1 / base.scale) + pivots_[base_joint_];
    return {pivot + rotate(turn, bone.centre - pivots_[bone.joint]), turn};
}

sim::BodyState MovedBones::state_of(std::size_t bone, std::span<const float> memory) const {
    const std::span<const float> m = memory.subspan(per_bone * bone, per_bone);
    sim::BodyState out;
    out.place.at = {m[0], m[1], m[2]};
    out.place.turn = normalized(Quat{m[3], m[4], m[5], m[6]});
    out.momentum = {m[7], m[8], m[9]};
    out.spin = {m[10], m[11], m[12]};
    return out;
}

void MovedBones::start(std::span<const JointPlace> places, std::span<float> memory) const {
    for (std::size_t k = 0; k < bones_.size(); ++k)
        write_bone({posed(bones_[k], places), {}, {}}, memory.subspan(per_bone * k, per_bone));
}

double MovedBones::step(std::span<const JointPlace> places, std::span<const double> activations, double dt,
                        double damping, Vec3d gravity, std::span<float> memory, MovedScratch& scratch) const {
    scratch.states.resize(bones_.size() + 1);
    scratch.places.resize(bones_.size() + 1);
    scratch.activations.clear();
    scratch.tied_to.clear();
    scratch.states[0] = {{base_centre_, {}}, {}, {}};
    scratch.places[0] = {base_centre_, {}};
    for (std::size_t k = 0; k < bones_.size(); ++k) {
        scratch.states[k + 1] = state_of(k, memory);
        const sim::BodyPlace wanted = posed(bones_[k], places);
        for (const Vec3d& corner : corners) scratch.tied_to.push_back(place_of(wanted, corner * bones_[k].radius));
    }
    for (const std::size_t k : actuators_) scratch.activations.push_back(activations[k]);
    for (int k = 0; k < substeps; ++k)
        bodies_.step({.places = scratch.places,
                      .activations = scratch.activations,
                      .tied_to = scratch.tied_to,
                      .gravity = rotate(conjugate(places[base_joint_].rotation), gravity),
                      .dt = dt / substeps,
                      .damping = damping,
                      .lean = 1},
                     scratch.states, scratch.bodies);
    double fastest = 0;
    for (std::size_t k = 0; k < bones_.size(); ++k) {
        sim::BodyState& state = scratch.states[k + 1];
        fastest = std::max(
            fastest, length(bodies_.velocity(k + 1, state)) + length(bodies_.turning(k + 1, state)) * bones_[k].radius);
        write_bone(state, memory.subspan(per_bone * k, per_bone));
    }
    return fastest;
}

void MovedBones::follow(std::span<const JointPlace> places, std::span<const float> memory, double back,
                        std::span<JointPlace> out) const {
    const JointPlace& base = places[base_joint_];
    for (std::size_t j = 0; j < places.size(); ++j) {
        out[j] = places[j];
        if (follows_[j] < 0) continue;
        if (bone_of_[j] < 0) {
            // As the skeleton has it beside the joint that it follows.
            const JointPlace &was = places[std::size_t(follows_[j])], &now = out[std::size_t(follows_[j])];
            const Quat moved = now.rotation * conjugate(was.rotation);
            out[j].rotation = moved * places[j].rotation;
            out[j].place = now.place + rotate(moved, places[j].place - was.place);
            continue;
        }
        const auto k = std::size_t(bone_of_[j]);
        const sim::BodyState state = state_of(k, memory);
        const Quat turn = sim::cayley(bodies_.turning(k + 1, state) * -back) * state.place.turn;
        const Vec3d at = state.place.at - bodies_.velocity(k + 1, state) * back;
        const Vec3d pivot = at + rotate(turn, pivots_[j] - bones_[k].centre);
        out[j].rotation = base.rotation * turn;
        out[j].place = base.place + rotate(base.rotation, pivot - pivots_[base_joint_]) * base.scale;
    }
}

}  // namespace fascia
