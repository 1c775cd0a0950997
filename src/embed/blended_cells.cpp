// A surface mixed from the eight points around each vertex (docs/formulas.md C11): from their positions, from their
// rigid motions, or from these as dual quaternions. Continuous, but with kinks where one cell ends and the next begins.
#include <algorithm>
#include <cmath>

#include "embed/best_rotation.h"
#include "embed/combined_points.h"
#include "embed/point_embedding.h"

namespace fascia::embedding {

namespace {

constexpr std::size_t cells_grain = 256;
/// A point needs this many neighbours to determine how it has turned.
constexpr std::size_t fewest_neighbours = 4;

/// The points that share a cell with each one.
std::vector<std::vector<std::uint32_t>> neighbours_in_cells(const Trilinear& bound, std::size_t points) {
    std::vector<std::vector<std::uint32_t>> out(points);
    const auto tidy = [](std::vector<std::uint32_t>& list) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    };
    for (std::size_t v = 0; v < bound.vertex_count(); ++v) {
        const std::uint32_t* cell = &bound.points[Trilinear::slots * v];
        for (std::size_t k = 0; k < Trilinear::slots; ++k)
            for (std::size_t e = 0; e < Trilinear::slots; ++e) out[cell[k]].push_back(cell[e]);
        // Neighbours repeat from vertex to vertex of a cell.
        for (std::size_t k = 0; k < Trilinear::slots; ++k)
            if (out[cell[k]].size() > 256) tidy(out[cell[k]]);
    }
    for (auto& list : out) tidy(list);
    const std::vector<std::vector<std::uint32_t>> direct = out;
    for (std::uint32_t p = 0; p < points; ++p) {
        if (direct[p].empty() || direct[p].size() > fewest_neighbours) continue;
        for (const std::uint32_t q : direct[p]) out[p].insert(out[p].end(), direct[q].begin(), direct[q].end());
        tidy(out[p]);
    }
    return out;
}

class BlendedCells final : public PointEmbedding {
public:
    explicit BlendedCells(const EmbeddingInput& input)
        : how_(input.how), directions_(input), bound_(*input.bound), points_(input.points.begin(), input.points.end()) {
        const auto neighbours = neighbours_in_cells(bound_, points_.size());
        for (std::uint32_t p = 0; p < points_.size(); ++p)
            if (!neighbours[p].empty()) used_.push_back(p), around_.emplace_back(neighbours[p], points_);
        for (std::size_t v = 0; v < bound_.vertex_count(); ++v) {
            Vec3d sum;
            for (std::size_t k = Trilinear::slots * v; k < Trilinear::slots * (v + 1); ++k)
                sum += points_[bound_.points[k]] * double(bound_.weights[k]);
            vertices_.push_back(to_double(input.positions[v]));
            left_.push_back(vertices_[v] - sum);
        }
    }

    void place(std::span<const Vec3> points, const EmbeddedSurface& out, EmbeddingScratch& scratch,
               ThreadPool& pool) const override {
        scratch.turns.resize(points_.size());
        pool.for_ranges(used_.size(), cells_grain, [&](std::size_t begin, std::size_t end, int) {
            Vec3d now;
            for (std::size_t k = begin; k < end; ++k) scratch.turns[used_[k]] = around_[k].turn(points_, points, now);
        });
        pool.for_ranges(bound_.vertex_count(), cells_grain, [&](std::size_t begin, std::size_t end, int) {
            for (std::size_t v = begin; v < end; ++v) place_vertex(v, points, scratch.turns, out);
        });
    }

private:
    /// Mixes turns, with signs chosen to agree with the one of largest weight.
    Quat mixed_turn(std::size_t v, std::span<const Quat> turns) const {
        const std::size_t from = Trilinear::slots * v;
        const Quat most = turns[bound_.points[strongest(v)]];
        Quat sum{0, 0, 0, 0};
        for (std::size_t k = from; k < from + Trilinear::slots; ++k) {
            const Quat q = turns[bound_.points[k]];
            const double along = q.w * most.w + q.x * most.x + q.y * most.y + q.z * most.z;
            const double w = along < 0 ? -double(bound_.weights[k]) : double(bound_.weights[k]);
            sum = {sum.w + w * q.w, sum.x + w * q.x, sum.y + w * q.y, sum.z + w * q.z};
        }
        const double square = sum.w * sum.w + sum.x * sum.x + sum.y * sum.y + sum.z * sum.z;
        return square > 1e-16 ? normalized(sum) : most;
    }
    std::size_t strongest(std::size_t v) const {
        std::size_t out = Trilinear::slots * v;
        for (std::size_t k = out; k < Trilinear::slots * (v + 1); ++k)
            if (bound_.weights[k] > bound_.weights[out]) out = k;
        return out;
    }

    void place_vertex(std::size_t v, std::span<const Vec3> points, std::span<const Quat> turns,
                      const EmbeddedSurface& out) const {
        const Quat turn = mixed_turn(v, turns);
        if (!out.positions.empty()) {
            const Vec3d origin = to_double(points[bound_.points[Trilinear::slots * v]]);
            const Vec3d at = how_ == How::trilinear ? between(v, points, origin) + rotate(turn, left_[v])
                             : how_ == How::blend   ? moved(v, points, turns, origin)
                                                    : moved_as_duals(v, points, turns, origin);
            out.positions[v] = to_float(origin + at);
        }
        if (!directions_.are_wanted(out)) return;
        const TangentPair along = directions_.along(v);
        directions_.write(v, rotate(turn, along.first), rotate(turn, along.second), out);
    }

    Vec3d between(std::size_t v, std::span<const Vec3> points, Vec3d origin) const {
        Vec3d sum;
        for (std::size_t k = Trilinear::slots * v; k < Trilinear::slots * (v + 1); ++k)
            sum += (to_double(points[bound_.points[k]]) - origin) * double(bound_.weights[k]);
        return sum;
    }
    /// Where the motion of one point takes a vertex.
    Vec3d taken(std::size_t v, std::uint32_t p, std::span<const Vec3> points, std::span<const Quat> turns,
                Vec3d origin) const {
        return rotate(turns[p], vertices_[v] - points_[p]) + (to_double(points[p]) - origin);
    }
    Vec3d moved(std::size_t v, std::span<const Vec3> points, std::span<const Quat> turns, Vec3d origin) const {
        Vec3d sum;
        for (std::size_t k = Trilinear::slots * v; k < Trilinear::slots * (v + 1); ++k)
            sum += taken(v, bound_.points[k], points, turns, origin) * double(bound_.weights[k]);
        return sum;
    }
    /// Motions taken about the vertex: their translations are where they take it.
    Vec3d moved_as_duals(std::size_t v, std::span<const Vec3> points, std::span<const Quat> turns, Vec3d origin) const {
        const Quat most = turns[bound_.points[strongest(v)]];
        Quat real{0, 0, 0, 0}, dual{0, 0, 0, 0};
        for (std::size_t k = Trilinear::slots * v; k < Trilinear::slots * (v + 1); ++k) {
            const std::uint32_t p = bound_.points[k];
            const Quat q = turns[p];
            const Vec3d t = taken(v, p, points, turns, origin);
            const Quat e = Quat{0, t.x, t.y, t.z} * q;
            const double along = q.w * most.w + q.x * most.x + q.y * most.y + q.z * most.z;
            const double w = along < 0 ? -double(bound_.weights[k]) : double(bound_.weights[k]);
            real = {real.w + w * q.w, real.x + w * q.x, real.y + w * q.y, real.z + w * q.z};
            dual = {dual.w + w * e.w, dual.x + w * e.x, dual.y + w * e.y, dual.z + w * e.z};
        }
        const double square = real.w * real.w + real.x * real.x + real.y * real.y + real.z * real.z;
        if (!(square > 1e-16)) return taken(v, bound_.points[strongest(v)], points, turns, origin);
        // t = 2 e q* where e holds half of it; here e holds all of it.
        const Quat t = dual * Quat{real.w, -real.x, -real.y, -real.z};
        return Vec3d{t.x, t.y, t.z} * (1 / square);
    }

    How how_;
    RestDirections directions_;
    Trilinear bound_;
    std::vector<Vec3d> points_, vertices_;  ///< at rest
    std::vector<std::uint32_t> used_;
    std::vector<RigidSet> around_;  ///< [used]
    std::vector<Vec3d> left_;       ///< [vertices] error of the points around a vertex at rest
};

}  // namespace

std::unique_ptr<const PointEmbedding> blended_cells(const EmbeddingInput& input) {
    return std::make_unique<BlendedCells>(input);
}

}  // namespace fascia::embedding
