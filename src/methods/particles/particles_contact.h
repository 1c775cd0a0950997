// Where parts of a body meet, the flesh of each gives way as far as the surface between their bones on which both lie
// equally deep (docs/formulas.md E8 says what triangles would do). Whose flesh is where follows from the bones, so that
// it stays certain where skin has gone far into other skin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/bone_field.h"
#include "methods/particles/particles_blueprint.h"

namespace fascia {

/// Everything about contact that does not change; lengths in spacings about the centre.
struct ParticlesContact {
    std::vector<contact::BoneField> bones;       ///< [joints]
    std::vector<std::uint32_t> first, vertices;  ///< [joints + 1] vertices of each bone
    std::vector<float> distance;                 ///< [vertices] of the skin from its own bone
    /// Another bone in whose flesh a vertex already lies at rest: how much deeper than in its own.
    struct AtRest {
        std::uint16_t joint = 0;
        float lead = 0;
    };
    std::vector<std::uint32_t> rest_first;  ///< [vertices + 1]
    std::vector<AtRest> at_rest;
    std::vector<std::uint32_t> edge_first, edge_to;  ///< [vertices + 1] neighbours
    std::vector<float> edge_length;                  ///< at rest
};
/// skin: [vertices] at rest, heads: [joints]
ParticlesContact find_contact(const ParticlesBlueprint& plan, std::span<const Vec3d> skin,
                              std::span<const Vec3d> heads);

struct ContactScratch {
    std::vector<Vec3> axes;                 ///< [joints * 4] where the joint carries the three axes, and the origin
    std::vector<float> least, given, next;  ///< [vertices]
};
/// Channels. core, skin: places of the first vertex on the innermost and the outermost layer.
struct ContactPlaces {
    const float *driven = nullptr, *positions = nullptr;
    std::size_t stride = 0, core = 0, skin = 0;
};
/// How far the skin of each vertex has to go from where it is driven towards its core, in scratch.given; false: nothing
/// touches. duals: [joints * 8]
bool find_giving(const ParticlesContact& contact, std::span<const float> duals, const ContactPlaces& places,
                 ContactScratch& scratch);

}  // namespace fascia
