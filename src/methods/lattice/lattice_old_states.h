// States as they were before their channels lost the gaps between rows of cells.
#pragma once

#include "fascia/method.h"
#include "sim/lattice_swing.h"

namespace fascia {

/// The version of state files since which channels hold segments one after the other.
inline constexpr std::uint32_t packed_since = 11;

/// Takes the gaps out of positions, velocities, rotations and the first `blocks` channels of the memory; where a hand
/// holds, too. A State of other sizes is left alone.
void pack_state(const sim::SwingRegions& regions, std::size_t blocks, State& state);

}  // namespace fascia
