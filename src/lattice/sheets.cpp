#include "lattice/sheets.h"

#include <algorithm>
#include <bitset>
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

/// Large triangles whose corners are all far away may still continue into one another here.
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

/// Without checking what is between them; if there are more parts than can be compared, all are one.
void SheetFinder::join_by_part(std::span<const std::uint32_t> cell) {
    std::vector<std::pair<std::uint16_t, int>> first;  // of each part
    for (std::size_t i = 0; i < cell.size(); ++i) first.emplace_back(parts_.part[cell[i]], int(i));
    std::sort(first.begin(), first.end());
    std::size_t count = 0;
    for (const auto& [part, i] : first)
        if (count > 0 && first[count - 1].first == part)
            join(first[count - 1].second, i);
        else
            first[count++] = {part, i};
    const bool all = count > std::size_t(most_patches);
    for (std::size_t a = 1; a < count; ++a)
        for (std::size_t b = 0; b < (all ? 1 : a); ++b)
            if (all || parts_.related.related(first[a].first, first[b].first)) join(first[a].second, first[b].second);
}

bool SheetFinder::share_part(const Patch& a, const Patch& b) const {
    return have_common(a.parts, b.parts);
}

void SheetFinder::join_patches(std::span<const std::uint32_t> cell, Vec3d center, const Block& block, int patches,
                               const std::vector<int>& patch) {
    if (patches > most_patches) {
        ++crowded_;
        join_by_part(cell);
        return;
    }
    patches_.resize(std::max<std::size_t>(patches_.size(), std::size_t(patches)));
    for (int p = 0; p < patches; ++p) {
        Patch& fresh = patches_[p];
        fresh.triangles.clear(), fresh.parts.clear(), fresh.sights.clear(), fresh.seen_behind.clear();
        fresh.member = -1;
    }
    for (std::size_t i = 0; i < cell.size(); ++i) {
        Patch& its = patches_[patch[i]];
        its.triangles.push_back(cell[i]);
        its.parts.push_back(parts_.part[cell[i]]);
        if (its.member < 0) its.member = int(i);
    }
    for (int p = 0; p < patches; ++p) keep_distinct(patches_[p].parts), patches_[p].seen = {patches_[p].triangles};
    first_of_cell_ = walks_ + 1;
    apart_.clear(), undecided_.clear();
    for (int k = 0; k < patches; ++k)
        for (int l = 0; l < k; ++l) {
            Patch &a = patches_[k], &b = patches_[l];
            // Patches already joined by others cannot come apart any more.
            if (lead(a.member) == lead(b.member)) continue;
            if (!parts_.parts_fold && share_part(a, b)) {
                join(a.member, b.member);
                continue;
            }
            const bool may_join = related(a.parts, b.parts);
            Between what = folds_.between(b.seen, a.seen, center, cell);
            if (what == Between::unclear && !hang_together(a, b, center, cell)) what = Between::space;
            if (what == Between::space && !(share_part(a, b) && lot_of(a, block) == lot_of(b, block)))
                apart_.push_back({k, l});
            else if (may_join && (what == Between::tissue || what == Between::space))
                join(a.member, b.member);
            else if (may_join)
                undecided_.push_back({k, l});
        }
    if (!undecided_.empty()) join_undecided(patch, patches);
}

/// The only objection to these is that they would join other patches that have nothing between them.
void SheetFinder::join_undecided(const std::vector<int>& patch, int patches) {
    // Joined patches go by the name of the first.
    const auto name = [&](int p) { return patch[lead(patches_[p].member)]; };
    std::vector<std::bitset<most_patches>> apart(patches);
    for (const Pair& p : apart_) {
        const int a = name(p.a), b = name(p.b);
        apart[a].set(b), apart[b].set(a);
    }
    for (const Pair& u : undecided_) {
        const int a = name(u.a), b = name(u.b);
        if (a == b || apart[a].test(b)) continue;
        join(patches_[a].member, patches_[b].member);
        const int first = name(a), second = first == a ? b : a;
        apart[first] |= apart[second];
        for (int p = 0; p < patches; ++p)
            if (apart[second].test(p)) apart[p].set(first);
    }
}

void SheetFinder::look_around(Vec3d center, Patch& patch) const {
    if (!patch.sights.empty()) return;
    for (int side = 0; side < sides; ++side)
        patch.sights.push_back(folds_.sight(patch.triangles, place_of(side, center)));
    patch.seen_behind.assign(sides, -1);
}

bool SheetFinder::lies_behind(Patch& patch, int side, Vec3d place, std::span<const std::uint32_t> cell) const {
    std::int8_t& behind = patch.seen_behind[side];
    if (behind < 0) behind = folds_.is_behind(patch.sights[side], place, cell);
    return behind != 0;
}

Vec3d SheetFinder::place_of(int side, Vec3d center) const {
    return center + Vec3d{double(side % 3 - 1), double(side / 3 % 3 - 1), double(side / 9 - 1)} * (0.5 * grid_.h);
}

/// Some place in the cell is behind both, where they are in the cell.
bool SheetFinder::hang_together(Patch& a, Patch& b, Vec3d center, std::span<const std::uint32_t> cell) const {
    const Block here{center, 0.5 * grid_.h * (1 + 1e-6)};
    look_around(center, a);
    look_around(center, b);
    for (int side = 0; side < sides; ++side) {
        const Vec3d place = place_of(side, center);
        if (here.holds(a.sights[side].point) && here.holds(b.sights[side].point) && lies_behind(a, side, place, cell) &&
            lies_behind(b, side, place, cell) && !folds_.is_overlapped(a.triangles, b.triangles, place))
            return true;
    }
    return false;
}

/// The surface leads from one patch to another within the block if both have the same lot.
std::uint32_t SheetFinder::lot_of(const Patch& patch, const Block& block) {
    std::uint32_t& lot = reached_[patch.triangles[0]];
    if (lot < first_of_cell_) walk(patch.triangles, block);
    return lot;
}

/// Marks all triangles that the surface leads to within the block.
void SheetFinder::walk(std::span<const std::uint32_t> from, const Block& block) {
    const std::uint32_t lot = ++walks_;
    walk_.assign(from.begin(), from.end());
    for (const std::uint32_t t : walk_) reached_[t] = lot;
    const auto reach = [&](std::uint32_t t) {
        if (reached_[t] < first_of_cell_) reached_[t] = lot, walk_.push_back(t);
    };
    for (std::size_t n = 0; n < walk_.size(); ++n) {
        const std::uint32_t t = walk_[n];
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
}

}  // namespace fascia::lattice
