#include "lattice/sheets.h"

#include <algorithm>
#include <cmath>

#include "base/distinct.h"
#include "lattice/segment_box.h"

namespace fascia::lattice {

SheetFinder::SheetFinder(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Grid& grid,
                         const SurfaceParts& parts, const SurfaceFans& fans, const Folds& folds)
    : positions_(positions),
      triangles_(triangles),
      grid_(grid),
      parts_(parts),
      fans_(fans),
      folds_(folds),
      seen_at_fan_(fans.size(), {0, 0}),
      reached_(triangles.size() / 3, 0) {}

bool SheetFinder::Block::holds(Vec3d p) const {
    return std::abs(p.x - center.x) <= half && std::abs(p.y - center.y) <= half && std::abs(p.z - center.z) <= half;
}
bool SheetFinder::Block::is_cut_by(Vec3d a, Vec3d b) const {
    return segment_cuts_box(a, b, center, half);
}

int SheetFinder::number(std::vector<int>& sheet) {
    int count = 0;
    for (std::size_t i = 0; i < sheet.size(); ++i) sheet[i] = lead(int(i)) == int(i) ? count++ : sheet[lead(int(i))];
    return count;
}

int SheetFinder::find(std::span<const std::uint32_t> cell, Vec3d center, std::vector<int>& sheet) {
    sheet.assign(cell.size(), 0);
    if (cell.size() == 1) return 1;
    const Block block{center, 1.5 * grid_.h};
    joined_.reset(cell.size());
    join_by_corner(cell, block);
    int patches = number(sheet);
    if (patches == 1) return 1;
    join_by_edge(cell, block);
    patches = number(sheet);
    if (patches == 1) return 1;
    join_patches(cell, center, block, patches, sheet);
    return number(sheet);
}

void SheetFinder::join_by_corner(std::span<const std::uint32_t> cell, const Block& block) {
    ++serial_;
    for (std::size_t i = 0; i < cell.size(); ++i)
        for (int k = 0; k < 3; ++k) {
            auto& [serial, first] = seen_at_fan_[fans_.of_corner[3 * cell[i] + k]];
            if (serial == serial_) {
                if (first >= 0) join(int(i), first);
            } else {
                serial = serial_;
                first = block.holds(corner(cell[i], k)) ? int(i) : -1;
            }
        }
}

/// Large triangles whose corners are all far away may still go on into one another here.
void SheetFinder::join_by_edge(std::span<const std::uint32_t> cell, const Block& block) {
    std::vector<int> large;
    for (std::size_t i = 0; i < cell.size(); ++i) {
        int outside = 0;
        for (int k = 0; k < 3; ++k) outside += !block.holds(corner(cell[i], k));
        if (outside >= 2) large.push_back(int(i));
    }
    // Sides by the fans at their ends: those of one side lie next to one another.
    struct Side {
        std::uint32_t low, high;
        int triangle, from;
        bool operator<(const Side& o) const {
            return low != o.low ? low < o.low : high != o.high ? high < o.high : triangle < o.triangle;
        }
    };
    std::vector<Side> sides;
    for (const int i : large)
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t* fan = &fans_.of_corner[3 * cell[std::size_t(i)]];
            const std::uint32_t p = fan[k], q = fan[(k + 1) % 3];
            sides.push_back({std::min(p, q), std::max(p, q), i, k});
        }
    std::sort(sides.begin(), sides.end());
    for (std::size_t k = 1; k < sides.size(); ++k) {
        const Side &s = sides[k - 1], &t = sides[k];
        if (s.low != t.low || s.high != t.high || s.triangle == t.triangle) continue;
        const std::uint32_t triangle = cell[std::size_t(t.triangle)];
        if (block.is_cut_by(corner(triangle, t.from), corner(triangle, (t.from + 1) % 3))) join(s.triangle, t.triangle);
    }
}

bool SheetFinder::related(const Parts& a, const Parts& b) const {
    for (const std::uint16_t s : a)
        for (const std::uint16_t t : b)
            if (parts_.related.related(s, t)) return true;
    return false;
}

void SheetFinder::join_patches(std::span<const std::uint32_t> cell, Vec3d center, const Block& block, int patches,
                               const std::vector<int>& patch) {
    of_patch_.resize(std::max<std::size_t>(of_patch_.size(), std::size_t(patches)));
    parts_of_patch_.resize(of_patch_.size());
    for (int p = 0; p < patches; ++p) of_patch_[p].clear(), parts_of_patch_[p].clear();
    std::vector<int> member(patches, -1);
    for (std::size_t i = 0; i < cell.size(); ++i) {
        of_patch_[patch[i]].push_back(cell[i]);
        parts_of_patch_[patch[i]].push_back(parts_.part[cell[i]]);
        if (member[patch[i]] < 0) member[patch[i]] = int(i);
    }
    for (int p = 0; p < patches; ++p) keep_distinct(parts_of_patch_[p]);
    const auto share_part = [&](int a, int b) { return have_common(parts_of_patch_[a], parts_of_patch_[b]); };
    struct Pair {
        int a, b;
    };
    std::vector<Pair> apart, undecided;
    for (int a = 0; a < patches; ++a)
        for (int b = 0; b < a; ++b) {
            // What others have joined already cannot come apart any more.
            if (lead(member[a]) == lead(member[b])) continue;
            if (!parts_.parts_fold && share_part(a, b)) {
                join(member[a], member[b]);
                continue;
            }
            const bool may_join = related(parts_of_patch_[a], parts_of_patch_[b]);
            Between what = folds_.between(of_patch_[b], of_patch_[a], center, cell);
            if (what == Between::unclear && !hang_together(of_patch_[a], of_patch_[b], center, cell))
                what = Between::space;
            if (what == Between::space && !(share_part(a, b) && leads_soon(of_patch_[a], of_patch_[b], block)))
                apart.push_back({a, b});
            else if (may_join && (what == Between::tissue || what == Between::space))
                join(member[a], member[b]);
            else if (may_join)
                undecided.push_back({a, b});
        }
    // Nothing speaks against these but that they would join others which nothing lies between.
    for (const Pair& u : undecided) {
        const int a = lead(member[u.a]), b = lead(member[u.b]);
        if (a == b) continue;
        const bool parts = std::any_of(apart.begin(), apart.end(), [&](const Pair& p) {
            const int x = lead(member[p.a]), y = lead(member[p.b]);
            return (x == a && y == b) || (x == b && y == a);
        });
        if (!parts) join(a, b);
    }
}

/// Some place in the cell lies behind both, where they are in the cell.
bool SheetFinder::hang_together(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, Vec3d center,
                                std::span<const std::uint32_t> cell) const {
    const Block here{center, 0.5 * grid_.h * (1 + 1e-6)};
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const Vec3d place = center + Vec3d{double(dx), double(dy), double(dz)} * (0.5 * grid_.h);
                const Folds::Sight to_a = folds_.sight(a, place), to_b = folds_.sight(b, place);
                if (here.holds(to_a.point) && here.holds(to_b.point) && folds_.is_behind(to_a, place, cell) &&
                    folds_.is_behind(to_b, place, cell) && !folds_.is_overlapped(a, b, place))
                    return true;
            }
    return false;
}

/// Whether the surface leads from one patch to the other within the block.
bool SheetFinder::leads_soon(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to,
                             const Block& block) {
    const std::uint32_t walk = ++walks_;
    walk_.assign(from.begin(), from.end());
    for (const std::uint32_t t : walk_) reached_[t] = walk;
    const auto reach = [&](std::uint32_t t) {
        if (reached_[t] != walk) reached_[t] = walk, walk_.push_back(t);
    };
    for (std::size_t n = 0; n < walk_.size(); ++n) {
        const std::uint32_t t = walk_[n];
        if (std::binary_search(to.begin(), to.end(), t)) return true;
        for (int k = 0; k < 3; ++k) {
            const std::span<const std::uint32_t> here = fans_.around(fans_.of_corner[3 * t + k]);
            if (block.holds(corner(t, k))) {
                for (const std::uint32_t next : here) reach(next);
                continue;
            }
            const int l = (k + 1) % 3;
            if (block.holds(corner(t, l)) || !block.is_cut_by(corner(t, k), corner(t, l))) continue;
            const std::span<const std::uint32_t> there = fans_.around(fans_.of_corner[3 * t + l]);
            for (const std::uint32_t next : here)
                if (std::binary_search(there.begin(), there.end(), next)) reach(next);
        }
    }
    return false;
}

}  // namespace fascia::lattice
