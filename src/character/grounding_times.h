// How quickly the corrections of grounding.h begin and end, and lengths that its parts share.
#pragma once

#include <vector>

#include "character/source_contacts.h"
#include "character/time_series.h"

namespace fascia {

/// Seconds. Contact moves from heel to toe in an instant. Followed exactly it would jolt the whole body and all its
/// flesh; easing it over a tenth of a second costs less than a hundredth of the size in contact.
inline constexpr double ground_root_ease = 0.1;
inline constexpr double ground_limb_ease = 0.04, ground_release_ease = 0.08;
/// In heights of the body: how deep in the floor skin may stay in the end.
inline constexpr double ground_last_depth = 0.01;

inline bool is_hand(int limb) {
    return limb == left_hand || limb == right_hand;
}

/// The part of a vector that is parallel to the floor.
inline Vec3d level(Vec3d v, Vec3d up) {
    return v - up * dot(v, up);
}

}  // namespace fascia
