// Flesh, bones and skin in one system (docs/formulas.md C8): masses with finite elements and springs, rigid bodies with
// joints, and bonds between them, all moved by one implicit step.
//
// First, everything is moved as the skeleton alone would move it, as a guess y of the end of the step, so that large
// turns are already in the guess. The step then solves for the offset d from it that the forces at its end cause,
//     (M + dt^2 K(y)) d = dt^2 f(y) + M (x + dt v - y),   G d = -g(y),   N d >= -n(y),   x' = y + d,  v' = (x' - x) /
//     dt,
// which is the backward Euler rule, linearised about the guess. Bodies are six numbers each; bones that are moved from
// outside are not unknowns, but bonds to them pull. Conjugate gradients solve for everything at once; their
// preconditioner solves for points by the factor of a scalar matrix near K, computed once, and for bodies together with
// everything bound to them, within the joints, so that every round keeps G d. In the matrix a spring is as stiff across
// as along: it is never softer than the real one, which is all that stability needs, and the factor of the skin is
// exact.
#pragma once

#include "sim/rigid_bodies.h"
#include "sim/soft_system.h"
#include "sim/sparse_cholesky.h"

namespace fascia::sim {

/// A zero-length spring from a point to a point of a body.
struct BodyBond {
    std::uint32_t point = 0;
    int body = 0;
    Vec3d at;  ///< in the body's own coordinates
    double stiffness = 0;
};
/// A zero-length spring from a point to a place beside a face of an element, which turns with the element.
struct MeshBond {
    std::uint32_t point = 0;
    std::array<std::uint32_t, 3> node{};
    std::array<double, 3> weight{};
    std::uint32_t turn = 0;  ///< the element's point of integration (ElasticMesh::last_point)
    Vec3d offset;            ///< from the weighted nodes, at rest
    double stiffness = 0;
};

/// A zero-length spring from a point to a place that is moved from outside.
struct Hold {
    std::uint32_t point = 0;
    double stiffness = 0;
};

struct CoupledParts {
    std::vector<double> masses;  ///< [points] 0: moved from outside
    std::vector<Vec3d> rest;     ///< [points]
    std::vector<Vec3d> centres;  ///< [bodies] at rest, where their own axes are the scene's
    ElasticMesh elements;
    std::vector<Spring> springs;
    std::vector<BodyBond> body_bonds;
    std::vector<MeshBond> mesh_bonds;
    std::vector<Hold> holds;
    BodyParts bodies;  ///< its ties are made from the bonds
};

/// How a body moves.
struct BodyMotion {
    BodyPlace place;
    Vec3d speed, turning;
};

/// A step's start; `end` holds the guess of its end on entry, and its end on return.
struct CoupledStep {
    std::span<const Vec3d> x, v;          ///< [points]
    std::span<const BodyMotion> bodies;   ///< [bodies]
    std::span<Vec3d> end;                 ///< [points]
    std::span<BodyPlace> body_ends;       ///< [bodies]
    std::span<const Vec3d> hold_at;       ///< [holds] where their places are at the end
    std::span<const double> activations;  ///< [muscles]
    Vec3d gravity;
};

struct CoupledScratch {
    std::vector<Matrix3> rotations, blocks, turns;
    std::vector<Vec3d> right, moved, residual, search, image, better, solved, arms, tied_to;
    std::vector<double> coarse;  ///< [6 free * 6 free] factor of the matrix of bodies with everything bound to them
    std::vector<double> answers, joint_factor, joint_right;
    std::vector<std::size_t> rows;
    std::vector<BodyState> guess;
    BodyScratch bodies;
    int rounds = 0;  ///< of the last step
};

class CoupledSystem {
public:
    CoupledSystem() = default;
    /// step: dt in seconds; size: of the whole, the scale for errors
    CoupledSystem(CoupledParts parts, double step, double size);

    std::size_t points() const { return parts_.masses.size(); }
    const CoupledParts& parts() const { return parts_; }
    const RigidBodies& bodies() const { return bodies_; }
    double step_time() const { return step_; }
    void run(const CoupledStep& step, CoupledScratch& scratch) const;

private:
    bool held(std::size_t point) const { return parts_.masses[point] == 0; }
    void linearise(const CoupledStep& step, CoupledScratch& scratch) const;
    void add_springs(std::span<const Vec3d> at, CoupledScratch& scratch) const;
    void linearise_bodies(const CoupledStep& step, CoupledScratch& scratch) const;
    void multiply(std::span<const Vec3d> u, CoupledScratch& scratch, std::span<Vec3d> out) const;
    void find_coarse();
    void take_along(const CoupledScratch& scratch, std::span<Vec3d> u) const;
    void gather(const CoupledScratch& scratch, std::span<const Vec3d> r, std::span<double> out) const;
    void turn_coarse(CoupledScratch& scratch) const;
    void prepare_joints(CoupledScratch& scratch) const;
    void close_joints(CoupledScratch& scratch) const;
    void improve(std::span<const Vec3d> r, CoupledScratch& scratch) const;
    void solve(CoupledScratch& scratch) const;
    void solve_within_limits(CoupledScratch& scratch) const;
    void move(const CoupledStep& step, CoupledScratch& scratch) const;
    std::span<double> numbers(std::span<Vec3d> u) const;

    CoupledParts parts_;
    RigidBodies bodies_;
    double step_ = 1, small_ = 0;
    std::size_t unknowns_ = 0;  ///< vectors: one for a point, two for a body
    BlockPattern pattern_;
    std::vector<std::uint32_t> slots_;  ///< of the elements
    std::vector<double> bond_shares_;   ///< [body bonds] share in holding the point; 0 if the body does not move
    std::vector<double> coarse_;        ///< [6 free * 6 free] at rest
    SparseCholesky near_;               ///< of a scalar matrix near that of the points
};

}  // namespace fascia::sim
