// Which of many numbered things belong together, where each has only a few relatives.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace fascia {

/// Mutual; everything is related to itself.
class Relations {
public:
    using Pairs = std::vector<std::pair<std::uint16_t, std::uint16_t>>;

    Relations() = default;
    Relations(std::size_t count, Pairs pairs) : first_(count + 1, 0) {
        for (std::size_t k = pairs.size(); k-- > 0;) pairs.emplace_back(pairs[k].second, pairs[k].first);
        std::sort(pairs.begin(), pairs.end());
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        for (const auto& [a, b] : pairs) ++first_[a + std::size_t(1)], others_.push_back(b);
        for (std::size_t k = 0; k < count; ++k) first_[k + 1] += first_[k];
    }

    bool related(std::size_t a, std::size_t b) const {
        return a == b || std::binary_search(others_.begin() + first_[a], others_.begin() + first_[a + 1], b);
    }

private:
    std::vector<std::uint32_t> first_;   ///< [count + 1]
    std::vector<std::uint16_t> others_;  ///< ascending for each
};

}  // namespace fascia
