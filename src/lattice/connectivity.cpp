#include "lattice/connectivity.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "lattice/folds.h"
#include "lattice/nearest.h"

namespace fascia::lattice {

// ---- node index ------------------------------------------------------------------------------------------------
NodeIndex::NodeIndex(const Grid& grid, std::span<const Cell> cells) : grid_(grid) {
    row_first_.assign(std::size_t(grid.ny) * grid.nz + 1, 0);
    for (std::size_t n = 0; n < cells.size(); ++n) {
        const std::uint32_t cell = std::uint32_t(grid.index(cells[n]));
        if (occupied_.empty() || occupied_.back() != cell) {
            occupied_.push_back(cell);
            node_first_.push_back(std::uint32_t(n));
            ++row_first_[cell / grid.nx + 1];
        }
    }
    node_first_.push_back(std::uint32_t(cells.size()));
    for (std::size_t r = 0; r + 1 < row_first_.size(); ++r) row_first_[r + 1] += row_first_[r];
}

const std::uint32_t* NodeIndex::find(std::uint32_t cell) const {
    const std::size_t row = cell / grid_.nx;
    const auto begin = occupied_.begin() + row_first_[row], end = occupied_.begin() + row_first_[row + 1];
    const auto it = std::lower_bound(begin, end, cell);
    return it == end || *it != cell ? nullptr : &node_first_[it - occupied_.begin()];
}

namespace {

// ---- sheets: the pieces of surface in one cell -----------------------------------------------------------------
/// Merges the triangles of one cell into sheets: joined where they share a welded corner or follow one part, or related
/// parts that are not folded on one another.
class SheetFinder {
public:
    SheetFinder(const SurfaceParts& parts, const Folds& folds) : parts_(parts), folds_(folds) {}

    /// Sheet of each triangle, numbered in the order in which they first appear; returns their count.
    int find(std::span<const std::uint32_t> triangles, Vec3d center, std::vector<int>& sheet) {
        sheet.assign(triangles.size(), 0);
        find_distinct(triangles);
        if (folds_.known() ? distinct_.size() == 1 : !holds_strangers()) return 1;
        leader_.resize(triangles.size());
        std::iota(leader_.begin(), leader_.end(), 0);
        join_by_part(triangles);
        join_by_corner(triangles);
        const int sheets = number(sheet);
        return sheets == 1 ? 1 : join_relatives(triangles, center, sheets, sheet);
    }

    /// Distinct parts of the last cell.
    std::span<const std::uint16_t> distinct() const { return distinct_; }

private:
    bool related(std::uint16_t a, std::uint16_t b) const {
        return parts_.related[std::size_t(a) * parts_.part_count + b] != 0;
    }

    void find_distinct(std::span<const std::uint32_t> triangles) {
        distinct_.clear();
        for (const std::uint32_t t : triangles) {
            const std::uint16_t part = parts_.part[t];
            if (std::find(distinct_.begin(), distinct_.end(), part) == distinct_.end()) distinct_.push_back(part);
        }
    }

    bool holds_strangers() const {
        for (std::size_t i = 0; i < distinct_.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (!related(distinct_[i], distinct_[j])) return true;
        return false;
    }

    int lead(int k) {
        while (leader_[k] != k) k = leader_[k] = leader_[leader_[k]];
        return k;
    }
    void join(int a, int b) {
        a = lead(a);
        b = lead(b);
        leader_[std::max(a, b)] = std::min(a, b);
    }

    void join_by_part(std::span<const std::uint32_t> triangles) {
        for (std::size_t i = 0; i < triangles.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (parts_.part[triangles[i]] == parts_.part[triangles[j]]) join(int(i), int(j));
    }

    /// Sheets of related parts are one, unless they are folded on one another.
    int join_relatives(std::span<const std::uint32_t> triangles, Vec3d center, int sheets, std::vector<int>& sheet) {
        of_sheet_.resize(std::max<std::size_t>(of_sheet_.size(), std::size_t(sheets)));
        for (int s = 0; s < sheets; ++s) of_sheet_[s].clear();
        for (std::size_t i = 0; i < triangles.size(); ++i) of_sheet_[sheet[i]].push_back(triangles[i]);
        for (std::size_t i = 0; i < triangles.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (related(parts_.part[triangles[i]], parts_.part[triangles[j]]) && lead(int(i)) != lead(int(j)) &&
                    !folds_.between(of_sheet_[sheet[i]], of_sheet_[sheet[j]], center))
                    join(int(i), int(j));
        return number(sheet);
    }

    void join_by_corner(std::span<const std::uint32_t> triangles) {
        corner_.clear();
        for (std::size_t i = 0; i < triangles.size(); ++i)
            for (int c = 0; c < 3; ++c) corner_.push_back({parts_.corners[3 * triangles[i] + c], int(i)});
        std::sort(corner_.begin(), corner_.end());
        for (std::size_t k = 1; k < corner_.size(); ++k)
            if (corner_[k].first == corner_[k - 1].first) join(corner_[k].second, corner_[k - 1].second);
    }

    int number(std::vector<int>& sheet) {
        int count = 0;
        for (std::size_t i = 0; i < sheet.size(); ++i)
            sheet[i] = lead(int(i)) == int(i) ? count++ : sheet[lead(int(i))];
        return count;
    }

    const SurfaceParts& parts_;
    const Folds& folds_;
    std::vector<std::uint16_t> distinct_;
    std::vector<int> leader_;
    std::vector<std::vector<std::uint32_t>> of_sheet_;
    std::vector<std::pair<std::uint32_t, int>> corner_;
};

/// Counts which strangers meet in which cells, and how near they come.
class MeetingBook {
public:
    MeetingBook(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const SurfaceParts& parts)
        : positions_(positions), triangles_(triangles), parts_(parts) {}

    void note(std::span<const std::uint32_t> cell, std::span<const int> sheet) {
        std::map<std::pair<std::uint16_t, std::uint16_t>, double> here;
        for (std::size_t i = 0; i < cell.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                std::uint16_t a = parts_.part[cell[i]], b = parts_.part[cell[j]];
                if (sheet[i] == sheet[j] || parts_.related[std::size_t(a) * parts_.part_count + b]) continue;
                if (a > b) std::swap(a, b);
                const double gap = nearest_corners(cell[i], cell[j]);
                const auto [it, fresh] = here.try_emplace({a, b}, gap);
                if (!fresh) it->second = std::min(it->second, gap);
            }
        for (const auto& [pair, gap] : here) {
            Meeting& m = book_.try_emplace(pair, Meeting{pair.first, pair.second, 0, gap}).first->second;
            ++m.cells;
            m.gap = std::min(m.gap, gap);
        }
    }

    std::vector<Meeting> list() const {
        std::vector<Meeting> out;
        for (const auto& [pair, meeting] : book_) out.push_back(meeting);
        return out;
    }

private:
    double nearest_corners(std::uint32_t s, std::uint32_t t) const {
        double best = 1e300;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                best = std::min(best, length(to_double(positions_[triangles_[3 * s + i]]) -
                                             to_double(positions_[triangles_[3 * t + j]])));
        return best;
    }

    std::span<const Vec3> positions_;
    std::span<const std::uint32_t> triangles_;
    const SurfaceParts& parts_;
    std::map<std::pair<std::uint16_t, std::uint16_t>, Meeting> book_;
};

// ---- nodes -----------------------------------------------------------------------------------------------------
void make_nodes(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Grid& grid,
                const SurfaceCells& surface, const SolidCells& solid, const SurfaceParts& parts, const Folds& folds,
                Tissue& out) {
    SheetFinder finder(parts, folds);
    MeetingBook book(positions, triangles, parts);
    std::vector<int> sheet;
    out.triangle_first.push_back(0);
    const auto close_node = [&](Cell cell, bool on_surface) {
        out.cells.push_back(cell);
        out.on_surface.push_back(on_surface);
        out.triangle_first.push_back(std::uint32_t(out.triangles.size()));
    };
    std::size_t next_surface = 0;
    for (std::size_t index = 0; index < solid.kinds.size(); ++index) {
        if (solid.kinds[index] == CellKind::outside) continue;
        if (solid.kinds[index] == CellKind::inside) {
            close_node(grid.cell(index), false);
            continue;
        }
        const std::size_t k = next_surface++;
        const std::span<const std::uint32_t> here(surface.triangles.data() + surface.first[k],
                                                  surface.first[k + 1] - surface.first[k]);
        const int sheets = finder.find(here, grid.center(grid.cell(index)), sheet);
        if (sheets > 1) book.note(here, sheet);
        for (int s = 0; s < sheets; ++s) {
            for (std::size_t i = 0; i < here.size(); ++i)
                if (sheet[i] == s) out.triangles.push_back(here[i]);
            close_node(grid.cell(index), true);
        }
    }
    out.meetings = book.list();
}

// ---- links -----------------------------------------------------------------------------------------------------
bool share_triangle(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i] == b[j]) return true;
        a[i] < b[j] ? ++i : ++j;
    }
    return false;
}

/// Decides which nodes of two neighbouring cells are joined through their common face.
class FaceLinker {
public:
    FaceLinker(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Grid& grid,
               const SurfaceParts& parts, const Folds& folds, const Tissue& tissue)
        : positions_(positions), triangles_(triangles), grid_(grid), parts_(parts), folds_(folds), tissue_(tissue) {}

    /// Calls join(a, b) for nodes a of [a0, a1) and b of [b0, b1), cells that share the face in direction d of a's, and
    /// part(a, b) for those that only a fold keeps apart.
    template <class Join, class Part>
    void link(std::uint32_t a0, std::uint32_t a1, std::uint32_t b0, std::uint32_t b1, int d, Join&& join,
              Part&& part) const {
        const Vec3d face = grid_.center(tissue_.cells[a0]) + step(d) * (0.5 * grid_.h);
        const bool a_inside = !tissue_.on_surface[a0], b_inside = !tissue_.on_surface[b0];
        if (a_inside || b_inside) {
            // The face of an inner cell lies in tissue: of several sheets it belongs to the one that it meets first.
            join(a_inside ? a0 : nearest(a0, a1, face), b_inside ? b0 : nearest(b0, b1, face));
            return;
        }
        for (std::uint32_t a = a0; a < a1; ++a)
            for (std::uint32_t b = b0; b < b1; ++b)
                if (share(a, b) || same_part(a, b))
                    join(a, b);
                else if (!goes_on(a, b0, b1) && !goes_on(b, a0, a1) && related(a, b))
                    folds_.between(tissue_.triangles_of(a), tissue_.triangles_of(b), face) ? part(a, b) : join(a, b);
    }

private:
    static Vec3d step(int d) {
        return {double(face_directions[d].x), double(face_directions[d].y), double(face_directions[d].z)};
    }

    std::uint32_t nearest(std::uint32_t first, std::uint32_t last, Vec3d p) const {
        std::uint32_t best = first;
        if (last - first == 1) return best;
        double best_distance = 1e300;
        for (std::uint32_t n = first; n < last; ++n)
            for (const std::uint32_t t : tissue_.triangles_of(n)) {
                const Vec3d off = nearest_on_triangle(p, corner(t, 0), corner(t, 1), corner(t, 2)) - p;
                const double d = dot(off, off);
                if (d < best_distance) best_distance = d, best = n;
            }
        return best;
    }
    Vec3d corner(std::uint32_t t, int k) const { return to_double(positions_[triangles_[3 * t + k]]); }

    bool share(std::uint32_t a, std::uint32_t b) const {
        return share_triangle(tissue_.triangles_of(a), tissue_.triangles_of(b));
    }

    /// Where several sheets are about, one that goes on beyond the face looks for no relatives there.
    bool goes_on(std::uint32_t node, std::uint32_t first, std::uint32_t last) const {
        for (std::uint32_t n = first; n < last && last - first > 1; ++n)
            if (share(node, n)) return true;
        return false;
    }

    bool same_part(std::uint32_t a, std::uint32_t b) const {
        return any_pair(a, b, [](std::uint16_t s, std::uint16_t t) { return s == t; });
    }

    /// Some part of one node is related to some part of the other: skin and the cloth over it, a bulge and its base.
    bool related(std::uint32_t a, std::uint32_t b) const {
        return any_pair(a, b, [&](std::uint16_t s, std::uint16_t t) {
            return parts_.related[std::size_t(s) * parts_.part_count + t] != 0;
        });
    }

    template <class Test>
    bool any_pair(std::uint32_t a, std::uint32_t b, Test&& test) const {
        for (const std::uint32_t s : tissue_.triangles_of(a))
            for (const std::uint32_t t : tissue_.triangles_of(b))
                if (test(parts_.part[s], parts_.part[t])) return true;
        return false;
    }

    std::span<const Vec3> positions_;
    std::span<const std::uint32_t> triangles_;
    const Grid& grid_;
    const SurfaceParts& parts_;
    const Folds& folds_;
    const Tissue& tissue_;
};

struct Link {
    std::uint32_t from, to;
    int direction;
};

/// Whether links lead from one node to the other in a few steps. A fold that short is a crease, not a limb that opens.
bool leads_soon(const std::vector<std::vector<std::uint32_t>>& linked, std::uint32_t from, std::uint32_t to) {
    constexpr int soon = 3;
    std::vector<std::uint32_t> seen{from};
    for (std::size_t first = 0, last = 1, step = 0; step < soon && first < last; ++step) {
        for (std::size_t k = first; k < last; ++k)
            for (const std::uint32_t next : linked[seen[k]]) {
                if (next == to) return true;
                if (std::find(seen.begin(), seen.end(), next) == seen.end()) seen.push_back(next);
            }
        first = last;
        last = seen.size();
    }
    return false;
}

/// Joins what a crease keeps apart.
void link_creases(std::size_t nodes, const std::vector<Link>& parted, std::vector<Link>& found) {
    if (parted.empty()) return;
    std::vector<std::vector<std::uint32_t>> linked(nodes);
    for (const Link& l : found) linked[l.from].push_back(l.to);
    for (const Link& l : parted)
        if (leads_soon(linked, l.from, l.to)) {
            found.push_back(l);
            found.push_back({l.to, l.from, l.direction ^ 1});
        }
}

void make_links(const FaceLinker& linker, const NodeIndex& index, Tissue& out) {
    std::vector<Link> found, parted;
    found.reserve(out.size() * 6);
    for (std::uint32_t a0 = 0, a1 = 0; a0 < out.size(); a0 = a1) {
        const Cell c = out.cells[a0];
        for (a1 = a0 + 1; a1 < out.size() && out.cells[a1] == c;) ++a1;
        for (int d = 1; d < 6; d += 2) {
            const Cell s = face_directions[d];
            const auto [b0, b1] = index.at({c.x + s.x, c.y + s.y, c.z + s.z});
            if (b0 == b1) continue;
            linker.link(
                a0, a1, b0, b1, d,
                [&](std::uint32_t a, std::uint32_t b) {
                    found.push_back({a, b, d});
                    found.push_back({b, a, d ^ 1});
                },
                [&](std::uint32_t a, std::uint32_t b) {
                    parted.push_back({a, b, d});
                });
        }
    }
    link_creases(out.size(), parted, found);
    out.link_first.assign(out.size() * 6 + 1, 0);
    for (const Link& l : found) ++out.link_first[l.from * 6 + l.direction + 1];
    for (std::size_t k = 0; k + 1 < out.link_first.size(); ++k) out.link_first[k + 1] += out.link_first[k];
    out.links.resize(found.size());
    std::vector<std::uint32_t> at(out.link_first.begin(), out.link_first.end() - 1);
    for (const Link& l : found) out.links[at[l.from * 6 + l.direction]++] = l.to;
    for (std::size_t k = 0; k + 1 < out.link_first.size(); ++k)
        std::sort(out.links.begin() + out.link_first[k], out.links.begin() + out.link_first[k + 1]);
}

// ---- the 26 neighbours -----------------------------------------------------------------------------------------
/// Orders in which a path may take its steps along the axes.
constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/// The node that most shortest paths of links lead to at the given offset, the lower one of equals; -1 where none does.
std::int32_t reach(const Tissue& tissue, std::uint32_t from, const int (&offset)[3]) {
    std::array<std::pair<std::uint32_t, int>, 16> votes;
    int vote_count = 0;
    const auto vote = [&](std::uint32_t node) {
        for (int k = 0; k < vote_count; ++k)
            if (votes[k].first == node) {
                ++votes[k].second;
                return;
            }
        if (vote_count < int(votes.size())) votes[vote_count++] = {node, 1};
    };
    const auto walk = [&](auto&& self, std::uint32_t node, const int(&order)[3], int step) -> void {
        if (step == 3) return vote(node);
        const int axis = order[step];
        if (offset[axis] == 0) return self(self, node, order, step + 1);
        for (const std::uint32_t next : tissue.through(node, 2 * axis + (offset[axis] > 0)))
            self(self, next, order, step + 1);
    };
    for (const auto& order : orders) walk(walk, from, order, 0);
    std::int32_t best = -1;
    int most = 0;
    for (int k = 0; k < vote_count; ++k) {
        const auto [node, count] = votes[k];
        if (count > most || (count == most && std::int32_t(node) < best)) most = count, best = std::int32_t(node);
    }
    return best;
}

/// Where no sheet is near there is one node per cell at most, and the look-up is plain.
void make_neighbours(Tissue& out) {
    out.neighbours.assign(out.size() * 27, -1);
    for (std::uint32_t n = 0; n < out.size(); ++n)
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    out.neighbours[n * 27 + block_place(dx, dy, dz)] = reach(out, n, {dx, dy, dz});
    // A neighbour that does not see us back (three sheets in two cells) is none: regions must be mutual.
    const std::vector<std::int32_t> seen = out.neighbours;
    for (std::uint32_t n = 0; n < out.size(); ++n)
        for (int k = 0; k < 27; ++k) {
            const std::int32_t other = seen[n * 27 + k];
            if (other >= 0 && seen[std::size_t(other) * 27 + (26 - k)] != std::int32_t(n))
                out.neighbours[n * 27 + k] = -1;
        }
}

}  // namespace

Tissue connect(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Grid& grid,
               const SurfaceCells& surface, const SolidCells& solid, const SurfaceParts& parts) {
    Tissue out;
    const Folds folds(positions, triangles, parts.shell);
    make_nodes(positions, triangles, grid, surface, solid, parts, folds, out);
    const NodeIndex index(grid, out.cells);
    make_links(FaceLinker(positions, triangles, grid, parts, folds, out), index, out);
    make_neighbours(out);
    return out;
}

}  // namespace fascia::lattice
