// Rigid bodies with joints, limits, springs and muscles (docs/formulas.md C8).
//
// A step is Newmark's rule for the forces and Rattle for the joints: momenta receive half of the step's forces and the
// impulses that close the joints at its end (bilateral) or keep them inside their limits (unilateral, which only push);
// then the other half, and velocities are made consistent with the joints. The state holds momenta, so that a free
// chain preserves its own, and the rule is symmetric in time, so that a swinging chain preserves its energy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/hill_muscle.h"
#include "sim/matrix3.h"

namespace fascia::sim {

struct RigidBody {
    double mass = 0;  ///< 0: moved from outside, see BodyTarget
    Matrix3 inertia;  ///< in its own axes, about its centre
};

/// Where a body is: its own coordinates are about its centre of mass.
struct BodyPlace {
    Vec3d at;
    Quat turn;
};
struct BodyState {
    BodyPlace place;
    Vec3d momentum, spin;  ///< linear; angular about its centre, in the scene's axes
};

/// A point of each of two bodies, in their own coordinates.
struct BodyPoints {
    int a = 0, b = 0;
    Vec3d at_a, at_b;
};

/// The points stay together.
struct BallJoint {
    BodyPoints points;
    /// The angle between two directions, one of each body, stays below `most` (radians); pi: no limit.
    Vec3d limited_a{0, 1, 0}, limited_b{0, 1, 0};
    double most = 4;
};
/// The points stay together, and so do the axes.
struct RevoluteJoint {
    BodyPoints points;
    Vec3d axis_a{1, 0, 0}, axis_b{1, 0, 0};
};
struct BodySpring {
    BodyPoints points;
    double stiffness = 0, damping = 0;  ///< N/m, and N per strain rate
    double length = 0;
};
struct BodyMuscle {
    BodyPoints points;
    HillMuscle muscle;
};
/// A zero-length spring from a point of a body to a place, which may be any mass of another system.
struct BodyTie {
    int body = 0;
    Vec3d at;
    double stiffness = 0;
};

struct BodyParts {
    std::vector<RigidBody> bodies;
    std::vector<BallJoint> balls;
    std::vector<RevoluteJoint> hinges;
    std::vector<BodySpring> springs;
    std::vector<BodyMuscle> muscles;
    std::vector<BodyTie> ties;
};

/// What moves the bodies in a step.
struct BodyDrive {
    std::span<const BodyPlace> places;    ///< [bodies] where bodies without mass are at its end; others are not read
    std::span<const double> activations;  ///< [muscles]
    std::span<const Vec3d> tied_to;       ///< [ties]
    Vec3d gravity;
    double dt = 1.0 / 60;
    double damping = 0;  ///< seconds over which ties are damped
    double lean = 0.5;   ///< 1/2 preserves energy; up to 1: motions too stiff for the step come to rest (soft_system.h)
};

/// One equation about the velocities of two bodies.
struct BodyRow {
    int a = 0, b = 0;
    Vec3d along_a, about_a, along_b, about_b;  ///< its gradient
    double error = 0;                          ///< 0 if it holds; one-sided ones hold from 0 upwards
    bool one_sided = false;
};

struct BodyScratch {
    std::vector<BodyRow> rows, end_rows;
    std::vector<double> system;   ///< [6 free * 6 free] then its factor
    std::vector<double> mean;     ///< [6 free] velocity in the middle of the step, without joints
    std::vector<double> forces;   ///< [6 free]
    std::vector<double> answers;  ///< [rows * 6 free] effect of an impulse of 1
    std::vector<double> joint_system, joint_right, impulses, sum;
    std::vector<std::size_t> active;
    std::vector<BodyState> before;
};

class RigidBodies {
public:
    RigidBodies() = default;
    explicit RigidBodies(BodyParts parts);
    const BodyParts& parts() const { return parts_; }
    std::size_t size() const { return parts_.bodies.size(); }
    bool moves(std::size_t body) const { return slot_[body] >= 0; }

    /// One step; returns the largest gap in a joint at its end.
    double step(const BodyDrive& drive, std::span<BodyState> states, BodyScratch& scratch) const;

    // ---- for systems of which bodies are only a part ----
    /// The size of the system: six numbers for each moving body.
    std::size_t unknowns() const { return free_; }
    /// Where a body's six numbers begin; -1: moved from outside.
    int slot(std::size_t body) const { return slot_[body]; }
    /// The masses with dt^2 times the stiffness of springs, muscles and ties in scratch.system, and
    /// the forces in scratch.forces, with drive.lean = 1.
    void linearise(const BodyDrive& drive, std::span<const BodyState> states, BodyScratch& scratch) const;
    /// The conditions that keep joints closed, as equations about velocities, in scratch.rows.
    void find_joints(std::span<const BodyState> states, BodyScratch& scratch) const { find_rows(states, scratch.rows); }
    /// The gradient of a row times the six numbers of each body.
    double rate(const BodyRow& row, std::span<const double> numbers) const;
    void add_impulse(const BodyRow& row, double impulse, std::span<double> numbers) const;
    /// In the scene's axes.
    Matrix3 inertia(std::size_t body, const BodyPlace& place) const;

    Vec3d velocity(std::size_t body, const BodyState& state) const;
    Vec3d turning(std::size_t body, const BodyState& state) const;
    double kinetic_energy(std::span<const BodyState> states) const;
    /// The largest gap in a joint.
    double drift(std::span<const BodyState> states) const;

private:
    void find_rows(std::span<const BodyState> states, std::vector<BodyRow>& rows) const;
    void add_masses(std::span<const BodyState> states, BodyScratch& scratch) const;
    void add_forces(const BodyDrive& drive, std::span<const BodyState> states, BodyScratch& scratch) const;
    void add_pull(const BodyPoints& points, Vec3d force, const Matrix3& stiffness, std::span<const BodyState> states,
                  BodyScratch& scratch) const;
    void find_answers(std::span<const BodyRow> rows, BodyScratch& scratch) const;
    void solve_active(std::span<const BodyRow> rows, BodyScratch& scratch) const;
    void go_to_end(double dt, std::span<BodyState> states, BodyScratch& scratch) const;
    void join_ends(const BodyDrive& drive, std::span<BodyState> states, BodyScratch& scratch) const;
    void join_speeds(const BodyDrive& drive, std::span<BodyState> states, BodyScratch& scratch) const;

    BodyParts parts_;
    std::vector<int> slot_;  ///< [bodies] where its six numbers begin in the system; -1: moved from outside
    std::size_t free_ = 0;   ///< numbers in the system
};

inline Vec3d place_of(const BodyPlace& place, Vec3d own) {
    return place.at + rotate(place.turn, own);
}

}  // namespace fascia::sim
