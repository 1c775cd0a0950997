#include "skin/skinned_surface.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "skin/carriers.h"

namespace fascia {

namespace {

struct SkinScratch {
    Floats rows, cofactors, duals, pairs, tangents, stretched, repacked;
    std::vector<Affine> maps;  ///< [joints]
};

SkinScratch& scratch_of(Workspace& work) {
    return work.impl().scratch<SkinScratch>();
}

/// Blocks that one thread takes at a time.
constexpr std::size_t grain = 32;

/// Blocks that are skinned before they are carried: small enough to stay in the nearest cache.
constexpr std::size_t carried_chunk = 32;

using f4 = float __attribute__((vector_size(16)));

/// A block of triples as x[16], y[16], z[16].
void split_triples(float* block) {
    f4 x[4], y[4], z[4];
    for (int i = 0; i < 4; ++i) {
        f4 a, b, c;  // x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3
        std::memcpy(&a, block + 12 * i, sizeof a);
        std::memcpy(&b, block + 12 * i + 4, sizeof b);
        std::memcpy(&c, block + 12 * i + 8, sizeof c);
        const f4 bc = __builtin_shufflevector(b, c, 2, 5, 3, 6), ab = __builtin_shufflevector(a, b, 1, 4, 2, 5);
        x[i] = __builtin_shufflevector(a, bc, 0, 3, 4, 5);
        y[i] = __builtin_shufflevector(ab, bc, 0, 1, 6, 7);
        z[i] = __builtin_shufflevector(ab, c, 2, 3, 4, 7);
    }
    std::memcpy(block, x, sizeof x);
    std::memcpy(block + 16, y, sizeof y);
    std::memcpy(block + 32, z, sizeof z);
}

/// Blocks are `apart` floats apart, at least 48.
template <class Kernel>
void skin_as_channels(DqsTask task, Kernel kernel, std::size_t begin, std::size_t end, std::size_t apart) {
    task.channels = apart;
    kernel(task, begin, end);
}
template <class Kernel>
void skin_as_channels(const LbsTask& task, Kernel kernel, std::size_t begin, std::size_t end, std::size_t apart) {
    kernel(task, begin, end);
    const auto split = [apart](float* blocks, std::size_t b) {
        split_triples(blocks + 48 * b);
        if (apart > 48 && b > 0) std::memmove(blocks + apart * b, blocks + 48 * b, 48 * sizeof(float));
    };
    for (std::size_t b = end - begin; b-- > 0;) {  // from the last on, so that nothing still needed is overwritten
        if (task.positions != nullptr) split(task.out_positions, b);
        if (task.directions != nullptr) split(task.out_directions, b);
    }
}

/// A few blocks: skinned, and carried if `carry` is given.
template <class Task, class Kernel>
void run_chunk(Task task, Kernel kernel, const Carry* carry, std::size_t begin, std::size_t end) {
    if (carry == nullptr) return kernel(task, begin, end);
    alignas(64) float skinned[2][64 * carried_chunk];
    if (carry->cells != nullptr) {
        CellTask onward;
        onward.carry = from_block(*carry->cells, begin);
        if (task.positions != nullptr)
            onward.positions = skinned[0], onward.out_positions = std::exchange(task.out_positions, skinned[0]);
        if (task.directions != nullptr)
            onward.directions = skinned[1], onward.out_directions = std::exchange(task.out_directions, skinned[1]);
        skin_as_channels(task, kernel, begin, end, 48);
        return FASCIA_DISPATCH(carry_cells)(onward, end - begin);
    }
    LbsTask onward;
    onward.onto = true;
    onward.blocks = carry->blocks;
    onward.blocks.blocks += begin;
    onward.rows = carry->rows;
    onward.origin[0] = carry->origin.x, onward.origin[1] = carry->origin.y, onward.origin[2] = carry->origin.z;
    if (task.positions != nullptr)
        onward.positions = skinned[0], onward.out_positions = std::exchange(task.out_positions, skinned[0]);
    if (task.directions != nullptr)
        onward.directions = skinned[1], onward.out_directions = std::exchange(task.out_directions, skinned[1]);
    skin_as_channels(task, kernel, begin, end, 64);
    const auto pack = FASCIA_DISPATCH(pack_carried);
    if (task.positions != nullptr) pack(onward.blocks.blocks, end - begin, 1, skinned[0]);
    if (task.directions != nullptr) pack(onward.blocks.blocks, end - begin, 0, skinned[1]);
    skin_kernels().back().lbs_blocks(onward, 0, end - begin);
}

/// Runs a kernel over all blocks. A partial last block goes through a buffer, because `out` has room only for the
/// vertices.
template <class Task, class Kernel>
void run_blocks(const Task& task, Kernel kernel, std::size_t vertices, const Carry* carry, Workspace& work) {
    const std::size_t full = vertices / skin_block, left = vertices % skin_block;
    const std::size_t chunk = carry != nullptr ? carried_chunk : full;
    work.impl().pool.for_ranges(full, grain, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t b = begin; b < end; b += chunk) {
            Task part = task;
            if (part.out_positions != nullptr) part.out_positions += 48 * b;
            if (part.out_directions != nullptr) part.out_directions += 48 * b;
            run_chunk(part, kernel, carry, b, std::min(b + chunk, end));
        }
    });
    if (left == 0) return;
    alignas(64) float positions[48], directions[48];
    Task part = task;
    part.out_positions = positions;
    part.out_directions = directions;
    run_chunk(part, kernel, carry, full, full + 1);
    const std::size_t bytes = left * 3 * sizeof(float);
    if (task.out_positions != nullptr) std::memcpy(task.out_positions + 48 * full, positions, bytes);
    if (task.out_directions != nullptr) std::memcpy(task.out_directions + 48 * full, directions, bytes);
}

void run(const LbsTask& task, std::size_t vertices, const Carry* carry, Workspace& work) {
    run_blocks(task, skin_kernels().back().lbs_blocks, vertices, carry, work);
}
void run(const DqsTask& task, std::size_t vertices, const Carry* carry, Workspace& work) {
    run_blocks(task, skin_kernels().back().dqs_blocks, vertices, carry, work);
}

float* floats(std::span<Vec3> out) {
    static_assert(sizeof(Vec3) == 3 * sizeof(float));
    return reinterpret_cast<float*>(out.data());
}

void write_tangents(const float* directions, std::span<const float> handedness, std::span<Vec4> out, Workspace& work) {
    work.impl().pool.for_ranges(handedness.size(), grain * skin_block, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t i = begin; i < end; ++i)
            out[i] = {directions[3 * i], directions[3 * i + 1], directions[3 * i + 2], handedness[i]};
    });
}

std::vector<Vec3> centred(std::span<const Vec3> positions, Vec3 centre) {
    std::vector<Vec3> out;
    out.reserve(positions.size());
    for (const Vec3 p : positions) out.push_back(to_float(to_double(p) - to_double(centre)));
    return out;
}

std::vector<Vec3> axes(std::span<const Vec4> tangents) {
    std::vector<Vec3> out;
    out.reserve(tangents.size());
    for (const Vec4 t : tangents) out.push_back({t.x, t.y, t.z});
    return out;
}

std::vector<float> signs(std::span<const Vec4> tangents) {
    std::vector<float> out;
    out.reserve(tangents.size());
    for (const Vec4 t : tangents) out.push_back(t.w);
    return out;
}

template <class Span>
bool wanted(const Span& out, std::size_t vertices, bool there_is) {
    return there_is && vertices > 0 && out.size() >= vertices;
}

}  // namespace

RestFrame::RestFrame(std::span<const Vec3> positions, std::span<const Affine> rest) : centre(rest_centre(positions)) {
    for (const Affine& r : rest) {
        inverse_rest.push_back(centred_inverse(r, centre));
        pivots.push_back(translation_of(r) - to_double(centre));
    }
}

// ---- linear blend skinning -----------------------------------------------------------------------------------------

LbsSurface::LbsSurface(const SkinSource& source, std::span<const Affine> rest)
    : rest_(source.positions, rest), handedness_(signs(source.tangents)) {
    const BoundWeights weights = bind_weights(source);
    unweighted_ = weights.unweighted;
    blocks_ = pack_blocks(weights, joint_entries(weights), row_floats, skin_kernels().back().sharing.lbs);
    positions_ = pack_for_lbs(centred(source.positions, rest_.centre), blocks_, 1);
    if (!source.normals.empty()) normals_ = pack_for_lbs(source.normals, blocks_, 0);
    if (!source.tangents.empty()) tangents_ = pack_for_lbs(axes(source.tangents), blocks_, 0);
}

void LbsSurface::leave_out(std::span<const std::uint8_t> elsewhere) {
    for (std::size_t b = 0; b < elsewhere.size() / skin_block; ++b) {
        const auto block = elsewhere.subspan(b * skin_block, skin_block);
        if (std::find(block.begin(), block.end(), 0) == block.end())
            blocks_.blocks[b].count = 0, blocks_.blocks[b].shared = 0;
    }
}

void LbsSurface::skin(std::span<const Affine> pose, const Surface& out, Workspace& work, const Carry* carry) const {
    const std::size_t n = vertex_count(), joints = rest_.joint_count();
    const Vec3 origin = pose_origin(pose[0], rest_.inverse_rest[0]);
    const auto maps = sized(scratch_of(work).maps, joints);
    joint_maps(pose, rest_.inverse_rest, origin, maps);
    const auto rows = sized(scratch_of(work).rows, joints * row_floats);
    matrix_rows(maps, rows);

    const bool normals = wanted(out.normals, n, !normals_.empty());
    const bool own_normal_rows = normals && scales_unevenly(maps);
    LbsTask task;
    task.blocks = blocks_.view();
    task.rows = rows.data();
    if (wanted(out.positions, n, true)) {
        task.positions = positions_.data();
        task.out_positions = floats(out.positions);
        task.origin[0] = origin.x;
        task.origin[1] = origin.y;
        task.origin[2] = origin.z;
    }
    if (normals && !own_normal_rows) {
        task.directions = normals_.data();
        task.out_directions = floats(out.normals);
    }
    run(task, n, carry, work);

    task.positions = nullptr;
    task.out_positions = nullptr;
    if (own_normal_rows) {
        const auto cofactors = sized(scratch_of(work).cofactors, joints * row_floats);
        cofactor_rows(maps, cofactors);
        task.rows = cofactors.data();
        task.directions = normals_.data();
        task.out_directions = floats(out.normals);
        run(task, n, carry, work);
    }
    if (wanted(out.tangents, n, !tangents_.empty())) {
        task.rows = rows.data();
        task.directions = tangents_.data();
        task.out_directions = sized(scratch_of(work).tangents, 3 * n).data();
        Carry onward = carry != nullptr ? *carry : Carry{};
        CellCarry along;
        if (onward.cells != nullptr) {
            along = *onward.cells;
            along.tangents = true;
            onward.cells = &along;
        }
        run(task, n, carry != nullptr ? &onward : nullptr, work);
        write_tangents(task.out_directions, handedness_, out.tangents, work);
    }
}

// ---- dual quaternion skinning --------------------------------------------------------------------------------------

DqsSurface::DqsSurface(const SkinSource& source, std::span<const Affine> rest)
    : rest_(source.positions, rest), handedness_(signs(source.tangents)) {
    const BoundWeights weights = bind_weights(source);
    unweighted_ = weights.unweighted;
    PairEntries entries = pair_entries(weights, rest.size());
    pairs_ = std::move(entries.pairs);
    blocks_ = pack_blocks(weights, entries.entries, dual_floats, skin_kernels().back().sharing.dqs);
    stretch_blocks_ = pack_blocks(weights, joint_entries(weights), row_floats, skin_kernels().back().sharing.lbs);
    positions_ = pack(centred(source.positions, rest_.centre), 1);
    if (!source.normals.empty()) normals_ = pack(source.normals, 0);
    if (!source.tangents.empty()) tangents_ = pack(axes(source.tangents), 0);
}

DqsSurface::Vectors DqsSurface::pack(std::span<const Vec3> vectors, float fourth) const {
    return {pack_for_dqs(vectors), pack_for_lbs(vectors, stretch_blocks_, fourth)};
}

/// First phase: the joints' stretch, blended linearly, in the form that the rigid phase reads.
const float* DqsSurface::stretched(const Vectors& vectors, std::span<const float> rows, bool are_positions,
                                   Workspace& work) const {
    const std::size_t n = vertex_count();
    const auto moved = sized(scratch_of(work).stretched, 3 * n);
    const auto repacked = sized(scratch_of(work).repacked, 48 * block_count(n));
    LbsTask task;
    task.blocks = stretch_blocks_.view();
    task.rows = rows.data();
    (are_positions ? task.positions : task.directions) = vectors.stretch.data();
    (are_positions ? task.out_positions : task.out_directions) = moved.data();
    run(task, n, nullptr, work);
    const std::span<const Vec3> triples(reinterpret_cast<const Vec3*>(moved.data()), n);
    work.impl().pool.for_ranges(block_count(n), grain, [&](std::size_t begin, std::size_t end, int) {
        pack_for_dqs(triples, begin, end, repacked);
    });
    return repacked.data();
}

void DqsSurface::skin(std::span<const Affine> pose, const Surface& out, Workspace& work, std::span<const float> sides,
                      const Carry* carry) const {
    const std::size_t n = vertex_count(), joints = rest_.joint_count();
    const Vec3 origin = pose_origin(pose[0], rest_.inverse_rest[0]);
    const auto both = sized(scratch_of(work).maps, 2 * joints);
    const auto maps = both.first(joints), phase1 = both.last(joints);
    joint_maps(pose, rest_.inverse_rest, origin, maps);
    const auto duals = sized(scratch_of(work).duals, joints * dual_floats);
    const RigidSplit split = split_rigid(maps, rest_.pivots, duals, phase1);
    const auto pairs = sized(scratch_of(work).pairs, pairs_.size() * dual_floats);
    if (sides.size() == 4 * joints)
        sided_duals(pairs_, sides, duals, pairs);
    else
        signed_duals(pairs_, duals, pairs);

    DqsTask task;
    task.blocks = blocks_.view();
    task.duals = pairs.data();
    task.scale = split.common_scale;
    task.origin[0] = origin.x;
    task.origin[1] = origin.y;
    task.origin[2] = origin.z;
    const bool positions = wanted(out.positions, n, true);
    const bool normals = wanted(out.normals, n, !normals_.rigid.empty());
    const bool tangents = wanted(out.tangents, n, !tangents_.rigid.empty());
    const auto turn = [&](const float* directions, float* to) {
        task.positions = nullptr;
        task.directions = directions;
        task.out_directions = to;
        run(task, n, carry, work);
    };
    float* tangents_to = tangents ? sized(scratch_of(work).tangents, 3 * n).data() : nullptr;

    if (!split.has_phase1) {
        if (positions) task.positions = positions_.rigid.data(), task.out_positions = floats(out.positions);
        if (normals) task.directions = normals_.rigid.data(), task.out_directions = floats(out.normals);
        run(task, n, carry, work);
        task.out_positions = nullptr;
        if (tangents) turn(tangents_.rigid.data(), tangents_to);
    } else {
        const auto rows = sized(scratch_of(work).rows, joints * row_floats);
        matrix_rows(phase1, rows);
        if (positions) {
            task.positions = stretched(positions_, rows, true, work);
            task.out_positions = floats(out.positions);
            run(task, n, carry, work);
            task.out_positions = nullptr;
        }
        if (tangents) turn(stretched(tangents_, rows, false, work), tangents_to);
        cofactor_rows(phase1, rows);
        if (normals) turn(stretched(normals_, rows, false, work), floats(out.normals));
    }
    if (tangents) write_tangents(tangents_to, handedness_, out.tangents, work);
}

}  // namespace fascia
