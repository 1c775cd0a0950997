// A tree of boxes over things that move: built once over their places at rest, then fitted to wherever they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia::contact {

struct FloatBox {
    Vec3 low{1e30f, 1e30f, 1e30f}, high{-1e30f, -1e30f, -1e30f};

    void add(Vec3 p) {
        low = {p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y, p.z < low.z ? p.z : low.z};
        high = {p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y, p.z > high.z ? p.z : high.z};
    }
    void add(const FloatBox& other) {
        add(other.low);
        add(other.high);
    }
    void widen(float by) {
        low = low - Vec3{by, by, by};
        high = high + Vec3{by, by, by};
    }
    bool meets(const FloatBox& other) const {
        return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y && other.low.y <= high.y &&
               low.z <= other.high.z && other.low.z <= high.z;
    }
};

/// Which things are near one another; the same for all instances of a body.
class BoxTree {
public:
    BoxTree() = default;
    /// centers: [things] at rest
    explicit BoxTree(std::span<const Vec3d> centers);

    std::size_t branch_count() const { return branches_.size(); }
    /// Boxes of all branches from those of the things. boxes: [things], out: [branches]
    void refit(std::span<const FloatBox> boxes, std::span<FloatBox> out) const;

    /// Calls visit(thing) for everything whose box overlaps `box`, always in the same order.
    template <class Visit>
    void find(const FloatBox& box, std::span<const FloatBox> boxes, std::span<const FloatBox> fitted,
              Visit&& visit) const {
        // A branch that does not overlap is skipped with everything below it.
        for (std::uint32_t k = 0; k < branches_.size();) {
            const Branch& branch = branches_[k];
            if (!box.meets(fitted[k])) {
                k = branch.after;
                continue;
            }
            for (std::uint32_t i = branch.first; i < branch.first + branch.count; ++i)
                if (box.meets(boxes[order_[i]])) visit(order_[i]);
            ++k;
        }
    }

private:
    struct Branch {
        std::uint32_t first = 0, count = 0;  ///< things of a leaf
        std::uint32_t after = 0;             ///< the branch that follows when this one and all below it are done
    };
    void build(std::uint32_t first, std::uint32_t count, std::span<const Vec3d> centers);

    std::vector<std::uint32_t> order_;
    std::vector<Branch> branches_;  ///< each followed by all that is below it
};

}  // namespace fascia::contact
