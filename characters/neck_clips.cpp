// How the head of the bust moves: the spine shares every turn as a living one does.
#include <array>

#include "clip_builder.h"
#include "neck.h"
#include "trig.h"

namespace fascia::characters {
namespace {

/// Shares of a whole turn, from C7 up to the skull. Most of a rotation happens between the two uppermost vertebrae,
/// most of a nod between the first and the skull, and bending to the side further down.
using Shares = std::array<double, neck_joints.size() - 1>;
constexpr Shares bending{0.12, 0.14, 0.14, 0.14, 0.12, 0.08, 0.06, 0.20};
constexpr Shares turning{0.06, 0.08, 0.08, 0.08, 0.08, 0.06, 0.50, 0.06};
constexpr Shares leaning{0.14, 0.16, 0.16, 0.16, 0.14, 0.12, 0.04, 0.08};
constexpr Shares nodding{0.05, 0.06, 0.07, 0.07, 0.07, 0.08, 0.15, 0.45};

void turn_spine(Puppet& puppet, const Shares& shares, Vec3d axis, double degrees) {
    for (std::size_t i = 0; i < shares.size(); ++i)
        puppet.turn(neck_joints[i + 1].name, turned(axis, degrees * shares[i]));
}
void open_jaw(Puppet& puppet, double degrees) {
    puppet.turn("jaw", turned_x(degrees));
}

/// From 0 up to 1, held for a while, and back.
double there_and_back(double seconds, double period) {
    const double t = seconds / period;
    return smooth_step(0.02, 0.4, t) * (1 - smooth_step(0.58, 0.98, t));
}

/// The larynx rises and comes down again: a height in centimetres over time.
double swallowed(double seconds) {
    return 1.9 * smooth_step(0.35, 0.65, seconds) * (1 - smooth_step(0.95, 1.5, seconds));
}

Clip swallow_clip(const Skeleton& skeleton) {
    constexpr double length = 2;
    Clip clip = record_loop("swallow", skeleton, length, [](double t, Puppet& puppet) {
        const double tilt = smooth_step(0, 0.4, t) * (1 - smooth_step(1.1, 1.9, t));
        turn_spine(puppet, nodding, {1, 0, 0}, 5 * tilt);
        open_jaw(puppet, 2.5 * smooth_step(0, 0.25, t) * (1 - smooth_step(0.3, 0.5, t)));
    });
    const int larynx = skeleton.find("larynx");
    const Vec3d rest = skeleton.bone(larynx).head - skeleton.bone(skeleton.bone(larynx).parent).head;
    std::vector<double> times;
    std::vector<Vec3d> places;
    for (int i = 0; i <= static_cast<int>(length * 60); ++i) {
        times.push_back(i / 60.0);
        const Vec3d up = Vec3d{0, 1, 0.12} * (swallowed(times.back()) * neck_units_per_cm);
        places.push_back((rest + up) * neck_metres_per_unit);
    }
    clip.channels.push_back(translation_channel(Skeleton::node_of(larynx), times, places));
    return clip;
}

}  // namespace

std::vector<Clip> neck_clips(const Skeleton& skeleton) {
    const auto spine = [&](const char* name, double seconds, const Shares& shares, Vec3d axis, auto angle) {
        return record_loop(name, skeleton, seconds, [&shares, axis, angle](double t, Puppet& puppet) {
            turn_spine(puppet, shares, axis, angle(t));
        });
    };
    const Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    return {
        hold_rest(2),
        spine("flexion", 4, bending, x, [](double t) { return 42 * there_and_back(t, 4); }),
        spine("extension", 4, bending, x, [](double t) { return -52 * there_and_back(t, 4); }),
        spine("rotation", 4, turning, y, [](double t) { return 65 * wave(t / 4); }),
        spine("lateral", 4, leaning, z, [](double t) { return -38 * wave(t / 4); }),
        record_loop("jaw", skeleton, 3, [](double t, Puppet& puppet) { open_jaw(puppet, 24 * there_and_back(t, 3)); }),
        spine("nod", 2, nodding, x, [](double t) { return 17 * wave(2.5 * t); }),
        swallow_clip(skeleton)};
}

}  // namespace fascia::characters
