// What the bundled characters can do. One choreography, danced by each body in its own style.
#pragma once

#include <string>
#include <vector>

#include "clip_builder.h"
#include "fascia/character.h"
#include "skeleton.h"

namespace fascia::characters {

/// Lengths in scene units, angles in degrees.
struct Style {
    double arms_down = 20;     ///< from the rest pose to hanging arms
    bool arms_hang = false;    ///< `arms_down` brings them down to the sides
    double arm_swing = 30;     ///< in the walk
    double stride = 0.12;      ///< half a step
    double foot_lift = 0.08;   ///< of the swinging foot
    double walk_period = 1;    ///< seconds for two steps
    double bob = 0.025;        ///< of the hips in the walk
    double sway = 0.05;        ///< of the hips towards the standing foot
    double waddle = 6;         ///< roll of the hips in the walk
    double knees = 0.03;       ///< how much lower than at rest the hips are carried
    double crouch = 0.13;      ///< before and after a jump
    double jump_height = 0.5;  ///
    double lean = 18;          ///< of the spine in the crouch
    double arms_up = 55;       ///< in the air
    double groove = 12;        ///< roll of the hips in the dance
};

/// One loop of a dance.
struct Choreography {
    std::string name;
    double seconds = 0;
    Move move;
};

/// walk, jump, dance, spin.
std::vector<Choreography> choreographies(const Style& style);

/// rest, walk, jump, dance, spin, shake.
std::vector<Clip> make_clips(const Skeleton& skeleton, const Style& style, const Mesh& rest_surface);

}  // namespace fascia::characters
