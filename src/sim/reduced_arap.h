// As-rigid-as-possible deformation in few unknowns [Jacobson et al. 2012]: a point is blended from a few frames, and
// each region turns as one. The cost per frame of animation then does not depend on the number of points.
//     x(p) = sum_k w_k (R_k (p - c_k) + t_k)        E as in surface_arap.h, with one rotation per region
// Every frame has a region, the points nearest to it along the surface, and turns with it: frames that could also
// stretch would inflate thin limbs, which the few held points would not resist.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"
#include "fascia/method.h"
#include "sim/surface_arap.h"

namespace fascia::sim {

/// Frames spread evenly over a surface, and the weights by which they blend its points.
struct SpreadFrames {
    static constexpr std::size_t influences = 4;
    std::vector<std::uint32_t> centres;  ///< [frames] points
    std::vector<std::uint32_t> region;   ///< [points] the nearest frame
    std::vector<std::uint16_t> frames;   ///< [points * influences]
    std::vector<float> weights;          ///< [points * influences] sum 1

    SpreadFrames() = default;
    /// Distances follow the edges; a piece without a frame follows the nearest one.
    SpreadFrames(std::span<const Vec3> rest, const CotangentGraph& graph, std::size_t count);
};

struct ReducedScratch {
    std::vector<float> targets, rotations, sums, start, places, all, best;
};

class ReducedArap {
public:
    ReducedArap() = default;
    ReducedArap(std::span<const Vec3> rest, const CotangentGraph& graph, std::size_t frames);

    std::size_t frame_count() const { return spread_.centres.size(); }
    const SpreadFrames& spread() const { return spread_; }
    /// Where frames are at rest. [frames]
    const std::vector<Vec3>& centres() const { return centres_; }

private:
    friend class ReducedHold;
    /// Coefficients of a point or an edge: four per frame, for the columns of R and for t.
    struct Row {
        std::uint32_t at;
        double value;
    };
    void rows_of(std::span<const Vec3> rest, std::size_t point, double sign, std::vector<Row>& out) const;
    std::size_t unknowns() const { return 4 * frame_count(); }

    SpreadFrames spread_;
    std::vector<Vec3> centres_, rest_;
    std::vector<double> matrix_;  ///< [unknowns * unknowns] of the energy
    std::vector<float> turned_;   ///< [unknowns * 3 regions] right-hand side from the regions' rotations, by columns
    std::vector<float> felt_;     ///< its transpose, by columns: from the unknowns to a region
};

/// Some points held where they are put; `chosen` of them stand for all.
class ReducedHold {
public:
    ReducedHold() = default;
    ReducedHold(const ReducedArap& arap, std::span<const std::uint8_t> held);

    const std::vector<std::uint32_t>& chosen() const { return chosen_; }
    /// targets: [chosen] where those points go. turns: [4 * frames] channels w, x, y, z of regions, a guess. out:
    /// [12 * frames] for each frame the columns of R and t.
    void solve(const ReducedArap& arap, std::span<const Vec3> targets, std::span<const float> turns, int rounds,
               ReducedScratch& scratch, std::span<float> out) const;

private:
    std::vector<std::uint32_t> chosen_;
    std::vector<float> of_targets_;    ///< [frames * chosen] by columns
    std::vector<float> of_rotations_;  ///< [frames * 3 regions] by columns
};

}  // namespace fascia::sim
