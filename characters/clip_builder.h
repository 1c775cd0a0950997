// Turns a move, a function of time that poses a puppet, into a clip of plain keys.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fascia/character.h"
#include "puppet.h"

namespace fascia::characters {

/// A number over time, given by keys: Hermite splines, so that a thrown body follows a true parabola.
struct Key {
    double time, value, slope = 0;
};
class Track {
public:
    Track(std::initializer_list<Key> keys) : keys_(keys) {}
    double at(double time) const;

private:
    std::vector<Key> keys_;
};

using Move = std::function<void(double seconds, Puppet& puppet)>;

/// Samples the move at 60 keys a second. The last key repeats the first; a rotation may have come full circle.
Clip record_loop(const std::string& name, const Skeleton& skeleton, double seconds, const Move& move);

/// The rest pose, held.
Clip hold_rest(double seconds);

/// The root moves up and down by `amplitude` at 1.5 Hz, stops dead at 2 s at full speed, and rests until 6 s.
Clip shake_clip(double amplitude);

/// Keys of one node's translation or rotation.
Channel translation_channel(int node, const std::vector<double>& times, const std::vector<Vec3d>& values);
Channel rotation_channel(int node, const std::vector<double>& times, const std::vector<Quat>& rotations);

}  // namespace fascia::characters
