// A plump rabbit: fat belly, long ears, thick legs, buck teeth.
#include "design.h"
#include "trig.h"

namespace fascia::characters {
namespace {

const Color fur = srgb(0xA79FBA), dark_fur = srgb(0x7D7493), cream = srgb(0xFBF0E2), pink = srgb(0xF4A3AE);
const Color rose = srgb(0xEE6F87), white = srgb(0xFFFFFF), ivory = srgb(0xFFFCF2), black = srgb(0x17121C);
const Color iris = srgb(0x2E8C8A), mouth = srgb(0x7A2135);

const Vec3d ear_root{0.13, 1.44, -0.03};
const Quat ear_lean = turned_z(-10) * turned_x(-5);
const Vec3d eye{0.128, 1.285, 0.285};
const Quat eye_turn = turned_y(16);
const Vec3d shoulder{0.26, 0.925, 0}, elbow{0.60, 0.865, 0}, wrist{0.79, 0.795, 0.03};
const Vec3d hip{0.25, 0.40, 0.02}, knee{0.275, 0.235, 0.045}, ankle{0.29, 0.10, 0.02};

void sculpt_body(Sculpture& s) {
    s.add("torso", egg({0, 0.585, 0.0}, {0.43, 0.43, 0.40}), fur);
    s.add("torso", egg({0, 0.88, -0.01}, {0.27, 0.22, 0.24}), fur, {.blend = 0.18});
    s.add("torso", egg({0, 0.53, 0.14}, {0.37, 0.35, 0.37}), fur, {.blend = 0.12});
    s.add("tail", ball({0, 0.40, -0.44}, 0.13), cream, {.blend = 0.03, .edge = 0.018});

    // Legs: stout, with long feet that stand flat.
    s.add_pair("left_leg", limb({0.255, 0.38, 0.02}, 0.195, {0.29, 0.14, 0.01}, 0.14), fur, {.blend = 0.10});
    s.add_pair("left_leg", egg({0.30, 0.07, 0.10}, {0.145, 0.115, 0.245}).cut({0, 0, 0}, {0, -1, 0}, 0.05), fur,
               {.blend = 0.06});
    for (const double toe : {-0.08, 0.0, 0.08})
        s.add_pair("left_leg", ball({0.305 + toe, 0.062, 0.295 - 4 * toe * toe}, 0.062), fur,
                   {.blend = 0.022, .edge = 0.022});

    // Arms held away from the body, mittens with a thumb.
    s.add_pair("left_arm", limb(shoulder, 0.12, elbow, 0.092), fur, {.blend = 0.10});
    s.add_pair("left_arm", limb(elbow, 0.092, wrist, 0.092), fur, {.blend = 0.02});
    s.add_pair("left_arm", egg(wrist + Vec3d{0.07, -0.027, 0.005}, {0.118, 0.102, 0.10}), fur, {.blend = 0.05});
    for (const double finger : {-0.06, 0.0, 0.06})
        s.add_pair("left_arm", ball(wrist + Vec3d{0.142 - 5 * finger * finger, -0.055, 0.005 + finger}, 0.053), fur,
                   {.blend = 0.022, .edge = 0.022});
    s.add_pair("left_arm", limb(wrist + Vec3d{0.04, -0.015, 0.06}, 0.048, wrist + Vec3d{0.07, 0, 0.12}, 0.04), fur,
               {.blend = 0.03, .edge = 0.022});
}

void sculpt_head(Sculpture& s) {
    s.add("head", egg({0, 1.215, 0.01}, {0.385, 0.335, 0.335}), fur, {.blend = 0.10});
    s.add_pair("head", egg({0.25, 1.10, 0.10}, {0.18, 0.15, 0.19}), fur, {.blend = 0.10});
    s.add_pair("head", limb({0.34, 1.115, 0.06}, 0.09, {0.465, 1.105, 0.03}, 0.014), fur,
               {.blend = 0.05, .edge = 0.022});
    // A tuft between the ears.
    s.add("head", curve({{{0.0, 1.50, 0.06}, 0.06}, {{-0.02, 1.585, 0.08}, 0.034}, {{-0.055, 1.635, 0.13}, 0.008}}, 4),
          fur, {.blend = 0.04, .edge = 0.02});
    s.add("head", curve({{{0.04, 1.50, 0.05}, 0.05}, {{0.055, 1.565, 0.08}, 0.03}, {{0.05, 1.605, 0.14}, 0.008}}, 4),
          fur, {.blend = 0.03, .edge = 0.02});

    s.add_pair("left_ear", egg({0.13, 1.72, -0.03}, {0.112, 0.315, 0.064}).turn(ear_root, ear_lean), fur,
               {.blend = 0.09, .edge = 0.026});
    s.carve_pair(egg({0.13, 1.72, 0.045}, {0.062, 0.245, 0.055}).turn(ear_root, ear_lean), {.blend = 0.04});

    // Muzzle, a jaw below it, and buck teeth between them.
    s.add("head", egg({0, 1.01, 0.28}, {0.125, 0.075, 0.105}), cream, {.blend = 0.05, .edge = 0.014});
    s.add_pair("head", egg({0.075, 1.10, 0.345}, {0.11, 0.085, 0.09}), cream, {.blend = 0.03, .edge = 0.014});
    s.add("head", box({0, 1.02, 0.385}, {0.054, 0.062, 0.032}, 0.024), ivory,
          {.blend = 0.018, .edge = 0.011, .rim = 0.004});
    s.add("head", egg({0, 1.172, 0.415}, {0.062, 0.047, 0.05}), rose, {.blend = 0.03, .edge = 0.012, .rim = 0.004});

    s.add_pair("head", egg(eye, {0.104, 0.138, 0.07}).turn(eye, eye_turn), dark_fur,
               {.blend = 0.022, .edge = 0.012, .rim = 0.009});
    s.add_pair("head", limb({0.085, 1.475, 0.20}, 0.028, {0.185, 1.46, 0.185}, 0.022), dark_fur,
               {.blend = 0.02, .edge = 0.014});
}

void paint(Sculpture& s) {
    s.paint(egg({0, 0.55, 0.50}, {0.275, 0.305, 0.85}), cream, {.edge = 0.014});
    s.paint_pair(egg({0.13, 1.72, 0.05}, {0.076, 0.265, 0.07}).turn(ear_root, ear_lean), pink, {.edge = 0.013});
    s.paint_pair(ball({0.30, 1.11, 0.28}, 0.085), pink, {.softness = 0.09});
    // A smile from the teeth to the cheeks, and the line below the nose.
    s.paint_pair(curve({{{0.05, 1.035, 0.41}, 0.006},
                        {{0.10, 1.022, 0.385}, 0.007},
                        {{0.155, 1.045, 0.345}, 0.006},
                        {{0.185, 1.085, 0.32}, 0.004}},
                       5),
                 mouth, {.edge = 0.009});
    s.paint(limb({0, 1.075, 0.42}, 0.004, {0, 0.95, 0.42}, 0.004), srgb(0xC9BEAE), {.edge = 0.008});
    s.paint(limb({0, 1.14, 0.46}, 0.006, {0, 1.08, 0.42}, 0.006), mouth, {.edge = 0.008});
    s.paint_pair(egg({0, 0, 0.05}, {0.094, 0.127, 0.065}).turn({}, eye_turn).move(eye), white, {.edge = 0.009});
    s.paint_pair(egg({0.124, 1.275, 0.358}, {0.066, 0.086, 0.05}), iris, {.edge = 0.008});
    s.paint_pair(egg({0.121, 1.275, 0.36}, {0.050, 0.069, 0.05}), black, {.edge = 0.008});
    s.paint_pair(egg({0.143, 1.312, 0.36}, {0.022, 0.027, 0.03}), white, {.edge = 0.006});
    s.paint_pair(ball({0.103, 1.24, 0.36}, 0.012), white, {.edge = 0.005});
    // Pads under the feet, seen when it jumps.
    s.paint_pair(egg({0.30, 0, 0.08}, {0.075, 0.02, 0.11}), pink, {.edge = 0.018});
    for (const double toe : {-0.08, 0.0, 0.08})
        s.paint_pair(ball({0.305 + toe, 0.0, 0.295 - 4 * toe * toe}, 0.036), pink, {.edge = 0.016});
}

void rig(Skeleton& k) {
    k.add("hips", "", {0, 0.46, 0}, {0, 0.62, 0});
    k.add("spine", "hips", {0, 0.62, 0}, {0, 0.80, 0});
    k.add("chest", "spine", {0, 0.80, 0}, {0, 0.97, 0});
    k.add("neck", "chest", {0, 0.97, 0}, {0, 1.05, 0.01});
    k.add("head", "neck", {0, 1.05, 0.01}, {0, 1.40, 0.02});
    k.add("belly", "spine", {0, 0.56, 0.12}, {0, 0.55, 0.40});
    k.add_pair("left_ear", "head", {0.125, 1.42, -0.02}, {0.15, 1.54, -0.03});
    k.add_pair("left_upper_arm", "chest", shoulder, elbow);
    k.add_pair("left_lower_arm", "left_upper_arm", elbow, wrist);
    k.add_pair("left_hand", "left_lower_arm", wrist, wrist + Vec3d{0.15, -0.055, 0.01});
    k.add_pair("left_upper_leg", "hips", hip, knee);
    k.add_pair("left_lower_leg", "left_upper_leg", knee, ankle);
    k.add_pair("left_foot", "left_lower_leg", ankle, {0.30, 0.06, 0.335});
    k.add("tail", "hips", {0, 0.42, -0.36}, {0, 0.40, -0.52});
}

void skin(Skinning& w) {
    w.add("torso", {{"hips"}, {"spine", 0.16, {0, 1, 0}}, {"chest", 0.12, {0, 1, 0}}}, 0.06);
    w.soft_spot("torso", "belly", ball({0, 0.53, 0.44}, 0.14), 0, 0.34, 0.9);
    w.add("head", {{"neck"}, {"head", 0.06, {0, 1, 0}}}, 0.10);
    w.add_pair("left_ear", {{"left_ear"}}, 0.06);
    w.add_pair("left_arm", {{"left_upper_arm"}, {"left_lower_arm", 0.065}, {"left_hand", 0.05}}, 0.08);
    w.add_pair("left_leg",
               {{"left_upper_leg"}, {"left_lower_leg", 0.08, {0, -1, 0}}, {"left_foot", 0.05, {0, -1, 0.4}}}, 0.09);
    w.add("tail", {{"tail"}}, 0.05);
}

}  // namespace

Design bunny_design() {
    Design d;
    d.name = "bunny";
    d.sculpture.edge = 0.032;
    d.sculpture.fine_edge = 0.008;
    sculpt_body(d.sculpture);
    sculpt_head(d.sculpture);
    paint(d.sculpture);
    rig(d.skeleton);
    skin(d.skinning);
    d.style.arms_down = 36;
    return d;
}

}  // namespace fascia::characters
