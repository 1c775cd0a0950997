// Sets of numbered things that are joined one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace fascia {

class UnionFind {
public:
    UnionFind() = default;
    explicit UnionFind(std::size_t count) { reset(count); }

    /// Each of `count` things is a set of its own.
    void reset(std::size_t count) {
        leader_.resize(count);
        std::iota(leader_.begin(), leader_.end(), 0u);
    }
    /// The lowest number in the set of k.
    std::uint32_t lead(std::uint32_t k) {
        while (leader_[k] != k) k = leader_[k] = leader_[leader_[k]];
        return k;
    }
    /// The lower number leads, so that the outcome does not depend on the order of the joins.
    void join(std::uint32_t a, std::uint32_t b) {
        a = lead(a);
        b = lead(b);
        leader_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::uint32_t> leader_;
};

}  // namespace fascia
