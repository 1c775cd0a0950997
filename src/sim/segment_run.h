// All passes of one step over segments, on as many threads as the pool has. Passes follow one another through the body
// like waves, a slice or two apart, so that what one has written is still in the cache when the next one reads it.
#pragma once

#include <span>

#include "base/thread_pool.h"
#include "sim/listed_regions.h"
#include "sim/motion.h"
#include "sim/segment_step.h"
#include "sim/slice_ring.h"
#include "sim/volume_sweeps.h"

namespace fascia::sim {

/// First segment of each slice (z), and one past the last: [slices + 1] each; and the places where slices share
/// scratch.
struct Slices {
    std::span<const std::uint32_t> segments, plane_segments;
    const SliceRing* ring = nullptr;
};

/// Seconds spent in each stage are added up here.
struct StageSeconds {
    double predict = 0, stretch = 0, volume = 0, match = 0, update = 0;
};

/// `listed` describes the regions if they are not the 3x3x3 boxes around each point; otherwise null.
Motion run_segments(const SegmentStep& step, const ListedStep* listed, const Slices& slices, const VolumeSweeps& sweeps,
                    ThreadPool& pool, StageSeconds& seconds);

/// Without a step: where the skeleton carries the points, in step.driven and step.skinned_rotation.
void drive_segments(const SegmentStep& step, const Slices& slices, ThreadPool& pool);
/// The same for these segments only.
void drive_segments(const SegmentStep& step, std::span<const std::uint32_t> segments, ThreadPool& pool);

}  // namespace fascia::sim
