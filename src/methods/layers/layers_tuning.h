// From meaningful settings (hertz, damping ratio, amount) to the numbers that a step uses. Depends only on settings
// that may change while running.
#pragma once

#include <string>
#include <vector>

#include "methods/layers/layers_body.h"

namespace fascia {

/// The numbers of one node.
struct NodeTuning {
    double alpha = 0, beta = 0;  ///< p = a + alpha u + beta v: the exact damped oscillator
    double drive = 0, lag = 0;   ///< shares of the skeleton's acceleration that is felt, and of its speed that is lost
    double match = 0, stretch = 0, volume = 1;  ///< share of a correction that is applied per step
    double turn = 1;                            ///< share of its fitted rotation that the surface follows
    double limit = 1;                           ///< voxels
    double amount = 0;                          ///< as set for its layer and part
};

/// The same for all nodes, in the form that the body's engine reads.
struct LayersTuning {
    double step = 1.0 / 240;
    sim::VolumeSweeps volume = {};
    sim::Drag drag = {};
    Vec3d gravity;
    double decay = 0;  ///< swing_decay

    ConstantsArray constants;                                             ///< vectors: the body's constants, completed
    Floats alpha, beta, drive, lag, limit, match, stretch, volume_share;  ///< plain loops: channels

    Floats turn;               ///< channel: share of a fitted rotation that the surface follows
    std::vector<float> give;   ///< [nodes] 0..1: how far a hand may move a node; 0 where the amount is 0
    std::vector<float> reach;  ///< [nodes] voxels: largest offset
    std::vector<float> felt;   ///< [nodes] share of an outer acceleration
    std::uint64_t tag = 0;     ///< equal tags mean equal numbers

    sim::ReferenceTuning reference() const;
};

/// Converts the numbers of all nodes [nodes] to the form that the body's engine reads.
void store_tuning(const LayersBody& body, const std::vector<NodeTuning>& nodes, LayersTuning& out);

/// Physical mode: every point swings about its driven position. `calibration` scales all frequencies so that the body
/// as a whole swings as asked for; `settling` keeps the stiffness but damps everything so that it comes to rest as soon
/// as possible.
LayersTuning physical_tuning(const LayersBody& body, const LayersSettings& flesh,
                             const std::vector<double>& joint_amount, double calibration, bool settling);

/// Modes `paper` and `literal` (docs/formulas.md A5, A6).
LayersTuning published_tuning(const LayersBody& body, const LayersSettings& flesh,
                              const std::vector<double>& joint_amount);

/// The factor for physical_tuning: the softest motion of the bound body, found by letting it sag under a uniform pull,
/// is given the frequency of the layers that take part in it.
double calibrate(const LayersBody& body, const LayersSettings& flesh);

}  // namespace fascia
