// The path of a joint from one frame to the next. A straight line would give it the frame's mean speed throughout: at
// 24 frames a second that weakens a 4 Hz shake by a tenth, and a body that stops dead would be thrown with the speed
// that it had 20 ms before. So a joint starts with the speed it arrived with, and ends with the speed that its changes
// lead to. A joint that does not move stays put: a dead stop is a dead stop.
#pragma once

#include "fascia/method.h"
#include "methods/shared/joint_places.h"

namespace fascia {

/// A cubic from zero to `move` with these slopes at its ends, t in [0, 1].
struct Way {
    Vec3d move, start, end;
    Vec3d at(double t) const {
        const double u = 1 - t;
        return move * (t * t * (3 - 2 * t)) + start * (t * u * u) - end * (t * t * u);
    }
};

class JointPath {
public:
    JointPath() = default;
    /// Straight, if nothing is known about the motion before. The rotations of both ends have matching signs.
    JointPath(const JointPlace& from, const JointPlace& to);
    /// After a frame of `last_seconds` that left this track.
    JointPath(const JointPlace& from, const JointPlace& to, const JointTrack& track, double last_seconds,
              double seconds);

    /// t in [0, 1]
    JointPlace at(double t) const;
    JointTrack track(double seconds) const;

private:
    JointPlace from_;
    Way place_, turn_;
    double growth_ = 0;
};

/// Where a joint was `seconds` ago, by the speed that it arrived with.
JointPlace place_before(const JointPlace& now, const JointSpeed& speed, double seconds);

}  // namespace fascia
