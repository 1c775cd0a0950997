// Figure 14 of the multi-layer publication: one tissue of one stiffness lags behind or overshoots; layers do not.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "lattice.h"
#include "plot.h"

namespace fascia::experiments {

namespace {

/// The lattice as published: steps of 16 ms, alpha alone.
RigPtr published(const Character& character, double alpha) {
    LatticeSettings flesh = flesh_of<LatticeSettings>("paper-lattice");
    flesh.delta = 0.9;
    for (LayerSettings& layer : flesh.layers) layer.k_s = alpha;
    return lattice_rig(character, flesh);
}

constexpr double stop = 2;  ///< seconds after which `shake` stands still

/// Prints how far the belly stays behind while the body goes up and how far it goes beyond when it stops.
Curve belly_of(const Character& character, const Row& row) {
    const PartOffset belly(character, "belly");
    Curve curve{row.label, {}, {}};
    double behind = 0, beyond = 0, late = 0;
    play(character, *row.rig, "shake", {3.5, 60, {}}, [&](const Frame& frame) {
        const double y = belly(frame);
        curve.x.push_back(frame.time);
        curve.y.push_back(y);
        if (frame.time < stop) behind = std::max(behind, -y);
        if (frame.time > stop) beyond = std::max(beyond, std::abs(y));
        if (frame.time > stop + 1) late = std::max(late, std::abs(y));
    });
    std::printf("%-22s behind by %4.1f %%, beyond by %4.1f %% after the stop, %4.1f %% a second later\n",
                row.label.c_str(), behind, beyond, late);
    return curve;
}

}  // namespace

void beside_layers(const std::string& folder) {
    const Character bunny = cast("bunny");
    const std::vector<Row> rows{{"lattice, alpha 0.5", published(bunny, 0.5)},
                                {"lattice, alpha 1", published(bunny, 1)},
                                {"lattice, 4 Hz", lattice_rig(bunny, lattice_flesh(32))},
                                {"layers", dressed(bunny, flesh_of("default"))}};
    Plot plot{"Belly of the bunny, shaken and stopped after 2 s", "seconds", "offset, % of the size", {}};
    for (const Row& row : rows) plot.curves.push_back(belly_of(bunny, row));
    compare(bunny, "shake", {1.84, 2.05, 2.1, 2.2}, rows, in(folder, "lattice_beside_layers.png"), {{}, 180, 200});
    if (!folder.empty()) must(write_svg(in(folder, "lattice_beside_layers.svg"), plot));
}

}  // namespace fascia::experiments
