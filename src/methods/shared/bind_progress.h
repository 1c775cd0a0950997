// Reports how far a bind has got, and lets the caller end it early.
#pragma once

#include <algorithm>

#include "fascia/method.h"

namespace fascia {

/// Tells the caller that this share (0..1) is done. False: the bind must end, with cancelled().
inline bool reached(const BindInputs& inputs, double share) {
    return !inputs.progress || inputs.progress(share);
}

inline Error cancelled() {
    return usage_error("the bind was cancelled");
}

/// The same inputs for a stage whose own 0..1 is `from`..`to` of the whole; the reported share never decreases.
inline BindInputs stage_of(const BindInputs& inputs, double from, double to) {
    BindInputs out = inputs;
    if (inputs.progress)
        out.progress = [whole = inputs.progress, from, to, last = 0.0](double share) mutable {
            last = std::max(last, std::clamp(share, 0.0, 1.0));
            return whole(from + (to - from) * last);
        };
    return out;
}

/// The same for what takes nothing but the callback.
inline std::function<bool(double)> progress_of_stage(const BindInputs& inputs, double from, double to) {
    return stage_of(inputs, from, to).progress;
}

}  // namespace fascia
