// From a clip and a time to joint matrices.
#pragma once

#include <span>
#include <vector>

#include "fascia/api.h"
#include "fascia/character.h"
#include "fascia/result.h"

FASCIA_API_BEGIN
namespace fascia {

/// World matrices at one time.
struct Pose {
    std::vector<Affine> nodes;   ///< [nodes]
    std::vector<Affine> joints;  ///< [joints] = nodes[joint.node]
};

/// Evaluates `clip` (null: the file's default pose) at `seconds`, clamped to the clip's keys. Allocates only when `out`
/// is too small.
void evaluate(const Character& character, const Clip* clip, double seconds, Pose& out);

/// Finds a clip by name, or else by its index counted from 0 ("2"); the error suggests the nearest name.
Result<const Clip*> find_clip(const Character& character, const std::string& name_or_index);

/// The pose in which the character was bound: joints at their rest matrices.
Pose rest_pose(const Character& character);

/// Writes Character::rigid in scene space: parts without a skin, carried along by their node. positions, normals:
/// [rigid vertices]
void place_rigid_parts(const Mesh& rigid, const Pose& pose, std::span<Vec3> positions, std::span<Vec3> normals);

/// A motion with a skeleton of its own (a BVH file).
struct MotionJoint {
    std::string name;
    int parent = -1;
    Vec3d offset;  ///< from the parent, at rest
    bool end_site = false;
};
struct Motion {
    std::string name;
    double frame_time = 1.0 / 30;
    std::vector<MotionJoint> joints;  ///< parents first
    std::vector<Vec3d> translations;  ///< [frames * joints] local translation (the offset where there is no channel)
    std::vector<Quat> rotations;      ///< [frames * joints] local rotation
    std::size_t frame_count() const { return joints.empty() ? 0 : rotations.size() / joints.size(); }
};

/// How to find the motion's rest pose.
enum class MotionRest { automatic, frame0, zero };

struct RetargetOptions {
    MotionRest rest = MotionRest::automatic;
    /// Pairs (motion joint, character joint) that override automatic matching.
    std::vector<std::pair<std::string, std::string>> map;
    /// Only turns the joints as the motion does: apart from the lower foot nothing is put on the floor, feet may slide,
    /// and flips in the capture are not smoothed.
    bool raw = false;
    /// Turns shoulders and elbows as far as it takes for the arms to stay out of a body that is stouter than the
    /// motion's performer. Not if `raw`.
    bool clear = true;
};

struct Retargeted {
    Clip clip;
    std::vector<std::string> warnings;  ///< unmatched joints, what was assumed and what was smoothed
};

/// Turns a motion into a clip of the character: joints matched by name, rest poses reconciled, root motion scaled by
/// leg length. Whatever touches the floor in the motion (feet, hands, knees, seat) touches it with its skin, planted
/// feet and hands slide no more than in the motion, and nothing sinks into the floor on which the character stands at
/// rest.
Result<Retargeted> retarget(const Character& character, const Motion& motion, const RetargetOptions& options = {});

}  // namespace fascia
FASCIA_API_END
