// What bind makes of a character for the method `particles`: copies of a surface in layers, their regions and volumes,
// and the character's own surface, which the outermost layer carries.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "embed/trilinear.h"
#include "fascia/method.h"
#include "methods/particles/particles_blueprint.h"
#include "methods/shared/pose_gate.h"
#include "sim/layered_particles.h"
#include "sim/sub_volumes.h"
#include "skin/carriers.h"
#include "skin/skinned_surface.h"

namespace fascia {

/// Neighbour lists that own their memory.
struct LinkLists {
    std::vector<std::uint32_t> first{0}, to;
    Links view() const { return {first, to, 1}; }
};
/// The neighbours of each vertex along the edges of triangles, ascending.
LinkLists edges_of(std::span<const std::uint32_t> triangles, std::size_t vertices);

/// A particle that keeps its distance from the centre of a joint (docs/formulas.md E7).
struct JointHold {
    std::uint32_t place = 0;
    std::uint16_t joint = 0;
    float distance = 0;  ///< at rest, in spacings
};

struct ParticlesBody {
    std::shared_ptr<const ParticlesBlueprint> blueprint;
    std::uint64_t fingerprint = 0;
    double size = 1, h = 1;
    Vec3d centre;

    // ---- particles, in channels; lengths in spacings about the centre ----
    sim::ParticleRegions regions;
    LinkLists edges, links;                  ///< of the vertices; of the points, including siblings
    std::vector<std::uint32_t> slots;        ///< [points] layer by layer
    std::vector<std::uint8_t> layer;         ///< [points]
    std::vector<float> thinness;             ///< [points]
    Floats rest;                             ///< [3 * stride]
    Floats weights;                          ///< [4 * stride]
    std::vector<std::uint16_t> joints;       ///< [4 * stride]
    std::vector<double> masses;              ///< [points] in cubes of spacings
    std::vector<double> areas;               ///< [vertices] of the skin, in squares of spacings
    std::vector<std::uint32_t> drive_first;  ///< [groups of eight vertices + 1]
    std::vector<std::uint16_t> drive_joints;
    Floats drive_weights;  ///< [8 per joint of a group]

    // ---- constraints ----
    sim::SubVolumes volumes;
    std::vector<std::uint32_t> border_first, border;  ///< [apexes + 1] each apex is the driven mean of these vertices
    std::vector<JointHold> holds;                     ///< by slot

    // ---- joints ----
    PoseGate gate;
    std::vector<Affine> inverse_rest;
    std::vector<int> parents;
    std::vector<Vec3d> pivots;

    // ---- the surface ----
    DqsSurface surface;
    LbsSurface linear_surface;
    embedding::Trilinear bound;  ///< points are slots in the channels
    std::vector<std::uint32_t> carriers;
    Carriers carried;

    std::vector<std::string> warnings;

    std::size_t stride() const { return regions.stride; }
    std::size_t layers() const { return regions.layers; }
    std::size_t skin() const { return (regions.layers - 1) * regions.padded; }  ///< slot of its first vertex
};

/// Builds the body, or explains in one sentence why it cannot. The `layers` of the flesh must not be empty.
Result<std::shared_ptr<const ParticlesBody>> build_particles_body(const Character& character,
                                                                  const ParticlesSettings& settings,
                                                                  const BindInputs& inputs);
/// Everything in a body follows from its blueprint and the surface bound in it. bound: points by number, not by slot
std::shared_ptr<const ParticlesBody> assemble_particles_body(std::shared_ptr<const ParticlesBlueprint> blueprint,
                                                             embedding::Trilinear bound,
                                                             std::vector<std::string> warnings);
/// The bound surface with points by number, not by slot.
embedding::Trilinear bound_to_points(const ParticlesBody& body);

}  // namespace fascia
