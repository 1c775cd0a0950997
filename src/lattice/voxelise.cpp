#include "lattice/voxelise.h"

#include <algorithm>
#include <cmath>

#include "lattice/winding.h"

namespace fascia::lattice {

namespace {

/// One separating axis: cells whose centre c has low <= n . c <= high are not separated by it.
struct Axis {
    Vec3d n;
    double low, high;
    bool separates(Vec3d c) const {
        const double d = dot(n, c);
        return d < low || d > high;
    }
};

/// The triangle's plane and the nine products of its edges with the grid axes; the three grid axes are the loop bounds.
struct TriangleAxes {
    Axis axes[10];
    int count = 0;

    void add(Vec3d n, const Vec3d (&corner)[3], double half) {
        const double d[3] = {dot(n, corner[0]), dot(n, corner[1]), dot(n, corner[2])};
        const double reach = half * (std::abs(n.x) + std::abs(n.y) + std::abs(n.z));
        axes[count++] = {n, std::min({d[0], d[1], d[2]}) - reach, std::max({d[0], d[1], d[2]}) + reach};
    }
};

TriangleAxes axes_of(const Vec3d (&corner)[3], double half) {
    TriangleAxes out;
    const Vec3d edge[3] = {corner[1] - corner[0], corner[2] - corner[1], corner[0] - corner[2]};
    out.add(cross(edge[0], edge[1]), corner, half);
    for (const Vec3d& e : edge) {
        out.add({0, -e.z, e.y}, corner, half);
        out.add({e.z, 0, -e.x}, corner, half);
        out.add({-e.y, e.x, 0}, corner, half);
    }
    return out;
}

struct Range {
    int low, high;  ///< both inclusive
};

/// Cells whose closed interval along one axis touches [a, b].
Range touched(double a, double b, double start, double h, int n) {
    const double tolerance = 1e-9;
    return {std::max(0, int(std::ceil((a - start) / h - 1 - tolerance))),
            std::min(n - 1, int(std::floor((b - start) / h + tolerance)))};
}

/// Calls visit(grid index) for every cell that the triangle touches.
template <class Visit>
void for_touched_cells(const Vec3d (&corner)[3], const Grid& grid, Visit&& visit) {
    const auto [ax, bx] = std::minmax({corner[0].x, corner[1].x, corner[2].x});
    const auto [ay, by] = std::minmax({corner[0].y, corner[1].y, corner[2].y});
    const auto [az, bz] = std::minmax({corner[0].z, corner[1].z, corner[2].z});
    const Range rx = touched(ax, bx, grid.origin.x, grid.h, grid.nx);
    const Range ry = touched(ay, by, grid.origin.y, grid.h, grid.ny);
    const Range rz = touched(az, bz, grid.origin.z, grid.h, grid.nz);
    if (rx.low == rx.high && ry.low == ry.high && rz.low == rz.high) {
        visit(grid.index({rx.low, ry.low, rz.low}));
        return;
    }
    const TriangleAxes tests = axes_of(corner, grid.h * (0.5 + 1e-9));
    for (int z = rz.low; z <= rz.high; ++z)
        for (int y = ry.low; y <= ry.high; ++y)
            for (int x = rx.low; x <= rx.high; ++x) {
                const Vec3d center = grid.center({x, y, z});
                bool apart = false;
                for (const Axis& axis : tests.axes) apart = apart || axis.separates(center);
                if (!apart) visit(grid.index({x, y, z}));
            }
}

bool is_finite(const Vec3d (&corner)[3]) {
    for (const Vec3d& c : corner)
        if (!std::isfinite(c.x) || !std::isfinite(c.y) || !std::isfinite(c.z)) return false;
    return true;
}

struct Touch {
    std::uint32_t cell, triangle;
};

/// Sorts by cell, keeping triangles ascending: a counting sort over the digits of the cell index.
void sort_by_cell(std::vector<Touch>& touches, std::size_t cell_count) {
    std::vector<Touch> other(touches.size());
    for (std::size_t shift = 0; shift == 0 || (cell_count >> shift) > 0; shift += 11) {
        std::uint32_t start[2049] = {};
        for (const Touch& t : touches) ++start[(t.cell >> shift & 2047) + 1];
        for (int k = 0; k < 2048; ++k) start[k + 1] += start[k];
        for (const Touch& t : touches) other[start[t.cell >> shift & 2047]++] = t;
        touches.swap(other);
    }
}

/// Fills runs along x from the corner of the grid; every cell that a path of non-surface cells reaches becomes outside.
class Flood {
public:
    Flood(const Grid& grid, std::vector<CellKind>& kinds) : grid_(grid), kinds_(kinds) {}

    void run() {
        fill_from({0, 0, 0});
        while (!runs_.empty()) {
            const Run run = runs_.back();
            runs_.pop_back();
            for (const Cell side : {Cell{0, -1, 0}, Cell{0, 1, 0}, Cell{0, 0, -1}, Cell{0, 0, 1}}) {
                const int y = run.y + side.y, z = run.z + side.z;
                if (y < 0 || z < 0 || y >= grid_.ny || z >= grid_.nz) continue;
                const CellKind* row = &kinds_[grid_.index({0, y, z})];
                for (int x = run.low; x <= run.high; ++x)
                    if (row[x] == CellKind::inside) fill_from({x, y, z});
            }
        }
    }

private:
    struct Run {
        int y, z, low, high;
    };

    void fill_from(Cell c) {
        CellKind* row = &kinds_[grid_.index({0, c.y, c.z})];
        if (row[c.x] != CellKind::inside) return;
        int low = c.x, high = c.x;
        while (low > 0 && row[low - 1] == CellKind::inside) --low;
        while (high + 1 < grid_.nx && row[high + 1] == CellKind::inside) ++high;
        std::fill(row + low, row + high + 1, CellKind::outside);
        runs_.push_back({c.y, c.z, low, high});
    }

    const Grid& grid_;
    std::vector<CellKind>& kinds_;
    std::vector<Run> runs_;
};

/// Takes back cells that a flood reached through a hole. The winding number is harmonic between the surface cells, so a
/// pocket of values above one half always touches a surface cell: test those neighbours and grow from them.
std::size_t take_back_leaks(const WindingField& field, const Grid& grid, const SurfaceCells& surface,
                            std::vector<CellKind>& kinds) {
    std::vector<std::uint32_t> queue;
    std::vector<std::uint8_t> tested(kinds.size(), 0);
    std::size_t taken = 0;
    const auto test_neighbours = [&](std::size_t index) {
        const Cell c = grid.cell(index);
        for (const Cell d : face_directions) {
            const Cell n{c.x + d.x, c.y + d.y, c.z + d.z};
            if (!grid.contains(n)) continue;
            const std::size_t k = grid.index(n);
            if (kinds[k] != CellKind::outside || tested[k]) continue;
            tested[k] = 1;
            if (field.at(grid.center(n)) > 0.5) queue.push_back(std::uint32_t(k));
        }
    };
    for (const std::uint32_t index : surface.cells) test_neighbours(index);
    for (std::size_t k = 0; k < queue.size(); ++k) test_neighbours(queue[k]);
    for (const std::uint32_t index : queue) kinds[index] = CellKind::inside, ++taken;
    return taken;
}

}  // namespace

SurfaceCells conservative_cells(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                                const Grid& grid) {
    std::vector<Touch> touches;
    touches.reserve(triangles.size() * 2);
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const Vec3d corner[3] = {to_double(positions[triangles[t]]), to_double(positions[triangles[t + 1]]),
                                 to_double(positions[triangles[t + 2]])};
        if (!is_finite(corner)) continue;
        for_touched_cells(corner, grid, [&](std::size_t cell) {
            touches.push_back({std::uint32_t(cell), std::uint32_t(t / 3)});
        });
    }
    sort_by_cell(touches, grid.cell_count());

    SurfaceCells out;
    out.triangles.reserve(touches.size());
    for (const Touch& touch : touches) {
        if (out.cells.empty() || out.cells.back() != touch.cell) {
            out.cells.push_back(touch.cell);
            out.first.push_back(std::uint32_t(out.triangles.size()));
        }
        out.triangles.push_back(touch.triangle);
    }
    out.first.push_back(std::uint32_t(out.triangles.size()));
    return out;
}

SolidCells solid_cells(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Grid& grid,
                       const SurfaceCells& surface, bool open) {
    SolidCells out;
    out.kinds.assign(grid.cell_count(), CellKind::inside);
    for (const std::uint32_t cell : surface.cells) out.kinds[cell] = CellKind::surface;
    Flood(grid, out.kinds).run();
    if (open) out.leaked_cells = take_back_leaks(WindingField(positions, triangles), grid, surface, out.kinds);
    return out;
}

std::size_t empty_pockets(const WindingField& field, const Grid& grid, SolidCells& solid) {
    std::vector<std::uint32_t> pocket;
    std::vector<bool> seen(solid.kinds.size(), false);
    std::size_t emptied = 0;
    for (std::size_t start = 0; start < seen.size(); ++start) {
        if (solid.kinds[start] != CellKind::inside || seen[start]) continue;
        pocket.assign(1, std::uint32_t(start));
        seen[start] = true;
        for (std::size_t k = 0; k < pocket.size(); ++k) {
            const Cell c = grid.cell(pocket[k]);
            for (const Cell d : face_directions) {
                const std::size_t n = grid.index({c.x + d.x, c.y + d.y, c.z + d.z});  // the padding is outside
                if (solid.kinds[n] != CellKind::inside || seen[n]) continue;
                seen[n] = true;
                pocket.push_back(std::uint32_t(n));
            }
        }
        if (std::abs(field.at(grid.center(grid.cell(start)))) > 0.5) continue;
        for (const std::uint32_t cell : pocket) solid.kinds[cell] = CellKind::outside;
        emptied += pocket.size();
    }
    return emptied;
}

}  // namespace fascia::lattice
