// Which nodes are connected: lists of neighbours, one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fascia {

/// Neighbours of node n: to[first[n * groups]] up to to[first[(n + 1) * groups]]. Lists may be split into `groups` by
/// direction; a plain walk can ignore that.
struct Links {
    std::span<const std::uint32_t> first;  ///< [nodes * groups + 1]
    std::span<const std::uint32_t> to;
    std::size_t groups = 1;

    std::size_t node_count() const { return first.empty() ? 0 : (first.size() - 1) / groups; }
    std::span<const std::uint32_t> of(std::size_t node) const {
        const std::uint32_t begin = first[node * groups], end = first[(node + 1) * groups];
        return to.subspan(begin, end - begin);
    }
};

}  // namespace fascia
