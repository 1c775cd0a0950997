// The camera for a bake's pictures: from the options, the figure and its motion.
#pragma once

#include <cstddef>
#include <vector>

#include "fascia/character.h"
#include "fascia/picture.h"
#include "frame_times.h"
#include "picture_options.h"

namespace fascia::cli {

/// The frames that become pictures of `size`. `check_close` must have succeeded.
MotionView plan_pictures(const Character& character, const Clip& clip, const FrameTimes& times,
                         const std::vector<std::size_t>& shown, const PictureOptions& options, PictureSize size,
                         Zoom zoom);

}  // namespace fascia::cli
