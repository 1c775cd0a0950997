#include "fascia/carrying.h"
#include "methods/shared/solves.h"

namespace fascia {

std::optional<SolvedFrame> solved_frame(const Rig& rig, const State& state, Workspace& work) {
    const auto* solves = dynamic_cast<const Solves*>(&rig.plain());
    return solves != nullptr ? solves->solved(state, work) : std::nullopt;
}

}  // namespace fascia
