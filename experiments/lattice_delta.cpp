// Figure 10: the same motion with delta 0.7 and 0.9.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "lattice.h"
#include "plot.h"

namespace fascia::experiments {

void two_deltas(const std::string& folder) {
    const Character bloat = cast("bloat");
    const PartOffset belly(bloat, "belly");
    Plot plot{"Belly of the bloat, shaken and stopped after 2 s", "seconds", "offset, % of the size", {}};
    std::vector<Row> rows;
    for (const double delta : {0.7, 0.9}) {
        char label[32];
        std::snprintf(label, sizeof label, "delta %.1f", delta);
        LatticeSettings flesh = lattice_flesh(24);
        flesh.delta = delta;
        rows.push_back({label, lattice_rig(bloat, flesh)});
        Curve curve{label, {}, {}};
        double most = 0;
        play(bloat, *rows.back().rig, "shake", {3.5, 60, {}}, [&](const Frame& frame) {
            curve.x.push_back(frame.time);
            curve.y.push_back(belly(frame));
            most = std::max(most, surface_offset(frame.positions, frame.skinned, bloat.size()).max);
        });
        const auto [low, high] = std::minmax_element(curve.y.begin(), curve.y.end());
        std::printf("%-10s belly from %.1f to %.1f %% of the size, at most %.1f %% anywhere\n", label, *low, *high,
                    100 * most);
        plot.curves.push_back(curve);
    }
    compare(bloat, "shake", {1.8, 2.05, 2.1, 2.2}, rows, in(folder, "lattice_delta.png"), {{}, 220, 220, true});
    if (!folder.empty()) must(write_svg(in(folder, "lattice_delta.svg"), plot));
}

}  // namespace fascia::experiments
