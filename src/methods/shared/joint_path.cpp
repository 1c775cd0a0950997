#include "methods/shared/joint_path.h"

#include <cmath>

#include "base/portable_math.h"

namespace fascia {

namespace {

/// Share of the change of speed that is assumed to continue. All of it would be exact for a constant acceleration, but
/// would amplify noise; half of it preserves the strength of a shaking motion.
constexpr double trust = 0.5;
/// No slope is steeper than this times the displacement: joints that hardly move do not overshoot, and those at rest
/// stay.
constexpr double steepest = 3;

/// Axis times angle of a rotation; w >= 0.
Vec3d turn_of(Quat q) {
    const Vec3d v{q.x, q.y, q.z};
    const double sine = length(v);
    return sine < 1e-9 ? v * 2 : v * (2 * portable::arc_tangent(sine, q.w) / sine);
}

Quat rotation_by(Vec3d turn) {
    const double angle = length(turn);
    const Vec3d v = turn * (angle < 1e-9 ? 0.5 : portable::sine(0.5 * angle) / angle);
    return {portable::cosine(0.5 * angle), v.x, v.y, v.z};
}

Vec3d limited(Vec3d slope, Vec3d move) {
    const double most = steepest * length(move), size = length(slope);
    return size > most ? slope * (most / size) : slope;
}

Way straight(Vec3d move) {
    return {move, move, move};
}

Way carried_on(Vec3d move, Vec3d mean_speed, Vec3d end_speed, double last_seconds, double seconds) {
    const Vec3d change = (move - mean_speed * seconds) * (seconds / (last_seconds + seconds));
    return {move, limited(end_speed * seconds, move), limited(move + change * trust, move)};
}

}  // namespace

JointPath::JointPath(const JointPlace& from, const JointPlace& to)
    : from_(from),
      place_(straight(to.place - from.place)),
      turn_(straight(turn_of(to.rotation * conjugate(from.rotation)))),
      growth_(to.scale - from.scale) {}

JointPath::JointPath(const JointPlace& from, const JointPlace& to, const JointTrack& track, double last_seconds,
                     double seconds)
    : JointPath(from, to) {
    place_ = carried_on(place_.move, track.mean.place, track.end.place, last_seconds, seconds);
    turn_ = carried_on(turn_.move, track.mean.turn, track.end.turn, last_seconds, seconds);
}

JointPlace JointPath::at(double t) const {
    return {normalized(rotation_by(turn_.at(t)) * from_.rotation), from_.place + place_.at(t),
            from_.scale + growth_ * t};
}

JointTrack JointPath::track(double seconds) const {
    const double rate = 1 / seconds;
    return {{place_.move * rate, turn_.move * rate}, {place_.end * rate, turn_.end * rate}};
}

JointPlace place_before(const JointPlace& now, const JointSpeed& speed, double seconds) {
    return {normalized(rotation_by(speed.turn * -seconds) * now.rotation), now.place - speed.place * seconds,
            now.scale};
}

}  // namespace fascia
