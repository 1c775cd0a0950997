#include "sim/segment_run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <utility>

#include "sim/slice_waves.h"

namespace fascia::sim {

namespace {

/// Adds the time since the last call to a stage: one look at the clock between two stages.
class Laps {
public:
    void add_to(double& seconds) {
        const auto now = std::chrono::steady_clock::now();
        seconds += std::chrono::duration<double>(now - last_).count();
        last_ = now;
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

void drive_segments(const SegmentStep& step, const Slices& slices, ThreadPool& pool) {
    pool.for_ranges(slices.segments.back(), wave_grain, [&](std::size_t b, std::size_t e, int) {
        FASCIA_DISPATCH(predict)(step, b, e);
    });
}

namespace {

/// What one step goes through, block by block.
struct Waves {
    const SegmentStep& step;
    const Slices& slices;
    int volume_sweeps;
    ThreadPool& pool;
    StageSeconds& seconds;
    std::array<ThreadMotion, ThreadPool::most_threads> motions = {};

    /// Runs `passes(block)` over all blocks, until passes that lag by `last_lag` slices are through.
    template <class Passes>
    void run(int last_lag, Passes&& passes) {
        BlockSize most{.alone = 256};
        if (slices.ring->shared()) most.slices = slices.ring->slices - slices_in_flight(volume_sweeps);
        run_waves(slices.segments, last_lag, most, pool, passes);
    }

    /// Where the points would go without their regions, in `from`. Returns the lag at which it is ready.
    /// [Iwamoto 2015, alg. line 5] [Iwamoto 2015, alg. line 6]
    int move_points(const SliceBlock& block, float*& from) {
        Laps laps;
        const auto& all = slices.segments;
        block.run(0, all, [&](std::size_t b, std::size_t e, int) { FASCIA_DISPATCH(predict)(step, b, e); });
        laps.add_to(seconds.predict);
        int lag = 1;
        if (slices.ring->shared())
            block.run(lag, slices.ring->gap_first, [&](std::size_t b, std::size_t e, int) { clear_gaps(b, e); });
        block.run(lag, all, [&](std::size_t b, std::size_t e, int) { FASCIA_DISPATCH(pull_forward)(step, b, e); });
        block.run(lag, all, [&](std::size_t b, std::size_t e, int) { FASCIA_DISPATCH(stretch)(step, b, e); });
        laps.add_to(seconds.stretch);
        from = step.other;
        float* to = step.position;
        for (int sweep = 0; sweep < volume_sweeps; ++sweep) {
            block.run(++lag, all, [&](std::size_t b, std::size_t e, int) {
                FASCIA_DISPATCH(volume_gradients)(step, from, b, e);
            });
            block.run(++lag, all, [&](std::size_t b, std::size_t e, int) {
                FASCIA_DISPATCH(volume_apply)(step, from, to, b, e);
            });
            std::swap(from, to);
        }
        laps.add_to(seconds.volume);
        return lag;
    }

    /// Clears the places that incoming slices take over from others.
    void clear_gaps(std::size_t begin, std::size_t end) const {
        for (std::size_t k = begin; k < end; ++k)
            for (std::size_t c = 0; c < fit_channels; ++c)
                std::fill_n(step.fits + c * step.ring_stride + slices.ring->gaps[k], SegmentConstants::lanes, 0.0f);
    }

    void update(const SliceBlock& block, int lag, const float* from) {
        Laps laps;
        block.run(lag, slices.segments, [&](std::size_t b, std::size_t e, int thread) {
            FASCIA_DISPATCH(goals_and_update)(step, from, b, e, motions[std::size_t(thread)]);
        });
        laps.add_to(seconds.update);
    }
};

/// Regions are boxes of 3x3x3. A pass that reads the slices around its own lags one slice behind the pass that writes
/// them; a pass that overwrites what an earlier one still reads lags another slice behind that.
/// [Iwamoto 2015, alg. line 4] [Iwamoto 2015, alg. line 7]
void run_boxes(Waves& waves) {
    const SegmentStep& step = waves.step;
    waves.run(2 * waves.volume_sweeps + 4, [&](const SliceBlock& block) {
        float* from = nullptr;
        int lag = waves.move_points(block, from);
        Laps laps;
        block.run(lag, waves.slices.plane_segments, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(plane_moments)(step, from, b, e);
        });
        block.run(++lag, waves.slices.segments, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(fit_regions)(step, from, b, e);
        });
        block.run(++lag, waves.slices.plane_segments, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(plane_goals)(step, b, e);
        });
        laps.add_to(waves.seconds.match);
        waves.update(block, ++lag, from);
    });
}

/// Regions are lists, and may reach anywhere: all points move before the first is fitted.
void run_lists(Waves& waves, const ListedStep& listed) {
    const SegmentStep& step = waves.step;
    float* from = nullptr;
    waves.run(2 * waves.volume_sweeps + 1, [&](const SliceBlock& block) { waves.move_points(block, from); });
    Laps laps;
    const std::size_t groups = (listed.regions->size() + SegmentConstants::lanes - 1) / SegmentConstants::lanes;
    waves.pool.for_ranges(groups, 1, [&](std::size_t b, std::size_t e, int) {
        FASCIA_DISPATCH(fit_listed)(step, listed, from, b, e);
    });
    waves.pool.for_ranges(listed.regions->points.size(), wave_grain, [&](std::size_t b, std::size_t e, int) {
        FASCIA_DISPATCH(sum_listed)(step, listed, from, b, e);
    });
    laps.add_to(waves.seconds.match);
    waves.update(SliceBlock(0, int(waves.slices.segments.size()), waves.slices.segments, waves.pool), 0, from);
}

}  // namespace

Motion run_segments(const SegmentStep& step, const ListedStep* listed, const Slices& slices, int volume_sweeps,
                    ThreadPool& pool, StageSeconds& seconds) {
    Waves waves{step, slices, volume_sweeps, pool, seconds};
    listed != nullptr ? run_lists(waves, *listed) : run_boxes(waves);
    return put_together(waves.motions, step.inverse_dt);
}

}  // namespace fascia::sim
