// The layout of a lattice's points in memory, by which a pass over them consists of unaligned vector loads alone: no
// per-point indices, no gathers, no copies of borders.
//
// Points on a grid form rows along x. A row is split into segments of eight cells, each starting at the first point
// that is not covered yet. A channel (one float per point: x, y, z, mass ...) stores each row as one or more runs of
// cells; a run covers everything that the segments of the row and of its neighbour rows read, so that the neighbour
// (dx, dy, dz) of a segment is the load at rows[dy, dz] + dx. Cells without a point hold zero and are never written;
// one row of zeros per slice stands in for all of its rows without a point.
//
// Box sums run first over planes (dx, dy), then over slices (dz). The sum of a plane is needed at every cell with a
// point above or below it, whether or not it holds a point itself: plane segments cover those cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fascia::sim {

/// Where a point sits: its cell, and a sheet number that separates points which share a cell but must not touch (0 in
/// most bodies).
struct Site {
    int x = 0, y = 0, z = 0;
    int sheet = 0;
};

/// A row that a segment reads besides its own, and how many cells beyond the segment a load there may reach along x.
struct RowReach {
    int dy = 0, dz = 0, reach = 1;
};
/// The 3x3 rows of a box of 3x3x3 cells: row (dy, dz) at place (dz + 1) * 3 + dy + 1.
std::vector<RowReach> box_rows();
/// The rows of all cells within `radius` steps along the axes; the last is the segment's own.
std::vector<RowReach> ball_rows(int radius);

struct SegmentLayout {
    static constexpr int lanes = 8;

    std::size_t stride = 0;                 ///< floats from one channel to the next
    std::vector<std::uint32_t> rows;        ///< [segments * rows read] cell 0 of the segment in each
    std::vector<std::uint8_t> live;         ///< [segments] one bit per lane that holds a point
    std::vector<std::uint32_t> slots;       ///< [points] place of each point in a channel
    std::vector<std::uint32_t> lane_of;     ///< [points] segment * 8 + lane
    std::vector<Site> starts;               ///< [segments] cell of lane 0
    std::vector<std::uint32_t> plane_rows;  ///< [plane segments * 3] cell 0 in the rows dy = -1, 0, 1
    std::vector<std::uint32_t> slice_first, plane_slice_first;  ///< [slices + 1] first segments of each z
    std::vector<std::uint32_t> slice_places;  ///< [slices + 1] first place of each z in a channel, multiples of `lanes`

    std::size_t segments() const { return live.size(); }
    std::size_t plane_segments() const { return plane_rows.size() / 3; }
    /// Points per lane of all segments: how full the vectors are.
    double fill() const { return segments() == 0 ? 0 : double(slots.size()) / double(segments() * lanes); }
};

/// Floats from one channel to the next, for at least this many places. Channels start at different addresses modulo 4
/// KB; otherwise stores to one would stall loads from another.
std::size_t staggered_stride(std::size_t floats);

/// Sites must be distinct. Segments come in ascending (z, sheet, y, x). With box_rows there are also plane segments.
SegmentLayout build_segments(std::span<const Site> sites);
SegmentLayout build_segments(std::span<const Site> sites, std::span<const RowReach> read);

/// The cyclic turn of the axes (0: x y z, 1: y z x, 2: z x y) whose rows fill the segments best.
int best_row_axis(std::span<const Site> sites);
/// Turns a site so that axis `turn` runs along the rows.
Site turned(Site site, int turn);

}  // namespace fascia::sim
