#include "bodies.h"
#include "clip_builder.h"
#include "drawing.h"
#include "trig.h"

namespace fascia::test {

using namespace characters;

namespace {

const Color hide = srgb(0x6E8B4E), pale = srgb(0xD8CFA0), claw = srgb(0x2E2A26), gums = srgb(0xA0524A);
const Vec3d shoulder{0.13, 1.02, 0.36}, elbow{0.16, 0.90, 0.38}, wrist{0.15, 0.86, 0.48};
const Vec3d hip{0.15, 0.90, -0.06}, knee{0.19, 0.56, 0.12}, ankle{0.18, 0.16, -0.06};
const Vec3d jaw{0, 1.38, 0.62};

void sculpt(Sculpture& s) {
    s.add("trunk", egg({0, 0.98, -0.02}, {0.21, 0.22, 0.34}), hide);
    s.add("trunk", egg({0, 0.93, 0.10}, {0.18, 0.18, 0.26}), pale, {.blend = 0.06});  // belly
    s.add("trunk", egg({0, 1.08, 0.28}, {0.16, 0.19, 0.22}), hide, {.blend = 0.08});
    s.add("neck", limb({0, 1.14, 0.36}, 0.13, {0, 1.42, 0.52}, 0.10), hide, {.blend = 0.08});
    s.add("head", limb({0, 1.46, 0.56}, 0.13, {0, 1.44, 0.92}, 0.08), hide, {.blend = 0.05, .edge = 0.024});
    s.add("jaw", limb(jaw, 0.075, {0, 1.29, 0.88}, 0.05), pale, {.blend = 0.03, .edge = 0.022});
    s.carve(box({0, 1.355, 0.86}, {0.16, 0.02, 0.17}, 0.014).turn({0, 1.355, 0.86}, turned_x(12)), {.edge = 0.018});
    s.add(
        "tail",
        curve({{{0, 0.98, -0.25}, 0.15}, {{0, 0.90, -0.62}, 0.10}, {{0, 0.84, -0.95}, 0.06}, {{0, 0.84, -1.25}, 0.02}},
              6),
        hide, {.blend = 0.08});
    s.add_pair("left_arm", limb(shoulder, 0.05, elbow, 0.035), hide, {.blend = 0.04, .edge = 0.022});
    s.add_pair("left_arm", limb(elbow, 0.035, wrist, 0.028), hide, {.blend = 0.02, .edge = 0.02});
    s.add_pair("left_leg", limb(hip, 0.155, knee, 0.09), hide, {.blend = 0.07});
    s.add_pair("left_leg", limb(knee, 0.085, ankle, 0.05), hide, {.blend = 0.03});
    for (const double out : {-0.055, 0.0, 0.055})
        s.add_pair("left_leg", limb(ankle + Vec3d{0, -0.08, 0.02}, 0.055, {0.18 + 1.5 * out, 0.035, 0.15}, 0.032), hide,
                   {.blend = 0.02, .edge = 0.02});
    for (const double out : {-0.055, 0.0, 0.055}) s.paint_pair(ball({0.18 + 1.5 * out, 0.03, 0.185}, 0.035), claw);
    s.paint_pair(ball({0.105, 1.52, 0.66}, 0.024), srgb(0xE7C94C), {.edge = 0.01});
    s.paint_pair(ball({0.118, 1.52, 0.672}, 0.013), srgb(0x14100C), {.edge = 0.008});
    s.paint(box({0, 1.355, 0.84}, {0.2, 0.026, 0.2}, 0.01).turn({0, 1.355, 0.86}, turned_x(12)), gums);
}

void rig(Skeleton& k) {
    k.add("hips", "", {0, 1.0, -0.12}, {0, 1.0, 0.06});
    k.add("spine", "hips", {0, 1.0, 0.06}, {0, 1.05, 0.22});
    k.add("chest", "spine", {0, 1.05, 0.22}, {0, 1.16, 0.38});
    k.add("neck", "chest", {0, 1.16, 0.38}, {0, 1.44, 0.54});
    k.add("head", "neck", {0, 1.44, 0.54}, {0, 1.45, 0.96});
    k.add("jaw", "head", jaw, {0, 1.29, 0.92});
    k.add("tail", "hips", {0, 0.98, -0.28}, {0, 0.90, -0.62});
    k.add("tail_middle", "tail", {0, 0.90, -0.62}, {0, 0.84, -0.95});
    k.add("tail_end", "tail_middle", {0, 0.84, -0.95}, {0, 0.84, -1.25});
    k.add_pair("left_upper_arm", "chest", shoulder, elbow);
    k.add_pair("left_lower_arm", "left_upper_arm", elbow, wrist);
    k.add_pair("left_upper_leg", "hips", hip, knee);
    k.add_pair("left_lower_leg", "left_upper_leg", knee, ankle);
    k.add_pair("left_foot", "left_lower_leg", ankle, {0.18, 0.03, 0.17});
}

void skin(Skinning& w) {
    w.add("trunk", {{"hips"}, {"spine", 0.10, {0, 0, 1}}, {"chest", 0.10, {0, 0, 1}}}, 0.08);
    w.add("neck", {{"chest"}, {"neck", 0.10}, {"head", 0.06}}, 0.08);
    w.add("head", {{"neck"}, {"head", 0.06, {0, 0, 1}}}, 0.05);
    w.add("jaw", {{"head"}, {"jaw", 0.04, {0, -0.2, 1}}}, 0.02);
    w.add("tail", {{"hips"}, {"tail", 0.08}, {"tail_middle", 0.08}, {"tail_end", 0.06}}, 0.08);
    w.add_pair("left_arm", {{"left_upper_arm"}, {"left_lower_arm", 0.03}}, 0.05);
    w.add_pair("left_leg", {{"left_upper_leg"}, {"left_lower_leg", 0.07}, {"left_foot", 0.04}}, 0.10);
    w.smoothing = 5;
}

/// Crouches, leaps with a roar, and lands.
void leap(double t, Puppet& puppet) {
    const double off = 0.9, land = 1.5, v = 4 * 0.35 / (land - off);
    const Track hips{{0, 0},      {0.2, 0}, {0.7, -0.18}, {off, 0.03, v}, {land, 0.03, -v}, {land + 0.15, -0.2},
                     {2.1, 0.01}, {2.6, 0}};
    const Track feet{{0, 0}, {off, 0, 0.8 * v}, {1.2, 0.36}, {land, 0, -v}, {2.6, 0}};
    const Track roar{{0, 0}, {0.6, 0}, {1.0, 1}, {1.6, 0.9}, {2.0, 0}, {2.6, 0}};
    const double down = hips.at(t), open = roar.at(t);
    puppet.hips_offset = {0, down, 0};
    puppet.turn("hips", turned_x(-40 * std::min(0.0, down)));
    puppet.turn("neck", turned_x(-18 * open));
    puppet.turn("head", turned_x(-12 * open));
    puppet.turn("jaw", turned_x(32 * open));
    for (const char* part : {"tail", "tail_middle", "tail_end"}) puppet.turn(part, turned_x(12 * open - 60 * down));
    for (const double side : {1.0, -1.0}) {
        const std::string name = side > 0 ? "left" : "right";
        const double up = std::max(0.0, feet.at(t));
        puppet.reach(name + "_upper_leg", name + "_lower_leg", name + "_foot", {side * ankle.x, ankle.y + up, ankle.z},
                     {side * 0.2, 0, 1});
        puppet.stand(name + "_foot", turned_x(60 * up));
    }
}

}  // namespace

Character saurian_body() {
    Design d = drawn("saurian", {0.032, 0.014, 0.022}, sculpt, rig);
    skin(d.skinning);
    Character out = build_still(d);
    out.clips = {record_loop("leap", d.skeleton, 2.6, leap)};
    return out;
}

}  // namespace fascia::test
