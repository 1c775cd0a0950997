// What a step of any method reports.
#pragma once

#include <cstddef>

namespace fascia::sim {

/// Tissue holds back flesh that is flung: beyond the usual speed damping grows, but soon levels off. With e, the amount
/// by which a step's path exceeds `free_way`, the velocity is divided by 1 + most e / (e + half). Slower swings, and
/// flesh at rest, do not feel it.
struct Drag {
    float free_way = 1e30f;  ///< path of a point in one step without any drag
    float half_way = 1;      ///< excess path at which half of `most` acts
    float most = 0;          ///< share of its velocity that a point loses per step
};

/// What a step did, for monitoring.
struct Motion {
    std::size_t limited = 0;  ///< points beyond their limit
    float fastest = 0;        ///< largest speed of an offset; non-finite if something went wrong
};

}  // namespace fascia::sim
