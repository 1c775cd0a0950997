// What bind makes of a character for the method `lattice`: cells with particles at their corners, weights, parts around
// joints, and the surface embedded in the cells.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "embed/in_cells.h"
#include "fascia/method.h"
#include "methods/lattice/lattice_blueprint.h"
#include "methods/shared/corner_surface.h"
#include "methods/shared/pose_gate.h"
#include "sim/blend_points.h"
#include "sim/lattice_swing.h"
#include "skin/skinned_surface.h"
#include "skin/swollen_parts.h"
#include "skin/volume_parts.h"

namespace fascia {

struct LatticeBody {
    std::shared_ptr<const LatticeBlueprint> blueprint;
    std::uint64_t fingerprint = 0;
    double size = 1, h = 1;
    Vec3d centre;

    // ---- particles, in channels; lengths in cells about the centre ----
    sim::SwingRegions regions;          ///< for shape matching; also the layout of particles in channels
    Floats rest;                        ///< [3 * stride]
    std::vector<std::uint16_t> joints;  ///< [4 * stride]
    Floats weights;                     ///< [4 * stride] largest first
    sim::BlendTable blend;              ///< the same by segment
    Floats pivots;                      ///< [3 * stride] joint between the two strongest bones, or empty
    VolumeParts volumes;
    SwollenParts swollen;  ///< empty if weights diffuse, as published
    std::uint64_t layout_hash = 0;

    // ---- joints ----
    PoseGate gate;
    std::vector<Affine> inverse_rest;
    std::vector<int> parents;
    std::vector<Vec3d> joint_pivots;  ///< [joints] at rest, in the particles' coordinates

    embedding::Trilinear bound;           ///< the surface; points are slots in the channels
    LbsSurface skin;                      ///< the surface by its own weights, if they are painted
    std::vector<std::uint32_t> carriers;  ///< slots that carry any vertex, ascending
    embedding::PointSides sides;          ///< of the carriers
    CellCarriers cells;                   ///< `bound` as the kernel reads it
    std::vector<std::uint32_t> segments;  ///< segments_of `sides`
    Floats normals, tangents;             ///< if nothing is skinned: at rest, as the kernel reads them; or empty
    std::vector<std::uint8_t> flesh;      ///< [particles] 0: bone

    std::vector<std::string> warnings;

    std::size_t stride() const { return regions.stride(); }
    std::size_t particle_count() const { return slots().size(); }
    const std::vector<std::uint32_t>& slots() const { return regions.slots(); }
    const RestSurface& surface() const { return blueprint->surface; }
    bool painted() const { return blueprint->painted; }
};

/// Segments of the points that carry a surface and of their neighbours: the surface reads no others.
std::vector<std::uint32_t> segments_of(const LatticeBody& body, const embedding::PointSides& sides);

/// Does any joint hold any vertex?
bool has_weights(const Character& character);

/// Builds the body, or says in a sentence why it cannot. Uses the weights of the file if it has any, unless the inputs
/// ask for diffusion; then everything is as published.
Result<std::shared_ptr<const LatticeBody>> build_lattice_body(const Character& character,
                                                              const LatticeSettings& settings,
                                                              const BindInputs& inputs = {});
/// Everything that follows from the blueprint and the surface bound in it, bit by bit the same each time. bound: points
/// are particles
std::shared_ptr<const LatticeBody> assemble_lattice_body(std::shared_ptr<const LatticeBlueprint> blueprint,
                                                         embedding::Trilinear bound,
                                                         const std::vector<std::string>& warnings);
/// The bound surface in terms of particles, not slots.
embedding::Trilinear bound_to_particles(const LatticeBody& body);

/// A bone of the skeleton: from its joint to a child, or to the joint's tail.
struct JointBone {
    Vec3d a, b;
    std::uint16_t joint = 0;
    int child = -1;  ///< -1: a tail
};

/// used: [joints] which ones have bones
std::vector<JointBone> find_bones(const Character& character, const std::vector<std::uint8_t>& used);

/// Parts around joints (docs/formulas.md D4), [particles]: each bone is split in half between its two joints, and a
/// particle belongs to the half of its strongest bone that it is in.
std::vector<std::int32_t> joint_parts(const weights::Influences& influences, const std::vector<Vec3d>& places,
                                      const std::vector<JointBone>& bones);

/// Parts too small or too flat to have a middle join the part above them: eyes and lips join the head, fingers the
/// hand, the short bones of a spine one another. h: edge of a cell
void join_small_parts(const std::vector<Joint>& joints, double h, std::vector<std::int32_t>& part);

/// Where particles are in the channels.
struct ParticlePlaces {
    std::size_t stride = 0;
    std::span<const std::uint32_t> slots;  ///< [particles]
    std::span<const float> rest;           ///< [3 * stride] in cells
};
/// What the volume pass needs to know about the parts, from the root to the leaves (docs/formulas.md D5).
VolumeParts volume_parts(const LatticeBlueprint& plan, const std::vector<int>& parents, const ParticlePlaces& places);
/// How parts give way where the volume pass is not enough.
SwollenParts swollen_parts(const LatticeBlueprint& plan, const VolumeParts& volumes, const ParticlePlaces& places);

}  // namespace fascia
