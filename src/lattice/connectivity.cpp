#include "lattice/connectivity.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "base/distinct.h"
#include "lattice/cell_gap.h"
#include "lattice/folds.h"
#include "lattice/point_tree.h"
#include "lattice/sheets.h"

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

// ---- nodes -----------------------------------------------------------------------------------------------------
/// Counts which parts meet in which cells, and how near they come.
class MeetingBook {
public:
    MeetingBook(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, double h,
                const SurfaceParts& parts)
        : positions_(positions), triangles_(triangles), h_(h), parts_(parts), cell_gap_(positions, triangles) {}

    void note(std::span<const std::uint32_t> cell, Vec3d center, std::span<const int> sheet, int sheets) {
        here_.clear();
        make_groups(cell, sheet, false);
        main_part(sheets);
        if (groups_.size() > most_groups) make_groups(cell, sheet, true);
        for (std::size_t g = 0; g < groups_.size(); ++g)
            for (std::size_t f = 0; f < g; ++f) {
                if (groups_[f].sheet == groups_[g].sheet) continue;
                std::uint16_t a = groups_[f].part, b = groups_[g].part;
                // Neighbours are named by what each sheet follows most: a fold of a knee is not one of each toe.
                if (related(a, b)) a = main_[groups_[f].sheet], b = main_[groups_[g].sheet];
                if (a > b) std::swap(a, b);
                double& gap2 = here_.try_emplace({a, b}, 1e300).first->second;
                gap2 = nearer(groups_[f], groups_[g], center, gap2);
            }
        for (const auto& [pair, gap2] : here_) book_[pair].push_back(std::sqrt(gap2));
    }

    void list(Tissue& out) {
        for (auto& [pair, gaps] : book_) {
            std::sort(gaps.begin(), gaps.end());
            (related(pair.first, pair.second) ? out.folds : out.meetings)
                .push_back({pair.first, pair.second, gaps.size(), gaps.front(), gaps[gaps.size() / 2]});
        }
    }

private:
    static constexpr std::size_t most_groups = 1000;  ///< to compare; with more, each sheet counts as one part

    bool related(std::uint16_t a, std::uint16_t b) const { return parts_.related.related(a, b); }

    /// Triangles of one sheet that follow one part.
    struct Group {
        int sheet = 0;
        std::uint16_t part = 0;
        std::vector<std::uint32_t> triangles;
        std::vector<Vec3d> corners;
        Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
        std::optional<PointTree> tree;  ///< of the corners, once it is worth it
    };

    /// Ordered by sheets and parts; with `by_sheet`, one for each sheet.
    void make_groups(std::span<const std::uint32_t> cell, std::span<const int> sheet, bool by_sheet) {
        order_.resize(cell.size());
        std::iota(order_.begin(), order_.end(), 0u);
        const auto key = [&](std::uint32_t i) {
            return std::pair{sheet[i], by_sheet ? main_[std::size_t(sheet[i])] : parts_.part[cell[i]]};
        };
        std::sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t j) { return key(i) < key(j); });
        groups_.clear();
        for (std::size_t first = 0, last = 0; first < order_.size(); first = last) {
            Group& group = groups_.emplace_back();
            std::tie(group.sheet, group.part) = key(order_[first]);
            vertices_.clear();
            for (; last < order_.size() && key(order_[last]) == key(order_[first]); ++last) {
                group.triangles.push_back(cell[order_[last]]);
                vertices_.insert(vertices_.end(), &triangles_[3 * cell[order_[last]]],
                                 &triangles_[3 * cell[order_[last]]] + 3);
            }
            keep_distinct(vertices_);
            for (const std::uint32_t v : vertices_) {
                const Vec3d p = to_double(positions_[v]);
                group.corners.push_back(p);
                group.low = {std::min(group.low.x, p.x), std::min(group.low.y, p.y), std::min(group.low.z, p.z)};
                group.high = {std::max(group.high.x, p.x), std::max(group.high.y, p.y), std::max(group.high.z, p.z)};
            }
        }
    }

    /// The part that most triangles of each sheet follow, the first in a tie.
    void main_part(int sheets) {
        main_.assign(std::size_t(sheets), 0);
        std::vector<std::size_t> most(std::size_t(sheets), 0);
        for (const Group& group : groups_)
            if (group.triangles.size() > most[group.sheet])
                most[group.sheet] = group.triangles.size(), main_[group.sheet] = group.part;
    }

    /// The squared distance in the cell, or `bound` if that is less. Of very many triangles that of their corners will
    /// do: they are small.
    double nearer(Group& a, Group& b, Vec3d center, double bound) {
        constexpr std::size_t few = 1024;
        if (a.triangles.size() * b.triangles.size() <= few)
            return cell_gap_.between(a.triangles, b.triangles, center, 0.5 * h_, bound);
        const auto beyond = [](double low, double high) { return std::max({low, high, 0.0}); };
        const Vec3d between{beyond(a.low.x - b.high.x, b.low.x - a.high.x),
                            beyond(a.low.y - b.high.y, b.low.y - a.high.y),
                            beyond(a.low.z - b.high.z, b.low.z - a.high.z)};
        if (dot(between, between) >= bound) return bound;
        Group &small = a.corners.size() < b.corners.size() ? a : b, &large = &small == &a ? b : a;
        if (!large.tree) large.tree.emplace(large.corners);
        for (const Vec3d p : small.corners) bound = large.tree->nearest(p, bound);
        return bound;
    }

    using Book = std::map<std::pair<std::uint16_t, std::uint16_t>, std::vector<double>>;  ///< gaps, by cell
    std::span<const Vec3> positions_;
    std::span<const std::uint32_t> triangles_;
    double h_;
    const SurfaceParts& parts_;
    CellGap cell_gap_;
    std::map<std::pair<std::uint16_t, std::uint16_t>, double> here_;
    std::vector<std::uint16_t> main_;
    std::vector<Group> groups_;
    std::vector<std::uint32_t> order_, vertices_;
    Book book_;
};

void make_nodes(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Grid& grid,
                const SurfaceCells& surface, const SolidCells& solid, const SurfaceParts& parts,
                const SurfaceFans& fans, const Folds& folds, Tissue& out) {
    SheetFinder finder(positions, triangles, grid, parts, fans, folds);
    MeetingBook book(positions, triangles, grid.h, parts);
    std::vector<int> sheet;
    std::vector<std::vector<std::uint32_t>> by_sheet;
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
        const Vec3d center = grid.center(grid.cell(index));
        const int sheets = finder.find(here, center, sheet);
        if (sheets > 1) book.note(here, center, sheet, sheets);
        by_sheet.resize(std::max(by_sheet.size(), std::size_t(sheets)));
        for (std::size_t i = 0; i < here.size(); ++i) by_sheet[sheet[i]].push_back(here[i]);
        for (int s = 0; s < sheets; ++s) {
            out.triangles.insert(out.triangles.end(), by_sheet[s].begin(), by_sheet[s].end());
            by_sheet[s].clear();
            close_node(grid.cell(index), true);
        }
    }
    book.list(out);
    out.crowded = finder.crowded();
}

// ---- links -----------------------------------------------------------------------------------------------------
/// Decides which nodes of two neighbouring cells are joined through their common face.
class FaceLinker {
public:
    FaceLinker(const Grid& grid, const SurfaceParts& parts, const Folds& folds, const Tissue& tissue)
        : grid_(grid), parts_(parts), folds_(folds), tissue_(tissue) {
        std::vector<std::uint16_t> here;
        part_first_.push_back(0);
        for (std::size_t node = 0; node < tissue.size(); ++node) {
            here.clear();
            for (const std::uint32_t t : tissue.triangles_of(node)) here.push_back(parts.part[t]);
            keep_distinct(here);
            part_of_node_.insert(part_of_node_.end(), here.begin(), here.end());
            part_first_.push_back(std::uint32_t(part_of_node_.size()));
        }
    }

    /// Calls join(a, b) for nodes a in [a0, a1) and b in [b0, b1) of two cells that share the face in direction d of
    /// a's cell, and part(a, b) for those that only a fold keeps apart.
    template <class Join, class Part>
    void link(std::uint32_t a0, std::uint32_t a1, std::uint32_t b0, std::uint32_t b1, int d, Join&& join,
              Part&& part) const {
        const Vec3d face = grid_.center(tissue_.cells[a0]) + step(d) * (0.5 * grid_.h);
        const bool a_inside = !tissue_.on_surface[a0], b_inside = !tissue_.on_surface[b0];
        if (a_inside || b_inside) {
            // The face of an inner cell is inside tissue: among several sheets it belongs to the one that it meets
            // first.
            const Vec3d inside = grid_.center(tissue_.cells[a_inside ? a0 : b0]);
            const std::uint32_t a = a_inside ? a0 : nearest(a0, a1, face, inside),
                                b = b_inside ? b0 : nearest(b0, b1, face, inside);
            if (!intrudes(a, face) && !intrudes(b, face)) join(a, b);
            return;
        }
        Holder a_holder, b_holder;
        for (std::uint32_t a = a0; a < a1; ++a)
            for (std::uint32_t b = b0; b < b1; ++b) {
                if (share(a, b)) {
                    join(a, b);
                    continue;
                }
                if (!parts_.parts_fold && same_part(a, b)) {
                    join(a, b);
                    continue;
                }
                if (!same_part(a, b) && !related(a, b)) continue;
                if (!folds_.comparable(tissue_.triangles_of(a), tissue_.triangles_of(b))) {
                    if (same_part(a, b) || (!goes_on(a, b0, b1) && !goes_on(b, a0, a1))) join(a, b);
                } else if (holds(a, a0, a1, face, a_holder) && holds(b, b0, b1, face, b_holder) &&
                           !folds_.is_overlapped(tissue_.triangles_of(a), tissue_.triangles_of(b), face)) {
                    join(a, b);
                } else {
                    part(a, b);
                }
            }
    }

private:
    static Vec3d step(int d) {
        return {double(face_directions[d].x), double(face_directions[d].y), double(face_directions[d].z)};
    }

    /// Tissue at p does not belong to a sheet whose outer side is in it.
    bool intrudes(std::uint32_t node, Vec3d p) const {
        return tissue_.on_surface[node] && folds_.is_intruder(folds_.sight(tissue_.triangles_of(node), p));
    }

    /// The sheet of a cell whose tissue contains a place, if any; found when first asked for.
    struct Holder {
        bool known = false;
        std::optional<std::uint32_t> node;
    };
    bool holds(std::uint32_t node, std::uint32_t first, std::uint32_t last, Vec3d p, Holder& holder) const {
        if (!holder.known) {
            const auto in_front = [&](std::uint32_t n) {
                return int(folds_.is_in_front(folds_.sight(tissue_.triangles_of(n), p)));
            };
            const std::uint32_t best = least_doubtful(first, last, p, in_front);
            holder.known = true;
            if (!in_front(best)) holder.node = best;
        }
        return holder.node == node;
    }

    /// The sheet that holds the tissue of an inner cell beyond the face: the nearest of those whose back is seen best
    /// from the face and from the middle of that cell.
    std::uint32_t nearest(std::uint32_t first, std::uint32_t last, Vec3d face, Vec3d inside) const {
        const std::span<const std::uint32_t> all(tissue_.triangles.data() + tissue_.triangle_first[first],
                                                 tissue_.triangle_first[last] - tissue_.triangle_first[first]);
        return least_doubtful(first, last, face, [&](std::uint32_t n) {
            const Folds::Sight deep = folds_.sight(tissue_.triangles_of(n), inside);
            return folds_.is_in_front(deep) + !folds_.is_behind(deep, inside, all);
        });
    }

    /// The nearest of the least doubtful ones.
    template <class Doubts>
    std::uint32_t least_doubtful(std::uint32_t first, std::uint32_t last, Vec3d p, Doubts&& more_doubts) const {
        std::uint32_t best = first;
        if (last - first == 1) return best;
        std::pair<int, double> least{9, 1e300};
        for (std::uint32_t n = first; n < last; ++n) {
            const Folds::Sight sight = folds_.sight(tissue_.triangles_of(n), p);
            const std::pair<int, double> here{folds_.is_well_in_front(sight) + more_doubts(n), sight.distance2};
            if (here < least) least = here, best = n;
        }
        return best;
    }

    bool share(std::uint32_t a, std::uint32_t b) const {
        return have_common(tissue_.triangles_of(a), tissue_.triangles_of(b));
    }

    /// With several sheets around, one that continues beyond the face is not joined to relatives there.
    bool goes_on(std::uint32_t node, std::uint32_t first, std::uint32_t last) const {
        for (std::uint32_t n = first; n < last && last - first > 1; ++n)
            if (share(node, n)) return true;
        return false;
    }

    std::span<const std::uint16_t> parts_of(std::uint32_t node) const {
        return {part_of_node_.data() + part_first_[node], part_first_[node + 1] - part_first_[node]};
    }

    bool same_part(std::uint32_t a, std::uint32_t b) const { return have_common(parts_of(a), parts_of(b)); }

    /// Some part of one node is related to some part of the other: skin and the cloth over it, a bulge and its base.
    bool related(std::uint32_t a, std::uint32_t b) const {
        for (const std::uint16_t s : parts_of(a))
            for (const std::uint16_t t : parts_of(b))
                if (parts_.related.related(s, t)) return true;
        return false;
    }

    const Grid& grid_;
    const SurfaceParts& parts_;
    const Folds& folds_;
    const Tissue& tissue_;
    std::vector<std::uint32_t> part_first_;    ///< [nodes + 1]
    std::vector<std::uint16_t> part_of_node_;  ///< the parts of each node, ascending
};

struct Link {
    std::uint32_t from, to;
    int direction;
};

/// Whether links lead from one node to the other in a few steps. A fold that short is a crease, not a limb that opens.
class ShortWays {
public:
    explicit ShortWays(const std::vector<std::vector<std::uint32_t>>& linked)
        : linked_(linked), seen_(linked.size(), 0) {}

    bool lead(std::uint32_t from, std::uint32_t to) {
        constexpr int soon = 3;
        ++walk_;
        way_.assign(1, from);
        seen_[from] = walk_;
        for (std::size_t first = 0, last = 1, step = 0; step < soon && first < last; ++step) {
            for (std::size_t k = first; k < last; ++k)
                for (const std::uint32_t next : linked_[way_[k]]) {
                    if (next == to) return true;
                    if (seen_[next] != walk_) seen_[next] = walk_, way_.push_back(next);
                }
            first = last;
            last = way_.size();
        }
        return false;
    }

private:
    const std::vector<std::vector<std::uint32_t>>& linked_;
    std::vector<std::uint32_t> seen_, way_;  ///< [nodes] number of the last walk to reach each; nodes of this walk
    std::uint32_t walk_ = 0;
};

/// Joins what a crease keeps apart.
void link_creases(std::size_t nodes, const std::vector<Link>& parted, std::vector<Link>& found) {
    if (parted.empty()) return;
    std::vector<std::vector<std::uint32_t>> linked(nodes);
    for (const Link& l : found) linked[l.from].push_back(l.to);
    ShortWays ways(linked);
    for (const Link& l : parted)
        if (ways.lead(l.from, l.to)) {
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

constexpr int most_paths = 1 << 12;  ///< that vote: enough even if many sheets meet

/// The node at the given offset that most shortest paths of links lead to, the lower one in a tie; -1 if none does.
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
    int paths = 0;
    const auto walk = [&](auto&& self, std::uint32_t node, const int(&order)[3], int step) -> void {
        if (step == 3 && ++paths <= most_paths) vote(node);
        if (step == 3 || paths > most_paths) return;
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

/// Away from sheets there is at most one node per cell, and a plain look-up will do.
void make_neighbours(Tissue& out) {
    out.neighbours.assign(out.size() * 27, -1);
    for (std::uint32_t n = 0; n < out.size(); ++n)
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    out.neighbours[n * 27 + block_place(dx, dy, dz)] = reach(out, n, {dx, dy, dz});
    // A neighbour that does not list us in turn (three sheets in two cells) does not count: regions must be mutual.
    const std::vector<std::int32_t> seen = out.neighbours;
    for (std::uint32_t n = 0; n < out.size(); ++n)
        for (int k = 0; k < 27; ++k) {
            const std::int32_t other = seen[n * 27 + k];
            if (other >= 0 && seen[std::size_t(other) * 27 + (26 - k)] != std::int32_t(n))
                out.neighbours[n * 27 + k] = -1;
        }
}

// ---- strays ----------------------------------------------------------------------------------------------------
/// Groups of nodes connected through neighbours, and the size of each.
struct Lots {
    std::vector<std::uint32_t> of_node, size;
};

Lots find_lots(const Tissue& tissue) {
    constexpr std::uint32_t none = 0xffffffffu;
    Lots out;
    out.of_node.assign(tissue.size(), none);
    std::vector<std::uint32_t> queue;
    for (std::uint32_t start = 0; start < tissue.size(); ++start) {
        if (out.of_node[start] != none) continue;
        const auto lot = std::uint32_t(out.size.size());
        queue.assign(1, start);
        out.of_node[start] = lot;
        for (std::size_t k = 0; k < queue.size(); ++k)
            for (int place = 0; place < 27; ++place) {
                const std::int32_t next = tissue.neighbours[std::size_t(queue[k]) * 27 + place];
                if (next < 0 || out.of_node[next] != none) continue;
                out.of_node[next] = lot;
                queue.push_back(std::uint32_t(next));
            }
        out.size.push_back(std::uint32_t(queue.size()));
    }
    return out;
}

/// A node's only neighbour beyond a face may be linked to several sheets of the node's cell, but lists one of them. The
/// other sheets, connected only through it, are slivers in a crease: they are merged into the listed sheet. Returns the
/// node that each becomes, [nodes]; empty if all stay as they are.
std::vector<std::uint32_t> find_strays(const Tissue& tissue) {
    const Lots lots = find_lots(tissue);
    if (lots.size.size() < 2) return {};
    std::vector<std::uint32_t> becomes(tissue.size());
    std::iota(becomes.begin(), becomes.end(), 0u);
    bool any = false;
    for (std::uint32_t n = 0; n < tissue.size(); ++n)
        for (int d = 0; d < 6 && becomes[n] == n; ++d)
            for (const std::uint32_t beyond : tissue.through(n, d)) {
                const Cell back = face_directions[d ^ 1];
                const std::int32_t seen =
                    tissue.neighbours[std::size_t(beyond) * 27 + block_place(back.x, back.y, back.z)];
                if (seen < 0) continue;
                const std::uint32_t mine = lots.of_node[n], its = lots.of_node[seen];
                if (lots.size[mine] > lots.size[its] || (lots.size[mine] == lots.size[its] && mine <= its)) continue;
                becomes[n] = std::uint32_t(seen);
                any = true;
                break;
            }
    return any ? becomes : std::vector<std::uint32_t>{};
}

/// Merges nodes that become the same, and renumbers all.
void unite(std::vector<std::uint32_t> becomes, Tissue& tissue) {
    const auto end_of = [&](std::uint32_t n) {
        while (becomes[n] != n) n = becomes[n];
        return n;
    };
    std::vector<std::vector<std::uint32_t>> members(tissue.size());
    for (std::uint32_t n = 0; n < tissue.size(); ++n) members[end_of(n)].push_back(n);
    Tissue out;
    out.meetings = std::move(tissue.meetings);
    out.folds = std::move(tissue.folds);
    out.crowded = tissue.crowded;
    std::vector<std::uint32_t> number(tissue.size());
    out.triangle_first.push_back(0);
    for (std::uint32_t n = 0; n < tissue.size(); ++n) {
        if (members[n].empty()) continue;
        for (const std::uint32_t m : members[n]) {
            number[m] = std::uint32_t(out.size());
            const auto of_member = tissue.triangles_of(m);
            out.triangles.insert(out.triangles.end(), of_member.begin(), of_member.end());
        }
        std::sort(out.triangles.begin() + out.triangle_first.back(), out.triangles.end());
        out.cells.push_back(tissue.cells[n]);
        out.on_surface.push_back(tissue.on_surface[n]);
        out.triangle_first.push_back(std::uint32_t(out.triangles.size()));
    }
    out.link_first.push_back(0);
    for (std::uint32_t n = 0; n < tissue.size(); ++n) {
        if (members[n].empty()) continue;
        for (int d = 0; d < 6; ++d) {
            for (const std::uint32_t m : members[n])
                for (const std::uint32_t next : tissue.through(m, d)) out.links.push_back(number[next]);
            const auto first = out.links.begin() + out.link_first.back();
            std::sort(first, out.links.end());
            out.links.erase(std::unique(first, out.links.end()), out.links.end());
            out.link_first.push_back(std::uint32_t(out.links.size()));
        }
    }
    tissue = std::move(out);
}

}  // namespace

Tissue connect(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Grid& grid,
               const SurfaceCells& surface, const SolidCells& solid, const SurfaceParts& parts) {
    Tissue out;
    const SurfaceFans found = parts.fans ? SurfaceFans{} : find_fans(positions, triangles, parts.corners);
    const SurfaceFans& fans = parts.fans ? *parts.fans : found;
    const Folds folds(positions, triangles, parts.shell, parts.body, fans.piece, grid.h);
    make_nodes(positions, triangles, grid, surface, solid, parts, fans, folds, out);
    const NodeIndex index(grid, out.cells);
    make_links(FaceLinker(grid, parts, folds, out), index, out);
    make_neighbours(out);
    for (auto becomes = find_strays(out); !becomes.empty(); becomes = find_strays(out)) {
        unite(std::move(becomes), out);
        make_neighbours(out);
    }
    return out;
}

}  // namespace fascia::lattice
