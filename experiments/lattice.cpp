// lattice EXPERIMENT [FOLDER]      prints its table; draws its pictures when a folder is given.
#include "lattice.h"

#include "program.h"

namespace fascia::experiments {

Flesh lattice_flesh(int resolution) {
    Flesh flesh = flesh_of("default");
    flesh.resolution = resolution;
    return flesh;
}

RigPtr lattice_rig(const Character& character, const Flesh& flesh) {
    LatticeSettings settings;
    settings.flesh = flesh;
    return dressed(character, Settings{settings});
}

/// Both lattice methods fill a body with the same cells; the points of `layers` are their centres.
std::size_t cells_at(const Character& character, int resolution) {
    return dressed(character, lattice_flesh(resolution))->points().total;
}

int resolution_for(const Character& character, std::size_t cells) {
    int low = 4, high = 96;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (cells_at(character, middle) < cells ? low : high) = middle;
    }
    return cells - cells_at(character, low) < cells_at(character, high) - cells ? low : high;
}

}  // namespace fascia::experiments

int main(int argc, char** argv) {
    using namespace fascia::experiments;
    static constexpr Experiment list[] = {{"table1", speed_table},      {"resolution", low_resolution},
                                          {"volume", volume_at_joints}, {"delta", two_deltas},
                                          {"pressed", pressed_body},    {"layers", beside_layers}};
    return run_one(argc, argv, list);
}
