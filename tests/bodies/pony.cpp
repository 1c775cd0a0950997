#include "bodies.h"
#include "clip_builder.h"
#include "drawing.h"
#include "trig.h"

namespace fascia::test {

using namespace characters;

namespace {

const Color coat = srgb(0xB0703C), mane = srgb(0x3A2314), hoof = srgb(0x2B2622), muzzle = srgb(0xE3C6A4);

struct Leg {
    const char* name;
    Vec3d top, middle, low, ground;
};
const Leg legs[] = {{"left_front", {0.13, 0.80, 0.42}, {0.135, 0.52, 0.44}, {0.135, 0.22, 0.43}, {0.135, 0.07, 0.45}},
                    {"left_back", {0.13, 0.82, -0.42}, {0.14, 0.54, -0.40}, {0.14, 0.25, -0.50}, {0.14, 0.07, -0.47}}};
const Vec3d jaw{0, 1.20, 0.84};

void sculpt(Sculpture& s) {
    s.add("trunk", egg({0, 0.88, 0.0}, {0.24, 0.25, 0.58}), coat);
    s.add("trunk", egg({0, 0.80, -0.02}, {0.23, 0.24, 0.42}), coat, {.blend = 0.08});
    s.add("trunk", egg({0, 0.93, -0.42}, {0.21, 0.21, 0.20}), coat, {.blend = 0.08});
    s.add("neck", limb({0, 0.98, 0.46}, 0.17, {0, 1.32, 0.72}, 0.10), coat, {.blend = 0.10});
    s.add("neck", limb({0, 1.10, 0.42}, 0.06, {0, 1.42, 0.66}, 0.05), mane, {.blend = 0.03});
    s.add("head", limb({0, 1.34, 0.76}, 0.115, {0, 1.22, 1.06}, 0.075), coat, {.blend = 0.05, .edge = 0.022});
    s.add_pair("head", limb({0.06, 1.42, 0.72}, 0.035, {0.085, 1.54, 0.70}, 0.012), coat,
               {.blend = 0.02, .edge = 0.018});
    s.add("jaw", limb(jaw + Vec3d{0, 0.0, 0.0}, 0.055, {0, 1.10, 1.03}, 0.045), muzzle, {.blend = 0.02, .edge = 0.02});
    // The mouth, open a little at rest.
    s.carve(box({0, 1.155, 1.02}, {0.12, 0.016, 0.13}, 0.012).turn({0, 1.155, 1.02}, turned_x(20)), {.edge = 0.016});
    for (const Leg& leg : legs) {
        s.add_pair(leg.name, limb(leg.top, 0.125, leg.middle, 0.07), coat, {.blend = 0.07});
        s.add_pair(leg.name, limb(leg.middle, 0.068, leg.low, 0.045), coat, {.blend = 0.03});
        s.add_pair(leg.name, limb(leg.low, 0.047, leg.ground, 0.05), coat, {.blend = 0.02, .edge = 0.022});
        s.add_pair(leg.name,
                   limb(leg.ground + Vec3d{0, 0.01, 0.0}, 0.058, leg.ground + Vec3d{0, -0.045, 0.015}, 0.07)
                       .cut({0, 0, 0}, {0, -1, 0}, 0.008),
                   hoof, {.blend = 0.006, .edge = 0.018, .rim = 0.004});
    }
    s.add(
        "tail",
        curve({{{0, 0.98, -0.60}, 0.05}, {{0, 0.94, -0.72}, 0.06}, {{0, 0.72, -0.78}, 0.07}, {{0, 0.46, -0.76}, 0.02}},
              5),
        mane, {.blend = 0.03});
    s.paint_pair(ball({0.085, 1.34, 0.84}, 0.022), srgb(0x14100C), {.edge = 0.009});
    s.paint(ball({0, 1.21, 1.10}, 0.075), muzzle, {.softness = 0.03});
}

void rig(Skeleton& k) {
    k.add("hips", "", {0, 0.92, -0.40}, {0, 0.93, -0.10});
    k.add("spine", "hips", {0, 0.93, -0.10}, {0, 0.93, 0.20});
    k.add("chest", "spine", {0, 0.93, 0.20}, {0, 1.0, 0.48});
    k.add("neck", "chest", {0, 1.0, 0.48}, {0, 1.32, 0.72});
    k.add("head", "neck", {0, 1.32, 0.72}, {0, 1.22, 1.10});
    k.add("jaw", "head", jaw, {0, 1.10, 1.06});
    k.add("tail", "hips", {0, 0.96, -0.62}, {0, 0.78, -0.77});
    k.add("tail_end", "tail", {0, 0.78, -0.77}, {0, 0.45, -0.76});
    for (const Leg& leg : legs) {
        const std::string name = leg.name;
        k.add_pair(name + "_upper", name == "left_front" ? "chest" : "hips", leg.top, leg.middle);
        k.add_pair(name + "_lower", name + "_upper", leg.middle, leg.low);
        k.add_pair(name + "_hoof", name + "_lower", leg.low, leg.ground);
    }
}

void skin(Skinning& w) {
    w.add("trunk", {{"hips"}, {"spine", 0.12, {0, 0, 1}}, {"chest", 0.12, {0, 0, 1}}}, 0.08);
    w.add("neck", {{"chest"}, {"neck", 0.10}, {"head", 0.06}}, 0.08);
    w.add("head", {{"neck"}, {"head", 0.06, {0, 0, 1}}}, 0.05);
    w.add("jaw", {{"head"}, {"jaw", 0.03, {0, -0.2, 1}}}, 0.015);
    w.add("tail", {{"tail"}, {"tail_end", 0.06}}, 0.05);
    for (const Leg& leg : legs) {
        const std::string name = leg.name;
        w.add_pair(name, {{name + "_upper"}, {name + "_lower", 0.06}, {name + "_hoof", 0.03}}, 0.09);
    }
    w.smoothing = 4;
}

void trot(double seconds, Puppet& puppet) {
    const double phase = seconds / 0.7;
    puppet.hips_offset = {0, 0.035 * cowave(2 * phase), 0};
    puppet.turn("neck", turned_x(5 * cowave(2 * phase - 0.2)));
    puppet.turn("tail", turned_x(-15 + 8 * wave(2 * phase)) * turned_y(10 * wave(phase)));
    for (const bool left : {true, false})
        for (const bool front : {true, false}) {
            const std::string leg = std::string(left ? "left" : "right") + (front ? "_front" : "_back");
            const double own = phase + (left == front ? 0.0 : 0.5);
            const double lift = 0.5 + 0.5 * wave(own + 0.2);
            puppet.turn(leg + "_upper", turned_x(-28 * wave(own)));
            puppet.turn(leg + "_lower", turned_x((front ? 50 : 40) * lift));
            puppet.turn(leg + "_hoof", turned_x((front ? 25 : -15) * lift));
        }
}

void bite(double seconds, Puppet& puppet) {
    const double open = 0.5 - 0.5 * cowave(seconds / 0.8);
    puppet.turn("neck", turned_x(20 * wave(seconds / 2.4)));
    puppet.turn("head", turned_x(-10 * open));
    puppet.turn("jaw", turned_x(28 * open));
}

}  // namespace

Character pony_body() {
    Design d = drawn("pony", {0.03, 0.014, 0.022}, sculpt, rig);
    skin(d.skinning);
    Character out = build_still(d);
    out.clips = {record_loop("trot", d.skeleton, 2.1, trot), record_loop("bite", d.skeleton, 2.4, bite)};
    return out;
}

}  // namespace fascia::test
