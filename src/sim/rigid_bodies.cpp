#include "sim/rigid_bodies.h"

#include <algorithm>

#include "base/portable_math.h"
#include "sim/dense_cholesky.h"

namespace fascia::sim {

namespace {

/// The most rounds of Newton's method to close the joints, and the error at which they count as closed.
constexpr int most_rounds = 12;
constexpr double together = 1e-12;

Vec3d axis_of(int k) {
    return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
}

Matrix3 turned(const Matrix3& own, Quat turn) {
    const Matrix3 r = matrix_from(turn);
    return r * own * transposed(r);
}

/// Any direction across a unit one.
Vec3d across(Vec3d u) {
    return normalized(cross(u, std::abs(u.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
}

double product(const double* six, Vec3d along, Vec3d about) {
    return six[0] * along.x + six[1] * along.y + six[2] * along.z + six[3] * about.x + six[4] * about.y +
           six[5] * about.z;
}

void add_six(double* six, Vec3d along, Vec3d about, double s) {
    six[0] += along.x * s, six[1] += along.y * s, six[2] += along.z * s;
    six[3] += about.x * s, six[4] += about.y * s, six[5] += about.z * s;
}

/// The orientation of a body after turning with constant spin: the midpoint rule, which preserves the energy of a
/// tumbling body.
Quat turned_on(Quat q, const Matrix3& inverse_inertia, Vec3d spin, double dt) {
    Quat end = q;
    for (int round = 0; round < 4; ++round) {
        const Quat middle = normalized(Quat{q.w + end.w, q.x + end.x, q.y + end.y, q.z + end.z});
        const Vec3d own = inverse_inertia * rotate(conjugate(middle), spin);
        end = normalized(cayley(rotate(middle, own) * dt) * q);
    }
    return end;
}

Vec3d turn_rate(Quat before, Quat after, double dt) {
    const Quat d = after * conjugate(before);
    const double s = std::abs(d.w) > 1e-9 ? 2 / (d.w * dt) : 0;
    return Vec3d{d.x, d.y, d.z} * s;
}

}  // namespace

RigidBodies::RigidBodies(BodyParts parts) : parts_(std::move(parts)) {
    for (const RigidBody& body : parts_.bodies) {
        slot_.push_back(body.mass > 0 ? int(free_) : -1);
        if (body.mass > 0) free_ += 6;
    }
}

Vec3d RigidBodies::velocity(std::size_t body, const BodyState& state) const {
    return moves(body) ? state.momentum * (1 / parts_.bodies[body].mass) : Vec3d{};
}

Vec3d RigidBodies::turning(std::size_t body, const BodyState& state) const {
    if (!moves(body)) return {};
    return inverse(turned(parts_.bodies[body].inertia, state.place.turn)) * state.spin;
}

double RigidBodies::kinetic_energy(std::span<const BodyState> states) const {
    double sum = 0;
    for (std::size_t k = 0; k < size(); ++k)
        sum += 0.5 * (dot(states[k].momentum, velocity(k, states[k])) + dot(states[k].spin, turning(k, states[k])));
    return sum;
}

double RigidBodies::drift(std::span<const BodyState> states) const {
    double most = 0;
    const auto look = [&](const BodyPoints& p) {
        most = std::max(most, length(place_of(states[std::size_t(p.b)].place, p.at_b) -
                                     place_of(states[std::size_t(p.a)].place, p.at_a)));
    };
    for (const BallJoint& joint : parts_.balls) look(joint.points);
    for (const RevoluteJoint& joint : parts_.hinges) look(joint.points);
    return most;
}

// ---- equations -------------------------------------------------------------------------------------------------
void RigidBodies::find_rows(std::span<const BodyState> states, std::vector<BodyRow>& rows) const {
    rows.clear();
    const auto together_at = [&](const BodyPoints& p) {
        const BodyPlace &a = states[std::size_t(p.a)].place, &b = states[std::size_t(p.b)].place;
        const Vec3d arm_a = rotate(a.turn, p.at_a), arm_b = rotate(b.turn, p.at_b), apart = b.at + arm_b - a.at - arm_a;
        for (int k = 0; k < 3; ++k) {
            const Vec3d e = axis_of(k);
            rows.push_back({p.a, p.b, -e, -cross(arm_a, e), e, cross(arm_b, e), dot(apart, e), false});
        }
    };
    /// Adds a row for the angle between a direction of each body.
    const auto between = [&](const BodyPoints& p, Vec3d a, Vec3d b, double least, bool one_sided) {
        rows.push_back({p.a, p.b, {}, cross(a, b), {}, cross(b, a), dot(a, b) - least, one_sided});
    };
    const auto seen = [&](int body, Vec3d own) { return rotate(states[std::size_t(body)].place.turn, own); };
    for (const BallJoint& joint : parts_.balls) {
        together_at(joint.points);
        if (joint.most >= portable::pi) continue;
        between(joint.points, seen(joint.points.a, joint.limited_a), seen(joint.points.b, joint.limited_b),
                portable::cosine(joint.most), true);
    }
    for (const RevoluteJoint& joint : parts_.hinges) {
        together_at(joint.points);
        const Vec3d u = across(joint.axis_a), w = cross(joint.axis_a, u), axis = seen(joint.points.b, joint.axis_b);
        between(joint.points, seen(joint.points.a, u), axis, 0, false);
        between(joint.points, seen(joint.points.a, w), axis, 0, false);
    }
}

void RigidBodies::add_masses(std::span<const BodyState> states, BodyScratch& scratch) const {
    scratch.system.assign(free_ * free_, 0);
    for (std::size_t body = 0; body < size(); ++body) {
        if (!moves(body)) continue;
        const std::size_t at = std::size_t(slot_[body]);
        const Matrix3 inertia = turned(parts_.bodies[body].inertia, states[body].place.turn);
        for (std::size_t i = 0; i < 3; ++i) {
            scratch.system[(at + i) * free_ + at + i] += parts_.bodies[body].mass;
            for (std::size_t j = 0; j < 3; ++j) scratch.system[(at + 3 + i) * free_ + at + 3 + j] += inertia.m[i][j];
        }
    }
}

/// `force` on the second point and its opposite on the first, and how the motion of the points changes it in half a
/// step: -stiffness times their relative velocity.
void RigidBodies::add_pull(const BodyPoints& points, Vec3d force, const Matrix3& stiffness,
                           std::span<const BodyState> states, BodyScratch& scratch) const {
    struct End {
        int slot;
        Vec3d arm;
        double sign;
    };
    const auto arm = [&](int body, Vec3d own) { return rotate(states[std::size_t(body)].place.turn, own); };
    const End ends[2] = {{slot_[std::size_t(points.a)], arm(points.a, points.at_a), -1},
                         {slot_[std::size_t(points.b)], arm(points.b, points.at_b), 1}};
    for (const End& one : ends) {
        if (one.slot < 0) continue;
        add_six(&scratch.forces[std::size_t(one.slot)], force, cross(one.arm, force), one.sign);
        for (const End& other : ends) {
            if (other.slot < 0) continue;
            for (int c = 0; c < 6; ++c) {
                // The velocity of the other body's point per unit of that body's c-th number.
                const Vec3d moved = c < 3 ? axis_of(c) : cross(axis_of(c - 3), other.arm);
                const Vec3d pull = stiffness * moved;
                double six[6] = {0, 0, 0, 0, 0, 0};
                add_six(six, pull, cross(one.arm, pull), one.sign * other.sign);
                for (std::size_t r = 0; r < 6; ++r)
                    scratch.system[(std::size_t(one.slot) + r) * free_ + std::size_t(other.slot + c)] += six[r];
            }
        }
    }
}

void RigidBodies::add_forces(const BodyDrive& drive, std::span<const BodyState> states, BodyScratch& scratch) const {
    const double dt = 2 * drive.lean * drive.dt;  // the step of which this is half
    scratch.forces.assign(free_, 0);
    for (std::size_t body = 0; body < size(); ++body)
        if (moves(body))
            add_six(&scratch.forces[std::size_t(slot_[body])], drive.gravity * parts_.bodies[body].mass, {}, 1);
    const auto line = [&](const BodyPoints& p) {
        return place_of(states[std::size_t(p.b)].place, p.at_b) - place_of(states[std::size_t(p.a)].place, p.at_a);
    };
    for (const BodySpring& spring : parts_.springs) {
        const Vec3d d = line(spring.points);
        const double l = length(d);
        if (!(l > 0)) continue;
        const Vec3d u = d * (1 / l);
        const double lateral = std::max(0.0, 1 - spring.length / l) * spring.stiffness;
        const double rate = spring.length > 0 ? spring.damping / spring.length : 0;
        const Matrix3 along = outer(u, u), side = scaled_identity(1) + along * -1;
        add_pull(spring.points, u * (-spring.stiffness * (l - spring.length)),
                 (along * spring.stiffness + side * lateral) * (dt * dt / 4) + along * (rate * dt / 2), states,
                 scratch);
    }
    for (std::size_t k = 0; k < parts_.muscles.size(); ++k) {
        const BodyMuscle& each = parts_.muscles[k];
        const Vec3d d = line(each.points);
        const double l = length(d), active = k < drive.activations.size() ? drive.activations[k] : 0;
        if (!(l > 0)) continue;
        const Vec3d u = d * (1 / l);
        const double force = pull(each.muscle, active, l, 0), rate = each.muscle.damping / each.muscle.best_length;
        const double range = each.muscle.most_length - each.muscle.best_length;
        const double stiff = l > each.muscle.best_length && l < each.muscle.most_length
                                 ? each.muscle.passive * each.muscle.strongest / range
                                 : 0;
        const Matrix3 along = outer(u, u), side = scaled_identity(1) + along * -1;
        add_pull(each.points, u * -force,
                 (along * stiff + side * (force / l)) * (dt * dt / 4) + along * (rate * dt / 2), states, scratch);
    }
    for (std::size_t k = 0; k < parts_.ties.size(); ++k) {
        const BodyTie& tie = parts_.ties[k];
        if (slot_[std::size_t(tie.body)] < 0) continue;
        const Vec3d arm = rotate(states[std::size_t(tie.body)].place.turn, tie.at);
        const Vec3d force = (drive.tied_to[k] - states[std::size_t(tie.body)].place.at - arm) * tie.stiffness;
        const std::size_t at = std::size_t(slot_[std::size_t(tie.body)]);
        add_six(&scratch.forces[at], force, cross(arm, force), 1);
        const double stiff = tie.stiffness * (dt * dt / 4 + dt * drive.damping / 2);
        for (int c = 0; c < 6; ++c) {
            const Vec3d held = (c < 3 ? axis_of(c) : cross(axis_of(c - 3), arm)) * stiff;
            double six[6] = {0, 0, 0, 0, 0, 0};
            add_six(six, held, cross(arm, held), 1);
            for (std::size_t r = 0; r < 6; ++r) scratch.system[(at + r) * free_ + at + std::size_t(c)] += six[r];
        }
    }
}

void RigidBodies::linearise(const BodyDrive& drive, std::span<const BodyState> states, BodyScratch& scratch) const {
    add_masses(states, scratch);
    add_forces(drive, states, scratch);
}

Matrix3 RigidBodies::inertia(std::size_t body, const BodyPlace& place) const {
    return turned(parts_.bodies[body].inertia, place.turn);
}

double RigidBodies::rate(const BodyRow& row, std::span<const double> numbers) const {
    const int a = slot_[std::size_t(row.a)], b = slot_[std::size_t(row.b)];
    return (a < 0 ? 0 : product(&numbers[std::size_t(a)], row.along_a, row.about_a)) +
           (b < 0 ? 0 : product(&numbers[std::size_t(b)], row.along_b, row.about_b));
}

void RigidBodies::add_impulse(const BodyRow& row, double impulse, std::span<double> numbers) const {
    const int a = slot_[std::size_t(row.a)], b = slot_[std::size_t(row.b)];
    if (a >= 0) add_six(&numbers[std::size_t(a)], row.along_a, row.about_a, impulse);
    if (b >= 0) add_six(&numbers[std::size_t(b)], row.along_b, row.about_b, impulse);
}

// ---- impulses --------------------------------------------------------------------------------------------------
/// The change of velocities by an impulse of 1 in each row: inverse(A) G^T, by the factor in scratch.system.
void RigidBodies::find_answers(std::span<const BodyRow> rows, BodyScratch& scratch) const {
    scratch.answers.assign(rows.size() * free_, 0);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::span<double> answer(&scratch.answers[r * free_], free_);
        const BodyRow& row = rows[r];
        if (slot_[std::size_t(row.a)] >= 0)
            add_six(&answer[std::size_t(slot_[std::size_t(row.a)])], row.along_a, row.about_a, 1);
        if (slot_[std::size_t(row.b)] >= 0)
            add_six(&answer[std::size_t(slot_[std::size_t(row.b)])], row.along_b, row.about_b, 1);
        solve_dense(scratch.system, free_, answer);
    }
}

/// Solves (G inverse(A) G^T) joint_right for the active rows, in place.
void RigidBodies::solve_active(std::span<const BodyRow> rows, BodyScratch& scratch) const {
    const std::size_t n = scratch.active.size();
    scratch.joint_system.resize(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        const BodyRow& row = rows[scratch.active[i]];
        const int a = slot_[std::size_t(row.a)], b = slot_[std::size_t(row.b)];
        for (std::size_t j = 0; j < n; ++j) {
            const double* answer = &scratch.answers[scratch.active[j] * free_];
            double sum = 0;
            if (a >= 0) sum += product(answer + a, row.along_a, row.about_a);
            if (b >= 0) sum += product(answer + b, row.along_b, row.about_b);
            scratch.joint_system[i * n + j] = sum;
        }
    }
    factor_dense(scratch.joint_system, n);
    solve_dense(scratch.joint_system, n, scratch.joint_right);
}

/// Moves the bodies from `before` by the mean velocity and the impulses found so far.
void RigidBodies::go_to_end(double dt, std::span<BodyState> states, BodyScratch& scratch) const {
    scratch.sum = scratch.mean;
    for (std::size_t r = 0; r < scratch.impulses.size(); ++r)
        if (scratch.impulses[r] != 0)
            for (std::size_t k = 0; k < free_; ++k)
                scratch.sum[k] += scratch.impulses[r] * scratch.answers[r * free_ + k];
    for (std::size_t body = 0; body < size(); ++body) {
        if (!moves(body)) continue;
        const double* u = &scratch.sum[std::size_t(slot_[body])];
        const BodyState& from = scratch.before[body];
        const Matrix3& own = parts_.bodies[body].inertia;
        BodyState& to = states[body];
        to.momentum = Vec3d{u[0], u[1], u[2]} * parts_.bodies[body].mass;
        to.spin = turned(own, from.place.turn) * Vec3d{u[3], u[4], u[5]};
        to.place.at = from.place.at + Vec3d{u[0], u[1], u[2]} * dt;
        to.place.turn = turned_on(from.place.turn, inverse(own), to.spin, dt);
    }
}

/// First half: the impulses that close every joint at the end of the step.
void RigidBodies::join_ends(const BodyDrive& drive, std::span<BodyState> states, BodyScratch& scratch) const {
    find_rows(states, scratch.rows);
    find_answers(scratch.rows, scratch);
    scratch.impulses.assign(scratch.rows.size(), 0);
    go_to_end(drive.dt, states, scratch);
    for (int round = 0; round < most_rounds; ++round) {
        find_rows(states, scratch.end_rows);
        scratch.active.clear();
        scratch.joint_right.clear();
        double worst = 0;
        for (std::size_t r = 0; r < scratch.end_rows.size(); ++r) {
            const BodyRow& row = scratch.end_rows[r];
            const bool counts = !row.one_sided || row.error < 0 || scratch.impulses[r] > 0;
            if (!counts) continue;
            scratch.active.push_back(r);
            scratch.joint_right.push_back(-row.error / drive.dt);
            worst = std::max(worst, std::abs(row.error));
        }
        if (worst < together) break;
        solve_active(scratch.rows, scratch);
        for (std::size_t i = 0; i < scratch.active.size(); ++i) {
            double& impulse = scratch.impulses[scratch.active[i]];
            impulse += scratch.joint_right[i];
            if (scratch.rows[scratch.active[i]].one_sided) impulse = std::max(0.0, impulse);
        }
        go_to_end(drive.dt, states, scratch);
    }
    // The rest of the forces: so far the momenta have received only a share of them, but all impulses.
    const double rest = 1 / drive.lean - 1;
    for (std::size_t body = 0; body < size(); ++body) {
        if (!moves(body)) continue;
        states[body].momentum += (states[body].momentum - scratch.before[body].momentum) * rest;
        states[body].spin += (states[body].spin - scratch.before[body].spin) * rest;
    }
    for (std::size_t r = 0; r < scratch.rows.size(); ++r) {
        const BodyRow& row = scratch.rows[r];
        const double back = -rest * scratch.impulses[r];
        states[std::size_t(row.a)].momentum += row.along_a * back;
        states[std::size_t(row.a)].spin += row.about_a * back;
        states[std::size_t(row.b)].momentum += row.along_b * back;
        states[std::size_t(row.b)].spin += row.about_b * back;
    }
}

/// Second half: velocities that keep the joints closed, G v = 0, and do not go further beyond any limit, N v >= 0.
void RigidBodies::join_speeds(const BodyDrive& drive, std::span<BodyState> states, BodyScratch& scratch) const {
    find_rows(states, scratch.rows);
    add_masses(states, scratch);
    factor_dense(scratch.system, free_);
    find_answers(scratch.rows, scratch);
    const auto rate = [&](const BodyRow& row) {
        const auto share = [&](int body, Vec3d along, Vec3d about) {
            const std::size_t k = std::size_t(body);
            if (moves(k)) return dot(along, velocity(k, states[k])) + dot(about, turning(k, states[k]));
            const BodyPlace &from = scratch.before[k].place, &to = states[k].place;
            return dot(along, to.at - from.at) / drive.dt + dot(about, turn_rate(from.turn, to.turn, drive.dt));
        };
        return share(row.a, row.along_a, row.about_a) + share(row.b, row.along_b, row.about_b);
    };
    scratch.active.clear();
    for (std::size_t r = 0; r < scratch.rows.size(); ++r) {
        const BodyRow& row = scratch.rows[r];
        if (!row.one_sided || (row.error < 1e-9 && rate(row) < 0)) scratch.active.push_back(r);
    }
    // A limit that would have to pull is released.
    for (std::size_t tries = 0; tries <= scratch.rows.size(); ++tries) {
        scratch.joint_right.clear();
        for (const std::size_t r : scratch.active) scratch.joint_right.push_back(-rate(scratch.rows[r]));
        solve_active(scratch.rows, scratch);
        const std::size_t before = scratch.active.size();
        for (std::size_t i = before; i-- > 0;)
            if (scratch.rows[scratch.active[i]].one_sided && scratch.joint_right[i] < 0)
                scratch.active.erase(scratch.active.begin() + std::ptrdiff_t(i));
        if (scratch.active.size() == before) break;
    }
    for (std::size_t i = 0; i < scratch.active.size(); ++i) {
        const BodyRow& row = scratch.rows[scratch.active[i]];
        const double impulse = scratch.joint_right[i];
        states[std::size_t(row.a)].momentum += row.along_a * impulse;
        states[std::size_t(row.a)].spin += row.about_a * impulse;
        states[std::size_t(row.b)].momentum += row.along_b * impulse;
        states[std::size_t(row.b)].spin += row.about_b * impulse;
    }
}

double RigidBodies::step(const BodyDrive& drive, std::span<BodyState> states, BodyScratch& scratch) const {
    scratch.before.assign(states.begin(), states.end());
    for (std::size_t body = 0; body < size(); ++body)
        if (!moves(body)) states[body].place = drive.places[body];
    if (free_ == 0) return 0;
    add_masses(states, scratch);
    // M v, before the springs' stiffness is added to the masses.
    scratch.mean.assign(free_, 0);
    for (std::size_t body = 0; body < size(); ++body)
        if (moves(body)) add_six(&scratch.mean[std::size_t(slot_[body])], states[body].momentum, states[body].spin, 1);
    add_forces(drive, states, scratch);
    for (std::size_t k = 0; k < free_; ++k) scratch.mean[k] += drive.lean * drive.dt * scratch.forces[k];
    factor_dense(scratch.system, free_);
    solve_dense(scratch.system, free_, scratch.mean);
    join_ends(drive, states, scratch);
    join_speeds(drive, states, scratch);
    for (std::size_t body = 0; body < size(); ++body)
        if (!moves(body)) states[body].momentum = states[body].spin = {};
    return drift(states);
}

}  // namespace fascia::sim
