// The inner loops of skinning, compiled once per vector level. Plain pointers in, packed triples out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/isa.h"

namespace fascia {

/// Vertices are processed in blocks of 16 consecutive ones, in mesh order.
constexpr std::size_t skin_block = 16;

/// Blocks that LbsTask::onto reads have own slots in steps of this many: fewer loops to compile.
constexpr std::size_t carrier_slots = 4;

/// How one block is blended. Either every vertex has its own `count` slots (indices and weights [16 * count]), or the
/// vertices share one list of `count` palette entries (indices [count], weights [count * 16], zeros included). The LBS
/// kernel skips blocks with own slots and `count` 0.
struct SkinBlock {
    std::uint32_t first_index = 0;
    std::uint32_t first_weight = 0;
    std::uint32_t count = 0;
    std::uint32_t shared = 0;
};

struct SkinBlocks {
    const SkinBlock* blocks = nullptr;
    const std::uint32_t* indices = nullptr;  ///< where palette entries begin, in floats
    const float* weights = nullptr;
};

/// Rest vectors of the LBS kernel, 64 floats per block: blocks with own slots hold 16 times (x, y, z, 1 or 0), shared
/// blocks hold x[16], y[16], z[16].
struct LbsTask {
    SkinBlocks blocks;
    const float* rows = nullptr;        ///< palette: [joints * 16], 64-byte aligned
    const float* positions = nullptr;   ///< or null
    const float* directions = nullptr;  ///< or null
    bool onto = false;                  ///< the blended result for a vector is added to it: rows hold M - 1
    float origin[3] = {0, 0, 0};        ///< added to positions last
    float* out_positions = nullptr;     ///< [(end - begin) * 48]
    float* out_directions = nullptr;    ///< [(end - begin) * 48], normalised
};

/// Rest vectors of the DQS kernel, 48 floats per block: x[16], y[16], z[16].
struct DqsTask {
    SkinBlocks blocks;
    const float* duals = nullptr;  ///< palette: [entries * 8], 32-byte aligned, signs aligned to each vertex's pivot
    const float* positions = nullptr;
    const float* directions = nullptr;
    float scale = 1;
    float origin[3] = {0, 0, 0};
    std::size_t channels = 0;  ///< 0: triples; else each block is x[16], y[16], z[16], this many floats after the last
    float* out_positions = nullptr;
    float* out_directions = nullptr;
};

FASCIA_DECLARE_KERNEL(void lbs_blocks(const LbsTask& task, std::size_t begin, std::size_t end))
FASCIA_DECLARE_KERNEL(void dqs_blocks(const DqsTask& task, std::size_t begin, std::size_t end))

/// Measured: how many shared entries cost as much as one own slot of every vertex. Wider vectors make sharing cheaper.
struct SharingWorth {
    double lbs = 1, dqs = 1;
};

struct SkinKernels {
    Isa isa = Isa::base;
    SharingWorth sharing;
    void (*lbs_blocks)(const LbsTask&, std::size_t, std::size_t) = nullptr;
    void (*dqs_blocks)(const DqsTask&, std::size_t, std::size_t) = nullptr;
};

/// The kernels that this processor can run, best last (the one in use).
std::span<const SkinKernels> skin_kernels();

}  // namespace fascia
