// A friendly round monster: a huge body on short legs, small horns, a smile from side to side.
#include "design.h"
#include "trig.h"

namespace fascia::characters {
namespace {

const Color teal = srgb(0x37B3A6), deep = srgb(0x1F8A86), mint = srgb(0xDDF5D8), orange = srgb(0xFF9F45),
            horn = srgb(0xFFE9C4);
const Color white = srgb(0xFFFFFF), black = srgb(0x15131C), iris = srgb(0xE0862B), mouth = srgb(0x6B1F3A),
            tongue = srgb(0xF0718A);
const Color pink = srgb(0xF79BA8), ivory = srgb(0xFFFBEE);

const Vec3d eye{0.205, 1.255, 0.455};
const Quat eye_turn = turned_y(18) * turned_x(-12);
const Vec3d shoulder{0.60, 0.95, 0.10}, elbow{0.93, 0.895, 0.15}, wrist{1.07, 0.83, 0.21};
const Vec3d hip{0.35, 0.36, 0.02}, knee{0.375, 0.225, 0.045}, ankle{0.39, 0.10, 0.03};

const Shape groove =
    curve({{{-0.23, 0.965, 0.60}, 0.034}, {{0, 0.915, 0.665}, 0.055}, {{0.23, 0.965, 0.60}, 0.034}}, 8);
const Shape smile = curve({{{-0.37, 1.045, 0.46}, 0.004},
                           {{-0.22, 0.955, 0.61}, 0.04},
                           {{0, 0.915, 0.655}, 0.06},
                           {{0.22, 0.955, 0.61}, 0.04},
                           {{0.37, 1.045, 0.46}, 0.004}},
                          8);
const Shape tooth = limb({0.14, 0.865, 0.605}, 0.046, {0.148, 0.968, 0.635}, 0.03);

void sculpt_body(Sculpture& s) {
    s.add("torso", egg({0, 0.80, 0.0}, {0.72, 0.66, 0.64}), teal);
    s.add("torso", egg({0, 0.68, 0.14}, {0.60, 0.50, 0.58}), teal, {.blend = 0.15});
    s.add("torso", egg({0, 1.16, 0.06}, {0.46, 0.36, 0.42}), teal, {.blend = 0.22});

    s.add_pair("left_leg", limb({0.36, 0.33, 0.02}, 0.225, {0.385, 0.165, 0.02}, 0.16), teal, {.blend = 0.08});
    s.add_pair("left_leg", egg({0.395, 0.075, 0.10}, {0.185, 0.115, 0.235}).cut({0, 0, 0}, {0, -1, 0}, 0.05), teal,
               {.blend = 0.05});
    for (const double toe : {-0.105, 0.0, 0.105})
        s.add_pair("left_leg", egg({0.40 + toe, 0.062, 0.315 - 4 * toe * toe}, {0.052, 0.05, 0.05}), horn,
                   {.blend = 0.025, .edge = 0.02});

    s.add_pair("left_arm", limb(shoulder, 0.13, elbow, 0.10), teal, {.blend = 0.08});
    s.add_pair("left_arm", limb(elbow, 0.10, wrist, 0.095), teal, {.blend = 0.02});
    s.add_pair("left_arm", ball(wrist + Vec3d{0.04, -0.02, 0.02}, 0.108), teal, {.blend = 0.04});
    for (const double finger : {-0.065, 0.0, 0.065})
        s.add_pair("left_arm", ball(wrist + Vec3d{0.105 - 4 * finger * finger, -0.07, 0.03 + finger}, 0.05), teal,
                   {.blend = 0.025, .edge = 0.024});

    s.add(
        "tail",
        curve(
            {{{0, 0.44, -0.50}, 0.17}, {{0, 0.36, -0.74}, 0.115}, {{0, 0.42, -0.95}, 0.075}, {{0, 0.58, -1.04}, 0.045}},
            5),
        teal, {.blend = 0.10});
    s.add("tail", egg({0, 0.66, -1.06}, {0.075, 0.095, 0.075}), orange, {.blend = 0.03, .edge = 0.02});
}

void sculpt_head(Sculpture& s) {
    s.add_pair("left_horn",
               curve({{{0.29, 1.42, 0.02}, 0.085}, {{0.38, 1.55, 0.02}, 0.062}, {{0.40, 1.69, 0.05}, 0.018}}, 5), horn,
               {.blend = 0.02, .edge = 0.02});
    // A row of soft plates down the back.
    s.add("torso", limb({0, 1.46, 0.0}, 0.07, {0, 1.585, -0.03}, 0.025), orange, {.blend = 0.02, .edge = 0.02});
    s.add("torso", limb({0, 1.36, -0.30}, 0.085, {0, 1.47, -0.40}, 0.03), orange, {.blend = 0.02, .edge = 0.02});
    s.add("torso", limb({0, 1.08, -0.54}, 0.09, {0, 1.15, -0.67}, 0.032), orange, {.blend = 0.02, .edge = 0.02});
    s.add("torso", limb({0, 0.76, -0.62}, 0.08, {0, 0.79, -0.75}, 0.03), orange, {.blend = 0.02, .edge = 0.02});

    // The smile: a groove, and two teeth that stick out of it.
    s.carve(groove, {.blend = 0.035, .edge = 0.02});
    s.add_pair("torso", tooth, ivory, {.blend = 0.035, .edge = 0.014, .rim = 0.004});

    s.add_pair("torso", egg(eye, {0.158, 0.178, 0.11}).turn(eye, eye_turn), deep,
               {.blend = 0.03, .edge = 0.016, .rim = 0.012});
    s.add_pair("torso", ball({0.055, 1.09, 0.555}, 0.03), teal, {.blend = 0.03, .edge = 0.018});
}

void paint(Sculpture& s) {
    s.paint(egg({0, 0.51, 0.70}, {0.40, 0.33, 1.15}), mint, {.edge = 0.018});
    for (const double y : {0.35, 0.48, 0.61, 0.74})
        s.paint(curve({{{-0.26, y + 0.03, 0.70}, 0.008}, {{0, y, 0.72}, 0.010}, {{0.26, y + 0.03, 0.70}, 0.008}}, 5)
                    .stretch({0, y, 0.6}, {1, 1, 6}),
                srgb(0xB9E3BE), {.softness = 0.03});
    // Spots on the back and shoulders.
    s.paint_pair(ball({0.60, 1.08, -0.22}, 0.14), deep, {.edge = 0.018});
    s.paint_pair(ball({0.38, 1.30, -0.30}, 0.10), deep, {.edge = 0.018});
    s.paint_pair(ball({0.70, 0.78, -0.26}, 0.11), deep, {.edge = 0.018});
    s.paint_pair(ball({0.34, 0.98, -0.57}, 0.13), deep, {.edge = 0.018});
    s.paint_pair(ball({0.52, 0.55, -0.45}, 0.10), deep, {.edge = 0.018});

    s.paint_pair(ball({0.43, 1.06, 0.46}, 0.10), pink, {.softness = 0.10});
    s.paint(smile, mouth, {.edge = 0.012, .rim = 0.014});
    s.paint(egg({0, 0.865, 0.62}, {0.12, 0.045, 0.07}), tongue, {.edge = 0.012});
    s.paint_pair(tooth.cut({0, 0.875, 0}, {0, -1, 0}, 0), ivory, {.edge = 0.011, .rim = 0.003});
    s.paint_pair(ball({0.055, 1.092, 0.582}, 0.013), mouth, {.edge = 0.010});

    // Eyes: white well inside the rim, a lid over the top, two lights.
    s.paint_pair(egg({0, 0, 0.06}, {0.138, 0.158, 0.10}).turn({}, eye_turn).move(eye), white, {.edge = 0.011});
    s.paint_pair(egg({0.185, 1.245, 0.56}, {0.092, 0.105, 0.07}), iris, {.edge = 0.010});
    s.paint_pair(egg({0.18, 1.245, 0.565}, {0.066, 0.08, 0.07}), black, {.edge = 0.009});
    s.paint_pair(egg(eye, {0.17, 0.19, 0.125}).turn(eye, eye_turn).cut({0.2, 1.36, 0.50}, {-0.14, -1, 0}, 0), teal,
                 {.edge = 0.011});
    s.paint_pair(ball({0.213, 1.29, 0.565}, 0.03), white, {.edge = 0.007});
    s.paint_pair(ball({0.152, 1.205, 0.575}, 0.016), white, {.edge = 0.006});
}

void rig(Skeleton& k) {
    k.add("hips", "", {0, 0.48, 0}, {0, 0.64, 0});
    k.add("spine", "hips", {0, 0.64, 0}, {0, 0.80, 0});
    k.add("chest", "spine", {0, 0.80, 0}, {0, 0.96, 0.02});
    k.add("head", "chest", {0, 0.96, 0.02}, {0, 1.42, 0.06});
    k.add("belly", "spine", {0, 0.62, 0.18}, {0, 0.60, 0.60});
    k.add_pair("left_horn", "head", {0.29, 1.42, 0.02}, {0.40, 1.69, 0.05});
    k.add_pair("left_upper_arm", "chest", shoulder, elbow);
    k.add_pair("left_lower_arm", "left_upper_arm", elbow, wrist);
    k.add_pair("left_hand", "left_lower_arm", wrist, wrist + Vec3d{0.11, -0.07, 0.04});
    k.add_pair("left_upper_leg", "hips", hip, knee);
    k.add_pair("left_lower_leg", "left_upper_leg", knee, ankle);
    k.add_pair("left_foot", "left_lower_leg", ankle, {0.40, 0.06, 0.345});
    k.add("tail", "hips", {0, 0.42, -0.56}, {0, 0.37, -0.74});
}

void skin(Skinning& w) {
    w.add("torso", {{"hips"}, {"spine", 0.2, {0, 1, 0}}, {"chest", 0.16, {0, 1, 0}}, {"head", 0.16, {0, 1, -0.25}}},
          0.07);
    w.soft_spot("torso", "belly", ball({0, 0.52, 0.60}, 0.18), 0, 0.26, 0.9);
    w.add_pair("left_horn", {{"left_horn"}}, 0.04);
    w.add_pair("left_arm", {{"left_upper_arm"}, {"left_lower_arm", 0.065}, {"left_hand", 0.05}}, 0.08);
    w.add_pair("left_leg",
               {{"left_upper_leg"}, {"left_lower_leg", 0.07, {0, -1, 0}}, {"left_foot", 0.05, {0, -1, 0.4}}}, 0.10);
    w.add("tail", {{"tail"}}, 0.08);
}

}  // namespace

Design bloat_design() {
    Design d;
    d.name = "bloat";
    d.sculpture.edge = 0.04;
    d.sculpture.fine_edge = 0.016;
    sculpt_body(d.sculpture);
    sculpt_head(d.sculpture);
    paint(d.sculpture);
    rig(d.skeleton);
    skin(d.skinning);
    Style& style = d.style;
    style.arms_down = 30;
    style.arms_up = 45;
    style.crouch = 0.11;
    style.walk_period = 1.2;
    style.waddle = 8;
    style.sway = 0.08;
    return d;
}

}  // namespace fascia::characters
