#include "methods/handles/edge_turns.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"

namespace fascia {

namespace {

constexpr std::size_t most_edges = 64;  ///< of one handle; further edges are ignored

Quat sum_of(Quat a, double wa, Quat b, double wb) {
    return {wa * a.w + wb * b.w, wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z};
}
Quat on_the_side_of(Quat q, Quat other) {
    return dot(q, other) < 0 ? Quat{-q.w, -q.x, -q.y, -q.z} : q;
}

/// [Luo 2016, eq. 7] By Jacobi rotations, which converge in a few sweeps for 4 x 4 matrices.
Quat largest_eigenvector(std::span<const Quat> turns) {
    double m[4][4] = {}, v[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (const Quat q : turns) {
        const double e[4] = {q.w, q.x, q.y, q.z};
        for (int r = 0; r < 4; ++r)
            for (int c = 0; c < 4; ++c) m[r][c] += e[r] * e[c] / double(turns.size());
    }
    for (int sweep = 0; sweep < 12; ++sweep)
        for (int p = 0; p < 3; ++p)
            for (int q = p + 1; q < 4; ++q) {
                if (std::abs(m[p][q]) < 1e-300) continue;
                const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
                const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 4; ++k) {
                    const double a = m[k][p], b = m[k][q];
                    m[k][p] = c * a - s * b, m[k][q] = s * a + c * b;
                }
                for (int k = 0; k < 4; ++k) {
                    const double a = m[p][k], b = m[q][k];
                    m[p][k] = c * a - s * b, m[q][k] = s * a + c * b;
                }
                for (int k = 0; k < 4; ++k) {
                    const double a = v[k][p], b = v[k][q];
                    v[k][p] = c * a - s * b, v[k][q] = s * a + c * b;
                }
            }
    int best = 0;
    for (int k = 1; k < 4; ++k)
        if (m[k][k] > m[best][best]) best = k;
    return normalized(Quat{v[0][best], v[1][best], v[2][best], v[3][best]});
}

/// From a towards b by the share t, after giving both the same sign.
Quat part_of_the_way(Quat a, Quat b, double t) {
    const double cosine = std::min(dot(a, b), 1.0);
    if (cosine > 1 - 1e-9) return normalized(sum_of(a, 1 - t, b, t));
    const double sine = std::sqrt(1 - cosine * cosine), angle = portable::arc_tangent(sine, cosine);
    return normalized(sum_of(a, portable::sine((1 - t) * angle), b, portable::sine(t * angle)));
}

}  // namespace

/// [Luo 2016, eq. 6], or as printed if asked for
Quat mean_turn(std::span<const Quat> turns, TurnMean how) {
    if (how == TurnMean::eigenvector) return largest_eigenvector(turns);
    Quat mean = turns[0];
    for (std::size_t k = 1; k < turns.size(); ++k) {
        const Quat next = on_the_side_of(turns[k], mean);
        const double count = double(k + 1);
        if (how == TurnMean::slerp)
            mean = part_of_the_way(mean, next, 1 / count);
        else
            mean = sum_of(next, 1 / count, mean, how == TurnMean::printed ? 1 / count : double(k) / count);
    }
    return normalized(mean);
}

Quat turn_between(Vec3d a, Vec3d b) {
    const double size = std::sqrt(dot(a, a) * dot(b, b));
    if (!(size > 0)) return {};
    const double along = dot(a, b) / size;
    if (along < -1 + 1e-6) {
        const Vec3d unit = normalized(a);
        const Vec3d across = std::abs(unit.x) < 0.8 ? cross(unit, Vec3d{1, 0, 0}) : cross(unit, Vec3d{0, 1, 0});
        const Vec3d axis = normalized(across);
        return {0, axis.x, axis.y, axis.z};
    }
    const Vec3d axis = cross(a, b) * (1 / size);
    return normalized(Quat{1 + along, axis.x, axis.y, axis.z});
}

EdgeTurns::EdgeTurns(std::span<const Vec3d> rest, std::span<const PseudoEdge> edges, TurnMean how) : how_(how) {
    std::vector<std::vector<std::uint32_t>> ends(rest.size());
    for (const auto& [a, b] : edges) {
        if (a == b) continue;
        ends[a].push_back(b);
        ends[b].push_back(a);
    }
    first_ = {0};
    for (std::size_t h = 0; h < rest.size(); ++h) {
        for (const std::uint32_t other : ends[h]) {
            const Vec3d arm = rest[other] - rest[h];
            if (!(dot(arm, arm) > 0) || to_.size() - first_.back() == most_edges) continue;
            to_.push_back(other);
            arms_.push_back(arm);
        }
        first_.push_back(std::uint32_t(to_.size()));
    }
}

void EdgeTurns::find(std::span<const Vec3d> places, std::span<Quat> out) const {
    Quat turns[most_edges];
    for (std::size_t h = 0; h < out.size(); ++h) {
        std::size_t count = 0;
        for (std::uint32_t e = first_[h]; e < first_[h + 1]; ++e) {
            const Vec3d arm = places[to_[e]] - places[h];
            if (dot(arm, arm) > 0) turns[count++] = turn_between(arms_[e], arm);
        }
        out[h] = count > 0 ? mean_turn({turns, count}, how_) : Quat{};
    }
}

}  // namespace fascia
