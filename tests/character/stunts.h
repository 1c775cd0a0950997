// Motions of the puppet that come down on more than its feet, with a floor at height 0, and one that leaves the floor.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "character/motion_frames.h"
#include "character/puppet.h"

namespace fascia::test {

constexpr double kFrame = 1.0 / 30;

inline Quat about_x(double angle) {
    return quat_from_axis_angle({1, 0, 0}, angle);
}
inline Quat about_z(double angle) {
    return quat_from_axis_angle({0, 0, 1}, angle);
}

/// 0 before `from`, 1 after `to`, smooth in between.
inline double ramp(double t, double from, double to) {
    const double x = std::clamp((t - from) / (to - from), 0.0, 1.0);
    return x * x * (3 - 2 * x);
}

/// `act` poses the puppet at a time in seconds.
inline Motion stunt(const std::string& name, double seconds,
                    const std::function<void(Motion&, std::size_t, double)>& act) {
    Motion motion = puppet_motion(static_cast<std::size_t>(seconds / kFrame) + 1);
    motion.name = name;
    motion.frame_time = kFrame;
    for (std::size_t f = 0; f < motion.frame_count(); ++f) act(motion, f, static_cast<double>(f) * kFrame);
    return motion;
}

/// Raises or lowers the puppet so that its lowest part touches the floor.
inline void put_on_floor(Motion& motion, std::size_t f) {
    MotionFrame frame;
    evaluate_motion(motion, f, frame);
    double low = 1e9;
    for (std::size_t j = 0; j < motion.joints.size(); ++j) {
        const std::string& name = motion.joints[j].name;
        double clearance = 1.2;
        if (name.find("Foot") != std::string::npos) clearance = 1;
        if (name.find("Toe") != std::string::npos) clearance = 0.2;
        if (name.find("Hand") != std::string::npos || name.find("Fore") != std::string::npos) clearance = 0.4;
        if (name == "LeftLeg" || name == "RightLeg") clearance = 0.5;
        low = std::min(low, frame.positions[j].y - clearance);
    }
    root_place(motion, f).y -= low;
}

inline void on_both_sides(Motion& motion, std::size_t f, const std::string& joint, Quat turn) {
    rotation(motion, f, "Left" + joint) = turn;
    rotation(motion, f, "Right" + joint) = turn;
}

/// Bends both legs on the spot with flat feet; `bend` is the angle of the thighs.
inline void crouch(Motion& motion, std::size_t f, double bend) {
    on_both_sides(motion, f, "UpLeg", about_x(-bend));
    on_both_sides(motion, f, "Leg", about_x(2 * bend));
    on_both_sides(motion, f, "Foot", about_x(-bend));
    root_place(motion, f).y = 10 - 9 * (1 - std::cos(bend));
}

constexpr double kJumpHeight = 5, kTakeOff = 1.2, kLanding = 1.8;

inline Motion jump() {
    return stunt("jump", 3, [](Motion& m, std::size_t f, double t) {
        const double before = ramp(t, 0.4, 0.9) - ramp(t, 0.95, kTakeOff);
        const double after = ramp(t, kLanding, 2.1) - ramp(t, 2.1, 2.7);
        crouch(m, f, 0.9 * (before + after));
        const double x = std::clamp((t - kTakeOff) / (kLanding - kTakeOff), 0.0, 1.0);
        root_place(m, f).y += kJumpHeight * 4 * x * (1 - x);
    });
}

/// From standing to sitting on the floor with straight legs, leaning back on both hands.
inline Motion sit_down() {
    return stunt("sit", 3, [](Motion& m, std::size_t f, double t) {
        const double down = ramp(t, 0.3, 1.8), stretch = ramp(t, 1.5, 2.2);
        const double lean = 0.4 * down, thigh = 0.5 * std::numbers::pi * down - lean;
        const double knee = 1.9 * down * (1 - stretch);
        on_both_sides(m, f, "UpLeg", about_x(-thigh - 0.3 * knee));
        on_both_sides(m, f, "Leg", about_x(knee));
        rotation(m, f, "Hips") = about_x(-lean);
        rotation(m, f, "LeftArm") = about_z(-1.5 * down);
        rotation(m, f, "RightArm") = about_z(1.5 * down);
        put_on_floor(m, f);
        MotionFrame frame;
        evaluate_motion(m, f, frame);
        if (stretch == 0)
            root_place(m, f).z -= frame.positions[puppet_joint("LeftFoot")].z;
        else
            root_place(m, f).z = root_place(m, f - 1).z;
    });
}

/// For a limb that stands for half a second and swings for half a second: 1 when it touches down, -1 when it lifts off.
inline double gait(double t) {
    const double x = t - std::floor(t);
    return x < 0.5 ? 1 - 4 * x : 2 * ramp(x, 0.5, 1) - 1;
}
/// How far such a limb is lifted: 0 while it stands, 1 in the middle of its swing.
inline double gait_lift(double t) {
    const double x = t - std::floor(t);
    return x < 0.5 ? 0 : std::pow(std::sin(2 * std::numbers::pi * x), 2);
}

/// On hands and knees: one hand and the opposite knee stand while the others swing.
inline Motion crawl() {
    return stunt("crawl", 4, [](Motion& m, std::size_t f, double t) {
        const double pitch = 1.25, knee_reach = 1.2, thigh = 4.5, arm = 6;
        rotation(m, f, "Hips") = about_x(pitch);
        rotation(m, f, "Neck") = about_x(-0.8);
        on_both_sides(m, f, "Foot", about_x(0.6));
        for (const char* side : {"Left", "Right"}) {
            const bool is_left = side[0] == 'L';
            const double at = is_left ? t : t + 0.5;
            const double swing = std::asin(knee_reach / thigh * gait(at));
            rotation(m, f, std::string(side) + "UpLeg") = about_x(-pitch - swing);
            rotation(m, f, std::string(side) + "Leg") = about_x(0.5 * std::numbers::pi + swing);
            const double reach = std::asin(knee_reach / arm * gait(at + 0.5)), bend = 0.5 * gait_lift(at + 0.5);
            const double out = is_left ? -0.5 * std::numbers::pi : 0.5 * std::numbers::pi;
            rotation(m, f, std::string(side) + "Arm") = about_x(-pitch) * about_x(bend - reach) * about_z(out);
            rotation(m, f, std::string(side) + "ForeArm") = conjugate(about_z(out)) * about_x(-2 * bend) * about_z(out);
        }
        root_place(m, f).z = 4 * knee_reach * t;
        put_on_floor(m, f);
    });
}

/// A cartwheel: sideways over both hands, one after the other, with stiff arms and legs.
inline Motion cartwheel() {
    return stunt("cartwheel", 3.4, [](Motion& m, std::size_t f, double t) {
        const double ready = ramp(t, 0, 0.6) - ramp(t, 2.8, 3.4);
        const double turn = 2 * std::numbers::pi * ramp(t, 0.7, 2.7);
        rotation(m, f, "Hips") = about_z(-turn);
        rotation(m, f, "LeftArm") = about_z(1.2 * ready);
        rotation(m, f, "RightArm") = about_z(-1.2 * ready);
        rotation(m, f, "LeftUpLeg") = about_z(0.5 * ready);
        rotation(m, f, "RightUpLeg") = about_z(-0.5 * ready);
        root_place(m, f).x = 10 * turn;
        put_on_floor(m, f);
    });
}

/// Six steps forward: the planted foot stands exactly still.
inline Motion walk() {
    return stunt("walk", 4, [](Motion& m, std::size_t f, double t) {
        // The standing leg turns about its ankle, the other one swings through, bent at the knee.
        const double cycle = 1.0, half = cycle / 2, reach = 0.35;
        const int step = static_cast<int>(t / half);
        const double x = t / half - step;
        const std::string standing = step % 2 == 0 ? "Left" : "Right", swinging = step % 2 == 0 ? "Right" : "Left";
        const double angle = reach * (2 * x - 1);
        const double swing = reach * (2 * ramp(x, 0, 1) - 1), lift = std::sin(std::numbers::pi * x);
        rotation(m, f, standing + "UpLeg") = about_x(angle);
        rotation(m, f, standing + "Foot") = about_x(-angle);
        rotation(m, f, swinging + "UpLeg") = about_x(-swing - 0.5 * lift);
        rotation(m, f, swinging + "Leg") = about_x(lift);
        rotation(m, f, swinging + "Foot") = about_x(swing - 0.5 * lift);
        const double stride = 2 * 9 * std::sin(reach);
        root_place(m, f).z = stride * step + 9 * std::sin(angle) + 9 * std::sin(reach);
        root_place(m, f).y = 1 + 9 * std::cos(angle);
        rotation(m, f, "Hips") = quat_from_axis_angle({0, 1, 0}, 0);
    });
}

}  // namespace fascia::test
