#include "lattice/grid.h"

#include <algorithm>
#include <cmath>

namespace fascia::lattice {

Grid make_grid(Vec3d box_min, Vec3d box_max, int resolution) {
    const Vec3d extent = box_max - box_min;
    const double longest = std::max({extent.x, extent.y, extent.z});
    Grid grid;
    grid.h = longest > 0 ? longest * (1 + 1e-6) / resolution : 1.0;
    const auto cells = [&](double side) { return int(std::max(1.0, std::ceil(side / grid.h - 1e-9))); };
    const int nx = cells(extent.x), ny = cells(extent.y), nz = cells(extent.z);
    grid.nx = nx + 2 * padding;
    grid.ny = ny + 2 * padding;
    grid.nz = nz + 2 * padding;
    const Vec3d middle = (box_min + box_max) * 0.5;
    grid.origin = middle - Vec3d{grid.nx * grid.h, grid.ny * grid.h, grid.nz * grid.h} * 0.5;
    return grid;
}

Cell Grid::cell_at(Vec3d p) const {
    const auto along = [&](double value, double start, int n) {
        return int(std::min(std::max(0.0, std::floor((value - start) / h)), double(n - 1)));  // far away, too
    };
    return {along(p.x, origin.x, nx), along(p.y, origin.y, ny), along(p.z, origin.z, nz)};
}

}  // namespace fascia::lattice
