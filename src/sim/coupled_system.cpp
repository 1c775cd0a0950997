#include "sim/coupled_system.h"

#include <algorithm>

#include "sim/dense_cholesky.h"

namespace fascia::sim {

namespace {

/// Rounds of conjugate gradients in one step at most, and the error that may be left, as a share of the size, in the
/// norm of the masses and stiffnesses.
constexpr int most_rounds = 60;
constexpr double tolerance = 2e-7;
/// Rounds in which limits are put on and taken off, and in which joints are brought together at the end.
constexpr int most_limit_rounds = 4, most_join_rounds = 3;
/// A body turns at most so far beyond its guess in one step, radians (tan of half the angle, times two).
constexpr double most_turn = 0.5;

double scalar_product(std::span<const Vec3d> a, std::span<const Vec3d> b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += dot(a[k], b[k]);
    return sum;
}

/// The inverse of `cayley`, of a turn by less than half.
Vec3d turn_between(Quat from, Quat to) {
    const Quat d = to * conjugate(from);
    const double s = std::abs(d.w) > 1e-6 ? 2 / d.w : 0;
    return Vec3d{d.x, d.y, d.z} * s;
}

SparseCholesky factor_near(const CoupledParts& parts, double dt2) {
    std::vector<double> diagonal = parts.masses;
    std::vector<MatrixEntry> entries;
    const auto edge = [&](std::uint32_t a, std::uint32_t b, double k) {
        // Corners of flat elements may repel one another; left out, the matrix stays positive.
        if (!(k > 0)) return;
        diagonal[a] += dt2 * k;
        diagonal[b] += dt2 * k;
        if (parts.masses[a] > 0 && parts.masses[b] > 0) entries.push_back({a, b, -dt2 * k});
    };
    parts.elements.for_each_spring(edge);
    for (const Spring& spring : parts.springs) edge(spring.a, spring.b, spring.stiffness);
    for (const BodyBond& bond : parts.body_bonds) diagonal[bond.point] += dt2 * bond.stiffness;
    for (const MeshBond& bond : parts.mesh_bonds) {
        diagonal[bond.point] += dt2 * bond.stiffness;
        for (std::size_t k = 0; k < 3; ++k)
            diagonal[bond.node[k]] += dt2 * bond.stiffness * bond.weight[k] * bond.weight[k];
    }
    for (const Hold& hold : parts.holds) diagonal[hold.point] += dt2 * hold.stiffness;
    for (double& each : diagonal)
        if (!(each > 0)) each = 1;
    return SparseCholesky(diagonal, entries);
}

/// Only bonds to bodies that move are ties of the bodies.
BodyParts with_ties(BodyParts bodies, const std::vector<BodyBond>& bonds) {
    for (const BodyBond& bond : bonds)
        if (bodies.bodies[std::size_t(bond.body)].mass > 0) bodies.ties.push_back({bond.body, bond.at, bond.stiffness});
    return bodies;
}

Vec3d mean_of(const MeshBond& bond, std::span<const Vec3d> x) {
    Vec3d sum;
    for (std::size_t k = 0; k < 3; ++k) sum += x[bond.node[k]] * bond.weight[k];
    return sum;
}

}  // namespace

CoupledSystem::CoupledSystem(CoupledParts parts, double step, double size)
    : parts_(std::move(parts)), bodies_(with_ties(parts_.bodies, parts_.body_bonds)), step_(step) {
    unknowns_ = points() + bodies_.unknowns() / 3;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    parts_.elements.add_pairs(pairs);
    for (const Spring& s : parts_.springs)
        for (const auto& pair :
             {std::pair(s.a, s.a), std::pair(s.b, s.b), std::pair(std::max(s.a, s.b), std::min(s.a, s.b))})
            pairs.push_back(pair);
    pattern_ = BlockPattern(points(), std::move(pairs));
    slots_ = parts_.elements.slots_in(pattern_);
    for (const Spring& s : parts_.springs)
        for (const std::uint32_t slot :
             {pattern_.slot(s.a, s.a), pattern_.slot(s.b, s.b), pattern_.slot(std::max(s.a, s.b), std::min(s.a, s.b))})
            spring_slots_.push_back(slot);
    near_ = factor_near(parts_, step * step);
    double mass = 0;
    for (const double each : parts_.masses) mass += each;
    for (const RigidBody& body : parts_.bodies.bodies) mass += body.mass;
    small_ = tolerance * tolerance * size * size * mass;
}

/// The six numbers of each body that moves.
std::span<double> CoupledSystem::numbers(std::span<Vec3d> u) const {
    static_assert(sizeof(Vec3d) == 3 * sizeof(double));
    if (bodies_.unknowns() == 0) return {};
    return {&u[points()].x, bodies_.unknowns()};
}

// ---- the system ------------------------------------------------------------------------------------------------
void CoupledSystem::add_springs(std::span<const Vec3d> at, CoupledScratch& scratch) const {
    const double dt2 = step_ * step_;
    for (std::size_t k = 0; k < parts_.springs.size(); ++k) {
        const Spring& spring = parts_.springs[k];
        const Vec3d apart = at[spring.b] - at[spring.a];
        const double l = length(apart);
        Matrix3 stiff = scaled_identity(dt2 * spring.stiffness);
        if (l > 0) {
            const Vec3d u = apart * (1 / l), force = u * (spring.stiffness * (l - spring.length));
            scratch.right[spring.a] += force;
            scratch.right[spring.b] += -force;
            // Across it never pushes, so that the system stays positive where a spring is short.
            const double across = std::max(0.0, 1 - spring.length / l);
            stiff = (outer(u, u) * (1 - across) + scaled_identity(across)) * (dt2 * spring.stiffness);
        }
        for (std::size_t place = 0; place < 3; ++place) {
            Matrix3& block = scratch.blocks[spring_slots_[3 * k + place]];
            block = block + stiff * (place == 2 ? -1 : 1);
        }
    }
}

/// Forces, matrices and the right-hand side at the guess.
void CoupledSystem::linearise(const CoupledStep& step, CoupledScratch& scratch) const {
    const std::span<const Vec3d> at = step.end;
    const double dt2 = step_ * step_;
    scratch.right.assign(unknowns_, {});
    scratch.blocks.assign(pattern_.blocks(), {});
    scratch.rotations.resize(parts_.elements.point_count());
    for (std::size_t k = 0; k < points(); ++k) scratch.right[k] = step.gravity * parts_.masses[k];
    parts_.elements.linearise(dt2, at, slots_, scratch.rotations, scratch.right, scratch.blocks);
    add_springs(at, scratch);
    for (const MeshBond& bond : parts_.mesh_bonds) {
        const Vec3d goal = mean_of(bond, at) + scratch.rotations[bond.turn] * bond.offset;
        const Vec3d pull = (goal - at[bond.point]) * bond.stiffness;
        scratch.right[bond.point] += pull;
        for (std::size_t k = 0; k < 3; ++k) scratch.right[bond.node[k]] += pull * -bond.weight[k];
    }
    for (std::size_t k = 0; k < parts_.holds.size(); ++k) {
        const Hold& hold = parts_.holds[k];
        scratch.right[hold.point] += (step.hold_at[k] - at[hold.point]) * hold.stiffness;
    }
    scratch.arms.resize(parts_.body_bonds.size());
    for (std::size_t k = 0; k < parts_.body_bonds.size(); ++k) {
        const BodyBond& bond = parts_.body_bonds[k];
        const BodyPlace& place = step.body_ends[std::size_t(bond.body)];
        scratch.arms[k] = rotate(place.turn, bond.at);
        scratch.right[bond.point] += (place.at + scratch.arms[k] - at[bond.point]) * bond.stiffness;
    }
    for (std::size_t k = 0; k < points(); ++k)
        scratch.right[k] =
            held(k) ? Vec3d{} : scratch.right[k] * dt2 + (step.x[k] + step.v[k] * step_ - at[k]) * parts_.masses[k];
    linearise_bodies(step, scratch);
}

void CoupledSystem::linearise_bodies(const CoupledStep& step, CoupledScratch& scratch) const {
    scratch.guess.resize(bodies_.size());
    for (std::size_t b = 0; b < bodies_.size(); ++b) scratch.guess[b].place = step.body_ends[b];
    if (bodies_.unknowns() == 0) return;
    scratch.tied_to.clear();
    for (const BodyBond& bond : parts_.body_bonds)
        if (bodies_.moves(std::size_t(bond.body))) scratch.tied_to.push_back(step.end[bond.point]);
    BodyDrive drive;
    drive.activations = step.activations;
    drive.tied_to = scratch.tied_to;
    drive.gravity = step.gravity;
    drive.dt = step_;
    drive.lean = 1;
    bodies_.linearise(drive, scratch.guess, scratch.bodies);
    const std::span<double> right = numbers(scratch.right);
    for (std::size_t k = 0; k < right.size(); ++k) right[k] = scratch.bodies.forces[k] * step_ * step_;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        if (!bodies_.moves(b)) continue;
        const BodyMotion& from = step.bodies[b];
        const BodyPlace& guess = step.body_ends[b];
        Vec3d* own = &scratch.right[points() + std::size_t(bodies_.slot(b)) / 3];
        own[0] += (from.place.at + from.speed * step_ - guess.at) * parts_.bodies.bodies[b].mass;
        const Quat alone = cayley(from.turning * step_) * from.place.turn;
        own[1] += bodies_.inertia(b, guess) * turn_between(guess.turn, alone);
    }
}

void CoupledSystem::multiply(std::span<const Vec3d> u, CoupledScratch& scratch, std::span<Vec3d> out) const {
    const double dt2 = step_ * step_;
    for (std::size_t k = 0; k < points(); ++k) out[k] = u[k] * parts_.masses[k];
    pattern_.multiply(scratch.blocks, u, out);
    const std::size_t n = bodies_.unknowns();
    if (n > 0) {
        const double* from = &u[points()].x;
        const std::span<double> to = numbers(out);
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < n; ++j) sum += scratch.bodies.system[i * n + j] * from[j];
            to[i] = sum;
        }
    }
    for (const MeshBond& bond : parts_.mesh_bonds) {
        const Vec3d pull = (u[bond.point] - mean_of(bond, u)) * (bond.stiffness * dt2);
        out[bond.point] += pull;
        for (std::size_t k = 0; k < 3; ++k) out[bond.node[k]] += pull * -bond.weight[k];
    }
    for (std::size_t k = 0; k < parts_.body_bonds.size(); ++k) {
        const BodyBond& bond = parts_.body_bonds[k];
        const double s = bond.stiffness * dt2;
        out[bond.point] += u[bond.point] * s;
        const int slot = bodies_.slot(std::size_t(bond.body));
        if (slot < 0) continue;
        // The body's own part is in its matrix.
        const std::size_t at = points() + std::size_t(slot) / 3;
        out[bond.point] += (u[at] + cross(u[at + 1], scratch.arms[k])) * -s;
        out[at] += u[bond.point] * -s;
        out[at + 1] += cross(scratch.arms[k], u[bond.point]) * -s;
    }
    for (const Hold& hold : parts_.holds) out[hold.point] += u[hold.point] * (hold.stiffness * dt2);
    for (std::size_t k = 0; k < points(); ++k)
        if (held(k)) out[k] = {};
}

// ---- joints ----------------------------------------------------------------------------------------------------
/// What an impulse along each active row does to the bodies, and the factor of what that does to the rows.
void CoupledSystem::prepare_joints(CoupledScratch& scratch) const {
    const std::size_t n = bodies_.unknowns(), rows = scratch.rows.size();
    scratch.answers.assign(rows * n, 0);
    scratch.joint_factor.assign(rows * rows, 0);
    scratch.joint_right.assign(rows, 0);
    for (std::size_t r = 0; r < rows; ++r) {
        const std::span<double> answer(&scratch.answers[r * n], n);
        bodies_.add_impulse(scratch.bodies.rows[scratch.rows[r]], 1, answer);
        solve_dense(scratch.bodies.factor, n, answer);
        for (std::size_t other = 0; other < rows; ++other)
            scratch.joint_factor[other * rows + r] = bodies_.rate(scratch.bodies.rows[scratch.rows[other]], answer);
    }
    factor_dense(scratch.joint_factor, rows);
}

/// The least motion of the bodies that gives the active rows the changes in joint_right.
void add_answers(CoupledScratch& scratch, std::span<double> to) {
    const std::size_t rows = scratch.rows.size(), n = to.size();
    if (rows == 0) return;
    solve_dense(scratch.joint_factor, rows, scratch.joint_right);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t k = 0; k < n; ++k) to[k] += scratch.joint_right[r] * scratch.answers[r * n + k];
}

void CoupledSystem::close_joints(CoupledScratch& scratch) const {
    const std::span<double> moved = numbers(scratch.moved);
    for (std::size_t r = 0; r < scratch.rows.size(); ++r) {
        const BodyRow& row = scratch.bodies.rows[scratch.rows[r]];
        scratch.joint_right[r] = -row.error - bodies_.rate(row, moved);
    }
    add_answers(scratch, moved);
}

// ---- solving ---------------------------------------------------------------------------------------------------
/// The preconditioner: scratch.better from the residual r. Bodies stay within their joints.
void CoupledSystem::improve(std::span<const Vec3d> r, CoupledScratch& scratch) const {
    near_.solve(r.first(points()), std::span(scratch.better).first(points()), scratch.solved);
    for (std::size_t k = 0; k < points(); ++k)
        if (held(k)) scratch.better[k] = {};
    if (bodies_.unknowns() == 0) return;
    std::copy(r.begin() + std::ptrdiff_t(points()), r.end(), scratch.better.begin() + std::ptrdiff_t(points()));
    const std::span<double> own = numbers(scratch.better);
    solve_dense(scratch.bodies.factor, own.size(), own);
    for (std::size_t k = 0; k < scratch.rows.size(); ++k)
        scratch.joint_right[k] = -bodies_.rate(scratch.bodies.rows[scratch.rows[k]], own);
    add_answers(scratch, own);
}

/// Conjugate gradients from scratch.moved, which closes the joints.
void CoupledSystem::solve(CoupledScratch& scratch) const {
    auto &r = scratch.residual, &p = scratch.search, &q = scratch.image, &z = scratch.better, &m = scratch.moved;
    multiply(m, scratch, q);
    for (std::size_t k = 0; k < unknowns_; ++k) r[k] = scratch.right[k] - q[k];
    improve(r, scratch);
    double left = scalar_product(r, z);
    p = z;
    int round = 0;
    for (; round < most_rounds && left > small_; ++round) {
        multiply(p, scratch, q);
        const double bend = scalar_product(p, q);
        if (!(bend > 0)) break;
        const double go = left / bend;
        for (std::size_t k = 0; k < unknowns_; ++k) {
            m[k] += p[k] * go;
            r[k] += q[k] * -go;
        }
        improve(r, scratch);
        const double next = scalar_product(r, z), keep = next / left;
        left = next;
        for (std::size_t k = 0; k < unknowns_; ++k) p[k] = z[k] + p[k] * keep;
    }
    scratch.rounds += round;
}

/// Limits that a solution passes hold in the next, and those that would have to pull are let go of.
void CoupledSystem::solve_within_limits(CoupledScratch& scratch) const {
    auto& rows = scratch.bodies.rows;
    rows.clear();
    if (bodies_.unknowns() > 0) bodies_.find_joints(scratch.guess, scratch.bodies);
    scratch.rows.clear();
    for (std::size_t r = 0; r < rows.size(); ++r)
        if (!rows[r].one_sided || rows[r].error < 0) scratch.rows.push_back(r);
    for (int round = 0; round < most_limit_rounds; ++round) {
        prepare_joints(scratch);
        close_joints(scratch);
        solve(scratch);
        if (rows.empty()) return;
        // What the joints push with: the residual that they leave.
        const std::span<double> left = numbers(scratch.residual);
        const std::size_t n = left.size(), count = scratch.rows.size();
        for (std::size_t k = 0; k < count; ++k) {
            double sum = 0;
            for (std::size_t i = 0; i < n; ++i) sum += scratch.answers[k * n + i] * left[i];
            scratch.joint_right[k] = sum;
        }
        solve_dense(scratch.joint_factor, count, scratch.joint_right);
        bool changed = false;
        for (std::size_t k = count; k-- > 0;)
            // The residual is what is wanted beyond what A d gives: the joints' impulse is its opposite.
            if (rows[scratch.rows[k]].one_sided && scratch.joint_right[k] > 0) {
                scratch.rows.erase(scratch.rows.begin() + std::ptrdiff_t(k));
                changed = true;
            }
        const std::span<double> moved = numbers(scratch.moved);
        for (std::size_t r = 0; r < rows.size() && !changed; ++r) {
            const bool active = std::find(scratch.rows.begin(), scratch.rows.end(), r) != scratch.rows.end();
            if (active || rows[r].error + bodies_.rate(rows[r], moved) > -1e-9) continue;
            scratch.rows.push_back(r);
            changed = true;
        }
        if (!changed) return;
    }
}

/// The end of the step from the guess; what turning leaves of the joints' errors is taken back.
void CoupledSystem::move(const CoupledStep& step, CoupledScratch& scratch) const {
    for (std::size_t k = 0; k < points(); ++k) step.end[k] += scratch.moved[k];
    if (bodies_.unknowns() == 0) return;
    const std::span<double> more = numbers(scratch.moved);
    for (int round = 0; round <= most_join_rounds; ++round) {
        for (std::size_t b = 0; b < bodies_.size(); ++b) {
            if (!bodies_.moves(b)) continue;
            const Vec3d* own = &scratch.moved[points() + std::size_t(bodies_.slot(b)) / 3];
            const double far = length(own[1]);
            BodyPlace& end = step.body_ends[b];
            end.at += own[0];
            end.turn = normalized(cayley(own[1] * (far > most_turn ? most_turn / far : 1)) * end.turn);
            scratch.guess[b].place = end;
        }
        if (round == most_join_rounds || scratch.rows.empty()) return;
        bodies_.find_joints(scratch.guess, scratch.bodies);
        std::fill(more.begin(), more.end(), 0.0);
        close_joints(scratch);
    }
}

void CoupledSystem::run(const CoupledStep& step, CoupledScratch& scratch) const {
    scratch.rounds = 0;
    for (auto* each : {&scratch.residual, &scratch.search, &scratch.image, &scratch.better}) each->resize(unknowns_);
    scratch.moved.assign(unknowns_, {});
    linearise(step, scratch);
    solve_within_limits(scratch);
    move(step, scratch);
}

}  // namespace fascia::sim
