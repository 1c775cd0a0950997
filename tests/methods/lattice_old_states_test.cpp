// States of a lattice as files of earlier versions hold them, with gaps between rows of cells.
#include "methods/lattice/lattice_old_states.h"

#include <gtest/gtest.h>

#include "methods/lattice/lattice_body.h"
#include "support/small_character.h"

namespace fascia {
namespace {

/// A number that tells which channel and which particle it belongs to.
float mark(std::size_t channel, std::size_t particle) {
    return float(1000 * channel + particle + 1);
}

Floats spread_marks(const sim::SwingRegions& regions, std::size_t channels) {
    Floats out(channels * regions.spread(), 0.0f);
    for (std::size_t c = 0; c < channels; ++c)
        for (std::size_t p = 0; p < regions.slots().size(); ++p)
            out[c * regions.spread() + regions.layout.slots[p]] = mark(c, p);
    return out;
}

TEST(LatticeOldStates, LoseTheirGaps) {
    LatticeSettings settings;
    settings.resolution = 8;
    const auto body = *build_lattice_body(test::small_character(), settings);
    const sim::SwingRegions& regions = body->regions;
    ASSERT_LT(regions.stride(), regions.spread());
    constexpr std::size_t blocks = 6;
    State state;
    state.stride = regions.spread();
    state.positions = state.velocities = spread_marks(regions, 3);
    state.rotations = spread_marks(regions, 4);
    state.memory = spread_marks(regions, blocks);
    state.memory.insert(state.memory.end(), {7, 8});
    state.grip.points = {regions.layout.slots[2], std::uint32_t(regions.spread())};
    pack_state(regions, blocks, state);

    const std::size_t n = regions.stride();
    EXPECT_EQ(state.stride, n);
    const auto expect_marks = [&](const Floats& channels, std::size_t count) {
        float sum = 0, expected = 0;
        for (std::size_t k = 0; k < count * n; ++k) sum += channels[k] != 0;
        for (std::size_t c = 0; c < count; ++c)
            for (std::size_t p = 0; p < body->slots().size(); ++p, ++expected)
                EXPECT_EQ(channels[c * n + body->slots()[p]], mark(c, p));
        EXPECT_EQ(sum, expected) << "everything else is zero";
    };
    expect_marks(state.positions, 3);
    expect_marks(state.velocities, 3);
    expect_marks(state.rotations, 4);
    expect_marks(state.memory, blocks);
    ASSERT_EQ(state.memory.size(), blocks * n + 2);
    EXPECT_EQ(state.memory[blocks * n + 1], 8);
    EXPECT_EQ(state.grip.points[0], body->slots()[2]);
    EXPECT_EQ(state.grip.points[1], n) << "nowhere: such a State is refused";

    State other;
    other.stride = regions.spread() + 16;
    other.positions = {1, 2, 3};
    pack_state(regions, blocks, other);
    EXPECT_EQ(other.positions.size(), 3u) << "a State of other sizes is left alone";
}

}  // namespace
}  // namespace fascia
