// Where a joint bends the skin: along which direction, between which planes, and which vertices belong to it
// (docs/formulas.md B4, B5).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fascia/character.h"
#include "fascia/settings.h"

namespace fascia {

/// The zone of one joint, in the rest pose. t' = (v - at) . along is a length; t runs from 0 at t_min to 1 at t_max.
struct BlendZone {
    Vec3d at, along;    ///< the joint, and the unit direction of its bone
    double radius = 0;  ///< of the limb around the joint
    double t_min = 0, t_max = 0;
    double blend = 1;     ///< 1: bones blending, 0: left to the other skinning method
    bool chosen = false;  ///< has a parent, and blend is above 0
    bool asked = false;   ///< its blend is given by the settings

    double t(Vec3d v) const;
    /// Distance of v from the bone's line.
    double off_axis(Vec3d v) const;
};

/// Joints that some clip swings or twists, relative to their parent and the rest pose, by more than `limit` radians.
std::vector<bool> wide_joints(const Character& character, std::span<const Clip> clips, double limit);

/// Zones of all joints. Roots are never chosen; any other joint is chosen if `asked` says so, or if it says nothing and
/// `wide` is set. Neighbouring zones that overlap are named in `warnings`.
std::vector<BlendZone> find_blend_zones(const Character& character, std::span<const JointZone> asked,
                                        const std::vector<bool>& wide, std::vector<std::string>& warnings);

/// One vertex: the joint that it turns with, by what share of the joint's rotation, and how much of the result counts
/// (the rest is plain skinning, so that zones end without a seam).
struct Attachment {
    int joint = -1;  ///< -1: none
    double t = 0, fade = 0;
    double alone = 1;  ///< 1: the zone alone moves the vertex; 0: only by the share of joint and parent
};
std::vector<Attachment> attach_vertices(const Character& character, std::span<const BlendZone> zones);

}  // namespace fascia
