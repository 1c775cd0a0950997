// One system of radial functions for the whole surface (docs/formulas.md C11, 4): centres are those of the cells that
// the surface passes through. Smooth, but the movement of one limb reaches the others through the common linear part.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "embed/combined_points.h"
#include "embed/point_embedding.h"

namespace fascia::embedding {

namespace {

constexpr std::size_t system_grain = 128;
/// The work at bind grows with the cube of their number.
constexpr std::size_t most_centres = 600;

/// The middle of every cell that a vertex lies in.
CombinedPoints cells_of_surface(const Trilinear& bound) {
    std::set<std::array<std::uint32_t, Trilinear::slots>> cells;
    for (std::size_t v = 0; v < bound.vertex_count(); ++v) {
        std::array<std::uint32_t, Trilinear::slots> cell;
        std::copy_n(&bound.points[Trilinear::slots * v], Trilinear::slots, cell.begin());
        std::sort(cell.begin(), cell.end());
        cells.insert(cell);
    }
    CombinedPoints out;
    for (const auto& cell : cells) {
        std::array<double, Trilinear::slots> shares;
        // A point repeated in unused slots counts once.
        for (std::size_t k = 0; k < cell.size(); ++k) shares[k] = k > 0 && cell[k] == cell[k - 1] ? 0 : 1;
        out.add(cell, shares);
    }
    return out;
}

/// Keeps one of those at the same place.
CombinedPoints thinned(const CombinedPoints& all, std::span<const Vec3d> points) {
    std::vector<Vec3d> places;
    for (std::size_t k = 0; k < all.size(); ++k)
        places.push_back(all.at(k, [&](std::uint32_t p) { return points[p]; }));
    std::vector<std::uint32_t> kept(all.size());
    std::iota(kept.begin(), kept.end(), 0u);
    const auto key = [&](std::uint32_t k) { return std::array{places[k].x, places[k].y, places[k].z}; };
    std::sort(kept.begin(), kept.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    kept.erase(
        std::unique(kept.begin(), kept.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) == key(b); }),
        kept.end());
    CombinedPoints out;
    for (const std::uint32_t k : kept)
        out.add({&all.points[all.first[k]], all.first[k + 1] - all.first[k]},
                {&all.weights[all.first[k]], all.first[k + 1] - all.first[k]});
    return out;
}

/// v' = R (v - m) + m' + sum_i g_vi a_i + linear part: the system only sees the difference from the rigid motion that
/// fits all points best.
class SingleSystem final : public PointEmbedding {
public:
    SingleSystem(const EmbeddingInput& input, const CombinedPoints& centres)
        : directions_(input), points_(input.points.begin(), input.points.end()), centres_(thinned(centres, points_)) {
        all_ = RigidSet(centres_.points, points_);
        for (std::size_t k = 0; k < centres_.size(); ++k)
            places_.push_back(centres_.at(k, [&](std::uint32_t p) { return points_[p]; }));
        system_ = RadialBasis(places_, input.kernel);
        first_.push_back(0);
        std::vector<double> rows(3 * system_.size());
        for (std::size_t v = 0; v < input.positions.size(); ++v) {
            vertices_.push_back(to_double(input.positions[v]));
            const TangentPair along = directions_.empty() ? TangentPair{} : directions_.along(v);
            system_.rows(vertices_[v], along.first, along.second, !directions_.empty(), rows);
            add_vertex(rows);
        }
    }

    std::span<const Vec3d> sample_places() const override { return places_; }

    void place(std::span<const Vec3> points, const EmbeddedSurface& out, EmbeddingScratch& scratch,
               ThreadPool& pool) const override {
        Vec3d now;
        const Quat turn = all_.turn(points_, points, now);
        const std::size_t all = system_.size();
        scratch.values.assign(3 * all, 0);
        for (std::size_t k = 0; k < centres_.size(); ++k) {
            const Vec3d moved = centres_.at(k, [&](std::uint32_t p) { return to_double(points[p]) - now; });
            const Vec3d off = moved - rotate(turn, places_[k] - all_.middle);
            scratch.values[3 * k] = off.x, scratch.values[3 * k + 1] = off.y, scratch.values[3 * k + 2] = off.z;
        }
        system_.solve(scratch.values, 3, scratch.solving);
        pool.for_ranges(vertices_.size(), system_grain, [&](std::size_t begin, std::size_t end, int) {
            for (std::size_t v = begin; v < end; ++v) place_vertex(v, scratch.values, turn, now, out);
        });
    }

private:
    void add_vertex(std::span<const double> rows) {
        const std::size_t all = system_.size();
        for (std::uint32_t k = 0; k < all; ++k) {
            if (rows[k] == 0 && (directions_.empty() || (rows[all + k] == 0 && rows[2 * all + k] == 0))) continue;
            unknowns_.push_back(k);
            factors_.push_back(float(rows[k]));
            if (directions_.empty()) continue;
            first_slopes_.push_back(float(rows[all + k]));
            second_slopes_.push_back(float(rows[2 * all + k]));
        }
        first_.push_back(std::uint32_t(unknowns_.size()));
    }

    void place_vertex(std::size_t v, std::span<const double> values, Quat turn, Vec3d now,
                      const EmbeddedSurface& out) const {
        const auto sum = [&](const std::vector<float>& factors) {
            Vec3d out_sum;
            for (std::uint32_t e = first_[v]; e < first_[v + 1]; ++e) {
                const double* value = &values[3 * std::size_t(unknowns_[e])];
                out_sum += Vec3d{value[0], value[1], value[2]} * double(factors[e]);
            }
            return out_sum;
        };
        if (!out.positions.empty())
            out.positions[v] = to_float(now + (rotate(turn, vertices_[v] - all_.middle) + sum(factors_)));
        if (!directions_.are_wanted(out)) return;
        const TangentPair along = directions_.along(v);
        directions_.write(v, rotate(turn, along.first) + sum(first_slopes_),
                          rotate(turn, along.second) + sum(second_slopes_), out);
    }

    RestDirections directions_;
    std::vector<Vec3d> points_, vertices_, places_;  ///< at rest; places: of the centres
    CombinedPoints centres_;
    RigidSet all_;
    RadialBasis system_;
    std::vector<std::uint32_t> first_, unknowns_;  ///< first_: [vertices + 1] into the others
    std::vector<float> factors_, first_slopes_, second_slopes_;
};

}  // namespace

std::unique_ptr<const PointEmbedding> single_system(const EmbeddingInput& input) {
    const CombinedPoints centres = cells_of_surface(*input.bound);
    if (centres.size() <= most_centres) return std::make_unique<SingleSystem>(input, centres);
    EmbeddingInput finer = input;
    finer.samples = std::max(input.samples, most_centres);
    return system_per_domain(finer, centres.size());
}

}  // namespace fascia::embedding
