// A garden gnome: large head under a tall bent hat, a beard that hangs free, thin arms, big boots.
#include "design.h"
#include "trig.h"

namespace fascia::characters {
namespace {

const Color skin_tone = srgb(0xF3B690), blush = srgb(0xEE8A78), red = srgb(0xD42B3A), dark_red = srgb(0xA81E30);
const Color blue = srgb(0x2E6FB8), dark_blue = srgb(0x214F88), white = srgb(0xFFFFFF), snow = srgb(0xFAF6EE);
const Color leather = srgb(0x6E4326), dark_leather = srgb(0x3E2617), gold = srgb(0xF0BE32), grey = srgb(0x5C5560);
const Color black = srgb(0x17121C), iris = srgb(0x3E7CB8), lip = srgb(0xB9433F);

const Vec3d eye{0.115, 1.10, 0.272};
const Quat eye_turn = turned_y(18);
const Vec3d shoulder{0.17, 0.75, 0}, elbow{0.44, 0.70, 0}, wrist{0.63, 0.63, 0.022};
const Vec3d hip{0.17, 0.37, 0}, knee{0.19, 0.245, 0.025}, ankle{0.21, 0.10, 0};

void sculpt_clothes(Sculpture& s) {
    // A tunic like a bell, its hem cut straight.
    s.add("torso", limb({0, 0.44, 0.0}, 0.285, {0, 0.72, 0.0}, 0.19).cut({0, 0.27, 0}, {0, -1, 0}, 0.05), blue);
    s.add("torso", egg({0, 0.46, 0.05}, {0.285, 0.21, 0.27}).cut({0, 0.27, 0}, {0, -1, 0}, 0.05), blue,
          {.blend = 0.06});
    s.add("torso", ring({0, 0.285, 0.01}, 0.275, 0.032).stretch({0, 0.285, 0.01}, {1, 1, 0.97}), dark_blue,
          {.blend = 0.02, .edge = 0.018});
    s.add("torso", ring({0, 0.50, 0.02}, 0.278, 0.034).stretch({0, 0.50, 0.02}, {1, 1.2, 0.98}), dark_leather,
          {.blend = 0.016, .edge = 0.017, .rim = 0.006});
    s.add("torso", box({0, 0.50, 0.315}, {0.062, 0.055, 0.026}, 0.014), gold,
          {.blend = 0.014, .edge = 0.011, .rim = 0.005});

    s.add_pair("left_leg", limb({0.17, 0.33, 0.0}, 0.092, {0.205, 0.15, 0.0}, 0.085), grey,
               {.blend = 0.03, .rim = 0.006});
    s.add_pair("left_leg", ring({0.21, 0.165, 0.0}, 0.082, 0.03), leather, {.blend = 0.022, .edge = 0.016});
    s.add_pair("left_leg", limb({0.21, 0.14, 0.0}, 0.095, {0.212, 0.09, 0.02}, 0.095), leather,
               {.blend = 0.02, .edge = 0.02});
    s.add_pair("left_leg", egg({0.22, 0.062, 0.09}, {0.112, 0.10, 0.19}).cut({0, 0, 0}, {0, -1, 0}, 0.04), leather,
               {.blend = 0.04, .edge = 0.02});
    s.add_pair("left_leg",
               curve({{{0.222, 0.075, 0.20}, 0.072}, {{0.224, 0.09, 0.275}, 0.05}, {{0.224, 0.145, 0.315}, 0.022}}, 4),
               leather, {.blend = 0.03, .edge = 0.02});

    s.add_pair("left_arm", limb(shoulder, 0.085, elbow, 0.058), blue, {.blend = 0.06, .edge = 0.024});
    s.add_pair("left_arm", limb(elbow, 0.058, wrist, 0.062), blue, {.blend = 0.01, .edge = 0.024});
    s.add_pair("left_arm", ball(wrist, 0.067), dark_blue, {.blend = 0.018, .edge = 0.014});
    s.add_pair("left_arm", egg(wrist + Vec3d{0.075, -0.032, 0.008}, {0.082, 0.075, 0.07}), skin_tone,
               {.blend = 0.022, .edge = 0.016});
    for (const double finger : {-0.042, 0.0, 0.042})
        s.add_pair("left_arm",
                   limb(wrist + Vec3d{0.10, -0.045, 0.008 + finger}, 0.036,
                        wrist + Vec3d{0.147 - 6 * finger * finger, -0.07, 0.008 + 1.2 * finger}, 0.031),
                   skin_tone, {.blend = 0.022, .edge = 0.016});
    s.add_pair("left_arm", limb(wrist + Vec3d{0.055, -0.02, 0.048}, 0.033, wrist + Vec3d{0.075, -0.007, 0.096}, 0.028),
               skin_tone, {.blend = 0.02, .edge = 0.016});
}

void sculpt_head(Sculpture& s) {
    s.add("head", egg({0, 1.03, 0.03}, {0.32, 0.30, 0.28}), skin_tone, {.blend = 0.05});
    s.add_pair("head", egg({0.33, 1.02, 0.0}, {0.05, 0.085, 0.06}).turn({0.33, 1.02, 0}, turned_z(-12)), skin_tone,
               {.blend = 0.03, .edge = 0.018});
    s.add_pair("head", ball({0.175, 0.955, 0.21}, 0.105), skin_tone, {.blend = 0.04});

    s.add("head", egg({0, 1.21, 0.14}, {0.21, 0.09, 0.115}), skin_tone,
          {.blend = 0.06});  // brow, closing up to the brim

    // Hat: a rolled brim and a cone that has given in to its own weight.
    s.add("hat",
          curve({{{0, 1.31, -0.02}, 0.295},
                 {{0, 1.50, -0.04}, 0.23},
                 {{0.02, 1.72, -0.07}, 0.14},
                 {{0.12, 1.91, -0.08}, 0.08},
                 {{0.29, 1.94, -0.05}, 0.046}},
                5)
              .cut({0, 1.26, 0.0}, {0, -1, 0.12}, 0.03),
          red, {.blend = 0.03});
    s.add("hat", egg({0, 1.26, -0.01}, {0.25, 0.07, 0.25}), red, {.blend = 0.03});  // no air between head and brim
    s.add("hat", ring({0, 1.275, -0.01}, 0.255, 0.062).turn({0, 1.275, -0.01}, turned_x(-8)), dark_red,
          {.blend = 0.045, .edge = 0.018, .rim = 0.015});
    s.add("hat", ball({0.335, 1.925, -0.04}, 0.075), snow, {.blend = 0.025, .edge = 0.016, .rim = 0.01});
}

void sculpt_beard(Sculpture& s) {
    // The mane around the jaw, then locks that meet in a point well in front of the belly.
    s.add_pair("beard", curve({{{0.285, 1.0, 0.08}, 0.05}, {{0.25, 0.90, 0.15}, 0.10}, {{0.13, 0.82, 0.24}, 0.13}}, 4),
               snow, {.blend = 0.035, .edge = 0.024, .rim = 0.01});
    s.add(
        "beard",
        curve(
            {{{0, 0.83, 0.25}, 0.15}, {{0, 0.70, 0.36}, 0.135}, {{0.0, 0.57, 0.44}, 0.085}, {{0.0, 0.47, 0.52}, 0.02}},
            5),
        snow, {.blend = 0.05, .edge = 0.026});
    s.add_pair("beard",
               curve({{{0.14, 0.82, 0.26}, 0.10},
                      {{0.13, 0.70, 0.36}, 0.085},
                      {{0.085, 0.60, 0.43}, 0.05},
                      {{0.075, 0.535, 0.485}, 0.014}},
                     5),
               snow, {.blend = 0.035, .edge = 0.024, .rim = 0.01});
    s.add_pair("beard",
               curve({{{0.21, 0.86, 0.21}, 0.085}, {{0.22, 0.75, 0.27}, 0.065}, {{0.195, 0.665, 0.34}, 0.014}}, 5),
               snow, {.blend = 0.035, .edge = 0.024, .rim = 0.01});
}

void sculpt_face(Sculpture& s) {
    s.add("head", egg({0, 0.895, 0.345}, {0.06, 0.03, 0.04}), lip, {.blend = 0.02, .edge = 0.012, .rim = 0.006});
    s.add_pair("head",
               curve({{{0.025, 0.945, 0.365}, 0.05},
                      {{0.11, 0.925, 0.355}, 0.06},
                      {{0.20, 0.925, 0.305}, 0.042},
                      {{0.275, 0.965, 0.255}, 0.012}},
                     5),
               snow, {.blend = 0.025, .edge = 0.016, .rim = 0.008});
    s.add("head", ball({0, 1.0, 0.385}, 0.088), blush, {.blend = 0.03, .edge = 0.016, .rim = 0.008});
    s.add_pair("head", egg(eye, {0.073, 0.095, 0.05}).turn(eye, eye_turn), srgb(0xDC9873),
               {.blend = 0.022, .edge = 0.011, .rim = 0.008});
    s.add_pair("head",
               curve({{{0.05, 1.205, 0.28}, 0.026}, {{0.125, 1.212, 0.27}, 0.036}, {{0.20, 1.175, 0.24}, 0.018}}, 4),
               snow, {.blend = 0.05, .edge = 0.014, .rim = 0.004});
}

void paint(Sculpture& s) {
    s.paint_pair(ball({0.205, 0.985, 0.285}, 0.06), blush, {.softness = 0.08});
    s.paint_pair(egg({0, 0, 0.035}, {0.065, 0.087, 0.047}).turn({}, eye_turn).move(eye), white, {.edge = 0.008});
    s.paint_pair(egg({0.108, 1.095, 0.325}, {0.046, 0.058, 0.04}), iris, {.edge = 0.007});
    s.paint_pair(egg({0.106, 1.095, 0.328}, {0.034, 0.045, 0.04}), black, {.edge = 0.007});
    s.paint_pair(ball({0.123, 1.12, 0.325}, 0.017), white, {.edge = 0.006});
    s.paint(box({0, 0.50, 0.345}, {0.034, 0.028, 0.03}, 0.008), dark_leather, {.edge = 0.009});
    s.paint(below({0, 0.022, 0}, {0, 1, 0}), dark_leather, {.edge = 0.016});
    for (const double y : {0.60, 0.665}) s.paint(ball({0, y, 0.25}, 0.02), gold, {.edge = 0.008});
}

void rig(Skeleton& k) {
    k.add("hips", "", {0, 0.40, 0}, {0, 0.50, 0});
    k.add("spine", "hips", {0, 0.50, 0}, {0, 0.62, 0});
    k.add("chest", "spine", {0, 0.62, 0}, {0, 0.78, 0});
    k.add("neck", "chest", {0, 0.78, 0}, {0, 0.86, 0.01});
    k.add("head", "neck", {0, 0.86, 0.01}, {0, 1.22, 0.02});
    k.add("belly", "spine", {0, 0.46, 0.06}, {0, 0.46, 0.26});
    k.add("beard", "head", {0, 0.86, 0.22}, {0, 0.76, 0.30});
    k.add("hat", "head", {0, 1.28, 0.0}, {0, 1.42, -0.02});
    k.add_pair("left_upper_arm", "chest", shoulder, elbow);
    k.add_pair("left_lower_arm", "left_upper_arm", elbow, wrist);
    k.add_pair("left_hand", "left_lower_arm", wrist, wrist + Vec3d{0.14, -0.07, 0.01});
    k.add_pair("left_upper_leg", "hips", hip, knee);
    k.add_pair("left_lower_leg", "left_upper_leg", knee, ankle);
    k.add_pair("left_foot", "left_lower_leg", ankle, {0.222, 0.07, 0.28});
}

void skin(Skinning& w) {
    w.add("torso", {{"hips"}, {"spine", 0.12, {0, 1, 0}}, {"chest", 0.10, {0, 1, 0}}}, 0.08);
    w.soft_spot("torso", "belly", ball({0, 0.45, 0.29}, 0.10), 0, 0.24, 0.85);
    w.add("head", {{"neck"}, {"head", 0.05, {0, 1, 0}}}, 0.05);
    w.add("hat", {{"hat"}}, 0.04);
    w.add("beard", {{"beard"}}, 0.03);
    w.add_pair("left_arm", {{"left_upper_arm"}, {"left_lower_arm", 0.055}, {"left_hand", 0.04}}, 0.06);
    w.add_pair("left_leg",
               {{"left_upper_leg"}, {"left_lower_leg", 0.07, {0, -1, 0}}, {"left_foot", 0.045, {0, -1, 0.4}}}, 0.07);
}

}  // namespace

Design gnome_design() {
    Design d;
    d.name = "gnome";
    d.sculpture.edge = 0.032;
    d.sculpture.fine_edge = 0.012;
    sculpt_clothes(d.sculpture);
    sculpt_head(d.sculpture);
    sculpt_beard(d.sculpture);
    sculpt_face(d.sculpture);
    paint(d.sculpture);
    rig(d.skeleton);
    skin(d.skinning);
    Style& style = d.style;
    style.arms_down = 36;
    style.stride = 0.11;
    style.foot_lift = 0.07;
    style.crouch = 0.10;
    style.jump_height = 0.45;
    style.sway = 0.04;
    return d;
}

}  // namespace fascia::characters
