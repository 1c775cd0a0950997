// The last resort of volume preservation: bones may press flesh harder than its skin can give way. A part that has lost
// or gained too much swells or shrinks as a whole, about its middle, until it has not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"
#include "skin/volume_parts.h"

namespace fascia {

/// A part whose volume is off by more than this share of its rest volume swells. Poses between two frames stay within a
/// quarter.
inline constexpr double volume_slack = 0.2;

struct SwollenPart {
    std::uint32_t first = 0, last = 0;  ///< into SwollenParts::places
    double furthest = 0;                ///< the most that any of its particles may move, in cells
};

/// In the order of VolumeParts::parts.
struct SwollenParts {
    std::vector<SwollenPart> parts;
    std::vector<std::uint32_t> places;  ///< of the particles of each part
    std::vector<Vec3> directions;       ///< where a swell of 1 moves each of them at rest
};

/// How far each part swells, [parts], negative if it shrinks. records: as solve_volumes left them
void solve_swells(const VolumeParts& volumes, const SwollenParts& all, std::size_t stride,
                  std::span<const float> rotations, std::span<float> records, std::span<float> swells);

/// Moves the particles that far.
void move_swells(const SwollenParts& all, std::size_t stride, std::span<const float> rotations,
                 std::span<const float> swells, std::span<float> positions);

}  // namespace fascia
