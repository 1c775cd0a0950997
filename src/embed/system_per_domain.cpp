// A system of radial functions for each bone's part of the surface (docs/formulas.md C12): smooth, and nothing leaks
// from one limb to another. Everything is linear in the places of the samples: at bind it becomes one matrix, and a
// frame is a blend over the samples of the domains that count at a vertex.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "embed/combined_points.h"
#include "embed/domains.h"
#include "embed/point_embedding.h"

namespace fascia::embedding {

namespace {

constexpr std::size_t domain_grain = 128;
/// In distances between samples: how far a domain reaches into its neighbours.
constexpr double overlap = 1;
/// In the same unit: samples of a joint that cells have brought closer together than this count once.
constexpr double too_close = 0.35;
/// As a share of the size: a larger error of a system for a vertex at rest is more than rounding.
constexpr double missed = 1e-7;

using f4 = float __attribute__((vector_size(16)));

f4 four_at(const float* from) {
    f4 out;
    std::memcpy(&out, from, sizeof out);
    return out;
}

class SystemPerDomain final : public PointEmbedding {
public:
    SystemPerDomain(const EmbeddingInput& input, std::size_t left_out)
        : directions_(input), points_(input.points.begin(), input.points.end()), left_out_(left_out) {
        const SurfaceSamples all = sample_surface(input.positions, input.triangles, input.samples);
        const std::vector<SurfaceSample> samples = bind_samples(input, all);
        domains_ =
            find_domains({input.positions, input.triangles, input.joints, samples, places_, overlap * all.spacing});
        build_systems(input.kernel);
        build_rows(input);
        systems_ = {}, inverses_ = {};
    }

    std::span<const std::uint32_t> vertex_domains() const override { return domains_.of_vertex; }
    std::span<const Vec3d> sample_places() const override { return places_; }
    std::size_t left_out() const override { return left_out_; }

    void place(std::span<const Vec3> points, const EmbeddedSurface& out, EmbeddingScratch& scratch,
               ThreadPool& pool) const override {
        // Sums differences from the motion of one of the points: floats then suffice wherever the body stands, and
        // whatever stands still does so exactly.
        const std::uint32_t first = samples_.points[0];
        const Vec3d common = to_double(points[first]) - points_[first];
        scratch.rows.resize(4 * samples_.size());
        for (std::size_t s = 0; s < samples_.size(); ++s) {
            const Vec3 at =
                to_float(samples_.at(s, [&](std::uint32_t p) { return (to_double(points[p]) - points_[p]) - common; }));
            float* row = &scratch.rows[4 * s];
            row[0] = at.x, row[1] = at.y, row[2] = at.z, row[3] = 0;
        }
        scratch.turns.resize(flat_.size());
        Vec3d now;
        for (std::size_t d = 0; d < flat_.size(); ++d)
            if (!flat_[d].points.empty()) scratch.turns[d] = flat_[d].turn(points_, points, now);
        const bool directions = directions_.are_wanted(out);
        pool.for_ranges(first_.size() - 1, domain_grain, [&](std::size_t begin, std::size_t end, int) {
            for (std::size_t v = begin; v < end; ++v) {
                if (directions)
                    place_vertex<true>(v, common, scratch, out);
                else
                    place_vertex<false>(v, common, scratch, out);
            }
        });
    }

private:
    /// Returns the samples that are kept, and fills `samples_` and `places_` for them.
    std::vector<SurfaceSample> bind_samples(const EmbeddingInput& input, const SurfaceSamples& all) {
        std::vector<SurfaceSample> out;
        std::vector<std::uint16_t> joints;
        for (const SurfaceSample& sample : all.samples) {
            CombinedPoints one;
            if (input.bound != nullptr) {
                add_in_cells(*input.bound, sample, one);
            } else {
                Vec3d at;
                for (std::size_t c = 0; c < 3; ++c)
                    at += to_double(input.positions[sample.vertices[c]]) * sample.shares[c];
                add_nearest(points_, at, one);
            }
            const Vec3d place = one.at(0, [&](std::uint32_t p) { return points_[p]; });
            const auto most =
                std::size_t(std::max_element(sample.shares.begin(), sample.shares.end()) - sample.shares.begin());
            const std::uint16_t joint = input.joints[sample.vertices[most]];
            bool alone = true;
            for (std::size_t k = 0; k < places_.size() && alone; ++k) {
                const double far = length(places_[k] - place);
                alone = far > (joints[k] == joint ? too_close : 1e-3) * all.spacing;
            }
            if (!alone && !places_.empty()) continue;
            samples_.add(one.points, one.weights);
            places_.push_back(place);
            joints.push_back(joint);
            out.push_back(sample);
        }
        return out;
    }

    void build_systems(Kernel kernel) {
        for (const auto& own : domains_.samples) {
            std::vector<Vec3d> places;
            std::vector<std::uint32_t> around;
            for (const std::uint32_t s : own) {
                places.push_back(places_[s]);
                around.insert(around.end(), samples_.points.begin() + samples_.first[s],
                              samples_.points.begin() + samples_.first[s + 1]);
            }
            systems_.emplace_back(places, kernel);
            inverses_.push_back(systems_.back().inverse());
            flat_.push_back(systems_.back().is_solid() ? RigidSet() : RigidSet(std::move(around), points_));
        }
    }

    void build_rows(const EmbeddingInput& input) {
        double size = 0;
        for (const Vec3 p : input.positions)
            size = std::max(size, length(to_double(p) - to_double(input.positions[0])));
        std::vector<std::array<double, 3>> sums(samples_.size());
        std::vector<double> rows, weights;
        first_.push_back(0);
        std::vector<std::uint32_t> counted;
        for (std::uint32_t v = 0; v < input.positions.size(); ++v) {
            counted.clear();
            vertices_.push_back(to_double(input.positions[v]));
            for (std::uint32_t e = domains_.first[v]; e < domains_.first[v + 1]; ++e)
                add_domain(input, v, domains_.shares[e], rows, weights, sums, counted);
            store_vertex(input, v, missed * size, counted, sums);
        }
    }

    /// Adds the contribution of one domain to a vertex: sums[sample] of its position and its two directions.
    void add_domain(const EmbeddingInput& input, std::uint32_t v, DomainShare share, std::vector<double>& rows,
                    std::vector<double>& weights, std::vector<std::array<double, 3>>& sums,
                    std::vector<std::uint32_t>& counted) const {
        const RadialBasis& system = systems_[share.domain];
        const std::vector<double>& inverse = inverses_[share.domain];
        const std::vector<std::uint32_t>& own = domains_.samples[share.domain];
        const std::size_t all = system.size(), n = own.size(), kinds = directions_.empty() ? 1 : 3;
        rows.resize(3 * all);
        const TangentPair along = directions_.empty() ? TangentPair{} : directions_.along(v);
        system.rows(to_double(input.positions[v]), along.first, along.second, kinds == 3, rows);
        // All three at once, because the cost is in reading the inverse.
        weights.assign(3 * n, 0.0);
        double *const at = weights.data(), *const first = at + n, *const second = first + n;
        for (std::size_t k = 0; k < all; ++k) {
            const double f = rows[k], g = kinds == 3 ? rows[all + k] : 0, h = kinds == 3 ? rows[2 * all + k] : 0;
            if (f == 0 && g == 0 && h == 0) continue;
            const double* line = &inverse[k * n];
            for (std::size_t s = 0; s < n; ++s) {
                at[s] += f * line[s];
                first[s] += g * line[s];
                second[s] += h * line[s];
            }
        }
        for (std::size_t kind = 0; kind < kinds; ++kind)
            for (std::size_t s = 0; s < n; ++s) sums[own[s]][kind] += share.share * weights[kind * n + s];
        counted.insert(counted.end(), own.begin(), own.end());
    }

    void store_vertex(const EmbeddingInput& input, std::uint32_t v, double rounding,
                      std::vector<std::uint32_t>& counted, std::vector<std::array<double, 3>>& sums) {
        std::sort(counted.begin(), counted.end());
        counted.erase(std::unique(counted.begin(), counted.end()), counted.end());
        Vec3d left[3] = {to_double(input.positions[v]), {}, {}};
        if (!directions_.empty()) left[1] = directions_.along(v).first, left[2] = directions_.along(v).second;
        for (const std::uint32_t s : counted) {
            for (std::size_t kind = 0; kind < 3; ++kind) left[kind] = left[kind] - places_[s] * sums[s][kind];
            of_sample_.push_back(s);
            factors_.push_back({float(sums[s][0]), float(sums[s][1]), float(sums[s][2])});
            sums[s] = {0, 0, 0};
        }
        first_.push_back(std::uint32_t(of_sample_.size()));
        bool any = false;
        for (std::uint32_t e = domains_.first[v]; e < domains_.first[v + 1]; ++e)
            any |= !systems_[domains_.shares[e].domain].is_solid();
        any = any && (length(left[0]) > rounding || length(left[1]) > 1e-6 || length(left[2]) > 1e-6);
        left_of_.push_back(any ? std::uint32_t(left_.size()) : no_point);
        if (!any) return;
        std::uint32_t turning = domains_.of_vertex[v];
        for (std::uint32_t e = domains_.first[v]; e < domains_.first[v + 1]; ++e)
            if (flat_[turning].points.empty()) turning = domains_.shares[e].domain;
        left_.push_back({turning, {left[0], left[1], left[2]}});
    }

    template <bool directions>
    void place_vertex(std::size_t v, Vec3d common, const EmbeddingScratch& scratch, const EmbeddedSurface& out) const {
        f4 at{}, first{}, second{};
        for (std::uint32_t e = first_[v]; e < first_[v + 1]; ++e) {
            const f4 sample = four_at(&scratch.rows[4 * std::size_t(of_sample_[e])]);
            const std::array<float, 3>& factor = factors_[e];
            at = at + sample * factor[0];
            if constexpr (directions) first = first + sample * factor[1], second = second + sample * factor[2];
        }
        const auto three = [](f4 a) { return Vec3d{a[0], a[1], a[2]}; };
        Vec3d sums[3] = {three(at), three(first), three(second)};
        if (left_of_[v] != no_point) {
            const Left& left = left_[left_of_[v]];
            for (int k = 0; k < 3; ++k) sums[k] += rotate(scratch.turns[left.domain], left.of[k]) - left.of[k];
        }
        if (!out.positions.empty()) out.positions[v] = to_float((vertices_[v] + sums[0]) + common);
        if constexpr (directions) {
            const TangentPair& along = directions_.along(v);
            directions_.write(v, along.first + sums[1], along.second + sums[2], out);
        }
    }

    /// The part of a vertex that samples in a plane cannot reproduce: it turns with them.
    struct Left {
        std::uint32_t domain = 0;
        Vec3d of[3];
    };

    RestDirections directions_;
    std::vector<Vec3d> points_, vertices_, places_;  ///< at rest; places: of the samples
    std::size_t left_out_ = 0;
    CombinedPoints samples_;
    Domains domains_;
    std::vector<RadialBasis> systems_;  ///< at bind only, as are their inverses
    std::vector<std::vector<double>> inverses_;
    std::vector<RigidSet> flat_;                    ///< [domains] points of those whose samples lie in a plane
    std::vector<std::uint32_t> first_, of_sample_;  ///< [vertices + 1] into the entries
    std::vector<std::array<float, 3>> factors_;     ///< [entries] of the place and of two directions
    std::vector<std::uint32_t> left_of_;            ///< [vertices] into `left_`, or no_point
    std::vector<Left> left_;
};

}  // namespace

std::unique_ptr<const PointEmbedding> system_per_domain(const EmbeddingInput& input, std::size_t left_out) {
    return std::make_unique<SystemPerDomain>(input, left_out);
}

}  // namespace fascia::embedding
