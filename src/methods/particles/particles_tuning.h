// From meaningful settings (hertz, damping ratio, amount) to the numbers that a step uses. Depends only on settings
// that may change while running.
#pragma once

#include <string>
#include <vector>

#include "methods/particles/particles_body.h"

namespace fascia {

/// Channels unless stated otherwise.
struct ParticlesTuning {
    double step = 1.0 / 240;
    int iterations = 1;
    int volume_sweeps = 1;
    bool volume = true;
    double joint_distance = 0;
    Vec3d gravity;
    double decay = 0;  ///< swing_decay

    Floats alpha, beta, drive;  ///< p = a + alpha u + beta (v - drive a'' dt)
    Floats match;               ///< share of the distance to its goal that a particle moves per fit
    Floats turn;                ///< share of the effects of its neighbours, volumes and joints
    Floats limit;               ///< spacings
    Floats swell;               ///< [vertices] inverse masses for volumes
    std::vector<float> give;    ///< [points] 0..1: how far a hand may move it
    std::uint64_t tag = 0;      ///< equal tags mean equal numbers
};

/// Physical mode: every particle swings about where it is driven; `calibration` scales all frequencies so that the body
/// as a whole swings as asked for. `settling` keeps the stiffness but damps everything so that it comes to rest as soon
/// as possible.
ParticlesTuning physical_tuning(const ParticlesBody& body, const ParticlesSettings& settings, double calibration,
                                bool settling);
/// Modes paper and literal (docs/formulas.md E3): stiffness per fit.
ParticlesTuning published_tuning(const ParticlesBody& body, const ParticlesSettings& settings);

/// The factor for physical_tuning: the softest motion of the bound body, found by letting it sag under a pull, is given
/// the frequency of the layers that take part in it.
double calibrate(const ParticlesBody& body, const ParticlesSettings& settings);

}  // namespace fascia
