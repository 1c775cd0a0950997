// A system of radial functions for each bone's part of the surface (docs/formulas.md C12): smooth, and nothing leaks
// from one limb to another. Everything is linear in the places of the samples: at bind it becomes one matrix, and a
// frame is a blend over the samples of the domains that count at a vertex.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "embed/combined_points.h"
#include "embed/domains.h"
#include "embed/point_embedding.h"
#include "embed/sample_sums.h"

namespace fascia::embedding {

namespace {

/// Blocks of eight vertices that a thread takes at a time.
constexpr std::size_t domain_grain = 16;
/// Vertices whose weights are found at once.
constexpr std::size_t fold_vertices = 32;
/// In distances between samples: how far a domain reaches into its neighbours.
constexpr double overlap = 1;
/// In the same unit: samples of a joint that cells have brought closer together than this count once.
constexpr double too_close = 0.35;
/// As a share of the size: a larger error of a system for a vertex at rest is more than rounding.
constexpr double missed = 1e-7;

class SystemPerDomain final : public PointEmbedding {
public:
    SystemPerDomain(const EmbeddingInput& input, std::size_t left_out)
        : directions_(input), points_(input.points.begin(), input.points.end()), left_out_(left_out) {
        const SurfaceSamples all = sample_surface(input.positions, input.triangles, input.samples);
        const std::vector<SurfaceSample> samples = bind_samples(input, all);
        domains_ =
            find_domains({input.positions, input.triangles, input.joints, samples, places_, overlap * all.spacing});
        build_systems(input.kernel);
        build_blocks(input);
        systems_ = {};
    }

    std::span<const std::uint32_t> vertex_domains() const override { return domains_.of_vertex; }
    std::span<const Vec3d> sample_places() const override { return places_; }
    std::size_t left_out() const override { return left_out_; }

    void place(std::span<const Vec3> points, const EmbeddedSurface& out, EmbeddingScratch& scratch,
               ThreadPool& pool) const override {
        // Sums differences from the motion of one of the points: floats then suffice wherever the body stands, and
        // whatever stands still does so exactly.
        const std::uint32_t leader = samples_.points[0];
        const Vec3d common = to_double(points[leader]) - points_[leader];
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
        scratch.sums.resize(lane_vertices_.size() * (directions ? 9 : 3));
        const SampleSums task{block_first_.data(), block_samples_.data(),
                              factors_.data(),     directions ? slopes_.data() : nullptr,
                              scratch.rows.data(), scratch.sums.data()};
        pool.for_ranges(block_first_.size() - 1, domain_grain, [&](std::size_t begin, std::size_t end, int) {
            FASCIA_DISPATCH(sum_samples)(task, begin, end);
            for (std::size_t lane = sum_lanes * begin; lane < sum_lanes * end; ++lane) {
                if (lane_vertices_[lane] == no_point) continue;
                if (directions)
                    place_vertex<true>(lane, common, scratch, out);
                else
                    place_vertex<false>(lane, common, scratch, out);
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
            flat_.push_back(systems_.back().is_solid() ? RigidSet() : RigidSet(std::move(around), points_));
        }
    }

    /// A vertex that a domain carries by its share.
    struct Member {
        std::uint32_t vertex;
        double share;
    };
    /// The weights that all samples of the domains at a vertex have there: of its place and its two directions.
    struct VertexWeights {
        std::vector<std::uint32_t> samples;  ///< ascending
        std::vector<std::array<double, 3>> weights;
    };

    void build_blocks(const EmbeddingInput& input) {
        double size = 0;
        for (const Vec3 p : input.positions) {
            vertices_.push_back(to_double(p));
            size = std::max(size, length(to_double(p) - to_double(input.positions[0])));
        }
        std::vector<VertexWeights> of_vertex(vertices_.size());
        std::vector<std::vector<Member>> members(systems_.size());
        for (std::uint32_t v = 0; v < vertices_.size(); ++v)
            for (std::uint32_t e = domains_.first[v]; e < domains_.first[v + 1]; ++e)
                members[domains_.shares[e].domain].push_back({v, domains_.shares[e].share});
        for (std::uint32_t d = 0; d < systems_.size(); ++d) add_domain(d, members[d], of_vertex);
        left_of_.assign(vertices_.size(), no_point);
        for (std::uint32_t v = 0; v < vertices_.size(); ++v) keep_what_is_left(v, missed * size, of_vertex[v]);
        store_blocks(of_vertex);
    }

    /// Adds what one domain makes of its vertices.
    void add_domain(std::uint32_t d, std::span<const Member> members, std::vector<VertexWeights>& of_vertex) const {
        const RadialBasis& system = systems_[d];
        const std::vector<std::uint32_t>& own = domains_.samples[d];
        const std::size_t all = system.size(), n = own.size(), columns = (n + 7) / 8 * 8,
                          kinds = directions_.empty() ? 1 : 3;
        std::vector<double> inverse(all * columns, 0), rows(fold_vertices * 3 * all),
            weights(fold_vertices * 3 * columns);
        const std::vector<double> tight = system.inverse();
        for (std::size_t k = 0; k < all; ++k) std::copy_n(&tight[k * n], n, &inverse[k * columns]);
        for (std::size_t begin = 0; begin < members.size(); begin += fold_vertices) {
            const std::span<const Member> some =
                members.subspan(begin, std::min(fold_vertices, members.size() - begin));
            for (std::size_t k = 0; k < some.size(); ++k) {
                const std::uint32_t v = some[k].vertex;
                const TangentPair along = directions_.empty() ? TangentPair{} : directions_.along(v);
                system.rows(vertices_[v], along.first, along.second, kinds == 3,
                            std::span(rows).subspan(k * kinds * all, kinds * all));
            }
            FASCIA_DISPATCH(fold_rows)
            ({rows.data(), inverse.data(), weights.data(), kinds * some.size(), all, columns});
            for (std::size_t k = 0; k < some.size(); ++k)
                add_weights(own, some[k].share, {&weights[k * kinds * columns], kinds * columns}, kinds,
                            of_vertex[some[k].vertex]);
        }
    }

    /// Merges the ascending list of a domain into that of a vertex. weights: [kinds * columns]
    static void add_weights(const std::vector<std::uint32_t>& own, double share, std::span<const double> weights,
                            std::size_t kinds, VertexWeights& to) {
        const std::size_t columns = weights.size() / kinds;
        const auto added = [&](std::size_t k) {
            std::array<double, 3> out{};
            for (std::size_t kind = 0; kind < kinds; ++kind) out[kind] = share * weights[kind * columns + k];
            return out;
        };
        VertexWeights merged;
        merged.samples.reserve(own.size() + to.samples.size());
        merged.weights.reserve(own.size() + to.samples.size());
        std::size_t before = 0;
        for (std::size_t k = 0; k < own.size(); ++k) {
            for (; before < to.samples.size() && to.samples[before] < own[k]; ++before)
                merged.samples.push_back(to.samples[before]), merged.weights.push_back(to.weights[before]);
            std::array<double, 3> sum = added(k);
            if (before < to.samples.size() && to.samples[before] == own[k]) {
                for (std::size_t kind = 0; kind < 3; ++kind) sum[kind] += to.weights[before][kind];
                ++before;
            }
            merged.samples.push_back(own[k]), merged.weights.push_back(sum);
        }
        for (; before < to.samples.size(); ++before)
            merged.samples.push_back(to.samples[before]), merged.weights.push_back(to.weights[before]);
        to = std::move(merged);
    }

    void keep_what_is_left(std::uint32_t v, double rounding, const VertexWeights& of) {
        bool any = false;
        for (std::uint32_t e = domains_.first[v]; e < domains_.first[v + 1]; ++e)
            any |= !systems_[domains_.shares[e].domain].is_solid();
        if (!any) return;
        Vec3d left[3] = {vertices_[v], {}, {}};
        if (!directions_.empty()) left[1] = directions_.along(v).first, left[2] = directions_.along(v).second;
        for (std::size_t k = 0; k < of.samples.size(); ++k)
            for (std::size_t kind = 0; kind < 3; ++kind)
                left[kind] = left[kind] - places_[of.samples[k]] * of.weights[k][kind];
        if (length(left[0]) <= rounding && length(left[1]) <= 1e-6 && length(left[2]) <= 1e-6) return;
        std::uint32_t turning = domains_.of_vertex[v];
        for (std::uint32_t e = domains_.first[v]; e < domains_.first[v + 1]; ++e)
            if (flat_[turning].points.empty()) turning = domains_.shares[e].domain;
        left_of_[v] = std::uint32_t(left_.size());
        left_.push_back({turning, {left[0], left[1], left[2]}});
    }

    /// Vertices of the same domains beside each other: eight of them read one list of samples.
    void store_blocks(const std::vector<VertexWeights>& of_vertex) {
        std::vector<std::uint32_t> order(vertices_.size());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return of_vertex[a].samples < of_vertex[b].samples; });
        block_first_.push_back(0);
        for (std::size_t begin = 0; begin < order.size(); begin += sum_lanes) {
            const std::size_t end = std::min(begin + sum_lanes, order.size());
            std::vector<std::uint32_t> list = of_vertex[order[begin]].samples;
            for (std::size_t k = begin + 1; k < end; ++k) {
                const std::vector<std::uint32_t>& more = of_vertex[order[k]].samples;
                if (more == list) continue;
                std::vector<std::uint32_t> both;
                std::set_union(list.begin(), list.end(), more.begin(), more.end(), std::back_inserter(both));
                list = std::move(both);
            }
            const std::size_t entry = block_samples_.size();
            block_samples_.insert(block_samples_.end(), list.begin(), list.end());
            block_first_.push_back(std::uint32_t(block_samples_.size()));
            factors_.resize(sum_lanes * block_samples_.size(), 0);
            if (!directions_.empty()) slopes_.resize(2 * sum_lanes * block_samples_.size(), 0);
            for (std::size_t lane = 0; lane < sum_lanes; ++lane) {
                lane_vertices_.push_back(begin + lane < end ? order[begin + lane] : no_point);
                if (begin + lane < end) store_lane(of_vertex[order[begin + lane]], list, entry, lane);
            }
        }
    }
    void store_lane(const VertexWeights& of, const std::vector<std::uint32_t>& list, std::size_t entry,
                    std::size_t lane) {
        std::size_t at = 0;
        for (std::size_t k = 0; k < of.samples.size(); ++k) {
            while (list[at] != of.samples[k]) ++at;
            factors_[sum_lanes * (entry + at) + lane] = float(of.weights[k][0]);
            if (directions_.empty()) continue;
            float* const slopes = &slopes_[2 * sum_lanes * (entry + at) + lane];
            slopes[0] = float(of.weights[k][1]), slopes[sum_lanes] = float(of.weights[k][2]);
        }
    }

    template <bool directions>
    void place_vertex(std::size_t lane, Vec3d common, const EmbeddingScratch& scratch,
                      const EmbeddedSurface& out) const {
        constexpr std::size_t channels = directions ? 9 : 3;
        const float* const from = &scratch.sums[channels * sum_lanes * (lane / sum_lanes) + lane % sum_lanes];
        const auto three = [&](std::size_t kind) {
            const float* const at = from + 3 * kind * sum_lanes;
            return Vec3d{at[0], at[sum_lanes], at[2 * sum_lanes]};
        };
        Vec3d sums[3] = {three(0), {}, {}};
        if constexpr (directions) sums[1] = three(1), sums[2] = three(2);
        const std::size_t v = lane_vertices_[lane];
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
    std::vector<RadialBasis> systems_;          ///< at bind only
    std::vector<RigidSet> flat_;                ///< [domains] points of those whose samples lie in a plane
    std::vector<std::uint32_t> block_first_;    ///< [blocks + 1] into the entries
    std::vector<std::uint32_t> block_samples_;  ///< [entries]
    std::vector<std::uint32_t> lane_vertices_;  ///< [blocks * 8] or no_point
    std::vector<float> factors_, slopes_;       ///< [entries * 8] of the places, [entries * 16] of two directions
    std::vector<std::uint32_t> left_of_;        ///< [vertices] into `left_`, or no_point
    std::vector<Left> left_;
};

}  // namespace

std::unique_ptr<const PointEmbedding> system_per_domain(const EmbeddingInput& input, std::size_t left_out) {
    return std::make_unique<SystemPerDomain>(input, left_out);
}

}  // namespace fascia::embedding
