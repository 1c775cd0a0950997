// As-rigid-as-possible deformation of the points of a grid (docs/formulas.md C10). An iteration first turns every point
// so that the edges around it fit best (local), then moves all free points at once so that they fit the turned edges
// (global), by a factorisation computed once. Neither ever raises the energy
//     E = sum_i sum_j | (x_i - x_j) - R_i (p_i - p_j) |^2       over the edges of the grid.
// Lengths are in cells. Held points stay where they are put.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/isa.h"
#include "base/thread_pool.h"
#include "fascia/method.h"
#include "sim/tile_cholesky.h"

namespace fascia::sim {

struct ArapPoints {
    std::span<const std::array<int, 3>> places;  ///< [points] in the grid
    std::span<const std::uint32_t> ends;         ///< [points * 6] neighbours -x +x -y +y -z +z, or the point itself
    std::span<const std::uint8_t> held;          ///< [points] at least one in each connected piece
};

/// Per point x, y, z and one unused float.
inline constexpr std::size_t arap_floats = 4;
/// Floats for this many points, with room for a whole vector at the last one.
inline constexpr std::size_t arap_places(std::size_t points) {
    return arap_floats * (points + 1);
}

struct ArapScratch {
    Floats columns, values, ordered, tiles;
    // of Newton's method
    Floats residual, direction, step, moves, energies, kept_places, kept_rotations;
};

class GridArap {
public:
    GridArap() = default;
    explicit GridArap(const ArapPoints& points);

    std::size_t point_count() const { return points_; }
    std::size_t free_count() const { return solver_.size(); }
    /// Points that have a rotation: those that are free, and their neighbours. [rotations]
    const std::vector<std::uint32_t>& turned() const { return turned_; }
    /// The same, the last one repeated until there are whole groups of eight. [stride()]
    const std::vector<std::uint32_t>& padded() const { return own_; }
    /// Floats between the channels of rotations.
    std::size_t stride() const { return own_.size(); }
    /// Of the factor.
    std::size_t bytes() const { return solver_.bytes(); }

    /// places: [arap_places(points)]. rotations: [4 * stride()] w, x, y, z channels, a guess and then the best ones
    void fit(std::span<const float> places, std::span<float> rotations, ArapScratch& scratch, ThreadPool& pool) const;
    /// Moves the free points to where the rotations found by `fit` ask (step 1), or by another share of the way; below
    /// 2 the energy still falls.
    void relax(std::span<float> places, float step, ArapScratch& scratch, ThreadPool& pool) const;
    void iterate(std::span<float> places, std::span<float> rotations, float step, ArapScratch& scratch,
                 ThreadPool& pool) const {
        fit(places, rotations, scratch, pool);
        relax(places, step, scratch, pool);
    }
    /// A round of Newton's method (src/sim/grid_arap_newton.cpp): counts on how the rotations will follow the points,
    /// so that one round does what many iterations do, and costs about five of them. Needs a start that is not far
    /// away, such as the last frame's solution. The energy never rises. rotations: as for `fit`; in the end, the best
    /// ones. False: the points are where they want to be, and were left there.
    bool newton(std::span<float> places, std::span<float> rotations, ArapScratch& scratch, ThreadPool& pool) const;
    /// Edges that keep their lengths do not keep volume. Gives back what has been lost or gained around each point, as
    /// far as the points around it allow, by moves that differ as little as possible from neighbour to neighbour.
    /// rotations: of the last `fit`
    void restore_volume(std::span<float> places, std::span<const float> rotations, float step, ArapScratch& scratch,
                        ThreadPool& pool) const;
    /// Over the points that have a rotation.
    double energy(std::span<const float> places, std::span<const float> rotations) const;

private:
    /// How the columns, and `edges` times the edges, pull at the free points. [3 * free_count()] channels in the order
    /// of elimination, in scratch.values
    std::span<float> pulls(std::span<const float> places, float edges, ArapScratch& scratch, ThreadPool& pool) const;
    /// Moves the free points by a share of where they are pulled.
    void move(std::span<float> places, float edges, float step, ArapScratch& scratch, ThreadPool& pool) const;
    void add_to_free(std::span<const float> values, float step, std::span<float> places) const;

    // Of Newton's method.
    double measured(std::span<const float> places, std::span<const float> rotations, ArapScratch& scratch,
                    ThreadPool& pool) const;
    bool find_newton_step(std::span<const float> places, std::span<float> rotations, ArapScratch& scratch,
                          ThreadPool& pool) const;
    void turn_along(std::span<const float> places, std::span<float> rotations, bool turn, ArapScratch& scratch,
                    ThreadPool& pool) const;

    std::size_t points_ = 0;
    std::vector<std::uint32_t> turned_;
    std::vector<std::uint32_t> own_;       ///< `turned_`, padded to whole groups of eight
    std::vector<std::uint32_t> own_ends_;  ///< [groups * 6 * 8]
    std::vector<float> own_shares_;        ///< [groups * 3 * 8] one over the edges along each axis, or 0
    std::vector<float> own_has_end_;       ///< [groups * 6 * 8] 1 or 0
    std::vector<std::uint32_t> free_;      ///< in the order of elimination, padded the same way
    std::vector<std::uint32_t> free_ends_, free_turn_,
        end_turns_;               ///< [groups * 6 * 8], [groups * 8], [groups * 6 * 8]
    std::vector<float> has_end_;  ///< [groups * 6 * 8] 1 or 0
    TileCholesky solver_;
};

// ---- kernels -------------------------------------------------------------------------------------------------------
/// Groups of eight points.
struct ArapFit {
    const std::uint32_t* ends = nullptr;
    const float* places = nullptr;
    float* rotations = nullptr;
    std::size_t stride = 0;
    float* columns = nullptr;  ///< [points * 16] columns of the rotations, each with an unused float, and four more
};
FASCIA_DECLARE_KERNEL(void fit_arap(const ArapFit& task, std::size_t begin, std::size_t end))

/// Groups of eight points.
struct ArapSwell {
    const std::uint32_t* ends = nullptr;
    const float* shares = nullptr;
    const float *places = nullptr, *rotations = nullptr;
    std::size_t stride = 0;
    float* columns = nullptr;  ///< as in ArapFit: what every edge is to gain
};
FASCIA_DECLARE_KERNEL(void swell_arap(const ArapSwell& task, std::size_t begin, std::size_t end))

/// Groups of eight points.
struct ArapMeasure {
    const std::uint32_t *own = nullptr, *ends = nullptr;
    const float* has_end = nullptr;
    const float *places = nullptr, *rotations = nullptr;
    std::size_t stride = 0;
    float* energies = nullptr;  ///< [points]
};
FASCIA_DECLARE_KERNEL(void measure_arap(const ArapMeasure& task, std::size_t begin, std::size_t end))

/// Groups of eight points.
struct ArapLean {
    const std::uint32_t* ends = nullptr;
    const float *places = nullptr, *moves = nullptr;
    float* rotations = nullptr;
    std::size_t stride = 0;
    float* columns =
        nullptr;        ///< as in ArapFit: how the rotations change with the moves, or, with `turn`, what they become
    bool turn = false;  ///< changes the rotations
};
FASCIA_DECLARE_KERNEL(void lean_arap(const ArapLean& task, std::size_t begin, std::size_t end))

struct ArapPull {
    const std::uint32_t *own = nullptr, *ends = nullptr, *turn = nullptr, *end_turns = nullptr;
    const float* has_end = nullptr;
    const float *places = nullptr, *columns = nullptr;
    float* values = nullptr;  ///< [3 * stride] what is missing at each point
    std::size_t stride = 0;
    float edges = 1;  ///< 0: the columns alone pull
};
FASCIA_DECLARE_KERNEL(void pull_arap(const ArapPull& task, std::size_t begin, std::size_t end))

}  // namespace fascia::sim
