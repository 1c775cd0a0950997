#include "methods/lattice/lattice_old_states.h"

#include <algorithm>

namespace fascia {

namespace {

/// Channels with gaps, then whatever follows them.
Floats packed(const sim::SwingRegions& regions, std::size_t channels, const Floats& from) {
    Floats out(channels * regions.stride(), 0.0f);
    for (std::size_t c = 0; c < channels; ++c)
        for (std::size_t p = 0; p < regions.slots().size(); ++p)
            out[c * regions.stride() + regions.slots()[p]] = from[c * regions.spread() + regions.layout.slots[p]];
    out.insert(out.end(), from.begin() + std::ptrdiff_t(channels * regions.spread()), from.end());
    return out;
}

}  // namespace

void pack_state(const sim::SwingRegions& regions, std::size_t blocks, State& state) {
    const std::size_t spread = regions.spread();
    if (state.stride != spread || state.positions.size() != 3 * spread || state.velocities.size() != 3 * spread ||
        state.rotations.size() != 4 * spread || state.memory.size() < blocks * spread)
        return;
    state.positions = packed(regions, 3, state.positions);
    state.velocities = packed(regions, 3, state.velocities);
    state.rotations = packed(regions, 4, state.rotations);
    state.memory = packed(regions, blocks, state.memory);
    state.stride = regions.stride();
    std::vector<std::uint32_t> place(spread, std::uint32_t(regions.stride()));  // nowhere
    for (std::size_t p = 0; p < regions.slots().size(); ++p) place[regions.layout.slots[p]] = regions.slots()[p];
    for (std::uint32_t& point : state.grip.points) point = point < spread ? place[point] : place[0];
}

}  // namespace fascia
