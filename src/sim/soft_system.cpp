#include "sim/soft_system.h"

#include <algorithm>

namespace fascia::sim {

namespace {

/// The most multiplications in one step, and the share of the residual that may remain.
constexpr int most_rounds = 40;
constexpr double tolerance = 1e-4;

double product(std::span<const Vec3d> a, std::span<const Vec3d> b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += dot(a[k], b[k]);
    return sum;
}

Vec3d tied(const Tie& tie, std::span<const Vec3d> x) {
    Vec3d sum;
    for (std::size_t k = 0; k < tie.nodes.size(); ++k) sum += x[tie.nodes[k]] * tie.weights[k];
    return sum;
}

/// Change of force between the ends of a spring that move apart by `u`: it never gets softer than the material, so that
/// the system stays positive where a spring is short.
Vec3d spring_change(const Spring& spring, Vec3d apart, Vec3d u) {
    const double l = length(apart);
    if (!(l > 0)) return u * spring.stiffness;
    const Vec3d along = apart * (dot(apart, u) / (l * l));
    const double across = std::max(0.0, 1 - spring.length / l);
    return (along + (u - along) * across) * spring.stiffness;
}

SparseCholesky factor_near(const SoftParts& parts, double implicit) {
    std::vector<double> diagonal = parts.masses;
    std::vector<MatrixEntry> entries;
    const auto edge = [&](std::uint32_t a, std::uint32_t b, double k) {
        // Corners of flat elements may repel one another; without them the matrix stays positive.
        if (!(k > 0)) return;
        diagonal[a] += implicit * k;
        diagonal[b] += implicit * k;
        entries.push_back({a, b, -implicit * k});
    };
    parts.elements.for_each_spring(edge);
    for (const Spring& spring : parts.springs) edge(spring.a, spring.b, spring.stiffness);
    for (const Tie& tie : parts.ties)
        for (std::size_t i = 0; i < tie.nodes.size(); ++i) {
            const double k = implicit * tie.stiffness * tie.weights[i];
            diagonal[tie.nodes[i]] += k * tie.weights[i];
            for (std::size_t j = 0; j < i; ++j) entries.push_back({tie.nodes[i], tie.nodes[j], k * tie.weights[j]});
        }
    return SparseCholesky(diagonal, entries);
}

}  // namespace

SoftSystem::SoftSystem(SoftParts parts, double step, double damping, double lean)
    : parts_(std::move(parts)),
      step_(step),
      damping_(damping),
      lean_(lean),
      implicit_(lean * step * (lean * step + damping)),
      near_(factor_near(parts_, implicit_)) {}

double SoftSystem::energy(std::span<const Vec3d> x, std::span<const Vec3d> at) const {
    double sum = parts_.elements.energy(x);
    for (const Spring& spring : parts_.springs) {
        const double longer = length(x[spring.b] - x[spring.a]) - spring.length;
        sum += 0.5 * spring.stiffness * longer * longer;
    }
    for (std::size_t k = 0; k < parts_.ties.size(); ++k) {
        const Vec3d off = tied(parts_.ties[k], x) - at[k];
        sum += 0.5 * parts_.ties[k].stiffness * dot(off, off);
    }
    return sum;
}

/// Forces now, plus those by which moving targets drag along whatever is damped relative to them.
void SoftSystem::forces(std::span<const Vec3d> x, const TieTargets& targets, Vec3d gravity,
                        SoftScratch& scratch) const {
    std::vector<Vec3d>& f = scratch.forces;
    f.resize(size());
    scratch.rotations.resize(parts_.elements.point_count());
    for (std::size_t k = 0; k < size(); ++k) f[k] = gravity * parts_.masses[k];
    parts_.elements.add_forces(x, scratch.rotations, f);
    for (const Spring& spring : parts_.springs) {
        const Vec3d apart = x[spring.b] - x[spring.a];
        const double l = length(apart);
        if (!(l > 0)) continue;
        const Vec3d force = apart * (spring.stiffness * (l - spring.length) / l);
        f[spring.a] += force;
        f[spring.b] = f[spring.b] - force;
    }
    for (std::size_t k = 0; k < parts_.ties.size(); ++k) {
        const Tie& tie = parts_.ties[k];
        const Vec3d moved = targets.after[k] - targets.before[k];
        const Vec3d goal = targets.before[k] + moved * (lean_ + damping_ / step_);
        const Vec3d pull = (goal - tied(tie, x)) * tie.stiffness;
        for (std::size_t i = 0; i < tie.nodes.size(); ++i) f[tie.nodes[i]] += pull * tie.weights[i];
    }
}

void SoftSystem::multiply(std::span<const Vec3d> x, std::span<const Vec3d> u, const SoftScratch& scratch,
                          std::span<Vec3d> out) const {
    for (std::size_t k = 0; k < size(); ++k) out[k] = u[k] * parts_.masses[k];
    parts_.elements.add_stiffness(implicit_, scratch.rotations, u, out);
    for (const Spring& spring : parts_.springs) {
        const Vec3d change = spring_change(spring, x[spring.b] - x[spring.a], u[spring.b] - u[spring.a]) * implicit_;
        out[spring.b] += change;
        out[spring.a] = out[spring.a] - change;
    }
    for (const Tie& tie : parts_.ties) {
        const Vec3d pull = tied(tie, u) * (implicit_ * tie.stiffness);
        for (std::size_t i = 0; i < tie.nodes.size(); ++i) out[tie.nodes[i]] += pull * tie.weights[i];
    }
}

/// Conjugate gradients from scratch.mean, preconditioned by the factor. scratch.forces: the right-hand side
int SoftSystem::solve(std::span<const Vec3d> x, SoftScratch& scratch) const {
    const std::size_t n = size();
    auto &m = scratch.mean, &r = scratch.residual, &p = scratch.search, &q = scratch.image, &z = scratch.better;
    for (auto* each : {&r, &p, &q, &z}) each->resize(n);
    multiply(x, m, scratch, q);
    for (std::size_t k = 0; k < n; ++k) r[k] = scratch.forces[k] - q[k];
    near_.solve(scratch.forces, z, scratch.solved);
    const double small = tolerance * tolerance * product(scratch.forces, z);
    near_.solve(r, z, scratch.solved);
    double left = product(r, z);
    p = z;
    int rounds = 0;
    for (; rounds < most_rounds && left > small; ++rounds) {
        multiply(x, p, scratch, q);
        const double bend = product(p, q);
        if (!(bend > 0)) break;
        const double go = left / bend;
        for (std::size_t k = 0; k < n; ++k) {
            m[k] += p[k] * go;
            r[k] = r[k] - q[k] * go;
        }
        near_.solve(r, z, scratch.solved);
        const double next = product(r, z), keep = next / left;
        left = next;
        for (std::size_t k = 0; k < n; ++k) p[k] = z[k] + p[k] * keep;
    }
    return rounds;
}

int SoftSystem::step(std::span<Vec3d> x, std::span<Vec3d> v, const TieTargets& targets, Vec3d gravity,
                     SoftScratch& scratch) const {
    const std::size_t n = size();
    forces(x, targets, gravity, scratch);
    for (std::size_t k = 0; k < n; ++k)
        scratch.forces[k] = v[k] * parts_.masses[k] + scratch.forces[k] * (lean_ * step_);
    scratch.mean.assign(v.begin(), v.end());
    const int rounds = solve(x, scratch);
    for (std::size_t k = 0; k < n; ++k) {
        x[k] += scratch.mean[k] * step_;
        v[k] += (scratch.mean[k] - v[k]) * (1 / lean_);
    }
    return rounds;
}

}  // namespace fascia::sim
