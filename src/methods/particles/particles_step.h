// One fixed step of a body of particles.
//
//     drive     a = where the skeleton carries each particle
//     predict   p = a + what the swing of each particle makes of its offset
//     match     rigid fits of rings and siblings, repeated if asked; distances from joints
//     volume    of each part
//     update    offsets within their limit, new velocities, none of which changes a volume
#pragma once

#include <span>

#include "base/workspace.h"
#include "methods/particles/particles_body.h"
#include "methods/particles/particles_tuning.h"
#include "sim/motion.h"

namespace fascia {

/// The channels that a step reads and writes.
struct ParticlesView {
    std::span<float> positions, velocities, rotations, driven, driven_speed;
};
/// The same with its own memory, for a body at rest.
struct ParticlesArrays {
    Floats positions, velocities, rotations, driven, driven_speed;

    static ParticlesArrays at_rest(const ParticlesBody& body);
    ParticlesView view() { return {positions, velocities, rotations, driven, driven_speed}; }
};

/// The body and the tuning must outlive it.
class ParticlesStep {
public:
    ParticlesStep(const ParticlesBody& body, const ParticlesTuning& tuning) : body_(&body), tuning_(&tuning) {}

    /// Changes of velocity from outside.
    struct Outside {
        std::span<const float> push;  ///< [3 * stride] or empty
        Vec3 gravity;
    };
    /// duals: [joints * 8]
    sim::Motion run(std::span<const float> duals, ParticlesView state, const Outside& outside, Workspace& work) const;

    /// Where the skeleton alone carries the particles; valid in the workspace until its next use.
    struct Driven {
        std::span<float> positions;  ///< [3 * stride]
        std::span<float> turned;     ///< [4 * padded] by vertex
    };
    Driven drive(std::span<const float> duals, Workspace& work) const;
    /// [4 * stride] rotations of the skin, from `turned`.
    std::span<const float> skin_rotations(std::span<const float> turned, Workspace& work) const;

private:
    void keep_from_joints(std::span<const float> duals, std::span<float> positions, Workspace& work) const;
    void keep_volumes(ParticlesView state, Workspace& work) const;
    void stop_growth(ParticlesView state, Workspace& work) const;
    std::span<const Vec3> apexes(std::span<const float> channels, Workspace& work) const;

    const ParticlesBody* body_;
    const ParticlesTuning* tuning_;
};

}  // namespace fascia
