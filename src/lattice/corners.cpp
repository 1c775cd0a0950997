#include "lattice/corners.h"

#include <algorithm>
#include <numeric>

namespace fascia::lattice {

namespace {

/// Cell corners that form one particle: sets of (cell, corner), numbered cell * 8 + corner.
class CornerSets {
public:
    explicit CornerSets(std::size_t cells) : leader_(cells * 8), sides_(cells * 8) {
        std::iota(leader_.begin(), leader_.end(), 0u);
        for (std::size_t k = 0; k < sides_.size(); ++k) sides_[k] = std::uint8_t(1u << (k & 7));
    }

    /// Two cells on the same side of a particle are two sheets of one cell: they stay apart.
    void join(std::uint32_t a, std::uint32_t b) {
        a = lead(a);
        b = lead(b);
        if (a == b || (sides_[a] & sides_[b]) != 0) return;
        const std::uint32_t low = std::min(a, b), high = std::max(a, b);
        leader_[high] = low;
        sides_[low] |= sides_[high];
    }

    std::uint32_t lead(std::uint32_t k) {
        while (leader_[k] != k) k = leader_[k] = leader_[leader_[k]];
        return k;
    }

private:
    std::vector<std::uint32_t> leader_;
    std::vector<std::uint8_t> sides_;
};

Cell corner_place(Cell cell, int corner) {
    return {cell.x + (corner & 1), cell.y + (corner >> 1 & 1), cell.z + (corner >> 2)};
}

bool before(Cell a, Cell b) {
    return a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x;
}

CornerSets join_corners(const Tissue& tissue) {
    CornerSets sets(tissue.size());
    const int upper_face[3] = {block_place(1, 0, 0), block_place(0, 1, 0), block_place(0, 0, 1)};
    for (std::uint32_t i = 0; i < tissue.size(); ++i)
        for (int axis = 0; axis < 3; ++axis) {
            const std::int32_t j = tissue.neighbours[27 * std::size_t(i) + std::size_t(upper_face[axis])];
            if (j < 0) continue;
            for (std::uint32_t corner = 0; corner < 8; ++corner)
                if (corner >> axis & 1) sets.join(8 * i + corner, 8 * std::uint32_t(j) + (corner ^ (1u << axis)));
        }
    return sets;
}

void number_particles(const Tissue& tissue, CornerSets& sets, CornerLattice& out) {
    std::vector<std::uint32_t> leaders;
    const auto all = std::uint32_t(8 * tissue.size());
    for (std::uint32_t k = 0; k < all; ++k)
        if (sets.lead(k) == k) leaders.push_back(k);
    const auto place = [&](std::uint32_t k) { return corner_place(tissue.cells[k / 8], int(k % 8)); };
    std::sort(leaders.begin(), leaders.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Cell p = place(a), q = place(b);
        return p == q ? a < b : before(p, q);
    });
    std::vector<std::uint32_t> number(all, 0);
    for (std::uint32_t p = 0; p < leaders.size(); ++p) {
        number[leaders[p]] = p;
        out.places.push_back(place(leaders[p]));
    }
    out.of_cell.resize(all);
    for (std::uint32_t k = 0; k < all; ++k) out.of_cell[k] = number[sets.lead(k)];
}

/// A particle at the lower corner of a cell has it on its upper side.
void find_octants(CornerLattice& out) {
    out.octants.assign(8 * out.size(), no_cell);
    for (std::uint32_t k = 0; k < out.of_cell.size(); ++k)
        out.octants[8 * std::size_t(out.of_cell[k]) + 7 - k % 8] = k / 8;
}

void find_edges(CornerLattice& out) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::size_t k = 0; k < out.of_cell.size(); ++k)
        for (std::size_t axis = 0; axis < 3; ++axis)
            pairs.push_back({out.of_cell[k], out.of_cell[k ^ (std::size_t{1} << axis)]});
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    out.edge_first.assign(out.size() + 1, 0);
    for (const auto& [from, to] : pairs) {
        ++out.edge_first[from + 1];
        out.edges.push_back(to);
    }
    for (std::size_t p = 0; p < out.size(); ++p) out.edge_first[p + 1] += out.edge_first[p];
}

/// [Chen 2012, eq. 3]
void find_neighbours(CornerLattice& out) {
    out.neighbours.assign(27 * out.size(), -1);
    for (std::size_t cell = 0; cell < out.of_cell.size() / 8; ++cell)
        for (std::size_t a = 0; a < 8; ++a)
            for (std::size_t b = 0; b < 8; ++b) {
                const std::uint32_t from = out.of_cell[8 * cell + a], to = out.of_cell[8 * cell + b];
                const auto side = [&](int axis) { return int(b >> axis & 1) - int(a >> axis & 1); };
                std::int32_t& slot = out.neighbours[27 * std::size_t(from) + block_place(side(0), side(1), side(2))];
                // Where the body forks, there are two neighbours in one direction: the first stands for both.
                if (slot < 0 || std::int32_t(to) < slot) slot = std::int32_t(to);
            }
    const std::vector<std::int32_t> seen = out.neighbours;
    for (std::size_t p = 0; p < out.size(); ++p)
        for (std::size_t k = 0; k < 27; ++k)
            if (seen[27 * p + k] >= 0 && seen[27 * std::size_t(seen[27 * p + k]) + 26 - k] != std::int32_t(p))
                out.neighbours[27 * p + k] = -1;
}

}  // namespace

bool CornerLattice::on_boundary(std::size_t particle) const {
    const auto first = octants.begin() + std::ptrdiff_t(8 * particle);
    return std::find(first, first + 8, no_cell) != first + 8;
}

/// [Chen 2012, fig. 4]
CornerLattice find_corners(const Tissue& tissue) {
    CornerLattice out;
    CornerSets sets = join_corners(tissue);
    number_particles(tissue, sets, out);
    complete_corners(out);
    return out;
}

void complete_corners(CornerLattice& corners) {
    find_octants(corners);
    find_edges(corners);
    find_neighbours(corners);
}

std::vector<std::int32_t> steps_along_edges(const CornerLattice& corners, std::span<const std::uint32_t> sources) {
    std::vector<std::int32_t> steps(corners.size(), -1);
    std::vector<std::uint32_t> queue;
    for (const std::uint32_t p : sources)
        if (steps[p] < 0) steps[p] = 0, queue.push_back(p);
    for (std::size_t k = 0; k < queue.size(); ++k) {
        const std::uint32_t p = queue[k];
        for (std::uint32_t e = corners.edge_first[p]; e < corners.edge_first[p + 1]; ++e) {
            const std::uint32_t next = corners.edges[e];
            if (steps[next] < 0) steps[next] = steps[p] + 1, queue.push_back(next);
        }
    }
    return steps;
}

Balls edge_balls(const CornerLattice& corners, int radius) {
    Balls out;
    out.first.push_back(0);
    std::vector<std::int32_t> seen(corners.size(), -1);
    std::vector<std::uint32_t> ball;
    for (std::uint32_t p = 0; p < corners.size(); ++p) {
        ball.assign(1, p);
        seen[p] = std::int32_t(p);
        std::size_t begin = 0;
        for (int step = 0; step < radius; ++step)
            for (const std::size_t end = ball.size(); begin < end; ++begin)
                for (std::uint32_t e = corners.edge_first[ball[begin]]; e < corners.edge_first[ball[begin] + 1]; ++e) {
                    const std::uint32_t next = corners.edges[e];
                    if (seen[next] == std::int32_t(p)) continue;
                    seen[next] = std::int32_t(p);
                    ball.push_back(next);
                }
        std::sort(ball.begin(), ball.end());
        out.members.insert(out.members.end(), ball.begin(), ball.end());
        out.first.push_back(std::uint32_t(out.members.size()));
    }
    return out;
}

std::vector<Vec3> outward_directions(const CornerLattice& corners, std::span<const std::int32_t> to_boundary) {
    std::vector<Vec3> out(corners.size());
    std::vector<std::uint32_t> order(corners.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return to_boundary[a] != to_boundary[b] ? to_boundary[a] < to_boundary[b] : a < b;
    });
    for (const std::uint32_t p : order) {
        Vec3 sum;
        if (to_boundary[p] == 0) {
            for (int side = 0; side < 8; ++side)
                if (corners.octants[8 * std::size_t(p) + std::size_t(side)] != no_cell)
                    sum -= {side & 1 ? 1.0f : -1.0f, side & 2 ? 1.0f : -1.0f, side & 4 ? 1.0f : -1.0f};
        } else {
            // Steps towards the boundary, each plus the direction in which it continues from there.
            for (std::uint32_t e = corners.edge_first[p]; e < corners.edge_first[p + 1]; ++e) {
                const std::uint32_t q = corners.edges[e];
                if (to_boundary[q] != to_boundary[p] - 1) continue;
                const Cell a = corners.places[p], b = corners.places[q];
                sum += Vec3{float(b.x - a.x), float(b.y - a.y), float(b.z - a.z)} + out[q] * 0.5f;
            }
        }
        out[p] = length(sum) > 1e-3f ? normalized(sum) : Vec3{};
    }
    return out;
}

}  // namespace fascia::lattice
