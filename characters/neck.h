// The bust and what its parts share: a scale, and where its joints are.
#pragma once

#include <array>
#include <vector>

#include "design.h"

namespace fascia::characters {

/// Sculptures are about two units high whatever they show; the bust is handed out in metres.
constexpr double neck_units_per_cm = 0.04, neck_metres_per_unit = 0.25;
constexpr double neck_ground_cm = 4;  ///< height of the drawing at which the bust is cut

/// Joints of the spine from below, in centimetres: each is the pivot between its bone and the one below it.
struct NeckJoint {
    const char* name;
    Vec3d centre;
};
inline const std::array<NeckJoint, 9> neck_joints{{{"base", {0, 12.0, -6.2}},
                                                   {"C7", {0, 19.6, -4.6}},
                                                   {"C6", {0, 21.6, -4.1}},
                                                   {"C5", {0, 23.5, -3.5}},
                                                   {"C4", {0, 25.4, -3.0}},
                                                   {"C3", {0, 27.3, -2.7}},
                                                   {"C2", {0, 29.3, -2.5}},
                                                   {"C1", {0, 32.4, -2.1}},
                                                   {"skull", {0, 34.6, -1.6}}}};

Design neck_design();

/// In metres, with its clips.
Character build_neck();

/// How the head moves; all of them loop.
std::vector<Clip> neck_clips(const Skeleton& skeleton);

}  // namespace fascia::characters
