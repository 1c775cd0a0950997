// The moments of a motion that become frames.
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

/// count = floor((to - from) * fps + 1e-6) + 1: a last key on a frame is included, whatever the rounding.
Result<FrameTimes> frame_times(const BakeOptions& options, const Clip& clip, double fps);

/// How often the motion is advanced, and how many of those frames make one frame of a GLB. GLBs are large and played
/// back by interpolation, so they get 30 frames per second unless asked otherwise; if other files are written too, one
/// simulation at 60 serves both.
struct FrameRates {
    double fps = 60;
    std::size_t glb_stride = 1;
};
FrameRates frame_rates(const BakeOptions& options);

}  // namespace fascia::cli
