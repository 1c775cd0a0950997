// Drawn with the arms away from the body, then bound again with the arms down: the flesh touches, as it does on bodies
// that were scanned or posed.
#include "bodies.h"
#include "clip_builder.h"
#include "drawing.h"
#include "support/small_character.h"
#include "trig.h"

namespace fascia::test {

using namespace characters;

namespace {

const Color tone = srgb(0xD9A27E), hair = srgb(0x4A2E22), lips = srgb(0xB5584E), suit = srgb(0x3D5A80);
const Vec3d shoulder{0.20, 1.36, -0.01}, elbow{0.42, 1.22, -0.01}, wrist{0.62, 1.09, 0.0};
const Vec3d hip{0.12, 0.86, 0}, knee{0.135, 0.47, 0.01}, ankle{0.14, 0.09, -0.01};

void sculpt(Sculpture& s) {
    s.add("torso", egg({0, 0.95, -0.01}, {0.275, 0.22, 0.21}), suit);
    s.add("torso", egg({0, 1.22, 0}, {0.235, 0.24, 0.165}), tone, {.blend = 0.10});
    s.add("torso", egg({0, 1.03, 0.12}, {0.235, 0.18, 0.19}), tone, {.blend = 0.08});  // belly
    s.add_pair("torso", egg({0.115, 1.235, 0.15}, {0.105, 0.11, 0.115}), suit, {.blend = 0.03, .edge = 0.02});
    s.add_pair("torso", egg({0.11, 0.90, -0.14}, {0.135, 0.135, 0.12}), suit, {.blend = 0.03});
    s.add("torso", limb({0, 1.40, -0.02}, 0.075, {0, 1.50, 0}, 0.065), tone, {.blend = 0.06});
    s.add("head", egg({0, 1.60, 0.015}, {0.095, 0.13, 0.115}), tone, {.blend = 0.03, .edge = 0.018});
    s.add("head", egg({0, 1.525, 0.075}, {0.062, 0.045, 0.05}), tone, {.blend = 0.04, .edge = 0.018});  // two chins
    s.add("head", ball({0, 1.60, 0.135}, 0.02), tone, {.blend = 0.02, .edge = 0.012});
    s.add("head", egg({0, 1.635, -0.03}, {0.108, 0.125, 0.115}), hair, {.blend = 0.01, .edge = 0.018});
    s.add_pair("left_arm", limb(shoulder, 0.085, elbow, 0.07), tone, {.blend = 0.07});
    s.add_pair("left_arm", limb(elbow, 0.07, wrist, 0.045), tone, {.blend = 0.03});
    s.add_pair("left_arm", egg(wrist + Vec3d{0.06, -0.04, 0}, {0.075, 0.03, 0.045}).turn(wrist, turned_z(-30)), tone,
               {.blend = 0.03, .edge = 0.02});
    s.add_pair("left_leg", limb(hip, 0.125, knee, 0.085), tone, {.blend = 0.05});
    s.add_pair("left_leg", limb(knee, 0.08, ankle, 0.055), tone, {.blend = 0.03});
    s.add_pair("left_leg", egg({0.135, 0.345, -0.02}, {0.075, 0.13, 0.08}), tone, {.blend = 0.05});
    s.add_pair("left_leg", egg({0.145, 0.045, 0.05}, {0.055, 0.05, 0.125}).cut({0, 0, 0}, {0, -1, 0}, 0.02), tone,
               {.blend = 0.03, .edge = 0.02});
    s.paint(egg({0, 1.545, 0.13}, {0.03, 0.008, 0.03}), lips);
    for (const double x : {-0.038, 0.038}) s.paint(ball({x, 1.625, 0.12}, 0.013), srgb(0x201510), {.edge = 0.008});
}

void rig(Skeleton& k) {
    k.add("hips", "", {0, 0.92, 0}, {0, 1.04, 0});
    k.add("spine", "hips", {0, 1.04, 0}, {0, 1.18, -0.01});
    k.add("chest", "spine", {0, 1.18, -0.01}, {0, 1.42, -0.02});
    k.add("neck", "chest", {0, 1.42, -0.02}, {0, 1.51, 0});
    k.add("head", "neck", {0, 1.51, 0}, {0, 1.72, 0});
    k.add_pair("left_upper_arm", "chest", shoulder, elbow);
    k.add_pair("left_lower_arm", "left_upper_arm", elbow, wrist);
    k.add_pair("left_hand", "left_lower_arm", wrist, wrist + Vec3d{0.11, -0.07, 0});
    k.add_pair("left_upper_leg", "hips", hip, knee);
    k.add_pair("left_lower_leg", "left_upper_leg", knee, ankle);
    k.add_pair("left_foot", "left_lower_leg", ankle, {0.145, 0.03, 0.15});
}

void skin(Skinning& w) {
    w.add("torso", {{"hips"}, {"spine", 0.08, {0, 1, 0}}, {"chest", 0.08, {0, 1, 0}}, {"neck", 0.05, {0, 1, 0}}}, 0.08);
    w.add("head", {{"neck"}, {"head", 0.04, {0, 1, 0}}}, 0.04);
    w.add_pair("left_arm", {{"left_upper_arm"}, {"left_lower_arm", 0.05}, {"left_hand", 0.035}}, 0.06);
    w.add_pair("left_leg",
               {{"left_upper_leg"}, {"left_lower_leg", 0.07, {0, -1, 0}}, {"left_foot", 0.045, {0, -1, 0.4}}}, 0.08);
}

/// Down by a good third of the height onto a stool, and up again.
void sit(double seconds, double arms_down, Puppet& puppet) {
    const double down = smooth_step(0.3, 1.3, seconds) - smooth_step(2.2, 3.2, seconds);
    puppet.hips_offset = {0, -0.41 * down, -0.38 * down};
    puppet.turn("spine", turned_x(12 * down));
    puppet.turn("chest", turned_x(8 * down));
    puppet.turn("neck", turned_x(-14 * down));
    puppet.turn_both("left_upper_arm", turned_z(-arms_down));
    puppet.turn_both("left_lower_arm", turned_x(-35 * down));
    puppet.reach("left_upper_leg", "left_lower_leg", "left_foot", ankle, {0.15, 0, 1});
    puppet.reach("right_upper_leg", "right_lower_leg", "right_foot", {-ankle.x, ankle.y, ankle.z}, {-0.15, 0, 1});
    for (const char* foot : {"left_foot", "right_foot"}) puppet.stand(foot, {});
}

/// What is seen in a pose becomes the rest: the mesh, the joints and the ends of their bones.
void bind_again(Character& character, const Clip& pose_clip) {
    const Frame frame = skinned_frame(character, &pose_clip, 0);
    character.mesh.positions = frame.positions;
    character.mesh.normals = frame.normals;
    for (std::size_t j = 0; j < character.joints.size(); ++j) {
        Joint& joint = character.joints[j];
        joint.tail = transform_point(frame.pose.joints[j] * inverse(joint.rest), joint.tail);
        joint.rest = frame.pose.joints[j];
    }
}

/// Angles in degrees, from the arms as they are drawn.
Character bound_with_arms(double down, double bent) {
    Design d = drawn("heavy", {0.026, 0.012, 0.02}, sculpt, rig);
    skin(d.skinning);
    d.style.arms_down = down;
    d.style.stride = 0.16;
    d.style.crouch = 0.16;
    d.style.arm_swing = 18;
    Character out = build(d);
    out.clips.push_back(
        record_loop("sit", d.skeleton, 3.6, [down](double seconds, Puppet& puppet) { sit(seconds, down, puppet); }));
    const Clip arms_down = record_loop("", d.skeleton, 1, [down, bent](double, Puppet& puppet) {
        puppet.turn_both("left_upper_arm", turned_z(-down));
        puppet.turn_both("left_lower_arm", turned_z(-bent));
    });
    bind_again(out, arms_down);
    return out;
}

}  // namespace

Character heavy_body() {
    return bound_with_arms(30, 12);
}

Character pressed_body() {
    return bound_with_arms(41, 10);
}

}  // namespace fascia::test
