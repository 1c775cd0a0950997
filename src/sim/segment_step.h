// One fixed step of the multi-layer lattice (docs/papers/000.md), as passes over segments.
//
// Lengths are in voxels, rotations as quaternions (w, x, y, z), times in seconds. Each pass reads arrays that it does
// not write and writes only its own segments, so that it can be split over threads at any segment and still give the
// same bits.
//
// Legend: a driven (skinned) position, p position, u = p - a offset, r region centred on a point, m mass share
// 1 / |regions that hold the point|, R region rotation, c centre of mass, d offset in the rest grid.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/isa.h"
#include "sim/motion.h"

namespace fascia::sim {

/// Half of the 26 neighbours of a point: each pair is measured once, by one of its ends.
constexpr int pull_channels = 13;
/// What passes store for each point, in turn: pulls, volume gradients, rigid maps of regions.
constexpr int fit_channels = 15;

/// A voxel with less than one part in this many of its volume asks for less and less of it; see firmness.
constexpr float crushed_rate = 10;

/// Constants of the lanes of one segment, next to one another: the data that a pass needs only of its own points.
/// Aligned to cache lines: vectors that straddle two lines take twice as long to load.
struct alignas(64) SegmentConstants {
    static constexpr int lanes = 8;

    float alpha[lanes], beta[lanes];  ///< exact damped oscillator: p = a + alpha u + beta v
    float drive[lanes];               ///< share of the skeleton's acceleration that is felt
    float stretch[lanes];             ///< stretch stiffness over the number of neighbours
    float volume_weights[4][lanes];   ///< inverse masses: of the neighbours along x, y, z times reach^2, and its own
    float least_gradient[lanes];      ///< least denominator of the volume; infinite where nothing may move
    float match[lanes];               ///< stiffness of shape matching over the number of regions that hold the point
    float matched[lanes];             ///< stiffness of shape matching (0 for bone and for empty lanes)
    float limit[lanes];               ///< farthest |u|
    float soft[lanes];                ///< 1 where the point is simulated
    float first[3];                   ///< rest position of lane 0; the others follow, one voxel apart along x
};

/// What the 3x3x3 boxes around the lanes of a segment look like. Inside a body they are all alike: each kind is stored
/// once and stays in the cache.
struct alignas(64) SegmentBox {
    static constexpr int lanes = 8;

    float mass[lanes];          ///< M of the region centred here
    float inverse_mass[lanes];  ///< 1 / M, 0 for an empty lane
    float center[3][lanes];     ///< c0: rest centre of mass of the region, relative to this point
    float bone_pull[lanes];     ///< weight of the driven rotation in the region's fit
    float reach[3][lanes];      ///< per axis: 1/2 between two neighbours, 1 where there is one, 0 without any
    float lean[3][lanes];       ///< per axis: 1 if only the lower neighbour exists, -1 if only the upper; else 0
};

/// Traits that few segments have in any lane: bits of a byte per segment.
enum SegmentTrait : std::uint8_t {
    thin = 1,       ///< no neighbour at all along an axis
    pulled = 2,     ///< bone_pull > 0
    irregular = 4,  ///< an IrregularLane
};

/// A lane whose neighbours are not simply the points in its 3x3x3 box: the differences are listed. Passes go over the
/// box first and correct these lanes afterwards.
struct IrregularLane {
    std::uint32_t first = 0, count = 0;  ///< into `differences`
    std::uint8_t lane = 0;
    std::uint8_t faces = 0;  ///< bits -x +x -y +y -z +z: face neighbours that are connected
};
/// Which lanes of a segment are connected across each face, -x +x -y +y -z +z.
struct FaceLanes {
    std::uint8_t of[6] = {};
};
/// 1: a point counts although it is not in the box (another sheet of its cell is); -1: it is in the box and does not.
struct BoxDifference {
    std::uint32_t slot = 0;              ///< place in a channel
    std::int8_t dx = 0, dy = 0, dz = 0;  ///< where the point lies from here
    std::int8_t neighbour = 0;           ///< among the 26 neighbours
    std::int8_t member = 0;              ///< in the region, and as an anchor of regions
};

/// Everything a pass may touch. plane_moments and plane_goals run over plane segments, all others over segments.
/// The channels of a vector are `stride` apart.
struct SegmentStep {
    std::size_t stride = 0;
    const std::uint32_t* rows = nullptr;               ///< [segments * 9]
    const std::uint32_t* plane_rows = nullptr;         ///< [plane segments * 3]
    const std::uint32_t* slice_first = nullptr;        ///< [slices + 1] first segments
    const std::uint32_t* plane_slice_first = nullptr;  ///< [slices + 1] first plane segments
    std::size_t slices = 0;
    std::size_t ring_stride = 0;  ///< of the channels that live in a ring of slices (slice_ring.h)
    const std::uint32_t* ring_shift =
        nullptr;                           ///< [slices + 2] from a row's place to its place there; null: none is used
    const std::uint8_t* live = nullptr;    ///< [segments]
    const std::uint8_t* traits = nullptr;  ///< [segments] of SegmentTrait
    const SegmentConstants* constants = nullptr;  ///< [segments]
    const SegmentBox* boxes = nullptr;            ///< of all kinds
    const std::uint32_t* box_of = nullptr;        ///< [segments] into `boxes`
    const std::uint32_t* joint_first = nullptr;   ///< [segments + 1] into `joints`
    const std::uint32_t* joints = nullptr;        ///< joints that carry any lane of a segment, ascending
    const float* joint_weights = nullptr;         ///< [8 per joint] how much they carry of each lane
    const float* pair_weight =
        nullptr;  ///< channel: 0 empty, 1/2 soft, 1 bone: weight of a point in moving its neighbours
    const float* mass_share = nullptr;               ///< channel: m
    const std::uint32_t* irregular_first = nullptr;  ///< [segments + 1] into `irregular`
    const IrregularLane* irregular = nullptr;
    const FaceLanes* face_lanes = nullptr;  ///< [segments]
    const BoxDifference* differences = nullptr;

    bool far = false;              ///< larger than the caches: a pass prefetches what it reads some segments ahead
    const float* duals = nullptr;  ///< dual quaternions of the joints, 8 floats each, with the signs that they keep
    const float* force = nullptr;  ///< 3 channels of acceleration on the points, or null
    float inverse_dt = 240;
    float felt[3] = {0, 0, 0};  ///< velocity change by gravity in one step
    float volume_relaxation = 0.3f;
    Drag drag = {};

    // state
    float* position = nullptr;         ///< 3 channels
    float* velocity = nullptr;         ///< 3 channels, relative to the driven motion
    float* driven = nullptr;           ///< 3 channels, a
    float* driven_velocity = nullptr;  ///< 3 channels
    float* rotation = nullptr;  ///< 4 channels: a region's turn relative to its skinned rotation; identity at rest

    // scratch
    float* other = nullptr;             ///< 3 channels: the second buffer of positions
    float* fits = nullptr;              ///< fit_channels channels of the ring, written at points only
    float* plane_sums = nullptr;        ///< 9 channels of the ring, written by plane segments
    float* skinned_rotation = nullptr;  ///< 4 channels of the ring
    const float* goals = nullptr;       ///< 3 channels, sums of goals minus the point, if regions are lists; else null
};

/// What happened to the points of a range; ranges are combined by max and sum, in any order.
struct RangeMotion {
    std::uint64_t at_limit = 0;  ///< points at the limit in this step
    float way2 = 0;              ///< largest |v dt|^2; NaN or infinite if something went wrong
};

/// Where the skeleton alone carries the points: driven and skinned_rotation of the whole body, nothing else. listed:
/// segments that begin to end count, or null: all
FASCIA_DECLARE_KERNEL(void drive(const SegmentStep& step, const std::uint32_t* listed, std::size_t begin,
                                 std::size_t end))
FASCIA_DECLARE_KERNEL(void predict(const SegmentStep& step, std::size_t begin, std::size_t end))
FASCIA_DECLARE_KERNEL(void pull_forward(const SegmentStep& step, std::size_t begin, std::size_t end))
FASCIA_DECLARE_KERNEL(void stretch(const SegmentStep& step, std::size_t begin, std::size_t end))
FASCIA_DECLARE_KERNEL(void volume_gradients(const SegmentStep& step, const float* from, std::size_t begin,
                                            std::size_t end))
FASCIA_DECLARE_KERNEL(void volume_apply(const SegmentStep& step, const float* from, float* to, std::size_t begin,
                                        std::size_t end))
FASCIA_DECLARE_KERNEL(void plane_moments(const SegmentStep& step, const float* from, std::size_t begin,
                                         std::size_t end))
FASCIA_DECLARE_KERNEL(void fit_regions(const SegmentStep& step, const float* from, std::size_t begin, std::size_t end))
FASCIA_DECLARE_KERNEL(void plane_goals(const SegmentStep& step, std::size_t begin, std::size_t end))
FASCIA_DECLARE_KERNEL(void goals_and_update(const SegmentStep& step, const float* from, std::size_t begin,
                                            std::size_t end, RangeMotion& motion))

}  // namespace fascia::sim
