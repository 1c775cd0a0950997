#include "lattice/regions.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <tuple>

namespace fascia::lattice {

namespace {

/// Walks from one node through links that stay in its box.
class BoxWalk {
public:
    BoxWalk(const Tissue& tissue, int width)
        : tissue_(tissue), width_(width), below_((width - 1) / 2), taken_(std::size_t(width) * width * width, 0) {}

    /// Members of the region of `middle`, ascending.
    const std::vector<std::uint32_t>& run(std::uint32_t middle) {
        queue_.clear();
        const Cell c = tissue_.cells[middle];
        take(c, middle);
        for (std::size_t k = 0; k < queue_.size(); ++k) {
            const std::uint32_t n = queue_[k];
            for (std::uint32_t l = tissue_.link_first[n * 6]; l < tissue_.link_first[n * 6 + 6]; ++l)
                take(c, tissue_.links[l]);
        }
        for (const std::uint32_t n : queue_) taken_[place(c, tissue_.cells[n])] = 0;
        std::sort(queue_.begin(), queue_.end());
        return queue_;
    }

private:
    std::size_t place(Cell c, Cell at) const {
        return (std::size_t(at.z - c.z + below_) * width_ + (at.y - c.y + below_)) * width_ + (at.x - c.x + below_);
    }
    bool in_box(Cell c, Cell at) const {
        const auto fits = [&](int d) { return d >= -below_ && d < width_ - below_; };
        return fits(at.x - c.x) && fits(at.y - c.y) && fits(at.z - c.z);
    }
    void take(Cell c, std::uint32_t node) {
        const Cell at = tissue_.cells[node];
        if (!in_box(c, at)) return;
        std::uint8_t& flag = taken_[place(c, at)];
        if (flag) return;
        flag = 1;
        queue_.push_back(node);
    }

    const Tissue& tissue_;
    int width_, below_;
    std::vector<std::uint8_t> taken_;
    std::vector<std::uint32_t> queue_;
};

void transpose(std::size_t nodes, Regions& regions) {
    regions.owner_first.assign(nodes + 1, 0);
    for (const std::uint32_t m : regions.members) ++regions.owner_first[m + 1];
    for (std::size_t n = 0; n < nodes; ++n) regions.owner_first[n + 1] += regions.owner_first[n];
    regions.owners.resize(regions.members.size());
    std::vector<std::uint32_t> at(regions.owner_first.begin(), regions.owner_first.end() - 1);
    for (std::uint32_t r = 0; r < nodes; ++r)
        for (std::uint32_t k = regions.member_first[r]; k < regions.member_first[r + 1]; ++k)
            regions.owners[at[regions.members[k]]++] = r;
}

/// Nodes by the block of spacing^3 cells that they lie in, those nearest to its middle first.
class Blocks {
public:
    Blocks(const Tissue& tissue, int spacing) : tissue_(tissue), spacing_(spacing), order_(tissue.size()) {
        for (std::uint32_t n = 0; n < order_.size(); ++n) order_[n] = n;
        std::vector<Key> keys(order_.size());
        for (std::uint32_t n = 0; n < order_.size(); ++n) keys[n] = key(n);
        std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    }
    const std::vector<std::uint32_t>& order() const { return order_; }
    bool same_block(std::uint32_t a, std::uint32_t b) const { return block(a) == block(b); }

private:
    using Block = std::array<int, 3>;
    using Key = std::tuple<Block, int, std::uint32_t>;  // block, distance from its middle, node

    Block block(std::uint32_t n) const {
        const Cell c = tissue_.cells[n];
        const auto part = [&](int x) { return x >= 0 ? x / spacing_ : -((-x + spacing_ - 1) / spacing_); };
        return {part(c.z), part(c.y), part(c.x)};
    }
    Key key(std::uint32_t n) const {
        const Cell c = tissue_.cells[n];
        const Block b = block(n);
        const int place[3] = {c.z, c.y, c.x};
        int far = 0;
        for (int axis = 0; axis < 3; ++axis) far += std::abs(2 * (place[axis] - b[axis] * spacing_) - (spacing_ - 1));
        return {b, far, n};
    }

    const Tissue& tissue_;
    int spacing_;
    std::vector<std::uint32_t> order_;
};

/// Which nodes anchor a region.
std::vector<std::uint8_t> find_anchors(const Tissue& tissue, int width, int spacing) {
    std::vector<std::uint8_t> anchor(tissue.size(), spacing == 1 ? 1 : 0), held(tissue.size(), 0);
    if (spacing == 1) return anchor;
    BoxWalk walk(tissue, width);
    const Blocks blocks(tissue, spacing);
    for (const std::uint32_t n : blocks.order()) {
        if (held[n]) continue;
        anchor[n] = 1;
        for (const std::uint32_t member : walk.run(n))
            if (blocks.same_block(member, n)) held[member] = 1;
    }
    return anchor;
}

}  // namespace

int region_spacing(int width) {
    return width < 4 ? 1 : (width + 2) / 3;
}

/// [Iwamoto 2015, fig. 6]
Regions find_regions(const Tissue& tissue, int width, int spacing) {
    Regions out;
    out.member_first.push_back(0);
    BoxWalk walk(tissue, width);
    const std::vector<std::uint8_t> anchor = find_anchors(tissue, width, spacing);
    for (std::uint32_t n = 0; n < tissue.size(); ++n) {
        if (anchor[n]) {
            const auto& found = walk.run(n);
            out.members.insert(out.members.end(), found.begin(), found.end());
        }
        out.member_first.push_back(std::uint32_t(out.members.size()));
    }
    transpose(tissue.size(), out);
    return out;
}

}  // namespace fascia::lattice
