// Newton's method for as-rigid-as-possible points (docs/formulas.md C10). Moving the points while their rotations stand
// still lets a piece of flesh that ought to turn as a whole do so only by and by. Here the points move as if every
// rotation R followed them at once:
//     H d = pull,      H d = sum_j (d_i - d_j) - sum_j (dR_i + dR_j) / 2 (p_i - p_j),   dR the change of R with d,
// which conjugate gradients solve, with the factor of the edges alone as a preconditioner. Then the rotations turn as
// far as d says, and the points move to where these want them: unlike d itself, that stretches nothing that turns far.
#include <algorithm>

#include "base/workspace.h"
#include "sim/grid_arap.h"

namespace fascia::sim {

namespace {

constexpr std::size_t group = 8, grain = 32;
constexpr int most_gradients = 12;
/// Mean energy per value, in square cells: of a residual that is small enough after a long way, of points that are
/// where they want to be, and of what floats cannot resolve.
constexpr double small_residual = 3e-8, rest_residual = 1e-9, float_residual = 3e-10;
/// After a short way, the residual is to become smaller by this.
constexpr double fall = 0.01;
/// What rounding may add to an energy.
constexpr double rounding = 1e-6;

/// Always in the same order, and eight sums at a time.
double dot(std::span<const float> a, std::span<const float> b) {
    double sums[8] = {};
    std::size_t k = 0;
    for (; k + 8 <= a.size(); k += 8)
        for (std::size_t e = 0; e < 8; ++e) sums[e] += double(a[k + e]) * double(b[k + e]);
    for (; k < a.size(); ++k) sums[0] += double(a[k]) * double(b[k]);
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

void add(float factor, std::span<const float> a, std::span<float> to) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] += factor * a[k];
}

}  // namespace

bool GridArap::newton(std::span<float> places, std::span<float> rotations, ArapScratch& scratch,
                      ThreadPool& pool) const {
    fit(places, rotations, scratch, pool);
    if (free_count() == 0) return false;
    const std::span<float> old_places = sized(scratch.kept_places, places.size()),
                           old_rotations = sized(scratch.kept_rotations, rotations.size());
    std::copy(places.begin(), places.end(), old_places.begin());
    std::copy(rotations.begin(), rotations.end(), old_rotations.begin());
    const double before = measured(places, rotations, scratch, pool);
    if (!find_newton_step(places, rotations, scratch, pool)) return false;
    turn_along(places, rotations, true, scratch, pool);
    relax(places, 1, scratch, pool);
    fit(places, rotations, scratch, pool);
    if (measured(places, rotations, scratch, pool) <= before * (1 + rounding)) return true;
    // Too far away for Newton: one iteration that is sure.
    std::copy(old_places.begin(), old_places.end(), places.begin());
    std::copy(old_rotations.begin(), old_rotations.end(), rotations.begin());
    iterate(places, rotations, 1, scratch, pool);
    fit(places, rotations, scratch, pool);
    return true;
}

/// d, as `moves`. False: it is too small to matter.
bool GridArap::find_newton_step(std::span<const float> places, std::span<float> rotations, ArapScratch& scratch,
                                ThreadPool& pool) const {
    const std::size_t values = 3 * free_count();
    const std::span<float> residual = sized(scratch.residual, values), direction = sized(scratch.direction, values),
                           step = sized(scratch.step, values), moves = sized(scratch.moves, places.size());
    std::fill(step.begin(), step.end(), 0.0f);
    std::fill(direction.begin(), direction.end(), 0.0f);
    std::fill(moves.begin(), moves.end(), 0.0f);
    const std::span<const float> pull = pulls(places, 1, scratch, pool);
    std::copy(pull.begin(), pull.end(), residual.begin());
    double last = 1, enough = 0;
    for (int k = 0; k < most_gradients; ++k) {
        const std::span<float> conditioned = std::span(scratch.values).first(values);
        std::copy(residual.begin(), residual.end(), conditioned.begin());
        solver_.solve(conditioned, sized(scratch.tiles, solver_.scratch_floats()));
        const double rest = dot(residual, conditioned), mean = rest / double(values);
        if (k == 0) {
            if (!(mean > rest_residual)) return false;
            enough = std::clamp(fall * mean, float_residual, small_residual);
        } else if (!(mean > enough)) {
            break;
        }
        const auto share = float(k > 0 ? rest / last : 0);
        for (std::size_t e = 0; e < values; ++e) direction[e] = conditioned[e] + share * direction[e];
        last = rest;
        // H times the direction, with the other sign.
        std::fill(moves.begin(), moves.end(), 0.0f);
        add_to_free(direction, 1, moves);
        turn_along(places, rotations, false, scratch, pool);
        const std::span<const float> against = pulls(moves, 1, scratch, pool);
        const double along = -dot(direction, against);
        if (!(along > 0)) {  // not a valley in this direction
            if (k == 0) add(1, direction, step);
            break;
        }
        const auto reach = float(rest / along);
        add(reach, direction, step);
        add(reach, against, residual);
    }
    std::fill(moves.begin(), moves.end(), 0.0f);
    add_to_free(step, 1, moves);
    return true;
}

/// The columns become the change of the rotations with `moves`; with `turn`, they and the rotations become what they
/// will be.
void GridArap::turn_along(std::span<const float> places, std::span<float> rotations, bool turn, ArapScratch& scratch,
                          ThreadPool& pool) const {
    const ArapLean task{own_ends_.data(),       places.data(), scratch.moves.data(), rotations.data(), stride(),
                        scratch.columns.data(), turn};
    pool.for_ranges(own_.size() / group, grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(lean_arap)(task, begin, end);
    });
}

/// The energy, by vectors.
double GridArap::measured(std::span<const float> places, std::span<const float> rotations, ArapScratch& scratch,
                          ThreadPool& pool) const {
    const std::span<float> energies = sized(scratch.energies, stride());
    const ArapMeasure task{own_.data(),      own_ends_.data(), own_has_end_.data(), places.data(),
                           rotations.data(), stride(),         energies.data()};
    pool.for_ranges(own_.size() / group, grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(measure_arap)(task, begin, end);
    });
    double sum = 0;
    for (std::size_t k = 0; k < turned_.size(); ++k) sum += energies[k];
    return sum;
}

}  // namespace fascia::sim
