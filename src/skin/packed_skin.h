// Weights and rest vectors in the order in which the kernels read them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fascia/method.h"
#include "skin/bound_weights.h"
#include "skin/skin_kernels.h"

namespace fascia {

struct PackedBlocks {
    std::size_t vertices = 0;
    std::vector<SkinBlock> blocks;
    std::vector<std::uint32_t> indices;
    Floats weights;

    SkinBlocks view() const { return {blocks.data(), indices.data(), weights.data()}; }
};

/// Blocks of 16 vertices. entries: [vertices * influences] palette entry of each slot, ascending within a vertex like
/// the joints; an entry has `entry_floats` floats. A block is shared if that pays: `sharing_worth` shared entries cost
/// as much as one own slot. The last block is padded with copies of the last vertex.
/// Own slots come in steps of `slot_step`.
PackedBlocks pack_blocks(const BoundWeights& weights, std::span<const std::uint32_t> entries, std::size_t entry_floats,
                         double sharing_worth, std::size_t slot_step = 1);

/// Palette entries that are simply the joints.
std::vector<std::uint32_t> joint_entries(const BoundWeights& weights);

/// A joint seen from a pivot: its dual quaternion with the sign aligned to the pivot's.
struct SignedPair {
    std::uint16_t joint = 0, pivot = 0;
};
/// Palette entries of dual quaternions: the distinct (joint, pivot) of all vertices in ascending order, so that signs
/// are aligned once per frame and pair instead of once per vertex and slot.
struct PairEntries {
    std::vector<SignedPair> pairs;
    std::vector<std::uint32_t> entries;  ///< [vertices * influences]
};
PairEntries pair_entries(const BoundWeights& weights, std::size_t joints);

/// pairs' dual quaternions from those of the joints. out: [pairs * dual_floats]
void signed_duals(std::span<const SignedPair> pairs, std::span<const float> duals, std::span<float> out);

/// The same with the sign of each joint's quaternion taken from `sides`, [joints * 4].
void sided_duals(std::span<const SignedPair> pairs, std::span<const float> sides, std::span<const float> duals,
                 std::span<float> out);

/// Rest vectors for the LBS kernel: [blocks * 64]; `fourth` is 1 for positions, 0 for directions.
Floats pack_for_lbs(std::span<const Vec3> vectors, const PackedBlocks& blocks, float fourth);
/// Rest vectors for the DQS kernel: [blocks * 48]
Floats pack_for_dqs(std::span<const Vec3> vectors);
/// The same into existing memory, for blocks begin to end.
void pack_for_dqs(std::span<const Vec3> vectors, std::size_t begin, std::size_t end, std::span<float> out);

inline std::size_t block_count(std::size_t vertices) {
    return (vertices + skin_block - 1) / skin_block;
}

}  // namespace fascia
