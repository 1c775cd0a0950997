// The plain-loop twin of segment_step.h: one fixed step of the multi-layer lattice (docs/papers/000.md), pass by pass.
// Kept as the reference for the vector kernels, and for the modes that only it supports. Voxels do not occur here, only
// points, lists of neighbours, lists of regions, and numbers per point.
//
// Arrays over points are channels of `stride` floats: x..., y..., z... Unused places hold zeros.
// Every pass writes only its own points and reads the others' old values, so that the result does not depend on
// threads.
//
// Legend:  a driven position   u = p - a offset   q rotation of the driven point   h rest distance   dt the step
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/motion.h"
#include "sim/volume_sweeps.h"

namespace fascia::sim {

/// What stays the same for the life of a rig.
struct ReferenceBody {
    std::size_t stride = 0;
    std::span<const std::uint32_t> points;  ///< place of each point in the channels, ascending
    float h = 1;

    std::span<const float> rest;            ///< [3 * stride] rest positions
    std::span<const std::uint16_t> joints;  ///< [4 * stride] joints that drive a point, channel by channel
    std::span<const float> weights;         ///< [4 * stride] largest first, sum 1

    std::span<const std::int32_t> neighbours;  ///< [stride * 27] places of the block around a point, -1 for none
    std::span<const float> softness;           ///< [stride] 1 flesh, 0 bone: bone is driven, never moved
    std::span<const float> volume_weight;      ///< [stride] share of a volume correction that a point takes, bone 0

    std::span<const std::uint32_t> member_first, members;  ///< [stride + 1]: places of each point's region
    std::span<const std::uint32_t> owner_first, owners;    ///< [stride + 1]: regions that hold each point
    std::span<const float> mass;                           ///< [stride] 1 / number of regions that hold the point
    std::span<const float> region;  ///< [5 * stride] per region: 1 / mass, rest centre from the point (3), kappa:
                                    ///< weight of the driven rotation in the fit, in units of h^2
    bool shared_rotations = false;  ///< some points have no region of their own and turn with those holding them
    bool linear = false;            ///< points are driven by linear blending, as published
};

/// Numbers that follow from the settings; may change between steps.
struct ReferenceTuning {
    float dt = 1.0f / 240;
    std::span<const float> alpha, beta;  ///< [stride] p = a + alpha u + beta v: the exact damped oscillator
    std::span<const float> drive;        ///< [stride] share of the skeleton's acceleration that is felt
    std::span<const float> lag;    ///< [stride] or empty: share of the driven velocity that is lost (literal mode)
    std::span<const float> limit;  ///< [stride] how far a point may be from its driven position
    std::span<const float> match, stretch;  ///< [stride] share of a correction that is applied per step
    std::span<const float> volume_share;    ///< [stride] the same for volume corrections
    VolumeSweeps volume = {};
    Drag drag = {};
};

/// The instance, and scratch.
struct ReferenceArrays {
    std::span<const float> driven;  ///< [3 * stride] a at the end of this step
    std::span<const float> turned;  ///< [4 * stride] q, rotation w x y z of the driven points
    std::span<float> last_driven;   ///< [3 * stride] a of the step before
    std::span<float> last_speed;    ///< [3 * stride] (a - last_driven) / dt of the step before
    std::span<float> positions;     ///< [3 * stride] p
    std::span<float> velocities;    ///< [3 * stride] of u
    std::span<float> rotations;     ///< [4 * stride] of each region, relative to q
    std::span<const float> push;    ///< [3 * stride] or empty: change of velocity per step from outside
    float felt[3] = {0, 0, 0};      ///< change of velocity by gravity in one step
    std::span<float> offset;        ///< [3 * stride] scratch: u of the step before
    std::span<float> other;         ///< [3 * stride] scratch: second buffer of positions
    std::span<float> gradients;     ///< [9 * stride] scratch
    std::span<float> transforms;    ///< [12 * stride] scratch: rotation matrix (9) and centre (3) of each region
};

/// Dual quaternion skinning of the rest positions (docs/formulas.md C1), or linear blending (B2) with the same
/// rotations. duals: [joints * 8] real w x y z, dual w x y z.
void drive_reference(const ReferenceBody& rig, std::span<const float> duals, std::span<float> driven,
                     std::span<float> turned);

/// v = vr - drive (va - va_last - felt);  p = a + alpha u + beta v;  bone: p = a
void predict_reference(const ReferenceBody& rig, const ReferenceTuning& tuning, ReferenceArrays& arrays);

/// Distances to the 26 neighbours (docs/formulas.md A7), mean of the corrections. From `positions` to `other`.
void stretch_reference(const ReferenceBody& rig, const ReferenceTuning& tuning, const ReferenceArrays& arrays,
                       std::span<const float> from, std::span<float> to);

/// V = det(X, Y, Z) of the half vectors to the face neighbours (docs/formulas.md 0.5), corrections summed.
void volume_reference(const ReferenceBody& rig, const ReferenceTuning& tuning, float relaxation,
                      const ReferenceArrays& arrays, std::span<const float> from, std::span<float> to);

/// Lattice shape matching (docs/formulas.md 0.4, A6): rigid fit of each region, mean of the goals.
void match_reference(const ReferenceBody& rig, const ReferenceTuning& tuning, ReferenceArrays& arrays,
                     std::span<const float> from, std::span<float> to);

/// Keeps u within its limit and sets the new velocity: vr = (u - u_last) / dt.
Motion update_reference(const ReferenceBody& rig, const ReferenceTuning& tuning, ReferenceArrays& arrays);

/// All passes of one step, in this order.
Motion step_reference(const ReferenceBody& rig, const ReferenceTuning& tuning, ReferenceArrays& arrays);

}  // namespace fascia::sim
