#include "sim/coupled_system.h"

#include <algorithm>

#include "sim/dense_cholesky.h"

namespace fascia::sim {

namespace {

/// The most rounds of conjugate gradients in one step, and the error that may remain, as a share of the size, in the
/// norm of the masses and stiffnesses.
constexpr int most_rounds = 60;
constexpr double tolerance = 3e-6;
/// The most rounds of adding and removing limits, and of closing joints at the end.
constexpr int most_limit_rounds = 4, most_join_rounds = 3;
/// A body turns at most this far beyond its guess in one step, radians (tan of half the angle, times two).
constexpr double most_turn = 0.5;

double scalar_product(std::span<const Vec3d> a, std::span<const Vec3d> b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += dot(a[k], b[k]);
    return sum;
}

/// The inverse of `cayley`, for less than half a turn.
Vec3d turn_between(Quat from, Quat to) {
    const Quat d = to * conjugate(from);
    const double s = std::abs(d.w) > 1e-6 ? 2 / d.w : 0;
    return Vec3d{d.x, d.y, d.z} * s;
}

SparseCholesky factor_near(const CoupledParts& parts, double dt2) {
    std::vector<double> diagonal = parts.masses;
    std::vector<MatrixEntry> entries;
    const auto edge = [&](std::uint32_t a, std::uint32_t b, double k) {
        // Corners of flat elements may repel one another; without them the matrix stays positive.
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

/// Only bonds to moving bodies are ties of the bodies.
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
    pattern_ = BlockPattern(points(), std::move(pairs));
    slots_ = parts_.elements.slots_in(pattern_);
    near_ = factor_near(parts_, step * step);
    double mass = 0;
    for (const double each : parts_.masses) mass += each;
    for (const RigidBody& body : parts_.bodies.bodies) mass += body.mass;
    small_ = tolerance * tolerance * size * size * mass;
    if (bodies_.unknowns() > 0) find_coarse();
}

/// If only a body's six numbers moved, everything bound to it would be torn off, so the preconditioner moves that along
/// with it. The matrix of such motions is the one at rest, turned with each body: accurate enough, and computed once.
void CoupledSystem::find_coarse() {
    std::vector<double> held_by(points(), 0);
    for (const BodyBond& bond : parts_.body_bonds) held_by[bond.point] += bond.stiffness;
    for (const MeshBond& bond : parts_.mesh_bonds) held_by[bond.point] += bond.stiffness;
    for (const Hold& hold : parts_.holds) held_by[hold.point] += hold.stiffness;
    for (const BodyBond& bond : parts_.body_bonds)
        bond_shares_.push_back(
            bodies_.moves(std::size_t(bond.body)) && !held(bond.point) ? bond.stiffness / held_by[bond.point] : 0);
    CoupledScratch scratch;
    std::vector<Vec3d> end = parts_.rest, still(points()), holds;
    for (const Hold& hold : parts_.holds) holds.push_back(parts_.rest[hold.point]);
    std::vector<BodyPlace> ends;
    std::vector<BodyMotion> motions;
    for (const Vec3d& centre : parts_.centres) {
        ends.push_back({centre, {}});
        motions.push_back({{centre, {}}, {}, {}});
    }
    linearise({.x = parts_.rest,
               .v = still,
               .bodies = motions,
               .end = end,
               .body_ends = ends,
               .hold_at = holds,
               .activations = {},
               .gravity = {}},
              scratch);
    const std::size_t n = bodies_.unknowns();
    std::vector<Vec3d> u(unknowns_), image(unknowns_);
    std::vector<double> six(n);
    coarse_.assign(n * n, 0);
    for (std::size_t column = 0; column < n; ++column) {
        std::fill(u.begin(), u.end(), Vec3d{});
        numbers(u)[column] = 1;
        take_along(scratch, u);
        multiply(u, scratch, image);
        gather(scratch, image, six);
        for (std::size_t row = 0; row < n; ++row) coarse_[row * n + column] = six[row];
    }
}

/// Adds the motion of bodies to everything bound to them.
void CoupledSystem::take_along(const CoupledScratch& scratch, std::span<Vec3d> u) const {
    for (std::size_t k = 0; k < parts_.body_bonds.size(); ++k) {
        if (bond_shares_[k] == 0) continue;
        const BodyBond& bond = parts_.body_bonds[k];
        const std::size_t at = points() + std::size_t(bodies_.slot(std::size_t(bond.body))) / 3;
        u[bond.point] += (u[at] + cross(u[at + 1], scratch.arms[k])) * bond_shares_[k];
    }
}

/// Its transpose: adds the forces on everything bound to a body to the body's six numbers.
void CoupledSystem::gather(const CoupledScratch& scratch, std::span<const Vec3d> r, std::span<double> out) const {
    const double* own = &r[points()].x;
    std::copy(own, own + out.size(), out.begin());
    for (std::size_t k = 0; k < parts_.body_bonds.size(); ++k) {
        if (bond_shares_[k] == 0) continue;
        const BodyBond& bond = parts_.body_bonds[k];
        double* six = &out[std::size_t(bodies_.slot(std::size_t(bond.body)))];
        const Vec3d pull = r[bond.point] * bond_shares_[k], about = cross(scratch.arms[k], pull);
        six[0] += pull.x, six[1] += pull.y, six[2] += pull.z;
        six[3] += about.x, six[4] += about.y, six[5] += about.z;
    }
}

/// The coarse matrix with each body's axes turned as they are now, factored.
void CoupledSystem::turn_coarse(CoupledScratch& scratch) const {
    const std::size_t n = bodies_.unknowns(), blocks = n / 3;
    scratch.turns.resize(blocks);
    for (std::size_t b = 0; b < bodies_.size(); ++b)
        if (bodies_.moves(b))
            for (std::size_t k = 0; k < 2; ++k)
                scratch.turns[std::size_t(bodies_.slot(b)) / 3 + k] = matrix_from(scratch.guess[b].place.turn);
    scratch.coarse.resize(n * n);
    for (std::size_t i = 0; i < blocks; ++i)
        for (std::size_t j = 0; j < blocks; ++j) {
            Matrix3 block;
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 3; ++c) block.m[r][c] = coarse_[(3 * i + r) * n + 3 * j + c];
            block = scratch.turns[i] * block * transposed(scratch.turns[j]);
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 3; ++c) scratch.coarse[(3 * i + r) * n + 3 * j + c] = block.m[r][c];
        }
    factor_dense(scratch.coarse, n);
}

/// The six numbers of each body that moves.
std::span<double> CoupledSystem::numbers(std::span<Vec3d> u) const {
    static_assert(sizeof(Vec3d) == 3 * sizeof(double));
    if (bodies_.unknowns() == 0) return {};
    return {&u[points()].x, bodies_.unknowns()};
}

// ---- the system ------------------------------------------------------------------------------------------------
void CoupledSystem::add_springs(std::span<const Vec3d> at, CoupledScratch& scratch) const {
    for (const Spring& spring : parts_.springs) {
        const Vec3d apart = at[spring.b] - at[spring.a];
        const double l = length(apart);
        if (!(l > 0)) continue;
        const Vec3d force = apart * (spring.stiffness * (l - spring.length) / l);
        scratch.right[spring.a] += force;
        scratch.right[spring.b] += -force;
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
    for (const Spring& spring : parts_.springs) {
        const Vec3d pull = (u[spring.b] - u[spring.a]) * (spring.stiffness * dt2);
        out[spring.a] += -pull;
        out[spring.b] += pull;
    }
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
/// The response of the bodies to an impulse along each active row, and the factored matrix of the rows' own response to
/// that.
void CoupledSystem::prepare_joints(CoupledScratch& scratch) const {
    const std::size_t n = bodies_.unknowns(), rows = scratch.rows.size();
    scratch.answers.assign(rows * n, 0);
    scratch.joint_factor.assign(rows * rows, 0);
    scratch.joint_right.assign(rows, 0);
    for (std::size_t r = 0; r < rows; ++r) {
        const std::span<double> answer(&scratch.answers[r * n], n);
        bodies_.add_impulse(scratch.bodies.rows[scratch.rows[r]], 1, answer);
        solve_dense(scratch.coarse, n, answer);
        for (std::size_t other = 0; other < rows; ++other)
            scratch.joint_factor[other * rows + r] = bodies_.rate(scratch.bodies.rows[scratch.rows[other]], answer);
    }
    factor_dense(scratch.joint_factor, rows);
}

/// The smallest motion of the bodies that gives the active rows the changes in joint_right.
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
    const std::span<double> own = numbers(scratch.better);
    gather(scratch, r, own);
    solve_dense(scratch.coarse, own.size(), own);
    for (std::size_t k = 0; k < scratch.rows.size(); ++k)
        scratch.joint_right[k] = -bodies_.rate(scratch.bodies.rows[scratch.rows[k]], own);
    add_answers(scratch, own);
    take_along(scratch, scratch.better);
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

/// Limits that a solution exceeds are enforced in the next one, and limits that would have to pull are released.
void CoupledSystem::solve_within_limits(CoupledScratch& scratch) const {
    auto& rows = scratch.bodies.rows;
    rows.clear();
    if (bodies_.unknowns() > 0) {
        turn_coarse(scratch);
        bodies_.find_joints(scratch.guess, scratch.bodies);
    }
    scratch.rows.clear();
    for (std::size_t r = 0; r < rows.size(); ++r)
        if (!rows[r].one_sided || rows[r].error < 0) scratch.rows.push_back(r);
    for (int round = 0; round < most_limit_rounds; ++round) {
        prepare_joints(scratch);
        close_joints(scratch);
        solve(scratch);
        if (rows.empty()) return;
        // The force of the joints is the residual that they leave.
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
            // The residual is what is missing from A d: the joints' impulse is its opposite.
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

/// Moves from the guess to the end of the step, and removes the errors that turning leaves in the joints.
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
