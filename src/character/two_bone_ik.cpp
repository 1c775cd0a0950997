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

namespace {

/// The angle of the joint between two bones whose far ends are `distance` apart, 0 for straight: the law of cosines.
double bend_at(double a, double b, double distance) {
    return std::acos(std::clamp((distance * distance - a * a - b * b) / (2 * a * b), -1.0, 1.0));
}

}  // namespace

BoneTurns reach_for(const TwoBones& limb, Vec3d goal, Vec3d hinge) {
    const Vec3d upper = limb.middle - limb.top, lower = limb.end - limb.middle;
    const double a = length(upper), b = length(lower);
    const Vec3d now = normalized(limb.end - limb.top), wanted = normalized(goal - limb.top);
    if (!(std::min(a, b) > 1e-6 * (a + b)) || length(now) == 0 || length(wanted) == 0) return {};
    const Quat swing = shortest_rotation(now, wanted);
    const Vec3d side = normalized(rotate(swing, cross(now, hinge)));
    if (length(side) == 0) return {};
    // Near straight the bend changes without bound with the distance. Bones that are taken to be a trifle longer bound
    // it; they miss the goal by less than a five-hundredth of the limb.
    constexpr double kLonger = 1 + 1e-4;
    const auto bend_for = [&](double distance) { return bend_at(kLonger * a, kLonger * b, distance); };
    const double bend_now = bend_at(a, b, length(limb.end - limb.top));
    const double bend =
        std::max(0.0, bend_now + bend_for(length(goal - limb.top)) - bend_for(length(limb.end - limb.top)));
    const double distance = std::sqrt(std::max(0.0, a * a + b * b + 2 * a * b * std::cos(bend)));
    if (!(distance > 1e-6 * (a + b))) return {};
    const double cosine = std::clamp((a + b * std::cos(bend)) / distance, -1.0, 1.0);
    const double sine = std::sqrt(1 - cosine * cosine);
    const Vec3d new_upper = wanted * (a * cosine) + side * (a * sine);
    const Vec3d new_lower = wanted * distance - new_upper;
    return {normalized(shortest_rotation(rotate(swing, upper), new_upper) * swing),
            normalized(shortest_rotation(rotate(swing, lower), new_lower) * swing)};
}

}  // namespace fascia
