// A figure of human proportions, without a surface, whose motions are retargeted to other characters.
#pragma once

#include <optional>
#include <string>

#include "fascia/pose.h"

namespace fascia::characters {

struct Performance {
    Motion motion;    ///< several loops, one after another
    double loop = 0;  ///< seconds
};

/// The choreography of that name, danced `loops` times by the performer; nothing if there is none.
std::optional<Performance> performed(const std::string& choreography, int loops);

}  // namespace fascia::characters
