// What a step of any method reports.
#pragma once

#include <cstddef>

namespace fascia::sim {

/// What a step did, for those who watch.
struct Motion {
    std::size_t limited = 0;  ///< points beyond their limit
    float fastest = 0;        ///< largest speed of an offset; not finite when something went wrong
};

}  // namespace fascia::sim
