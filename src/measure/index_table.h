// A flat hash table from a key to its place in the order of first insertion: results never depend on hash order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fascia {

inline std::uint64_t scramble(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    return x ^ (x >> 32);
}

/// `Same(i)` tells whether entry i has the wanted key.
class IndexTable {
public:
    static constexpr std::uint32_t none = 0xffffffffu;

    /// For at most `most` entries.
    explicit IndexTable(std::size_t most) {
        std::size_t capacity = 16;
        while (capacity < 2 * most) capacity *= 2;
        slots_.assign(capacity, none);
    }

    std::size_t size() const { return size_; }

    /// The entry's index. If it equals the old size(), the entry is new and the caller must store it there.
    template <class Same>
    std::uint32_t find_or_add(std::uint64_t hash, Same&& same) {
        std::size_t slot = locate(hash, same);
        if (slots_[slot] == none) slots_[slot] = static_cast<std::uint32_t>(size_++);
        return slots_[slot];
    }

private:
    template <class Same>
    std::size_t locate(std::uint64_t hash, Same&& same) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot = scramble(hash) & mask;
        while (slots_[slot] != none && !same(slots_[slot])) slot = (slot + 1) & mask;
        return slot;
    }

    std::vector<std::uint32_t> slots_;
    std::size_t size_ = 0;
};

}  // namespace fascia
