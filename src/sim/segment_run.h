// All passes of one step over segments, in order, on as many threads as the pool has.
#pragma once

#include "base/thread_pool.h"
#include "sim/lattice_step.h"
#include "sim/segment_step.h"

namespace fascia::sim {

struct SegmentCounts {
    std::size_t segments = 0, plane_segments = 0;
};

/// Seconds spent in each stage are added up here.
struct StageSeconds {
    double predict = 0, stretch = 0, volume = 0, match = 0, update = 0;
};

Motion run_segments(const SegmentStep& step, SegmentCounts counts, int volume_sweeps, ThreadPool& pool,
                    StageSeconds& seconds);

/// The first pass alone: where the skeleton carries the points, in step.driven and step.skinned_rotation.
void drive_segments(const SegmentStep& step, SegmentCounts counts, ThreadPool& pool);

}  // namespace fascia::sim
