#include "character/posed_body.h"

namespace fascia {

PosedBody::PosedBody(const Character& character, const CharacterRest& rest, const Anatomy& anatomy,
                     const Motion& motion, const MotionStart& start, const JointMatching& matching,
                     const MotionFrame& first)
    : character_(character),
      rest_(rest),
      anatomy_(anatomy),
      start_(start),
      alignment_(align_rests(motion, start, rest.skeleton, anatomy, matching)),
      driven_at_(character.nodes.size(), -1),
      turns_(character.nodes.size()),
      locals_(rest.locals),
      world_(character.nodes.size()) {
    for (const JointMatch& match : matching.matches) {
        const int node = rest.nodes[match.target];
        if (rest.locals[node].fixed) continue;  // no clip can turn it
        driven_at_[node] = static_cast<int>(driven_.size());
        driven_.push_back({node, start.source.joints[match.first], start.source.joints[match.second],
                           match.share_of_second, alignment_.turn[match.target]});
    }
    find_root(matching);
    find_detached();
    order_nodes();
    first_root_ = source_root(first);
}

std::vector<int> PosedBody::driven_nodes() const {
    std::vector<int> nodes;
    for (const Driven& driven : driven_) nodes.push_back(driven.node);
    return nodes;
}

std::vector<int> PosedBody::detached_nodes() const {
    std::vector<int> nodes;
    for (const Detached& detached : detached_) nodes.push_back(detached.node);
    return nodes;
}

// ---- set up --------------------------------------------------------------------------------------

/// The hips, or else the topmost matched joint.
void PosedBody::find_root(const JointMatching& matching) {
    const JointMatch* root = nullptr;
    for (const JointMatch& match : matching.matches)
        if (match.target == anatomy_.hips) root = &match;
    if (!root) root = &matching.matches.front();
    root_node_ = rest_.nodes[root->target];
    root_source_ = start_.source.joints[root->first];
    if (!anatomy_.has_legs() || !start_.anatomy.has_legs()) return;
    for (int s = 0; s < 2; ++s) {
        thigh_sources_.push_back(start_.source.joints[start_.anatomy.legs[s][limb_upper]]);
        thigh_nodes_.push_back(rest_.nodes[anatomy_.legs[s][limb_upper]]);
    }
}

void PosedBody::find_detached() {
    for (const auto* limbs : {&anatomy_.arms, &anatomy_.legs}) {
        for (const Limb& limb : *limbs) {
            int before = limb[limb_lower];
            for (int part : {static_cast<int>(limb_end), static_cast<int>(limb_tip)}) {
                const int joint = limb[part];
                if (joint < 0 || before < 0) continue;
                if (!rest_.skeleton.is_above(before, joint))
                    detached_.push_back({rest_.nodes[joint], rest_.nodes[before]});
                before = joint;
            }
        }
    }
}

/// Parents first, and detached nodes after everything that may carry them.
void PosedBody::order_nodes() {
    std::vector<bool> late(character_.nodes.size(), false);
    for (std::size_t n = 0; n < character_.nodes.size(); ++n) {
        const int parent = character_.nodes[n].parent;
        late[n] = (parent >= 0 && late[parent]) || detached_carrier(static_cast<int>(n)) >= 0;
    }
    for (bool wanted : {false, true})
        for (std::size_t n = 0; n < character_.nodes.size(); ++n)
            if (late[n] == wanted) order_.push_back(static_cast<int>(n));
}

int PosedBody::detached_carrier(int node) const {
    for (const Detached& detached : detached_)
        if (detached.node == node) return detached.carrier;
    return -1;
}

// ---- one frame -----------------------------------------------------------------------------------

/// What the character's travel follows: the middle between the thighs if both skeletons have them, otherwise the root.
Vec3d PosedBody::source_root(const MotionFrame& frame) const {
    if (thigh_sources_.empty()) return frame.positions[root_source_];
    return (frame.positions[thigh_sources_[0]] + frame.positions[thigh_sources_[1]]) * 0.5;
}

Vec3d PosedBody::target_root(const std::vector<Affine>& world) const {
    if (thigh_nodes_.empty()) return translation_of(world[root_node_]);
    return (translation_of(world[thigh_nodes_[0]]) + translation_of(world[thigh_nodes_[1]])) * 0.5;
}

/// World rotation of a joint of the motion since its rest, in the character's space.
Quat PosedBody::turn_since_rest(const MotionFrame& frame, int joint) const {
    const Quat turn = frame.rotations[joint] * conjugate(start_.rest.rotations[joint]);
    return alignment_.to_target * turn * conjugate(alignment_.to_target);
}

Quat PosedBody::target_turn(const MotionFrame& frame, const Driven& driven) const {
    Quat turn = turn_since_rest(frame, driven.first);
    if (driven.share_of_second > 0) turn = slerp(turn, turn_since_rest(frame, driven.second), driven.share_of_second);
    return normalized(turn * driven.alignment);
}

void PosedBody::pose_in_place(const MotionFrame& frame) {
    for (int node : turned_) locals_[node] = rest_.locals[node];
    turned_.clear();
    for (const Driven& driven : driven_) turns_[driven.node] = target_turn(frame, driven);
    chain_nodes(translation_of(rest_.world[root_node_]));
}

Vec3d PosedBody::travel(const MotionFrame& frame) const {
    const Vec3d up = alignment_.source_frame.up();
    const Vec3d along = source_root(frame) - first_root_;
    const double rise = dot(source_root(frame) - source_root(start_.rest), up);
    const Vec3d way = rotate(alignment_.to_target, along + up * (rise - dot(along, up))) * alignment_.scale;
    return target_root(rest_.world) + way - target_root(world_);
}

void PosedBody::shift_root(Vec3d shift) {
    chain_nodes(translation_of(rest_.world[root_node_]) + shift);
}

void PosedBody::turn_farther(int node, Quat turn) {
    turns_[node] = normalized(turn * turns_[node]);
}

void PosedBody::take_turns() {
    chain_nodes(translation_of(world_[root_node_]));
}

void PosedBody::chain_nodes(Vec3d root_place) {
    for (int n : order_) chain_node(n, root_place);
}

void PosedBody::chain_node(int n, Vec3d root_place) {
    const int above = character_.nodes[n].parent;
    const Affine parent = above >= 0 ? world_[above] : Affine{};
    CharacterRest::Local& local = locals_[n];
    if (driven_at_[n] >= 0) local.rotation = local_rotation(n, parent);
    if (n == root_node_) local.translation = transform_point(inverse(parent), root_place);
    const int carrier = detached_carrier(n);
    if (carrier >= 0) {
        const Vec3d seen_from_carrier = transform_point(inverse(rest_.world[carrier]), translation_of(rest_.world[n]));
        local.translation = transform_point(inverse(parent), transform_point(world_[carrier], seen_from_carrier));
    }
    world_[n] = parent * local.composed();
}

void PosedBody::turn_about(int node, Vec3d pivot, Quat turn) {
    const Affine whole = compose(pivot, turn, {1, 1, 1}) * compose(pivot * -1, {}, {1, 1, 1});
    const int above = character_.nodes[node].parent;
    CharacterRest::Local& local = locals_[node];
    Vec3d scale;
    decompose(inverse(above >= 0 ? world_[above] : Affine{}) * whole * world_[node], local.translation, local.rotation,
              scale);
    turned_.push_back(node);
    std::vector<bool> moved(character_.nodes.size(), false);
    for (int n : order_) {
        const int parent = character_.nodes[n].parent;
        moved[n] = n == node || (parent >= 0 && moved[parent]);
        if (moved[n]) chain_node(n, translation_of(world_[root_node_]));
    }
}

/// The local rotation that gives a node its rest orientation turned by turns_[node] in the world.
Quat PosedBody::local_rotation(int node, const Affine& parent) const {
    const Affine wanted = compose({}, turns_[node], {1, 1, 1}) * rest_.world[node];
    Vec3d translation, scale;
    Quat rotation;
    decompose(inverse(parent) * wanted, translation, rotation, scale);
    return rotation;
}

}  // namespace fascia
