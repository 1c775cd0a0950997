#include "moves.h"

#include <algorithm>
#include <cmath>

#include "clip_builder.h"
#include "trig.h"

namespace fascia::characters {
namespace {

/// Puts a foot `offset` from where it stands at rest, rolled over its toes by `roll` degrees (heel up) or lifted by the
/// toes where negative, and turned out by `yaw`.
void place_foot(Puppet& puppet, const std::string& side, Vec3d offset, double roll, double yaw = 0) {
    const std::string foot = side + "_foot";
    const Bone& bone = puppet.skeleton().bone(foot);
    const Quat turn = turned_y(yaw) * turned_x(roll);
    // Heel up: the toes stay down. Toes up: the heel stays down.
    const Vec3d pivot =
        roll > 0 ? Vec3d{bone.tail.x, 0, mix(bone.head.z, bone.tail.z, 0.92)} : Vec3d{bone.head.x, 0, bone.head.z};
    const Vec3d ankle = pivot + rotate(turn, bone.head - pivot) + offset;
    const Vec3d forward = rotate(turned_y(yaw), Vec3d{side == "left" ? 0.25 : -0.25, 0, 1});
    puppet.reach(side + "_upper_leg", side + "_lower_leg", foot, ankle, forward);
    puppet.stand(foot, turn);
}

/// Arms: `down` lowers, `forward` swings to the front, `elbow` bends the forearm up or to the front.
struct Arm {
    double down = 0, forward = 0, elbow_forward = 0, elbow_up = 0, hand_up = 0, twist = 0;
};
void place_arm(Puppet& puppet, const Style& style, bool left, Arm arm) {
    const auto put = [&](const char* joint, Quat q) {
        puppet.turn(left ? joint : other_side(joint), left ? q : mirrored(q));
    };
    // A turn about the vertical would only roll an arm that hangs: there it swings about an axis across itself.
    const Vec3d across{-wave(arm.down / 360), -cowave(arm.down / 360), 0};
    const Quat swing = style.arms_hang ? turned(across, arm.forward) : turned_y(-arm.forward);
    put("left_upper_arm", swing * turned_z(-arm.down) * turned_x(arm.twist));
    put("left_lower_arm", turned_y(-arm.elbow_forward) * turned_z(arm.elbow_up));
    put("left_hand", turned_z(arm.hand_up));
}

/// What hangs loosely (ears, hat, beard, tail, but not horns) trails behind by these angles.
void trail(Puppet& puppet, double pitch, double roll) {
    puppet.turn("left_ear", turned_x(pitch) * turned_z(roll));
    puppet.turn("right_ear", turned_x(pitch) * turned_z(roll));
    puppet.turn("hat", turned_x(pitch * 0.5) * turned_z(roll * 0.6));
    puppet.turn("beard", turned_x(pitch * 0.5) * turned_z(roll * 0.8));
    puppet.turn("tail", turned_y(roll * 1.5) * turned_x(pitch * 0.6));
}

void walk(double seconds, const Style& style, Puppet& puppet) {
    const double phase = seconds / style.walk_period;
    const double standing = 0.56;  // of the cycle each foot is down
    puppet.hips_offset = {style.sway * wave(phase - 0.02), -style.knees - style.bob * cowave(2 * (phase - 0.06)), 0};
    puppet.turn("hips", turned_y(5 * cowave(phase)) * turned_z(-style.waddle * wave(phase - 0.02)) * turned_x(3));
    puppet.turn("spine", turned_z(style.waddle * 0.7 * wave(phase - 0.06)) * turned_y(-5 * cowave(phase - 0.03)));
    puppet.turn("chest", turned_z(style.waddle * 0.4 * wave(phase - 0.1)) * turned_y(-7 * cowave(phase - 0.05)));
    puppet.turn("neck", turned_y(4 * cowave(phase - 0.07)));
    puppet.turn("head", turned_y(3 * cowave(phase - 0.1)) * turned_z(-3 * wave(phase - 0.16)) *
                            turned_x(-2 + 2.5 * cowave(2 * (phase - 0.15))));
    for (const bool left : {true, false}) {
        const double own = phase + (left ? 0.0 : 0.5), u = own - std::floor(own);
        double z, lift = 0, roll = 0;
        if (u < standing) {
            const double s = u / standing;
            z = style.stride * (1 - 2 * s);
            roll = -14 * (1 - smooth_step(0, 0.22, s)) + 28 * smooth_step(0.62, 1, s);
        } else {
            const double s = (u - standing) / (1 - standing);
            // Leaves the ground at the treadmill's speed and lands at it again, so that the foot does not skid.
            const double v = -2 * style.stride / standing * (1 - standing);
            const Track path{{0, -style.stride, v}, {1, style.stride, v}};
            z = path.at(s);
            lift = style.foot_lift * wave(s / 2) * wave(s / 2);
            roll = 28 * (1 - smooth_step(0, 0.55, s)) - 14 * smooth_step(0.45, 1, s);
        }
        place_foot(puppet, left ? "left" : "right", {0, lift, z}, roll);
        const double swing = cowave(own);  // the leg is in front at phase 0, the arm then at the back
        place_arm(puppet, style, left,
                  {style.arms_down + 3 * wave(2 * phase), -style.arm_swing * swing,
                   12 - 0.35 * style.arm_swing * cowave(own - 0.08), 6, 6 * cowave(own - 0.15), 0});
    }
    trail(puppet, 7 * cowave(2 * (phase - 0.2)) - 4, 5 * wave(phase - 0.22));
}

void jump(double t, const Style& style, Puppet& puppet) {
    const double c = style.crouch, h = style.jump_height, air = 0.72, off = 0.9, land = off + air;
    const double v = 4 * h / air, toe = c * 0.3;
    const Track hips{{0, 0},        {0.2, 0},      {0.74, -c}, {off, toe, v}, {land, toe, -v}, {land + 0.13, -c * 1.05},
                     {2.15, 0.006}, {2.5, -0.004}, {2.8, 0}};
    // Feet: on the ground until the toes leave it; drawn up in the air; stretched to meet the ground.
    const Track feet{{0, 0}, {off, 0, v * 0.9}, {off + air / 2, h * 1.12}, {land, 0, -v}, {2.8, 0}};
    const Track roll{{0, 0},           {0.76, 0},  {off, 42, 60},    {off + 0.16, 52},
                     {land - 0.14, 6}, {land, -4}, {land + 0.07, 0}, {2.8, 0}};
    const Track lean{{0, 0},
                     {0.2, 0},
                     {0.72, 1},
                     {off + 0.04, -0.35},
                     {off + air * 0.5, 0.1},
                     {land, 0.1},
                     {land + 0.17, 0.85},
                     {2.2, -0.08},
                     {2.8, 0}};
    const Track arms{{0, 0},       {0.15, 0}, {0.7, -1}, {off + 0.1, 1}, {land - 0.15, 0.75}, {land + 0.22, -0.55},
                     {2.25, 0.12}, {2.8, 0}};
    const Track ears{{0, 0},     {0.3, 0},           {0.76, 6}, {off + 0.04, -26}, {off + air * 0.6, 6},
                     {land, 16}, {land + 0.16, -20}, {2.05, 8}, {2.35, -3},        {2.8, 0}};
    const double down = hips.at(t), crouched = std::max(0.0, -down / c);
    puppet.hips_offset = {0, down, -0.25 * c * crouched};
    const double bow = style.lean * lean.at(t);
    puppet.turn("hips", turned_x(0.45 * bow));
    puppet.turn("spine", turned_x(0.5 * bow));
    puppet.turn("chest", turned_x(0.45 * bow));
    puppet.turn("neck", turned_x(-0.5 * bow));
    puppet.turn("head", turned_x(-0.75 * bow));
    puppet.turn("belly", turned_x(-0.15 * bow));
    for (const char* side : {"left", "right"}) {
        const double tuck = std::max(0.0, feet.at(t) - std::max(0.0, down - toe));
        place_foot(puppet, side, {(side[0] == 'l' ? 1 : -1) * 0.15 * tuck, std::max(0.0, feet.at(t)), -0.2 * tuck},
                   roll.at(t));
    }
    const double a = arms.at(t), up = std::max(0.0, a), back = std::max(0.0, -a);
    const double hanging = style.arms_hang ? 1 : std::min(1.0, crouched + std::abs(a));
    for (const bool left : {true, false}) {
        place_arm(puppet, style, left,
                  {style.arms_down * (1 - up) * hanging - style.arms_up * up, -38 * back + 14 * up, 10 * back, 18 * up,
                   12 * up - 10 * back, 0});
    }
    trail(puppet, ears.at(t), 0);
}

void dance(double t, const Style& style, Puppet& puppet) {
    const double beat = t * 2;           // 120 beats a minute, 8 of them
    const double sway = wave(beat / 2);  // left on one beat, right on the next
    const double bounce = cowave(beat);  // down on the beat
    // First half: arms fly up in turn. Second half: a belly shake with the arms held out. Soft changes between them.
    const double shimmy = smooth_step(3.6, 4.3, beat) * (1 - smooth_step(7.4, 8, beat));
    const double show = 1 - shimmy;
    const double quick = wave(beat * 1.5 + 0.1);
    const double g = style.groove;

    puppet.hips_offset = {style.sway * 1.3 * sway * (0.4 + 0.6 * show),
                          -style.knees * 1.2 - style.crouch * 0.22 * (1 + bounce), 0};
    puppet.turn("hips", turned_z(-g * sway * (0.35 + 0.65 * show)) *
                            turned_y(g * (0.5 * show * wave(beat / 4) + 1.1 * shimmy * quick)) *
                            turned_x(2 + 2 * bounce));
    puppet.turn("spine", turned_z(g * 0.8 * sway * (0.35 + 0.65 * show)) * turned_y(-g * 0.8 * shimmy * quick));
    puppet.turn("chest", turned_z(g * 0.6 * wave(beat / 2 - 0.06) * (0.4 + 0.6 * show)) *
                             turned_y(-g * 0.5 * shimmy * quick) * turned_x(-3 - 3 * shimmy));
    puppet.turn("belly", turned_y(g * 0.7 * shimmy * wave(beat * 1.5)) * turned_x(-4 * bounce));
    puppet.turn("neck", turned_z(-g * 0.45 * wave(beat / 2 - 0.1)));
    puppet.turn("head", turned_z(-g * 0.7 * wave(beat / 2 - 0.12)) * turned_x(-3 + 5 * cowave(beat - 0.12)) *
                            turned_y(10 * show * wave(beat / 4 - 0.05)));

    for (const bool left : {true, false}) {
        const double side = left ? 1 : -1;
        // Weight on one foot, the other taps with the heel up.
        const double free = std::max(0.0, -side * sway) * show;
        place_foot(puppet, left ? "left" : "right", {0, 0, 0}, 34 * free * free * (3 - 2 * free));
        const double raise = smooth_step(-0.35, 0.95, side * wave(beat / 4 - 0.02)) * show;
        const double wag = wave(beat - 0.05);
        Arm arm;
        arm.down = style.arms_down * (0.55 - 0.3 * shimmy) * (1 - raise) - style.arms_up * raise +
                   8 * shimmy * wave(beat / 1 + 0.1 * side);
        arm.forward = 16 * show * (1 - raise) * side * sway + 22 * shimmy * (1 + 0.5 * side * quick);
        arm.elbow_up = 26 * raise + 14 * raise * wag + 34 * shimmy + 8 * shimmy * bounce;
        arm.elbow_forward = 26 * (1 - raise) * show + 16 * shimmy;
        arm.hand_up = 14 * raise * wave(beat - 0.15) + 8 * shimmy * cowave(beat - 0.2);
        place_arm(puppet, style, left, arm);
    }
    trail(puppet, 6 * cowave(beat - 0.22), 9 * wave(beat / 2 - 0.17) * (0.4 + 0.6 * show) + 4 * shimmy * quick);
}

void spin(double t, const Style& style, Puppet& puppet) {
    // Wind up, two turns, a little too far, and back.
    const Track yaw{{0, 0},         {0.2, 0},        {0.62, -38}, {1.0, 120, 560}, {1.75, 560, 420},
                    {2.3, 732, 60}, {2.5, 729, -30}, {2.85, 719}, {3.2, 720}};
    const Track rise{{0, 0}, {0.2, 0}, {0.62, -0.55}, {0.95, 0.25}, {1.9, 0.25}, {2.35, -0.5}, {2.75, 0.02}, {3.2, 0}};
    const Track open{{0, 0}, {0.2, 0}, {0.6, -0.5}, {1.0, 1}, {1.9, 1}, {2.45, 0.1}, {2.8, 0}, {3.2, 0}};
    const Track tiptoe{{0, 0}, {0.66, 0}, {0.95, 1}, {1.9, 1}, {2.2, 0}, {3.2, 0}};
    const double lift = rise.at(t), up = tiptoe.at(t), out = open.at(t);
    puppet.root_turn = turned_y(yaw.at(t));
    puppet.hips_offset = {0, style.crouch * lift - style.knees * up * 0.3, 0};
    const double crouched = std::max(0.0, -lift);
    const double windup = yaw.at(t) < 0 ? yaw.at(t) : 0;
    puppet.turn("hips", turned_x(8 * crouched));
    puppet.turn("spine", turned_x(8 * crouched) * turned_y(0.25 * windup));
    puppet.turn("chest", turned_x(4 * crouched) * turned_y(0.3 * windup));
    puppet.turn("head", turned_x(-14 * crouched - 5 * up) * turned_y(-0.35 * windup));
    place_foot(puppet, "left", {-0.02 * up, 0, 0}, 38 * up, 0);
    place_foot(puppet, "right", {0.02 * up, style.foot_lift * 0.9 * up, -0.06 * up}, 40 * up, 0);
    const double come = style.arms_hang ? 1 : smooth_step(0.0, 0.5, t);
    const double gone = style.arms_hang ? 1 : 1 - smooth_step(2.8, 3.2, t);
    for (const bool left : {true, false}) {
        place_arm(
            puppet, style, left,
            {style.arms_down * (1 - std::abs(out)) * come * gone - 14 * std::max(0.0, out) + 10 * std::max(0.0, -out),
             (left ? 24 : -24) * std::min(0.0, out) * -1.0, 8, 10 * std::max(0.0, out), 8 * std::max(0.0, out), 0});
    }
    trail(puppet, 0, 10 * up);
}

double longest_side(const Mesh& mesh) {
    Vec3 low = mesh.positions[0], high = low;
    for (const Vec3& p : mesh.positions) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const Vec3d extent = to_double(high) - to_double(low);
    return std::max({extent.x, extent.y, extent.z});
}

}  // namespace

std::vector<Choreography> choreographies(const Style& style) {
    const auto styled = [&](void (*move)(double, const Style&, Puppet&)) {
        return [style, move](double t, Puppet& puppet) { move(t, style, puppet); };
    };
    return {{"walk", 2 * style.walk_period, styled(walk)},
            {"jump", 2.8, styled(jump)},
            {"dance", 4, styled(dance)},
            {"spin", 3.2, styled(spin)}};
}

std::vector<Clip> make_clips(const Skeleton& skeleton, const Style& style, const Mesh& rest_surface) {
    std::vector<Clip> clips{hold_rest(2)};
    for (const Choreography& c : choreographies(style))
        clips.push_back(record_loop(c.name, skeleton, c.seconds, c.move));
    clips.push_back(shake_clip(0.2 * longest_side(rest_surface)));
    return clips;
}

}  // namespace fascia::characters
