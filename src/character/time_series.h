// Numbers that change from frame to frame, and the few filters that retargeting needs on them. Widths are in frames.
#pragma once

#include <cstddef>
#include <vector>

namespace fascia {

using TimeSeries = std::vector<double>;  ///< [frames]

/// The value at this share of the sorted values: 0 is the smallest, 0.5 the median. The values must not be empty.
double quantile(TimeSeries values, double share);

/// The least (largest) value within `reach` frames on both sides.
TimeSeries running_minimum(const TimeSeries& values, std::size_t reach);
TimeSeries running_maximum(const TimeSeries& values, std::size_t reach);
TimeSeries running_mean(const TimeSeries& values, std::size_t reach);

/// Weighted by a Gaussian that is cut off at three sigmas and renormalised at both ends.
TimeSeries smoothed(const TimeSeries& values, double sigma);

/// A smooth curve that is nowhere below `values`.
TimeSeries smooth_envelope(const TimeSeries& values, double sigma);

/// What to do with a long gap in `bridged`.
enum class LongGap { stretch, fade_to_zero };

/// Fills in the frames that are not `known`. Each gap is crossed by a cubic that starts and ends with the slopes of its
/// neighbours; a gap at the start or the end holds its neighbour's value. With `fade_to_zero`, a gap longer than twice
/// `fade` frames fades out the value on one side before it fades in the one on the other.
TimeSeries bridged(TimeSeries values, const std::vector<bool>& known, LongGap long_gap, double fade);

}  // namespace fascia
