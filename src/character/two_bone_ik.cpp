#include "character/two_bone_ik.h"

#include <algorithm>
#include <cmath>

#include "character/body_frame.h"

namespace fascia {

Vec3d hinge_of(const TwoBones& limb, Vec3d usual_hinge) {
    constexpr double kShareOfUsual = 0.2;  // the sine of the angle up to which a limb counts as straight
    const Vec3d bend = cross(normalized(limb.middle - limb.top), normalized(limb.end - limb.middle));
    return normalized(bend + usual_hinge * kShareOfUsual, usual_hinge);
}

BoneTurns reach_for(const TwoBones& limb, Vec3d goal, Vec3d hinge) {
    const Vec3d upper = limb.middle - limb.top, lower = limb.end - limb.middle;
    const double a = length(upper), b = length(lower), whole = a + b;
    const Vec3d now = normalized(limb.end - limb.top), wanted = normalized(goal - limb.top);
    if (!(std::min(a, b) > 1e-6 * whole) || length(now) == 0 || length(wanted) == 0) return {};
    // A little short of straight, so that the bend stays defined.
    const double distance =
        std::clamp(length(goal - limb.top), std::abs(a - b) + 1e-4 * whole, std::max(1e-4 * whole, whole * (1 - 1e-6)));
    const Quat swing = shortest_rotation(now, wanted);
    const Vec3d side = normalized(rotate(swing, cross(now, hinge)));
    if (length(side) == 0) return {};
    // The law of cosines gives the angle between the upper bone and the line to the goal.
    const double cosine = std::clamp((a * a + distance * distance - b * b) / (2 * a * distance), -1.0, 1.0);
    const double sine = std::sqrt(1 - cosine * cosine);
    const Vec3d new_upper = wanted * (a * cosine) + side * (a * sine);
    const Vec3d new_lower = wanted * distance - new_upper;
    return {normalized(shortest_rotation(rotate(swing, upper), new_upper) * swing),
            normalized(shortest_rotation(rotate(swing, lower), new_lower) * swing)};
}

}  // namespace fascia
