// Which moments of a motion become frames.
#pragma once

#include <cstddef>

#include "bake_options.h"
#include "fascia/character.h"
#include "fascia/result.h"

namespace fascia::cli {

/// Frame k is at from + k / fps.
struct FrameTimes {
    double from = 0, to = 0, fps = 60;
    std::size_t count = 1;
    double at(std::size_t frame) const { return from + static_cast<double>(frame) / fps; }
};

/// count = floor((to - from) * fps + 1e-6) + 1: a last key that lies on a frame is one, whatever the rounding.
Result<FrameTimes> frame_times(const BakeOptions& options, const Clip& clip, double fps);

/// How often the motion is advanced, and every how many frames a GLB takes one. A GLB is played back by interpolation
/// and large, so it gets 30 frames per second unless asked otherwise; with other files beside it, one simulation at 60
/// serves both.
struct FrameRates {
    double fps = 60;
    std::size_t glb_stride = 1;
};
FrameRates frame_rates(const BakeOptions& options);

}  // namespace fascia::cli
