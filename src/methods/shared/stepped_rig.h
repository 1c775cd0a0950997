// The common part of all methods whose points have a memory: fixed steps with poses in between, a frame that follows
// the root, jumps, dropped frames, sleep. A method adds where the skeleton carries its points and how one step moves
// them.
//
//     advance:  begin_frame, then per fixed step  step(pose in between)
#pragma once

#include <span>

#include "base/workspace.h"
#include "fascia/method.h"
#include "methods/shared/joint_path.h"
#include "methods/shared/memory_layout.h"
#include "methods/shared/points_around.h"
#include "methods/shared/pose_gate.h"
#include "sim/motion.h"

namespace fascia {

/// What is needed to drive a body. Points are channels of `stride` floats, in units of h about the centre, axes
/// permuted cyclically.
struct SteppedBody {
    double size = 1, h = 1;
    Vec3d centre;
    int turn = 0;
    std::size_t stride = 0;
    std::span<const std::uint32_t> slots;  ///< place of each point in a channel
    std::span<const float> rest;           ///< [3 * stride]
    const PoseGate* gate = nullptr;
    std::span<const Affine> inverse_rest;  ///< [joints]
    std::span<const int> parents;          ///< [joints]
    std::span<const Vec3d> pivots;         ///< [joints] at rest, in the points' coordinates
    std::uint64_t fingerprint = 0;         ///< of the rig (fingerprint.h)
};

/// What may change while running.
struct Pace {
    double step = 1.0 / 240;
    Vec3d gravity;
    std::uint64_t tag = 0;  ///< of the settings: a different one wakes a sleeping State
    double decay = 0;       ///< seconds in which the slowest swing falls to 1 / e; 0: not known
};

class SteppedRig : public Rig {
public:
    std::size_t joint_count() const final { return body_.gate->size(); }
    std::size_t point_count() const final { return body_.slots.size(); }
    std::uint64_t fingerprint() const final { return body_.fingerprint; }

    State make_state() const final;
    bool accepts(const State& state) const final;
    void reset(std::span<const Affine> joints, State& state, Workspace& work) const final;
    void settle(State& state, Workspace& work) const final;
    void advance(std::span<const Affine> joints, double dt, State& state, Workspace& work) const final;
    void take_over(const Rig& from, const State& other, State& state, Workspace& work) const final;

protected:
    explicit SteppedRig(const SteppedBody& body);
    SteppedRig(const SteppedRig&) = delete;
    SteppedRig& operator=(const SteppedRig&) = delete;

    // ---- what a method adds ----
    virtual Pace pace() const = 0;
    /// Where the skeleton alone carries the points in this pose, [3 * stride] in the frame of the State.
    virtual std::span<const float> drive(std::span<const JointPlace> places, const State& state,
                                         Workspace& work) const = 0;
    /// One fixed step that ends in this pose, at `share` (0..1) of the frame.
    virtual sim::Motion step(std::span<const JointPlace> places, double share, State& state, Workspace& work) const = 0;
    /// Before the steps of a frame that ends in this pose.
    virtual void begin_frame(std::span<const JointPlace>, State&, Workspace&) const {}
    /// Before the steps of a frame in the same pose as the last.
    virtual void hold_frame(State&) const {}
    /// Right before some steps that take this many seconds together, with the points where the first of them starts.
    virtual void begin_steps(double, State&, Workspace&) const {}
    /// Do parts of the body press against one another, as of the step that was just made?
    virtual bool is_pressed(Workspace&) const { return false; }
    // ---- in a world (fascia/world.h) ----
    /// The surroundings of the body as a number; 0 if there are none. A sleeping body wakes when it changes.
    virtual std::uint64_t world_tag(const State&, Workspace&) const { return 0; }
    /// Before the steps of a frame that begins in the pose `before`. earlier: when the previous step ended, as a share
    /// of the frame, 0 or less. Returns whether anything around the body moves.
    virtual bool enter_world(std::span<const JointPlace> /*before*/, double /*earlier*/, const State&,
                             Workspace&) const {
        return false;
    }
    /// Right after a step that has ended in this pose, at `share` of the frame.
    virtual void touch_world(std::span<const JointPlace>, double /*share*/, State&, sim::Motion&, Workspace&) const {}

    /// After a reset to this pose, before the points are driven there.
    virtual void begin_again(std::span<const JointPlace>, State&, Workspace&) const {}

    // ---- what it may use ----
    const SteppedBody& stepped_body() const { return body_; }
    bool fits(const State& state) const;
    PointFrame frame_of(const State& state) const;
    RestSkeleton skeleton() const { return {body_.inverse_rest, body_.parents}; }
    std::span<const float> duals(std::span<const JointPlace> places, const State& state, Workspace& work) const;
    /// The pose of the State, with the signs of its quaternions applied.
    std::span<const JointPlace> posed_places(const State& state, Workspace& work) const;
    /// Change of velocity in one step, in the points' units and axes. The frame never turns, so that down stays down.
    Vec3 felt_gravity(const State& state) const;
    /// The joints of the State relative to the frame's origin, so that a surface keeps its precision far away. Its
    /// positions are then moved into the scene.
    std::span<const Affine> joints_about_frame(const State& state, Workspace& work) const;
    void place_in_scene(const State& state, std::span<Vec3> positions) const;
    /// How much is shown around each joint; empty: everything.
    std::span<const float> shown_joints(const State& state, Workspace& work) const;
    /// Skinning weights of the points: four channels each.
    struct PointWeights {
        std::span<const std::uint16_t> joints;
        std::span<const float> weights;
    };
    /// The method's own weights; without them, points are told apart by their places alone.
    virtual PointWeights point_weights() const { return {}; }
    /// The map of scaled bones at one point: `stretch` (see bone_stretch) blended by the point's weights.
    Affine blended_stretch(std::size_t point, const PointWeights& weights, std::span<const Affine> stretch) const;
    /// Puts bone scale back: from the skeleton without it to the true pose, by the weights of each point. Channels are
    /// in scene units relative to the frame's origin.
    void stretch_points(std::span<const std::uint32_t> points, const PointWeights& weights,
                        std::span<const JointPlace> now, const State& state,
                        std::initializer_list<std::span<float>> channels, Workspace& work) const;
    /// Channels of a scratch array.
    std::span<float> channels(Floats& array, std::size_t count) const { return sized(array, count * body_.stride); }
    /// From the skeleton without bone scale to the true pose, relative to the frame's origin, [joints]; empty if no
    /// bone is scaled. now: the pose of the State
    std::span<const Affine> bone_stretch(std::span<const JointPlace> now, const State& state, Workspace& work) const;
    /// Positions in the scene of points whose positions in the skeleton without bone scale are `local`, [3 * stride] in
    /// the frame of the State. out: [points]
    void place_points(std::span<const float> local, const PointWeights& weights, const State& state,
                      std::span<Vec3> out, Workspace& work) const;

    // ---- the memory: driven positions and speeds, [3 * stride] each, then what the method adds in its constructor
    // ----
    MemoryLayout& layout() { return layout_; }
    const MemoryLayout& layout() const { return layout_; }
    std::span<float> driven(State& state) const { return layout_.of(state, driven_); }
    std::span<const float> driven(const State& state) const { return layout_.of(state, driven_); }
    std::span<float> driven_speed(State& state) const { return layout_.of(state, speed_); }

private:
    void start_from(State& state, Workspace& work) const;
    void drive_to(std::span<const JointPlace> now, State& state, Workspace& work) const;
    RestPoints rest_points() const;
    void take_points(const SteppedRig& from, const State& other, State& state) const;
    void take_driven_speed(State& state, Workspace& work) const;
    void forget_speed(State& state) const;
    void set_frame(State& state, Vec3d origin, double root_scale) const;
    void follow_root(State& state, const JointPlace& root) const;
    void rebase(std::span<const JointPlace> places, State& state, Workspace& work) const;
    void begin_anew(State& state) const;
    double swing_energy(const State& state) const;
    float calm_speed() const;
    void go_back(double share, State& state) const;
    double tire(const Pace& pace, bool pressed, State& state) const;
    bool is_fresh(const State& state) const;
    void go_along(std::span<const JointPlace> places, State& state, Workspace& work) const;
    bool is_jump(const JointPlace& before, const JointPlace& after, double dt) const;
    void carry(std::span<JointPlace> before, const JointPlace& after, double dt, State& state) const;
    std::span<JointPlace> places(Workspace& work, std::size_t which) const;
    std::span<const JointPath> find_paths(std::span<const JointPlace> before, std::span<const JointPlace> after,
                                          double dt, State& state, Workspace& work) const;

    /// The sign of each joint's quaternion, carried over time. [joints]
    std::span<float> sides(State& state) const { return layout_.of(state, sides_); }

    SteppedBody body_;
    MemoryLayout layout_;
    MemoryLayout::BlockNumber driven_, speed_, sides_;
};

}  // namespace fascia
