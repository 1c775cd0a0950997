#include "skin/packed_skin.h"

#include <algorithm>

#include "skin/joint_maps.h"
#include "skin/skin_reference.h"

namespace fascia {

namespace {

/// Vertices of a block; past the end the last vertex repeats, so that padding lanes hold harmless numbers.
std::size_t vertex_at(std::size_t block, std::size_t lane, std::size_t vertices) {
    return std::min(block * skin_block + lane, vertices - 1);
}

/// One block's slots, and the distinct entries among them in ascending order.
struct BlockSlots {
    std::size_t most_used = 1;  ///< slots that the busiest vertex uses
    std::vector<std::uint32_t> distinct;
};

class Packer {
public:
    Packer(const BoundWeights& weights, std::span<const std::uint32_t> entries, std::size_t entry_floats,
           double sharing_worth, std::size_t slot_step)
        : weights_(weights),
          entries_(entries),
          slots_(static_cast<std::size_t>(weights.influences)),
          entry_floats_(entry_floats),
          sharing_worth_(sharing_worth),
          slot_step_(slot_step) {
        out_.vertices = weights.vertex_count();
    }

    PackedBlocks run() {
        for (std::size_t b = 0; b < block_count(out_.vertices); ++b) {
            gather(b);
            const bool shared = static_cast<double>(found_.distinct.size()) <=
                                sharing_worth_ * static_cast<double>(found_.most_used) + 0.5;
            begin_block(shared ? found_.distinct.size() : found_.most_used, shared);
            shared ? add_shared(b) : add_own(b);
        }
        return std::move(out_);
    }

private:
    std::size_t slot(std::size_t block, std::size_t lane, std::size_t k) const {
        return vertex_at(block, lane, out_.vertices) * slots_ + k;
    }

    void gather(std::size_t b) {
        found_.distinct.clear();
        found_.most_used = 1;
        for (std::size_t lane = 0; lane < skin_block; ++lane)
            for (std::size_t k = 0; k < slots_ && weights_.weights[slot(b, lane, k)] > 0; ++k) {
                found_.distinct.push_back(entries_[slot(b, lane, k)]);
                found_.most_used = std::max(found_.most_used, k + 1);
            }
        found_.most_used = (found_.most_used + slot_step_ - 1) / slot_step_ * slot_step_;
        std::sort(found_.distinct.begin(), found_.distinct.end());
        found_.distinct.erase(std::unique(found_.distinct.begin(), found_.distinct.end()), found_.distinct.end());
    }

    void begin_block(std::size_t count, bool shared) {
        out_.blocks.push_back({static_cast<std::uint32_t>(out_.indices.size()),
                               static_cast<std::uint32_t>(out_.weights.size()), static_cast<std::uint32_t>(count),
                               shared ? 1u : 0u});
    }

    void add_index(std::uint32_t entry) { out_.indices.push_back(entry * static_cast<std::uint32_t>(entry_floats_)); }

    void add_own(std::size_t b) {
        for (std::size_t lane = 0; lane < skin_block; ++lane)
            for (std::size_t k = 0; k < found_.most_used; ++k) {
                add_index(entries_[slot(b, lane, std::min(k, slots_ - 1))]);
                out_.weights.push_back(k < slots_ ? weights_.weights[slot(b, lane, k)] : 0);
            }
    }

    void add_shared(std::size_t b) {
        for (const std::uint32_t entry : found_.distinct) {
            add_index(entry);
            for (std::size_t lane = 0; lane < skin_block; ++lane) out_.weights.push_back(weight_of(b, lane, entry));
        }
    }

    float weight_of(std::size_t b, std::size_t lane, std::uint32_t entry) const {
        for (std::size_t k = 0; k < slots_ && weights_.weights[slot(b, lane, k)] > 0; ++k)
            if (entries_[slot(b, lane, k)] == entry) return weights_.weights[slot(b, lane, k)];
        return 0;
    }

    const BoundWeights& weights_;
    std::span<const std::uint32_t> entries_;
    std::size_t slots_, entry_floats_;
    double sharing_worth_;
    std::size_t slot_step_;
    BlockSlots found_;
    PackedBlocks out_;
};

}  // namespace

PackedBlocks pack_blocks(const BoundWeights& weights, std::span<const std::uint32_t> entries, std::size_t entry_floats,
                         double sharing_worth, std::size_t slot_step) {
    return Packer(weights, entries, entry_floats, sharing_worth, slot_step).run();
}

std::vector<std::uint32_t> joint_entries(const BoundWeights& weights) {
    return {weights.joints.begin(), weights.joints.end()};
}

PairEntries pair_entries(const BoundWeights& weights, std::size_t joints) {
    const std::size_t slots = static_cast<std::size_t>(weights.influences);
    const auto key = [&](std::size_t i) {
        return std::uint64_t{weights.joints[i]} * joints + weights.pivots[i / slots];
    };
    std::vector<std::uint64_t> keys(weights.joints.size());
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = key(i);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());

    PairEntries out;
    for (const std::uint64_t k : keys)
        out.pairs.push_back({static_cast<std::uint16_t>(k / joints), static_cast<std::uint16_t>(k % joints)});
    out.entries.resize(weights.joints.size());
    for (std::size_t i = 0; i < out.entries.size(); ++i)
        out.entries[i] = static_cast<std::uint32_t>(std::lower_bound(keys.begin(), keys.end(), key(i)) - keys.begin());
    return out;
}

void signed_duals(std::span<const SignedPair> pairs, std::span<const float> duals, std::span<float> out) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const float* q = duals.data() + pairs[i].joint * dual_floats;
        const float sign = aligned_sign(q, duals.data() + pairs[i].pivot * dual_floats);
        for (std::size_t e = 0; e < dual_floats; ++e) out[i * dual_floats + e] = sign * q[e];
    }
}

void sided_duals(std::span<const SignedPair> pairs, std::span<const float> sides, std::span<const float> duals,
                 std::span<float> out) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const float* q = duals.data() + pairs[i].joint * dual_floats;
        const float sign = aligned_sign(q, sides.data() + pairs[i].joint * std::size_t{4});
        for (std::size_t e = 0; e < dual_floats; ++e) out[i * dual_floats + e] = sign * q[e];
    }
}

Floats pack_for_lbs(std::span<const Vec3> vectors, const PackedBlocks& blocks, float fourth) {
    Floats out(blocks.blocks.size() * 64, 0.0f);
    for (std::size_t b = 0; b < blocks.blocks.size(); ++b)
        for (std::size_t lane = 0; lane < skin_block; ++lane) {
            const Vec3 v = vectors[vertex_at(b, lane, vectors.size())];
            const bool shared = blocks.blocks[b].shared != 0;
            float* p = out.data() + 64 * b + (shared ? lane : 4 * lane);
            const std::size_t step = shared ? skin_block : 1;
            p[0] = v.x;
            p[step] = v.y;
            p[2 * step] = v.z;
            p[3 * step] = fourth;
        }
    return out;
}

Floats pack_for_dqs(std::span<const Vec3> vectors) {
    Floats out(block_count(vectors.size()) * 48);
    pack_for_dqs(vectors, 0, block_count(vectors.size()), out);
    return out;
}

void pack_for_dqs(std::span<const Vec3> vectors, std::size_t begin, std::size_t end, std::span<float> out) {
    for (std::size_t b = begin; b < end; ++b)
        for (std::size_t lane = 0; lane < skin_block; ++lane) {
            const Vec3 v = vectors[vertex_at(b, lane, vectors.size())];
            float* p = out.data() + 48 * b + lane;
            p[0] = v.x;
            p[16] = v.y;
            p[32] = v.z;
        }
}

}  // namespace fascia
