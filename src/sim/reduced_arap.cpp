#include "sim/reduced_arap.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "base/workspace.h"
#include "sim/dense_cholesky.h"
#include "sim/rotation_fit.h"

namespace fascia::sim {

namespace {

constexpr std::size_t most_in_region = 4;
/// Weight of a held point, relative to the edges around it, whose weights are about 1.
constexpr double grip = 100;

double apart(Vec3 a, Vec3 b) {
    return length(to_double(a) - to_double(b));
}

struct Step {
    double far;
    std::uint32_t point, frame;
    bool operator>(const Step& other) const {
        return far != other.far ? far > other.far : point != other.point ? point > other.point : frame > other.frame;
    }
};
using Steps = std::priority_queue<Step, std::vector<Step>, std::greater<>>;

/// out = matrix in, for three channels. matrix: [rows * columns] by columns; out: [3 * rows], in: [3 * columns]
void multiply(std::span<const float> matrix, std::size_t rows, std::size_t columns, const float* in, float* out,
              bool add) {
    if (!add) std::fill_n(out, 3 * rows, 0.0f);
    float *x = out, *y = out + rows, *z = out + 2 * rows;
    for (std::size_t c = 0; c < columns; ++c) {
        const float* m = &matrix[c * rows];
        const float u = in[c], v = in[columns + c], w = in[2 * columns + c];
        for (std::size_t r = 0; r < rows; ++r) x[r] += m[r] * u;
        for (std::size_t r = 0; r < rows; ++r) y[r] += m[r] * v;
        for (std::size_t r = 0; r < rows; ++r) z[r] += m[r] * w;
    }
}

/// Points far from one another: each is the farthest from all before it, measured in a straight line. Along the
/// surface, five fingers would take more frames than their arm.
std::vector<std::uint32_t> farthest_points(std::span<const Vec3> rest, std::size_t count) {
    std::vector<double> far(rest.size(), 1e300);
    std::vector<std::uint32_t> out;
    std::uint32_t next = 0;
    while (out.size() < count) {
        out.push_back(next);
        for (std::uint32_t p = 0; p < far.size(); ++p) far[p] = std::min(far[p], apart(rest[p], rest[out.back()]));
        next = std::uint32_t(std::max_element(far.begin(), far.end()) - far.begin());
        if (far[next] == 0) break;
    }
    return out;
}

}  // namespace

SpreadFrames::SpreadFrames(std::span<const Vec3> rest, const CotangentGraph& graph, std::size_t count)
    : centres(farthest_points(rest, std::min(count, rest.size()))),
      region(rest.size(), 0),
      frames(rest.size() * influences, 0),
      weights(rest.size() * influences, 0) {
    // The nearest frames of every point, one more than it uses: weights reach zero at the distance of that one.
    std::vector<std::vector<Step>> near(rest.size());
    Steps open;
    for (std::uint32_t k = 0; k < centres.size(); ++k) open.push({0, centres[k], k});
    while (!open.empty()) {
        const Step step = open.top();
        open.pop();
        std::vector<Step>& own = near[step.point];
        const auto same = [&](const Step& s) { return s.frame == step.frame; };
        if (own.size() > influences || std::any_of(own.begin(), own.end(), same)) continue;
        own.push_back(step);
        for (std::uint32_t e = graph.first[step.point]; e < graph.first[step.point + 1]; ++e)
            if (near[graph.to[e]].size() <= influences)
                open.push({step.far + apart(rest[step.point], rest[graph.to[e]]), graph.to[e], step.frame});
    }
    for (std::uint32_t p = 0; p < rest.size(); ++p) {
        std::vector<Step>& own = near[p];
        if (own.empty()) {
            std::uint32_t best = 0;
            for (std::uint32_t k = 1; k < centres.size(); ++k)
                if (apart(rest[p], rest[centres[k]]) < apart(rest[p], rest[centres[best]])) best = k;
            own.push_back({0, p, best});
        }
        region[p] = own[0].frame;
        const bool all = own.size() <= influences;
        const double end = (all ? 1.5 : 1.0) * own.back().far;
        double sum = 0;
        std::vector<double> shares;
        for (std::size_t k = 0; k < std::min(own.size(), influences); ++k) {
            const double share = end > 0 ? std::max(0.0, 1 - own[k].far / end) : double(k == 0);
            shares.push_back(share * share), sum += share * share;
        }
        for (std::size_t k = 0; k < shares.size(); ++k) {
            frames[p * influences + k] = std::uint16_t(own[k].frame);
            weights[p * influences + k] = float(sum > 0 ? shares[k] / sum : double(k == 0));
        }
    }
}

void ReducedArap::rows_of(std::span<const Vec3> rest, std::size_t point, double sign, std::vector<Row>& out) const {
    for (std::size_t s = point * SpreadFrames::influences; s < (point + 1) * SpreadFrames::influences; ++s) {
        const double w = sign * double(spread_.weights[s]);
        if (w == 0) continue;
        const std::uint32_t k = spread_.frames[s];
        const Vec3d arm = to_double(rest[point]) - to_double(centres_[k]);
        out.push_back({4 * k, w * arm.x}), out.push_back({4 * k + 1, w * arm.y});
        out.push_back({4 * k + 2, w * arm.z}), out.push_back({4 * k + 3, w});
    }
}

ReducedArap::ReducedArap(std::span<const Vec3> rest, const CotangentGraph& graph, std::size_t frames)
    : spread_(rest, graph, frames), rest_(rest.begin(), rest.end()) {
    for (const std::uint32_t p : spread_.centres) centres_.push_back(rest[p]);
    const std::size_t n = unknowns(), columns = 3 * frame_count();
    matrix_.assign(n * n, 0);
    std::vector<double> turned(n * columns, 0), dense(n, 0);
    std::vector<Row> rows;
    std::vector<std::uint32_t> used;
    for (std::uint32_t p = 0; p < rest.size(); ++p)
        for (std::uint32_t e = graph.first[p]; e < graph.first[p + 1]; ++e) {
            rows.clear(), used.clear();
            rows_of(rest, p, 1, rows);
            rows_of(rest, graph.to[e], -1, rows);
            for (const Row& row : rows) {
                if (dense[row.at] == 0) used.push_back(row.at);
                dense[row.at] += row.value;
            }
            std::sort(used.begin(), used.end());
            used.erase(std::unique(used.begin(), used.end()), used.end());
            const double w = double(graph.weights[e]);
            const Vec3d edge = to_double(rest[p]) - to_double(rest[graph.to[e]]);
            for (const std::uint32_t a : used) {
                const double wa = w * dense[a];
                if (graph.to[e] > p)  // both directions of an edge give the same row
                    for (const std::uint32_t b : used) matrix_[a * n + b] += 2 * wa * dense[b];
                double* to = &turned[3 * std::size_t(spread_.region[p]) * n + a];
                to[0] += wa * edge.x, to[n] += wa * edge.y, to[2 * n] += wa * edge.z;
            }
            for (const std::uint32_t a : used) dense[a] = 0;
        }
    turned_.assign(turned.begin(), turned.end());
    felt_.resize(turned_.size());
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < columns; ++c) felt_[r * columns + c] = turned_[c * n + r];
}

ReducedHold::ReducedHold(const ReducedArap& arap, std::span<const std::uint8_t> held) {
    // A few points in each region, so that a handle that holds seven points counts beside one that holds a thousand.
    std::vector<std::vector<std::uint32_t>> held_in(arap.frame_count());
    for (std::uint32_t p = 0; p < held.size(); ++p)
        if (held[p]) held_in[arap.spread_.region[p]].push_back(p);
    std::vector<double> grips;
    for (const std::vector<std::uint32_t>& all : held_in) {
        const std::size_t count = std::min(all.size(), most_in_region);
        for (std::size_t k = 0; k < count; ++k) {
            chosen_.push_back(all[k * all.size() / count]);
            grips.push_back(grip * double(all.size()) / double(count));
        }
    }
    const std::size_t n = arap.unknowns(), count = chosen_.size();
    std::vector<double> matrix = arap.matrix_;
    std::vector<std::vector<ReducedArap::Row>> rows(count);
    for (std::size_t k = 0; k < count; ++k) {
        arap.rows_of(arap.rest_, chosen_[k], 1, rows[k]);
        for (const auto& a : rows[k])
            for (const auto& b : rows[k]) matrix[a.at * n + b.at] += grips[k] * a.value * b.value;
    }
    // Frames turn with their regions, so only their positions are unknown: a system with a row for each. Frames that
    // nothing pulls stay.
    const std::size_t frames = arap.frame_count();
    std::vector<double> places(frames * frames);
    double trace = 0;
    for (std::size_t k = 0; k < frames; ++k) {
        for (std::size_t l = 0; l < frames; ++l) places[k * frames + l] = matrix[(4 * k + 3) * n + 4 * l + 3];
        trace += places[k * frames + k];
    }
    for (std::size_t k = 0; k < frames; ++k) places[k * frames + k] += 1e-9 * trace / double(frames) + 1e-12;
    factor_dense(places, frames);
    std::vector<double> column(frames);
    for (std::size_t k = 0; k < count; ++k) {
        std::fill(column.begin(), column.end(), 0.0);
        for (const auto& row : rows[k])
            if (row.at % 4 == 3) column[row.at / 4] += grips[k] * row.value;
        solve_dense(places, frames, column);
        of_targets_.insert(of_targets_.end(), column.begin(), column.end());
    }
    for (std::size_t l = 0; l < frames; ++l)
        for (std::size_t a = 0; a < 3; ++a) {
            for (std::size_t k = 0; k < frames; ++k)
                column[k] = double(arap.turned_[(3 * l + a) * n + 4 * k + 3]) - matrix[(4 * k + 3) * n + 4 * l + a];
            solve_dense(places, frames, column);
            of_rotations_.insert(of_rotations_.end(), column.begin(), column.end());
        }
}

void ReducedHold::solve(const ReducedArap& arap, std::span<const Vec3> targets, std::span<const float> turns,
                        int rounds, ReducedScratch& scratch, std::span<float> out) const {
    const std::size_t n = arap.unknowns(), frames = arap.frame_count(), count = chosen_.size();
    const std::span<float> wanted = sized(scratch.targets, 3 * count), start = sized(scratch.start, 3 * frames),
                           places = sized(scratch.places, 3 * frames), rotations = sized(scratch.rotations, 9 * frames),
                           sums = sized(scratch.sums, 9 * frames), all = sized(scratch.all, 3 * n),
                           best = sized(scratch.best, 4 * frames);
    for (std::size_t k = 0; k < count; ++k)
        wanted[k] = targets[k].x, wanted[count + k] = targets[k].y, wanted[2 * count + k] = targets[k].z;
    multiply(of_targets_, frames, count, wanted.data(), start.data(), false);
    for (std::size_t k = 0; k < frames; ++k)
        for (std::size_t c = 0; c < 4; ++c) best[4 * k + c] = turns[c * frames + k];
    for (int round = 0;; ++round) {
        for (std::size_t k = 0; k < frames; ++k) {
            const Matrix r = matrix_of({best[4 * k], best[4 * k + 1], best[4 * k + 2], best[4 * k + 3]});
            for (std::size_t c = 0; c < 3; ++c)  // of the target, one channel; of the edge, one column
                for (std::size_t a = 0; a < 3; ++a) rotations[3 * frames * c + 3 * k + a] = r.m[c][a];
        }
        std::copy(start.begin(), start.end(), places.begin());
        multiply(of_rotations_, frames, 3 * frames, rotations.data(), places.data(), true);
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t k = 0; k < frames; ++k) {
                float* to = &all[n * c + 4 * k];
                for (std::size_t a = 0; a < 3; ++a) to[a] = rotations[3 * frames * c + 3 * k + a];
                to[3] = places[frames * c + k];
            }
        if (round == rounds) break;
        multiply(arap.felt_, 3 * frames, n, all.data(), sums.data(), false);
        for (std::size_t k = 0; k < frames; ++k) {
            Matrix s;
            for (std::size_t c = 0; c < 3; ++c)
                for (std::size_t a = 0; a < 3; ++a) s.m[c][a] = sums[3 * frames * c + 3 * k + a];
            const Rotation q = fit_rotation(s, {best[4 * k], best[4 * k + 1], best[4 * k + 2], best[4 * k + 3]});
            best[4 * k] = q.w, best[4 * k + 1] = q.x, best[4 * k + 2] = q.y, best[4 * k + 3] = q.z;
        }
    }
    for (std::size_t k = 0; k < frames; ++k)
        for (std::size_t r = 0; r < 4; ++r)
            for (std::size_t c = 0; c < 3; ++c) out[12 * k + 3 * r + c] = all[c * n + 4 * k + r];
}

}  // namespace fascia::sim
