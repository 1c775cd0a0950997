#include "lattice/regions.h"

#include <algorithm>

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

}  // namespace

Regions find_regions(const Tissue& tissue, int width) {
    Regions out;
    out.member_first.push_back(0);
    BoxWalk walk(tissue, width);
    for (std::uint32_t n = 0; n < tissue.size(); ++n) {
        const auto& found = walk.run(n);
        out.members.insert(out.members.end(), found.begin(), found.end());
        out.member_first.push_back(std::uint32_t(out.members.size()));
    }
    transpose(tissue.size(), out);
    return out;
}

}  // namespace fascia::lattice
