// The least of many numbers that change one at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace fascia {

/// A tree of minima over pairs, pairs of pairs, and so on: a change moves up only as far as a minimum changes. Unlike
/// in a heap, each place has one number, and nothing outdated waits to be passed over.
class LeastOf {
public:
    static constexpr double none = std::numeric_limits<double>::infinity();

    explicit LeastOf(std::size_t places) {
        while (leaves_ < places) leaves_ *= 2;
        least_.assign(2 * leaves_, none);
    }
    bool any() const { return least_[1] < none; }
    /// The first place with the least number.
    std::size_t first() const {
        std::size_t k = 1;
        while (k < leaves_) k = least_[2 * k] == least_[1] ? 2 * k : 2 * k + 1;
        return k - leaves_;
    }
    void set(std::size_t place, double value) {
        std::size_t k = leaves_ + place;
        for (least_[k] = value; k > 1; k /= 2) {
            const double least = std::min(least_[k], least_[k ^ 1]);
            if (least_[k / 2] == least) return;
            least_[k / 2] = least;
        }
    }

private:
    std::size_t leaves_ = 1;
    std::vector<double> least_;  ///< [1]: of all; [2 k] and [2 k + 1]: halves of [k]
};

}  // namespace fascia
