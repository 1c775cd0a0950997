// From meaningful settings (hertz, damping ratio, amount, delta) to the numbers that a step of `lattice` uses.
#pragma once

#include <string>
#include <vector>

#include "fascia/settings.h"
#include "methods/lattice/lattice_body.h"
#include "sim/lattice_swing.h"

namespace fascia {

struct LatticeTuning {
    sim::SwingTuning swing;
    std::vector<float> give;  ///< [particles] 0..1: how far a hand may move it
    std::uint64_t tag = 0;    ///< equal tags mean equal numbers
    double decay = 0;         ///< swing_decay
    std::vector<std::string> warnings;
};

/// A lattice consists of one tissue: the softest layer of the flesh. Physical mode: the softest motion of the bound
/// body has that layer's frequency at any delta, resolution and step. The modes that follow the publication use its k_s
/// as alpha.
LatticeTuning tune_lattice(const LatticeBody& body, const LatticeSettings& settings);

/// Share of the softest motion that remains after one fit (docs/formulas.md D6), by power iteration at rest.
/// tuning: delta and pull
double softest_share(const LatticeBody& body, const sim::SwingTuning& tuning);

}  // namespace fascia
