// From settings that mean something (hertz, damping ratio, amount) to the numbers of the step. Depends only on settings
// that may change while running.
#pragma once

#include <string>
#include <vector>

#include "methods/layers_body.h"

namespace fascia {

/// Numbers per node, in channels, ready for sim::LatticeTuning.
struct LayersTuning {
    double step = 1.0 / 240;
    Floats alpha, beta, drive, lag, limit, match, stretch;
    float volume = 0.3f;
    int volume_sweeps = 2;
    Vec3d gravity;

    sim::LatticeTuning view() const;
};

/// Physical mode (findings.md, the recipe). `calibration` scales all frequencies so that the body as a whole swings at
/// what was asked; `settling` keeps the stiffness but damps everything so that it comes to rest soonest.
LayersTuning physical_tuning(const LayersBody& body, const Flesh& flesh, const std::vector<double>& joint_amount,
                             double calibration, bool settling);

/// Modes `paper` and `literal` (methods.md A5, A6).
LayersTuning published_tuning(const LayersBody& body, const Flesh& flesh, const std::vector<double>& joint_amount);

/// The factor for physical_tuning: the softest motion of the bound body, found by letting it sag under a uniform pull,
/// is given the frequency of the layers that take part in it.
double calibrate(const LayersBody& body, const Flesh& flesh);

/// Frequencies and dampings that a step of this length cannot follow are clamped; the sentences say what would reach
/// them.
std::vector<std::string> clamp_to_step(Flesh& flesh);

}  // namespace fascia
