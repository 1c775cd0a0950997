// What a step of any method reports.
#pragma once

#include <cstddef>

namespace fascia::sim {

/// Flesh that is flung is held back by what it is made of, in proportion to what its speed exceeds the usual: v falls
/// by per_way (|v| - free) |v|. Swings that are slower, and flesh at rest, do not feel it.
struct Drag {
    float free_way = 1e30f;  ///< of a point in one step, without any drag
    float per_way = 0;       ///< share of its velocity that a point loses per unit of way beyond that
};

/// What a step did, for those who watch.
struct Motion {
    std::size_t limited = 0;  ///< points beyond their limit
    float fastest = 0;        ///< largest speed of an offset; not finite when something went wrong
};

}  // namespace fascia::sim
