#include "rigging/tissue_distance.h"

#include <cmath>
#include <queue>

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

std::vector<double> TissueDistance::from(Vec3d p) const {
    std::vector<double> out(cells_.size(), -1);
    if (cells_.empty()) return out;
    using Step = std::pair<double, std::size_t>;
    std::priority_queue<Step, std::vector<Step>, std::greater<>> open;
    const std::size_t start = voxel(p);
    out[start] = 0;
    open.emplace(0, start);
    const double steps[4] = {0, grid_.h, grid_.h * std::sqrt(2.0), grid_.h * std::sqrt(3.0)};
    while (!open.empty()) {
        const auto [far, v] = open.top();
        open.pop();
        if (far > out[v]) continue;
        for_neighbours(grid_, grid_.cell(cells_[v]), [&, far = far](lattice::Cell next, int squared) {
            const std::int64_t other = number_[grid_.index(next)];
            if (other < 0) return;
            double& known = out[std::size_t(other)];
            if (const double via = far + steps[squared]; known < 0 || via < known)
                known = via, open.emplace(via, std::size_t(other));
        });
    }
    return out;
}

}  // namespace fascia
