// One fixed step of `layers`, run by the engine that the body was built for.
#pragma once

#include <span>

#include "base/workspace.h"
#include "methods/layers/layers_body.h"
#include "methods/layers/layers_tuning.h"
#include "sim/segment_run.h"

namespace fascia {

/// The parts of a State that a step changes.
struct LayersView {
    std::span<float> positions, velocities;  ///< [3 * stride]
    std::span<float> rotations;              ///< [4 * stride]
    std::span<float> driven, driven_speed;   ///< [3 * stride] driven positions and their velocities
};

/// The same, owning its memory.
struct LayersArrays {
    Floats positions, velocities, rotations, driven, driven_speed;

    static LayersArrays at_rest(const LayersBody& body);
    LayersView view() { return {positions, velocities, rotations, driven, driven_speed}; }
};

/// Where the skeleton alone carries the nodes; valid in the workspace until its next use.
struct DrivenNodes {
    std::span<const float> positions;  ///< [3 * stride]
    std::span<const float> rotations;  ///< [4 * stride]
};

/// What acts on the flesh from outside during one step, as changes of velocity in the nodes' axes and voxels.
struct Outside {
    std::span<const float> push;  ///< [3 * stride] or empty: a hand
    Vec3 gravity;                 ///< acts like an acceleration of the skeleton in the opposite direction
};

class LayersStep {
public:
    LayersStep(const LayersBody& body, const LayersTuning& tuning) : body_(&body), tuning_(&tuning) {}

    /// duals: [joints * 8], in the nodes' axes and voxels, with the signs that blending uses.
    sim::Motion run(std::span<const float> duals, LayersView state, const Outside& outside, Workspace& work) const;

    DrivenNodes drive(std::span<const float> duals, Workspace& work) const;
    /// The same for some segments; the others are left undefined.
    DrivenNodes drive_some(std::span<const std::uint32_t> segments, std::span<const float> duals,
                           Workspace& work) const;

private:
    DrivenNodes driven_nodes(Workspace& work) const;
    sim::SegmentStep segment_step(std::span<const float> duals, LayersView state, const Outside& outside,
                                  Workspace& work) const;
    sim::ListedStep listed_step(Workspace& work) const;
    sim::Motion run_segments(std::span<const float> duals, LayersView state, const Outside& outside,
                             Workspace& work) const;
    sim::Motion run_reference(std::span<const float> duals, LayersView state, const Outside& outside,
                              Workspace& work) const;

    sim::Slices slices() const { return {body_->layout.slice_first, body_->layout.plane_slice_first, &body_->ring}; }

    const LayersBody* body_;
    const LayersTuning* tuning_;
};

}  // namespace fascia
