// A muscle as one force along a line: a contractile part that follows an activation, and a passive one that resists
// being stretched (docs/formulas.md C7).
#pragma once

namespace fascia::sim {

struct HillMuscle {
    double strongest = 0;      ///< f0: its strongest pull, at its optimal length, N
    double best_length = 1;    ///< lo
    double most_length = 1.5;  ///< lmax: the length where the passive force stops growing
    double passive = 0;        ///< gamma: passive resistance at lmax, as a share of f0
    double damping = 0;        ///< N per strain rate
};

/// (Luo 2016, eq. 3.2) Share of its force at a length: 1 at the optimal length, 0 below half or above 1.5 times that.
/// The range must be tested: the printed max(0, .) lets the cosine rise again.
double force_length(double length, double best_length);
/// (Luo 2016, eq. 3.3) Passive force; none below the optimal length, where the printed condition would push.
double passive_force(const HillMuscle& muscle, double length);
/// (Luo 2016, eq. 3.1) How hard it pulls; it never pushes. rate: of change of its length
double pull(const HillMuscle& muscle, double activation, double length, double rate);

}  // namespace fascia::sim
