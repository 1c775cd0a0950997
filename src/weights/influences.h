// Skinning weights of points: a fixed number of slots each, largest first, sum 1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace fascia::weights {

struct Influences {
    int slots = 4;
    std::vector<std::uint16_t> joints;  ///< [points * slots], unused slots 0
    std::vector<float> weights;         ///< [points * slots], unused slots 0

    std::size_t size() const { return slots > 0 ? joints.size() / slots : 0; }
};

/// A sum of weights by joint, for one point at a time. Joints are ordered by number, so that sums do not depend on the
/// order of additions.
class Mixture {
public:
    void clear() { entries_.clear(), listed_ = 0; }
    void add(std::uint16_t joint, double weight) {
        const std::size_t k = find(joint);
        if (k < entries_.size())
            entries_[k].weight += weight;
        else
            entries_.push_back({joint, weight});
    }
    bool empty() const { return entries_.empty(); }

    /// Keeps the largest weights, normalised; in a tie the lower joint comes first. Returns false if there is nothing
    /// to keep.
    bool store(std::span<std::uint16_t> joints, std::span<float> weights) {
        std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
            return a.weight > b.weight || (a.weight == b.weight && a.joint < b.joint);
        });
        listed_ = 0;
        const std::size_t kept = std::min(entries_.size(), joints.size());
        double sum = 0;
        for (std::size_t k = 0; k < kept; ++k) sum += entries_[k].weight;
        for (std::size_t k = 0; k < joints.size(); ++k) {
            const bool used = k < kept && sum > 0 && entries_[k].weight > 0;
            joints[k] = used ? entries_[k].joint : 0;
            weights[k] = used ? float(entries_[k].weight / sum) : 0.0f;
        }
        return sum > 0;
    }

private:
    struct Entry {
        std::uint16_t joint;
        double weight;
    };
    /// The place of a joint's entry; the count of entries if it has none. If there are many, a table holds the places.
    std::size_t find(std::uint16_t joint) {
        constexpr std::size_t few = 16;
        if (entries_.size() <= few) {
            std::size_t k = 0;
            while (k < entries_.size() && entries_[k].joint != joint) ++k;
            return k;
        }
        for (; listed_ < entries_.size(); ++listed_) {
            const std::size_t its = entries_[listed_].joint;
            if (its >= place_.size()) place_.resize(its + 1, 0);
            place_[its] = std::uint32_t(listed_);
        }
        // A place noted for earlier entries now holds another joint, or none.
        const std::size_t k = joint < place_.size() ? place_[joint] : entries_.size();
        return k < entries_.size() && entries_[k].joint == joint ? k : entries_.size();
    }

    std::vector<Entry> entries_;
    std::vector<std::uint32_t> place_;  ///< [joints] of those entries that are listed
    std::size_t listed_ = 0;
};

}  // namespace fascia::weights
