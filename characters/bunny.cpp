// A plump rabbit: fat belly, long ears, thick legs, buck teeth.
#include "design.h"
#include "trig.h"

namespace fascia::characters {
namespace {

const Color fur = srgb(0x9FA6B2), cream = srgb(0xF6EBDD), pink = srgb(0xF2A0A8), rose = srgb(0xE8788A);
const Color white = srgb(0xFFFFFF), ivory = srgb(0xFFFBEF), black = srgb(0x1B1620), brown = srgb(0x5A3522);

void sculpt_body(Sculpture& s) {
    s.add("torso", egg({0, 0.60, 0.01}, {0.43, 0.42, 0.39}), fur);
    s.add("torso", egg({0, 0.86, -0.01}, {0.30, 0.24, 0.26}), fur, {.blend = 0.14});
    s.add("torso", egg({0, 0.55, 0.12}, {0.36, 0.33, 0.34}), fur, {.blend = 0.12});

    s.add_pair("left_leg", limb({0.25, 0.38, 0.02}, 0.20, {0.285, 0.15, 0.02}, 0.15), fur, {.blend = 0.10});
    s.add_pair("left_leg", egg({0.295, 0.085, 0.10}, {0.145, 0.105, 0.235}), fur, {.blend = 0.06});
    s.add_pair("left_arm", limb({0.26, 0.90, 0.0}, 0.125, {0.54, 0.80, 0.0}, 0.095), fur, {.blend = 0.10});
    s.add_pair("left_arm", limb({0.54, 0.80, 0.0}, 0.095, {0.76, 0.70, 0.03}, 0.10), fur, {.blend = 0.03});
    s.add_pair("left_arm", egg({0.82, 0.675, 0.035}, {0.125, 0.105, 0.11}), fur, {.blend = 0.05});
    s.add("tail", ball({0, 0.40, -0.44}, 0.14), cream, {.blend = 0.04});
}

void sculpt_head(Sculpture& s) {
    s.add("head", egg({0, 1.20, 0.02}, {0.35, 0.31, 0.31}), fur, {.blend = 0.10});
    s.add_pair("head", egg({0.19, 1.08, 0.10}, {0.19, 0.16, 0.18}), fur, {.blend = 0.10});
    s.add_pair("left_ear", egg({0.165, 1.70, -0.04}, {0.105, 0.34, 0.06}).turn({0.12, 1.40, -0.02}, turned_z(-9)), fur, {.blend = 0.09});
    s.carve_pair(egg({0.165, 1.72, 0.045}, {0.062, 0.27, 0.05}).turn({0.12, 1.40, -0.02}, turned_z(-9)), {.blend = 0.03});

    s.add_pair("head", egg({0.062, 1.085, 0.335}, {0.09, 0.075, 0.075}), cream, {.blend = 0.035});
    s.add("head", egg({0, 1.02, 0.29}, {0.075, 0.05, 0.06}), cream, {.blend = 0.03});
    s.add_pair("head", box({0.027, 1.0, 0.372}, {0.0245, 0.042, 0.014}, 0.012), ivory, {.blend = 0.006, .edge = 0.012});
    s.add("head", egg({0, 1.148, 0.405}, {0.05, 0.036, 0.036}), rose, {.blend = 0.012, .edge = 0.014});
    s.add_pair("head", egg({0.13, 1.27, 0.268}, {0.083, 0.112, 0.06}).turn({0.13, 1.27, 0.268}, turned_y(18)), white, {.blend = 0.012});
}

void paint(Sculpture& s) {
    s.paint(egg({0, 0.57, 0.42}, {0.27, 0.30, 0.25}), cream, {.edge = 0.016});
    s.paint_pair(egg({0.165, 1.72, 0.045}, {0.068, 0.275, 0.055}).turn({0.12, 1.40, -0.02}, turned_z(-9)), pink, {.edge = 0.016});
    s.paint_pair(ball({0.265, 1.10, 0.275}, 0.075), pink, {.softness = 0.08});
    s.paint_pair(egg({0.123, 1.262, 0.34}, {0.052, 0.068, 0.06}), brown);
    s.paint_pair(egg({0.120, 1.262, 0.34}, {0.040, 0.054, 0.06}), black);
    s.paint_pair(ball({0.140, 1.292, 0.345}, 0.022), white);
}

void rig(Skeleton& k) {
    k.add("hips", "", {0, 0.46, 0}, {0, 0.62, 0});
    k.add("spine", "hips", {0, 0.62, 0}, {0, 0.80, 0});
    k.add("chest", "spine", {0, 0.80, 0}, {0, 0.97, 0});
    k.add("neck", "chest", {0, 0.97, 0}, {0, 1.05, 0.01});
    k.add("head", "neck", {0, 1.05, 0.01}, {0, 1.40, 0.02});
    k.add("belly", "spine", {0, 0.56, 0.12}, {0, 0.55, 0.40});
    k.add_pair("left_ear", "head", {0.125, 1.42, -0.02}, {0.15, 1.54, -0.03});
    k.add_pair("left_upper_arm", "chest", {0.27, 0.90, 0}, {0.54, 0.80, 0});
    k.add_pair("left_lower_arm", "left_upper_arm", {0.54, 0.80, 0}, {0.74, 0.71, 0.025});
    k.add_pair("left_hand", "left_lower_arm", {0.74, 0.71, 0.025}, {0.88, 0.65, 0.04});
    k.add_pair("left_upper_leg", "hips", {0.25, 0.40, 0.02}, {0.275, 0.235, 0.045});
    k.add_pair("left_lower_leg", "left_upper_leg", {0.275, 0.235, 0.045}, {0.29, 0.10, 0.02});
    k.add_pair("left_foot", "left_lower_leg", {0.29, 0.10, 0.02}, {0.295, 0.07, 0.27});
    k.add("tail", "hips", {0, 0.42, -0.36}, {0, 0.40, -0.52});
}

void skin(Skinning& w) {
    w.add("torso", {{"hips"}, {"spine", 0.16, {0, 1, 0}}, {"chest", 0.12, {0, 1, 0}}}, 0.14);
    w.soft_spot("torso", "belly", egg({0, 0.56, 0.20}, {0.30, 0.28, 0.26}), -0.10, 0.12, 0.85);
    w.add("head", {{"neck"}, {"head", 0.06, {0, 1, 0}}}, 0.10);
    w.add_pair("left_ear", {{"left_ear"}}, 0.06);
    w.add_pair("left_arm", {{"left_upper_arm"}, {"left_lower_arm", 0.08}, {"left_hand", 0.05}}, 0.10);
    w.add_pair("left_leg", {{"left_upper_leg"}, {"left_lower_leg", 0.08, {0, -1, 0}}, {"left_foot", 0.05, {0, -1, 0.4}}}, 0.14);
    w.add("tail", {{"tail"}}, 0.05);
}

}  // namespace

Design bunny_design() {
    Design d;
    d.name = "bunny";
    d.sculpture.edge = 0.032;
    d.sculpture.fine_edge = 0.011;
    sculpt_body(d.sculpture);
    sculpt_head(d.sculpture);
    paint(d.sculpture);
    rig(d.skeleton);
    skin(d.skinning);
    return d;
}

}  // namespace fascia::characters
