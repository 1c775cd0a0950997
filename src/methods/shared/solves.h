// A rig whose points are found by rounds of solving (fascia/carrying.h asks for it).
#pragma once

#include <optional>

#include "fascia/carrying.h"

namespace fascia {

class Solves {
public:
    virtual ~Solves() = default;
    /// What the points of a State have come to; nothing for a State of another rig.
    virtual std::optional<SolvedFrame> solved(const State& state, Workspace& work) const = 0;
};

}  // namespace fascia
