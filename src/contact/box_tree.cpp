#include "contact/box_tree.h"

#include <algorithm>
#include <numeric>

#include "base/box.h"

namespace fascia::contact {

namespace {
constexpr std::uint32_t leaf_size = 4;
}

BoxTree::BoxTree(std::span<const Vec3d> centers) : order_(centers.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    if (!centers.empty()) build(0, std::uint32_t(centers.size()), centers);
}

void BoxTree::build(std::uint32_t first, std::uint32_t count, std::span<const Vec3d> centers) {
    const std::size_t own = branches_.size();
    branches_.emplace_back();
    if (count <= leaf_size) {
        branches_[own].first = first;
        branches_[own].count = count;
    } else {
        Box box;
        for (std::uint32_t k = first; k < first + count; ++k) box.add(centers[order_[k]]);
        const Vec3d side = box.high - box.low;
        const auto axis = side.x >= side.y && side.x >= side.z ? &Vec3d::x : side.y >= side.z ? &Vec3d::y : &Vec3d::z;
        const auto begin = order_.begin() + first, middle = begin + count / 2;
        std::nth_element(begin, middle, begin + count, [&](std::uint32_t a, std::uint32_t b) {
            return centers[a].*axis < centers[b].*axis || (centers[a].*axis == centers[b].*axis && a < b);
        });
        // Which half a thing falls into does not depend on the standard library; sorting makes its place there
        // independent, too.
        std::sort(begin, middle);
        std::sort(middle, begin + count);
        build(first, count / 2, centers);
        build(first + count / 2, count - count / 2, centers);
    }
    branches_[own].after = std::uint32_t(branches_.size());
}

void BoxTree::refit(std::span<const FloatBox> boxes, std::span<FloatBox> out) const {
    for (std::size_t k = branches_.size(); k-- > 0;) {
        const Branch& branch = branches_[k];
        FloatBox box;
        for (std::uint32_t i = branch.first; i < branch.first + branch.count; ++i) box.add(boxes[order_[i]]);
        if (branch.count == 0) {
            box.add(out[k + 1]);
            box.add(out[branches_[k + 1].after]);
        }
        out[k] = box;
    }
}

}  // namespace fascia::contact
