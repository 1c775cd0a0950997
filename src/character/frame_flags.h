// What is true of some frames of a motion and not of others.
#pragma once

#include <algorithm>
#include <vector>

#include "character/time_series.h"

namespace fascia {

/// Runs of `true` that are this close together are joined.
inline void close_gaps(std::vector<bool>& flags, double longest) {
    int last = -1;
    for (int f = 0; f < static_cast<int>(flags.size()); ++f) {
        if (!flags[f]) continue;
        if (last >= 0 && f - last - 1 <= longest) std::fill(flags.begin() + last, flags.begin() + f, true);
        last = f;
    }
}

inline void drop_short_runs(std::vector<bool>& flags, double shortest) {
    for (std::size_t f = 0; f < flags.size();) {
        std::size_t end = f;
        while (end < flags.size() && flags[end]) ++end;
        if (end > f && static_cast<double>(end - f) < shortest)
            std::fill(flags.begin() + static_cast<std::ptrdiff_t>(f), flags.begin() + static_cast<std::ptrdiff_t>(end),
                      false);
        f = std::max(end, f + 1);
    }
}

inline TimeSeries as_numbers(const std::vector<bool>& flags) {
    return {flags.begin(), flags.end()};
}

}  // namespace fascia
