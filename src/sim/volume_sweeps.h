// How often a step goes over the volumes, and how much of the summed corrections it applies each time.
#pragma once

namespace fascia::sim {

/// Relaxations alternate. A large one and a small one correct slow variations through the body as much as two medium
/// ones, but tremble less: the small one takes back what the large one overdoes.
struct VolumeSweeps {
    int count = 2;
    float relaxations[2] = {0.3f, 0.3f};

    float relaxation(int sweep) const { return relaxations[sweep % 2]; }
};

}  // namespace fascia::sim
