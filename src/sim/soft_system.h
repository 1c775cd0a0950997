// Masses, finite elements and springs moved together by Newmark's rule (docs/formulas.md C6), linearised:
//     (M + (w^2 dt^2 + w dt b) K) m = M v + w dt f(x),    x += dt m,    v' = v + (m - v) / w,
// where m is the mean velocity of the step and b the time over which stiffness is damped. w = 1/2 is the publication's
// choice (beta = 1/4, gamma = 1/2), which preserves the energy of an oscillator, but also that of anything too stiff
// for the step: its velocity changes sign for ever. w = 1 lets it come to rest at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/elastic_mesh.h"
#include "sim/sparse_cholesky.h"

namespace fascia::sim {

/// Between two masses.
struct Spring {
    std::uint32_t a = 0, b = 0;
    double stiffness = 0, length = 0;
};

/// A sum of masses, weighted, is pulled to a target: sum w x -> target.
struct Tie {
    std::vector<std::uint32_t> nodes;
    std::vector<double> weights;  ///< one per point
    double stiffness = 0;
};

/// Places of targets before and after a step.
struct TieTargets {
    std::span<const Vec3d> before, after;  ///< [ties]
};

struct SoftParts {
    std::vector<double> masses;
    ElasticMesh elements;
    std::vector<Spring> springs;
    std::vector<Tie> ties;
};

struct SoftScratch {
    std::vector<Matrix3> rotations;
    std::vector<Vec3d> forces, mean, residual, search, image, better, solved;
};

class SoftSystem {
public:
    SoftSystem() = default;
    /// step: dt; damping: b, both in seconds; lean: w, from 1/2 to 1
    SoftSystem(SoftParts parts, double step, double damping, double lean = 0.5);

    std::size_t size() const { return parts_.masses.size(); }
    const SoftParts& parts() const { return parts_; }
    double step_time() const { return step_; }
    /// One step. Returns the number of multiplications by the system.
    int step(std::span<Vec3d> x, std::span<Vec3d> v, const TieTargets& targets, Vec3d gravity,
             SoftScratch& scratch) const;
    /// Elements, springs and ties to targets `at`.
    double energy(std::span<const Vec3d> x, std::span<const Vec3d> at) const;

private:
    void forces(std::span<const Vec3d> x, const TieTargets& targets, Vec3d gravity, SoftScratch& scratch) const;
    void multiply(std::span<const Vec3d> x, std::span<const Vec3d> u, const SoftScratch& scratch,
                  std::span<Vec3d> out) const;
    int solve(std::span<const Vec3d> x, SoftScratch& scratch) const;

    SoftParts parts_;
    double step_ = 1, damping_ = 0, lean_ = 0.5, implicit_ = 0;
    SparseCholesky near_;  ///< of a scalar matrix near the system
};

}  // namespace fascia::sim
