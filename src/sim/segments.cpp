#include "sim/segments.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <tuple>

namespace fascia::sim {

// No two of a dozen channels in a row may come within two cache lines of each other, modulo 4 KB (1024 floats).
std::size_t staggered_stride(std::size_t floats) {
    const auto collides = [](std::size_t stride) {
        for (std::size_t k = 1; k <= 12; ++k) {
            const std::size_t apart = k * stride % 1024;
            if (apart < 32 || apart > 1024 - 32) return true;
        }
        return false;
    };
    std::size_t stride = (floats + 15) / 16 * 16;
    while (collides(stride)) stride += 16;
    return stride;
}

namespace {

using RowKey = std::tuple<int, int, int>;  // z, sheet, y: a slice comprises all its sheets

struct Interval {
    int begin, end;           // cells [begin, end)
    std::uint32_t place = 0;  // where `begin` is in a channel
};

struct Row {
    std::vector<std::uint32_t> points;          // ascending x
    std::vector<int> segments, plane_segments;  // first cells
    std::vector<Interval> runs;
    bool written() const { return !points.empty(); }
};

using Rows = std::map<RowKey, Row>;

RowKey key_of(const Site& s) {
    return {s.z, s.sheet, s.y};
}

Rows rows_of(std::span<const Site> sites) {
    std::vector<std::uint32_t> order(sites.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Site &s = sites[a], &t = sites[b];
        return std::tuple(s.z, s.sheet, s.y, s.x) < std::tuple(t.z, t.sheet, t.y, t.x);
    });
    Rows rows;
    for (std::uint32_t i : order) rows[key_of(sites[i])].points.push_back(i);
    return rows;
}

/// Starts of the greedy eight-cell segments of one row.
template <class Visit>
void for_segments(const Row& row, std::span<const Site> sites, Visit&& visit) {
    for (std::size_t k = 0; k < row.points.size();) {
        const std::size_t first = k;
        const int start = sites[row.points[k]].x;
        while (k < row.points.size() && sites[row.points[k]].x < start + SegmentLayout::lanes) ++k;
        visit(first, k);
    }
}

void merge_intervals(std::vector<Interval>& runs) {
    std::sort(runs.begin(), runs.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    std::size_t out = 0;
    for (std::size_t k = 1; k < runs.size(); ++k) {
        if (runs[k].begin <= runs[out].end) {
            runs[out].end = std::max(runs[out].end, runs[k].end);
        } else {
            runs[++out] = runs[k];
        }
    }
    if (!runs.empty()) runs.resize(out + 1);
}

/// The row at `key`, if there is one, must hold the cells [begin, end).
void request(Rows& rows, const RowKey& key, int begin, int end) {
    const auto found = rows.find(key);
    if (found != rows.end()) found->second.runs.push_back({begin, end});
}

RowKey moved(const RowKey& key, int dy, int dz) {
    const auto [z, sheet, y] = key;
    return {z + dz, sheet, y + dy};
}

/// Every segment asks its rows for the cells that its loads reach.
void request_windows(Rows& rows, std::span<const RowReach> read) {
    for (const auto& [key, row] : rows) {
        for (int start : row.segments)
            for (const RowReach& r : read)
                request(rows, moved(key, r.dy, r.dz), start - r.reach, start + SegmentLayout::lanes + r.reach);
        for (int start : row.plane_segments)
            for (int dy = -1; dy <= 1; ++dy)
                request(rows, moved(key, dy, 0), start - 1, start + SegmentLayout::lanes + 1);
    }
}

bool has_points_in_plane(const Rows& rows, const RowKey& key) {
    for (int dy = -1; dy <= 1; ++dy) {
        const auto found = rows.find(moved(key, dy, 0));
        if (found != rows.end() && found->second.written()) return true;
    }
    return false;
}

void cut_segments(Rows& rows, std::span<const Site> sites) {
    for (auto& entry : rows) {
        Row& row = entry.second;
        for_segments(row, sites,
                     [&](std::size_t first, std::size_t) { row.segments.push_back(sites[row.points[first]].x); });
    }
}

/// The plane segments that cover the cells below, at and above all points. Rows that get only these are added.
void cut_plane_segments(Rows& rows, std::span<const Site> sites) {
    std::map<RowKey, std::vector<int>> wanted;
    for (const auto& [key, row] : rows)
        for (int dz = -1; dz <= 1; ++dz) {
            const RowKey target = moved(key, 0, dz);
            if (!has_points_in_plane(rows, target)) continue;
            auto& cells = wanted[target];
            for (const std::uint32_t point : row.points) cells.push_back(sites[point].x);
        }
    for (auto& [key, cells] : wanted) {
        std::sort(cells.begin(), cells.end());
        auto& segments = rows[key].plane_segments;
        for (int x : cells)
            if (segments.empty() || x >= segments.back() + SegmentLayout::lanes) segments.push_back(x);
    }
}

std::uint32_t place_in(const Rows& rows, const RowKey& key, int x, std::uint32_t zero_row) {
    const auto found = rows.find(key);
    if (found == rows.end()) return zero_row;
    for (const Interval& run : found->second.runs)
        if (x >= run.begin && x < run.end) return run.place + std::uint32_t(x - run.begin);
    return zero_row;
}

/// The first place from `next` on where the run's first segment is aligned. Segments that follow it without a gap are
/// then aligned, too: an unaligned store takes twice as long.
std::uint32_t aligned_place(const Row& row, const Interval& run, std::uint32_t next) {
    for (const int start : row.segments) {
        if (start < run.begin || start >= run.end) continue;
        const std::uint32_t ahead = std::uint32_t(start - run.begin), past = (next + ahead) % SegmentLayout::lanes;
        return past == 0 ? next : next + SegmentLayout::lanes - past;
    }
    return next;
}

/// Marks that every slice up to this one begins here at the latest.
void open_slices(int slice, SegmentLayout& layout) {
    while (int(layout.slice_first.size()) <= slice) {
        layout.slice_first.push_back(std::uint32_t(layout.segments()));
        layout.plane_slice_first.push_back(std::uint32_t(layout.plane_segments()));
    }
}

/// Hands out the places of a channel in turn. A channel begins with a row of zeros for everything beyond the body's
/// ends.
class Places {
public:
    Places(SegmentLayout& layout, int reach)
        : layout_(layout), reach_(std::uint32_t(reach)), zeros_(lanes + 2 * reach_), next_(zeros_) {}

    /// Slices up to this one begin on a multiple of a vector, each with its own row of zeros.
    void open(int slice) {
        while (int(layout_.slice_places.size()) <= slice) {
            layout_.slice_places.push_back(aligned(next_));
            next_ = layout_.slice_places.back() + zeros_;
        }
    }
    void put(const Row& row, Interval& run) {
        run.place = aligned_place(row, run, next_);
        next_ = run.place + std::uint32_t(run.end - run.begin);
    }
    void close() {
        layout_.slice_places.push_back(aligned(next_));
        layout_.stride = staggered_stride(aligned(next_) + lanes);  // a vector may begin at the last point
    }
    std::uint32_t zero_row(int slice) const {
        const bool inside = slice >= 0 && slice + 1 < int(layout_.slice_places.size());
        return reach_ + (inside ? layout_.slice_places[std::size_t(slice)] : 0);
    }

private:
    static constexpr std::uint32_t lanes = SegmentLayout::lanes;
    static std::uint32_t aligned(std::uint32_t place) { return (place + lanes - 1) / lanes * lanes; }

    SegmentLayout& layout_;
    std::uint32_t reach_, zeros_, next_;
};

SegmentLayout lay_out(Rows& rows, std::span<const Site> sites, std::span<const RowReach> read) {
    SegmentLayout layout;
    request_windows(rows, read);
    int reach = 0;
    std::size_t own_row = 0;
    for (std::size_t r = 0; r < read.size(); ++r) {
        reach = std::max(reach, read[r].reach);
        if (read[r].dy == 0 && read[r].dz == 0) own_row = r;
    }
    const int first_z = rows.empty() ? 0 : std::get<0>(rows.begin()->first);
    Places places(layout, reach);
    for (auto& [key, row] : rows) {
        merge_intervals(row.runs);
        places.open(std::get<0>(key) - first_z);
        for (Interval& run : row.runs) places.put(row, run);
    }
    places.close();
    const auto place = [&](const RowKey& key, int x) {
        return place_in(rows, key, x, places.zero_row(std::get<0>(key) - first_z));
    };

    layout.slots.resize(sites.size());
    layout.lane_of.resize(sites.size());
    for (const auto& entry : rows) {
        const RowKey& key = entry.first;
        const Row& row = entry.second;
        open_slices(std::get<0>(key) - first_z, layout);
        for_segments(row, sites, [&](std::size_t first, std::size_t last) {
            const Site& start = sites[row.points[first]];
            const std::uint32_t segment = std::uint32_t(layout.segments());
            layout.starts.push_back(start);
            for (const RowReach& r : read) layout.rows.push_back(place(moved(key, r.dy, r.dz), start.x));
            std::uint8_t live = 0;
            for (std::size_t k = first; k < last; ++k) {
                const std::uint32_t point = row.points[k];
                const int lane = sites[point].x - start.x;
                live |= std::uint8_t(1u << lane);
                layout.slots[point] = layout.rows[segment * read.size() + own_row] + std::uint32_t(lane);
                layout.lane_of[point] = segment * SegmentLayout::lanes + std::uint32_t(lane);
            }
            layout.live.push_back(live);
        });
        for (int start : row.plane_segments)
            for (int dy = -1; dy <= 1; ++dy) layout.plane_rows.push_back(place(moved(key, dy, 0), start));
    }
    open_slices(int(layout.slice_first.size()), layout);
    return layout;
}

}  // namespace

std::vector<RowReach> box_rows() {
    std::vector<RowReach> out;
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy) out.push_back({dy, dz, 1});
    return out;
}

std::vector<RowReach> ball_rows(int radius) {
    std::vector<RowReach> out;
    for (int dz = -radius; dz <= radius; ++dz) {
        const int left = radius - std::abs(dz);
        for (int dy = -left; dy <= left; ++dy)
            if (dy != 0 || dz != 0) out.push_back({dy, dz, left - std::abs(dy)});
    }
    out.push_back({0, 0, radius});
    return out;
}

SegmentLayout build_segments(std::span<const Site> sites) {
    Rows rows = rows_of(sites);
    cut_segments(rows, sites);
    cut_plane_segments(rows, sites);
    return lay_out(rows, sites, box_rows());
}

SegmentLayout build_segments(std::span<const Site> sites, std::span<const RowReach> read) {
    Rows rows = rows_of(sites);
    cut_segments(rows, sites);
    return lay_out(rows, sites, read);
}

Site turned(Site s, int turn) {
    if (turn == 1) return {s.y, s.z, s.x, s.sheet};
    if (turn == 2) return {s.z, s.x, s.y, s.sheet};
    return s;
}

int best_row_axis(std::span<const Site> sites) {
    int best = 0;
    std::size_t fewest = std::size_t(-1);
    std::vector<Site> trial(sites.size());
    for (int turn = 0; turn < 3; ++turn) {
        for (std::size_t i = 0; i < sites.size(); ++i) trial[i] = turned(sites[i], turn);
        std::size_t segments = 0;
        for (const auto& [key, row] : rows_of(trial))
            for_segments(row, trial, [&](std::size_t, std::size_t) { ++segments; });
        if (segments < fewest) {
            fewest = segments;
            best = turn;
        }
    }
    return best;
}

}  // namespace fascia::sim
