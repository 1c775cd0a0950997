// Which parts of a performer touch the floor, and when. A motion has no skin, so this has to be judged by the heights
// of its joints.
#pragma once

#include <array>
#include <vector>

#include "character/motion_start.h"
#include "character/time_series.h"

namespace fascia {

/// Parts that can carry a body. Limbs come in the order left, right.
enum Carrier { left_foot, right_foot, left_hand, right_hand, left_knee, right_knee, left_elbow, right_elbow, trunk };
constexpr int kCarriers = 9;
constexpr int kLimbs = 4;  ///< the first four carriers are the ends of limbs

/// A joint whose path shows whether the end of a limb stands still: the ankle, the toes or the wrist.
struct ContactPoint {
    int joint = -1;             ///< index in Motion::joints, -1 if there is none
    std::vector<bool> planted;  ///< [frames] near the floor and slow
};

struct CarrierTrack {
    bool known = false;
    TimeSeries lift;      ///< [frames] height above where the part touches the floor, never negative
    double standing = 0;  ///< height of its joint above the floor while it touches
};

struct SourceContacts {
    double leg = 0;  ///< length of the performer's legs; without legs no contacts are known
    std::array<CarrierTrack, kCarriers> carriers;
    std::array<ContactPoint, kLimbs> ends;  ///< ankles and wrists
    std::array<ContactPoint, kLimbs> tips;  ///< toes; none for hands

    bool is_empty() const;
};

/// `frames` are the frames that are played, `seconds` the time between two of them.
SourceContacts find_contacts(const Motion& motion, const MotionStart& start, const std::vector<MotionFrame>& frames,
                             double seconds, Vec3d up);

}  // namespace fascia
