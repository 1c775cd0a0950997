#include "frame_times.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "output_paths.h"

namespace fascia::cli {

Result<FrameTimes> frame_times(const BakeOptions& options, const Clip& clip, double fps) {
    constexpr double most_frames = 1e6;
    FrameTimes times;
    times.from = options.from.value_or(0);
    times.to = options.to.value_or(std::max(clip.duration, times.from));
    times.fps = fps;
    if (options.from && !options.to && *options.from > clip.duration)
        return usage_error(fmt::format("--from {} is after the end of the motion '{}' ({:.4g} s)", *options.from,
                                       clip.name, clip.duration));
    if (times.to < times.from)
        return usage_error(fmt::format("--to {} is before --from {}; give a later end", times.to, times.from));
    const double count = std::floor((times.to - times.from) * fps + 1e-6) + 1;
    if (!(count <= most_frames))
        return usage_error(
            fmt::format("{:.0f} frames are too many; lower --fps or bake a part with --from and --to", count));
    times.count = static_cast<std::size_t>(count);
    return times;
}

FrameRates frame_rates(const BakeOptions& options) {
    if (options.fps) return {*options.fps, 1};
    const auto is_glb = [](const std::string& path) { return extension_of(path) == ".glb"; };
    const bool any_glb = std::any_of(options.outputs.begin(), options.outputs.end(), is_glb);
    const bool all_glb = std::all_of(options.outputs.begin(), options.outputs.end(), is_glb);
    if (any_glb && all_glb) return {30, 1};
    return {60, 2};
}

}  // namespace fascia::cli
