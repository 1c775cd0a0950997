// lattice EXPERIMENT [FOLDER]      prints its table; draws its pictures when a folder is given.
#include "lattice.h"

#include "program.h"

namespace fascia::experiments {

LatticeSettings lattice_flesh(int resolution) {
    LatticeSettings flesh = flesh_of<LatticeSettings>("default");
    flesh.resolution = resolution;
    return flesh;
}

BindInputs as_published() {
    BindInputs out;
    out.weights = "diffusion";
    return out;
}

RigPtr lattice_rig(const Character& character, const LatticeSettings& flesh) {
    return dressed(character, flesh, as_published());
}

/// Both lattice methods fill a body with the same cells; the points of `layers` are their centres.
std::size_t cells_at(const Character& character, int resolution) {
    LayersSettings settings = flesh_of("default");
    settings.resolution = resolution;
    return dressed(character, settings)->point_count();
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
