// The regular grid on which a lattice is built.
#pragma once

#include <cstdint>
#include <span>

#include "fascia/math.h"

namespace fascia::lattice {

struct Cell {
    int x = 0, y = 0, z = 0;
};
inline bool operator==(Cell a, Cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Cubes of edge h; cell (0, 0, 0) starts at `origin`.
struct Grid {
    Vec3d origin;
    double h = 1;
    int nx = 0, ny = 0, nz = 0;

    std::size_t cell_count() const { return std::size_t(nx) * ny * nz; }
    std::size_t index(Cell c) const { return (std::size_t(c.z) * ny + c.y) * nx + c.x; }
    Cell cell(std::size_t index) const {
        return {int(index % nx), int(index / nx % ny), int(index / (std::size_t(nx) * ny))};
    }
    bool contains(Cell c) const { return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < nx && c.y < ny && c.z < nz; }
    Vec3d center(Cell c) const {
        return {origin.x + (c.x + 0.5) * h, origin.y + (c.y + 0.5) * h, origin.z + (c.z + 0.5) * h};
    }
    /// The cell that holds p, clamped to the grid.
    Cell cell_at(Vec3d p) const;
};

/// Empty cells on each side: one is not enough, a surface on the border touches it.
inline constexpr int padding = 2;

/// `resolution` cells along the longest side of the box, the grid centred on it: h = longest (1 + 1e-6) / resolution.
/// A box without extent gets a grid of one cell.
Grid make_grid(Vec3d box_min, Vec3d box_max, int resolution);

/// The six face directions, -x +x -y +y -z +z; the opposite of direction d is d ^ 1.
inline constexpr Cell face_directions[6] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};

/// Place of the offset (dx, dy, dz), each -1..1, among the 27 cells of a 3x3x3 block; 13 is the middle and the
/// opposite of k is 26 - k.
inline int block_place(int dx, int dy, int dz) {
    return (dz + 1) * 9 + (dy + 1) * 3 + (dx + 1);
}

}  // namespace fascia::lattice
