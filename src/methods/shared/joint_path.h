// The way of a joint from one frame to the next. Straight lines would show the mean speed of a frame all through it: at
// 24 frames a second they weaken a shaking of 4 Hz by a tenth, and a body that stops dead would be thrown with the
// speed that it had 20 ms before. So a joint goes on with the speed that it came with, and arrives with the one to
// which its speed has been changing. What does not move stays: a dead stop is one.
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
    /// Straight, for who comes from nowhere. Rotations of both ends are on one side.
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

}  // namespace fascia
