#include <algorithm>
#include <atomic>

#include "base/workspace.h"

namespace fascia {

namespace {

void run_frame(const InstanceFrame& frame, Workspace& work) {
    advance(*frame.rig, frame.joints, frame.dt, *frame.state, work);
    if (!frame.surface.positions.empty()) embed(*frame.rig, *frame.state, frame.surface, work);
}

void add_times(const StageTimes& from, StageTimes& to) {
    for (const StageTimes::Stage& stage : from.all()) to[stage.name] += stage.seconds;
}

}  // namespace

void advance_many(std::span<const InstanceFrame> frames, Workspace& work) {
    if (frames.size() == 1) return run_frame(frames[0], work);  // a single frame: the threads share its work instead
    const std::span<Workspace> lanes = work.impl().lanes();
    const std::size_t crew = std::min(frames.size(), lanes.size());
    // Every lane starts with a frame of its own, so that all have their memory after the first call. After that,
    // whichever lane is free takes the next frame, because some instances are asleep and some threads start late.
    std::atomic<std::size_t> next{crew};
    work.impl().pool.for_ranges(crew, 1, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t lane = begin; lane < end; ++lane)
            for (std::size_t k = lane; k < frames.size(); k = next.fetch_add(1)) run_frame(frames[k], lanes[lane]);
    });
    for (Workspace& lane : lanes) {
        add_times(lane.times, work.times);
        lane.times = {};
    }
}

}  // namespace fascia
