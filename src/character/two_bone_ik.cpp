#include "character/two_bone_ik.h"

#include <algorithm>
#include <cmath>

#include "character/body_frame.h"

namespace fascia {

Vec3d bend_of(const TwoBones& limb) {
    return cross(normalized(limb.middle - limb.top), normalized(limb.end - limb.middle));
}

Vec3d hinge_of(const TwoBones& limb, Vec3d usual_hinge) {
    constexpr double kShareOfUsual = 0.2;  // sine of the angle below which a limb counts as straight
    return normalized(bend_of(limb) + usual_hinge * kShareOfUsual, usual_hinge);
}

namespace {

/// The angle of the joint between two bones whose far ends are `distance` apart, 0 for straight: the law of cosines.
double bend_at(double a, double b, double distance) {
    return std::acos(std::clamp((distance * distance - a * a - b * b) / (2 * a * b), -1.0, 1.0));
}

bool has_bones(double a, double b) {
    return std::min(a, b) > 1e-6 * (a + b);
}

}  // namespace

double bend_to_reach(const TwoBones& limb, Vec3d goal) {
    const double a = length(limb.middle - limb.top), b = length(limb.end - limb.middle);
    if (!has_bones(a, b)) return 0;
    constexpr double kLonger = 1 + 1e-4;  // slightly longer bones are never quite straight
    const auto bend_for = [&](Vec3d end) { return bend_at(kLonger * a, kLonger * b, length(end - limb.top)); };
    return bend_for(goal) - bend_for(limb.end);
}

BoneTurns bent_towards(const TwoBones& limb, Vec3d goal, double bend, Vec3d hinge) {
    const Vec3d upper = limb.middle - limb.top, lower = limb.end - limb.middle;
    const double a = length(upper), b = length(lower);
    const Vec3d now = normalized(limb.end - limb.top), wanted = normalized(goal - limb.top);
    if (!has_bones(a, b) || length(now) == 0 || length(wanted) == 0) return {};
    const Quat swing = shortest_rotation(now, wanted);
    const Vec3d side = normalized(rotate(swing, cross(now, hinge)));
    const double angle = std::max(0.0, bend_at(a, b, length(limb.end - limb.top)) + bend);
    const double distance = std::sqrt(std::max(0.0, a * a + b * b + 2 * a * b * std::cos(angle)));
    if (length(side) == 0 || !(distance > 1e-6 * (a + b))) return {};
    const double cosine = std::clamp((a + b * std::cos(angle)) / distance, -1.0, 1.0);
    const double sine = std::sqrt(1 - cosine * cosine);
    const Vec3d new_upper = wanted * (a * cosine) + side * (a * sine);
    const Vec3d new_lower = wanted * distance - new_upper;
    return {normalized(shortest_rotation(rotate(swing, upper), new_upper) * swing),
            normalized(shortest_rotation(rotate(swing, lower), new_lower) * swing)};
}

}  // namespace fascia
