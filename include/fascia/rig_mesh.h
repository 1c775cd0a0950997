// From a static mesh and a skeleton to a character that can be bound.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fascia/api.h"
#include "fascia/character.h"
#include "fascia/result.h"
#include "fascia/weights.h"

FASCIA_API_BEGIN
namespace fascia {

struct SkeletonJoint {
    std::string name;
    int parent = -1;  ///< parents come first
    Vec3d position;
    std::optional<Vec3d> tail;  ///< where the bone ends, for a leaf
};
using Skeleton = std::vector<SkeletonJoint>;

/// Reads joints from a .tgf, .bvh, .glb, .gltf or .vrm file.
Result<Skeleton> load_skeleton(const std::string& path);
/// TGF: lines `index x y z [name]`, then `#`, then lines `from to`, optionally `#`. Points at the same position are one
/// joint; a point that ends a chain is the tail of the bone before it.
Result<Skeleton> parse_tgf(const std::string& text, const std::string& name);

struct RigOptions {
    WeightOptions weights;
    enum class Fit {
        automatic,  ///< unchanged if it lies inside the mesh, otherwise `box`
        none,       ///< unchanged
        box,        ///< scaled and moved so that its box fills the mesh's
    } fit = Fit::automatic;
    double scale = 1;     ///< applied to the skeleton, about the origin, after the fit
    Vec3d offset;         ///< added last
    bool center = false;  ///< joints are pulled to the middle of the body around them
};

struct RiggedMesh {
    Character character;
    double fallback_share = 0;
    std::vector<std::string> notes;
};
Result<RiggedMesh> rig_mesh(const Mesh& mesh, const std::string& name, const Skeleton& skeleton,
                            const RigOptions& options);

}  // namespace fascia
FASCIA_API_END
