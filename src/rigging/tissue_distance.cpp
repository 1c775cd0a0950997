#include "rigging/tissue_distance.h"

#include <algorithm>
#include <cmath>

#include "base/box.h"
#include "lattice/voxelise.h"

namespace fascia {

namespace {

constexpr int tissue_resolution = 64;

template <class Visit>
void for_neighbours(const lattice::Grid& grid, lattice::Cell c, Visit&& visit) {
    for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x) {
                const lattice::Cell next{c.x + x, c.y + y, c.z + z};
                if ((x != 0 || y != 0 || z != 0) && grid.contains(next)) visit(next, x * x + y * y + z * z);
            }
}

}  // namespace

TissueDistance::TissueDistance(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, bool open) {
    const Box box = box_of(positions);
    grid_ = lattice::make_grid(box.low, box.high, tissue_resolution);
    const auto surface = lattice::conservative_cells(positions, triangles, grid_);
    const auto solid = lattice::solid_cells(positions, triangles, grid_, surface, open);
    number_.assign(grid_.cell_count(), -1);
    for (std::size_t i = 0; i < number_.size(); ++i)
        if (solid.kinds[i] != lattice::CellKind::outside) {
            number_[i] = std::int64_t(cells_.size());
            cells_.push_back(std::uint32_t(i));
        }
    depth_.assign(cells_.size(), 0);
    std::vector<std::size_t> queue;
    for (std::size_t v = 0; v < cells_.size(); ++v) {
        const lattice::Cell c = grid_.cell(cells_[v]);
        for (const lattice::Cell d : lattice::face_directions) {
            const lattice::Cell next{c.x + d.x, c.y + d.y, c.z + d.z};
            if (depth_[v] == 0 && (!grid_.contains(next) || number_[grid_.index(next)] < 0))
                depth_[v] = 1, queue.push_back(v);
        }
    }
    for (std::size_t k = 0; k < queue.size(); ++k)
        for_neighbours(grid_, grid_.cell(cells_[queue[k]]), [&](lattice::Cell next, int squared) {
            const std::int64_t v = number_[grid_.index(next)];
            if (squared > 1 || v < 0 || depth_[std::size_t(v)] > 0) return;
            depth_[std::size_t(v)] = depth_[queue[k]] + 1;
            queue.push_back(std::size_t(v));
        });
    link();
}

int TissueDistance::depth_at(Vec3d p) const {
    const std::int64_t own = number_.empty() ? -1 : number_[grid_.index(grid_.cell_at(p))];
    return own < 0 ? 0 : depth_[std::size_t(own)];
}

std::size_t TissueDistance::voxel(Vec3d p) const {
    const std::int64_t own = number_.empty() ? -1 : number_[grid_.index(grid_.cell_at(p))];
    if (own >= 0) return std::size_t(own);
    std::size_t best = 0;
    double least = 1e300;
    for (std::size_t v = 0; v < cells_.size(); ++v) {
        const Vec3d off = center(v) - p;
        if (dot(off, off) < least) least = dot(off, off), best = v;
    }
    return best;
}

void TissueDistance::link() {
    first_.reserve(cells_.size() + 1);
    for (const std::uint32_t cell : cells_) {
        first_.push_back(std::uint32_t(ways_.size()));
        for_neighbours(grid_, grid_.cell(cell), [&](lattice::Cell next, int squared) {
            const std::int64_t other = number_[grid_.index(next)];
            if (other >= 0) ways_.push_back({std::uint32_t(other), std::uint8_t(squared)});
        });
    }
    first_.push_back(std::uint32_t(ways_.size()));
}

/// Voxels wait in rows by their distance in steps. No way is shorter than a step, so that a row is complete once the
/// one before it is done, but for rounding: whatever is still found to be nearer is visited again.
std::vector<double> TissueDistance::from(Vec3d p) const {
    std::vector<double> out(cells_.size(), -1);
    if (cells_.empty()) return out;
    const double h = grid_.h, steps[4] = {0, h, h * std::sqrt(2.0), h * std::sqrt(3.0)};
    std::vector<std::vector<std::uint32_t>> rows(1);
    const std::size_t start = voxel(p);
    out[start] = 0;
    rows[0].push_back(std::uint32_t(start));
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t k = 0; k < rows[row].size(); ++k) {
            const std::uint32_t v = rows[row][k];
            const double far = out[v];
            for (std::uint32_t w = first_[v]; w < first_[v + 1]; ++w) {
                double& known = out[ways_[w].to];
                const double via = far + steps[ways_[w].squared];
                if (known >= 0 && !(via < known)) continue;
                known = via;
                const std::size_t later = std::max(row + 1, std::size_t(via / h));
                if (rows.size() <= later) rows.resize(later + 1);
                rows[later].push_back(ways_[w].to);
            }
        }
    return out;
}

}  // namespace fascia
