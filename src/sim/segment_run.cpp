#include "sim/segment_run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <utility>

#include "sim/slice_waves.h"

namespace fascia::sim {

namespace {

/// Adds the time since the last call to a stage: one reading of the clock between two stages.
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
        FASCIA_DISPATCH(drive)(step, nullptr, b, e);
    });
}

void drive_segments(const SegmentStep& step, std::span<const std::uint32_t> segments, ThreadPool& pool) {
    pool.for_ranges(segments.size(), wave_grain, [&](std::size_t b, std::size_t e, int) {
        FASCIA_DISPATCH(drive)(step, segments.data(), b, e);
    });
}

namespace {

/// One block on its way through the passes: how many slices the next pass lags behind the first, and where the
/// positions are by now. A pass that reads the slices around its own lags one slice behind the pass that writes them; a
/// pass that overwrites what an earlier one still reads around itself lags one more.
struct Passage {
    const SliceBlock& block;
    int lag = 0;
    float* from = nullptr;
};

/// The stages of a step, block by block.
struct Stages {
    const SegmentStep& step;
    const Slices& slices;
    const VolumeSweeps& sweeps;
    ThreadPool& pool;
    StageSeconds& seconds;
    std::array<ThreadMotion, ThreadPool::most_threads> motions = {};

    /// Runs `passes(block)` over all blocks, until passes that lag by `last_lag` slices are through.
    template <class Passes>
    void run(int last_lag, Passes&& passes) {
        BlockSize most{.alone = 256};
        if (slices.ring->shared()) most.slices = slices.ring->slices - slices_in_flight(sweeps.count);
        run_waves(slices.segments, last_lag, most, pool, passes);
    }

    void predict(Passage& passage) {
        Laps laps;
        passage.block.run(passage.lag++, slices.segments, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(predict)(step, b, e);
        });
        laps.add_to(seconds.predict);
    }

    /// [Iwamoto 2015, alg. line 5]
    void stretch(Passage& passage) {
        Laps laps;
        const SliceBlock& block = passage.block;
        if (slices.ring->shared())
            block.run(passage.lag, slices.ring->gap_first,
                      [&](std::size_t b, std::size_t e, int) { clear_gaps(b, e); });
        block.run(passage.lag, slices.segments, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(pull_forward)(step, b, e);
        });
        block.run(passage.lag, slices.segments, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(stretch)(step, b, e);
        });
        passage.from = step.other;
        laps.add_to(seconds.stretch);
    }

    /// [Iwamoto 2015, alg. line 6]
    void volume(Passage& passage) {
        Laps laps;
        float*& from = passage.from;
        float* to = step.position;
        for (int sweep = 0; sweep < sweeps.count; ++sweep) {
            SegmentStep here = step;
            here.volume_relaxation = sweeps.relaxation(sweep);
            passage.block.run(++passage.lag, slices.segments, [&](std::size_t b, std::size_t e, int) {
                FASCIA_DISPATCH(volume_gradients)(step, from, b, e);
            });
            passage.block.run(++passage.lag, slices.segments, [&](std::size_t b, std::size_t e, int) {
                FASCIA_DISPATCH(volume_apply)(here, from, to, b, e);
            });
            std::swap(from, to);
        }
        laps.add_to(seconds.volume);
    }

    /// Regions are boxes of 3x3x3: sums over planes first, then over three of them.
    void match_boxes(Passage& passage) {
        Laps laps;
        const float* from = passage.from;
        passage.block.run(passage.lag, slices.plane_segments, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(plane_moments)(step, from, b, e);
        });
        passage.block.run(++passage.lag, slices.segments, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(fit_regions)(step, from, b, e);
        });
        passage.block.run(++passage.lag, slices.plane_segments, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(plane_goals)(step, b, e);
        });
        ++passage.lag;
        laps.add_to(seconds.match);
    }

    /// Regions are lists, and may reach anywhere.
    void match_lists(const ListedStep& listed, const float* from) {
        Laps laps;
        const std::size_t groups = (listed.regions->size() + SegmentConstants::lanes - 1) / SegmentConstants::lanes;
        pool.for_ranges(groups, 1, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(fit_listed)(step, listed, from, b, e);
        });
        pool.for_ranges(listed.regions->points.size(), wave_grain, [&](std::size_t b, std::size_t e, int) {
            FASCIA_DISPATCH(sum_listed)(step, listed, from, b, e);
        });
        laps.add_to(seconds.match);
    }

    void update(const Passage& passage) {
        Laps laps;
        passage.block.run(passage.lag, slices.segments, [&](std::size_t b, std::size_t e, int thread) {
            FASCIA_DISPATCH(goals_and_update)(step, passage.from, b, e, motions[std::size_t(thread)]);
        });
        laps.add_to(seconds.update);
    }

private:
    /// Writes zeros to places that pass from one slice to another.
    void clear_gaps(std::size_t begin, std::size_t end) const {
        for (std::size_t k = begin; k < end; ++k)
            for (std::size_t c = 0; c < fit_channels; ++c)
                std::fill_n(step.fits + c * step.ring_stride + slices.ring->gaps[k], SegmentConstants::lanes, 0.0f);
    }
};

/// One step in the order of the publication's algorithm box. All stages go through the body together, each some slices
/// behind the one before.
/// [Iwamoto 2015, alg. line 4] [Iwamoto 2015, alg. line 7]
void step_with_boxes(Stages& stages) {
    stages.run(2 * stages.sweeps.count + 4, [&](const SliceBlock& block) {
        Passage passage{block};
        stages.predict(passage);
        stages.stretch(passage);
        stages.volume(passage);
        stages.match_boxes(passage);
        stages.update(passage);
    });
}

/// The same with regions that are lists: all points move before the first region is fitted.
void step_with_lists(Stages& stages, const ListedStep& listed) {
    float* moved = nullptr;
    stages.run(2 * stages.sweeps.count + 1, [&](const SliceBlock& block) {
        Passage passage{block};
        stages.predict(passage);
        stages.stretch(passage);
        stages.volume(passage);
        moved = passage.from;
    });
    stages.match_lists(listed, moved);
    const SliceBlock whole(0, int(stages.slices.segments.size()), stages.slices.segments, stages.pool);
    stages.update({whole, 0, moved});
}

}  // namespace

Motion run_segments(const SegmentStep& step, const ListedStep* listed, const Slices& slices, const VolumeSweeps& sweeps,
                    ThreadPool& pool, StageSeconds& seconds) {
    Stages stages{step, slices, sweeps, pool, seconds};
    listed != nullptr ? step_with_lists(stages, *listed) : step_with_boxes(stages);
    return put_together(stages.motions, step.inverse_dt);
}

}  // namespace fascia::sim
