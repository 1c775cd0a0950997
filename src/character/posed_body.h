// The character in the pose of one frame of a motion.
//
// Every matched joint gets the world rotation that its source has made since the motion's rest pose:
//     D(t) = G R(t) R(rest)^-1 G^-1 A
// G turns the motion's up and forward to the character's. A is the fixed rotation that takes the character's limb from
// its own rest direction (arms hanging in an A) to the motion's (arms out in a T), so that limbs point the same way at
// all times. The body travels in leg lengths.
#pragma once

#include <vector>

#include "character/anatomy.h"
#include "character/character_rest.h"
#include "character/joint_matching.h"
#include "character/motion_start.h"
#include "character/rest_alignment.h"

namespace fascia {

class PosedBody {
public:
    /// `first` is the frame from which the travel is counted.
    PosedBody(const Character& character, const CharacterRest& rest, const Anatomy& anatomy, const Motion& motion,
              const MotionStart& start, const JointMatching& matching, const MotionFrame& first);

    // -- the body --

    const RestAlignment& alignment() const { return alignment_; }
    int root_node() const { return root_node_; }
    std::vector<int> driven_nodes() const;    ///< those that turn with the motion
    std::vector<int> detached_nodes() const;  ///< feet and hands that hang elsewhere and are moved after their limb
    bool is_driven(int node) const { return driven_at_[node] >= 0; }

    // -- its pose --

    /// Turned as in the frame, with the root still at its rest position.
    void pose_in_place(const MotionFrame& frame);
    /// Also moved as far as the motion has gone since its first frame, and raised by as much as it is higher than at
    /// rest.
    Vec3d travel(const MotionFrame& frame) const;
    /// With the root moved by `shift` from its rest position.
    void shift_root(Vec3d shift);
    /// Turns a driven node further than the frame does, about its own position and in the world; driven nodes below it
    /// keep their own turn. Takes effect with the next `shift_root` or `take_turns`.
    void turn_farther(int node, Quat turn);
    void take_turns();  ///< with the root where it is

    /// Turns a node that is not driven, and all below it, about a point of the world, until the next frame is posed.
    void turn_about(int node, Vec3d pivot, Quat turn);

    const std::vector<Affine>& world() const { return world_; }
    const std::vector<Quat>& turns() const { return turns_; }  ///< [nodes] since rest, in the world; of driven nodes
    const std::vector<CharacterRest::Local>& locals() const { return locals_; }

private:
    struct Driven {
        int node = -1;
        int first = -1, second = -1;  ///< indices in Motion::joints
        double share_of_second = 0;
        Quat alignment;
    };
    struct Detached {
        int node = -1;
        int carrier = -1;  ///< node of the limb's joint before it
    };

    void find_root(const JointMatching& matching);
    void find_detached();
    void order_nodes();
    int detached_carrier(int node) const;
    Vec3d source_root(const MotionFrame& frame) const;
    Vec3d target_root(const std::vector<Affine>& world) const;
    Quat turn_since_rest(const MotionFrame& frame, int joint) const;
    Quat target_turn(const MotionFrame& frame, const Driven& driven) const;
    void chain_nodes(Vec3d root_place);
    void chain_node(int node, Vec3d root_place);
    Quat local_rotation(int node, const Affine& parent) const;

    const Character& character_;
    const CharacterRest& rest_;
    const Anatomy& anatomy_;
    const MotionStart& start_;
    RestAlignment alignment_;

    std::vector<Driven> driven_;
    std::vector<Detached> detached_;
    std::vector<int> order_, driven_at_;
    int root_node_ = -1, root_source_ = -1;
    std::vector<int> thigh_sources_, thigh_nodes_;
    Vec3d first_root_;

    std::vector<Quat> turns_;
    std::vector<CharacterRest::Local> locals_;
    std::vector<Affine> world_;
    std::vector<int> turned_;  ///< by turn_about
};

}  // namespace fascia
