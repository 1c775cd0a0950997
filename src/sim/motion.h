// What a step of any method reports.
#pragma once

#include <cstddef>

namespace fascia::sim {

/// Flesh that is flung is held back by what it is made of: beyond a usual speed damping grows, and soon no further.
/// With e, what a step's way exceeds `free_way`, the velocity is divided by 1 + most e / (e + half). Slower swings, and
/// flesh at rest, do not feel it.
struct Drag {
    float free_way = 1e30f;  ///< of a point in one step, without any drag
    float half_way = 1;      ///< beyond that, where half of `most` acts
    float most = 0;          ///< share of its velocity that a point loses per step
};

/// What a step did, for those who watch.
struct Motion {
    std::size_t limited = 0;  ///< points beyond their limit
    float fastest = 0;        ///< largest speed of an offset; not finite when something went wrong
};

}  // namespace fascia::sim
