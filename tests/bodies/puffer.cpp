#include "bodies.h"
#include "clip_builder.h"
#include "drawing.h"
#include "shells.h"
#include "trig.h"

namespace fascia::test {

using namespace characters;

namespace {

const Color back = srgb(0xC9A24B), belly = srgb(0xF2EAD2), fin = srgb(0xE08A3C), lips = srgb(0xD98A7A);
const Color white = srgb(0xF7F4EE), black = srgb(0x16120F);
const Vec3d eye{0.235, 0.70, 0.235};

void sculpt(Sculpture& s) {
    s.add("body", egg({0, 0.55, 0}, {0.36, 0.34, 0.40}), back);
    s.add("body", egg({0, 0.50, 0.42}, {0.09, 0.075, 0.07}), lips, {.blend = 0.05, .edge = 0.02});
    s.carve(egg({0, 0.50, 0.49}, {0.05, 0.022, 0.05}), {.blend = 0.01, .edge = 0.014});
    s.add("tail", limb({0, 0.55, -0.34}, 0.12, {0, 0.57, -0.60}, 0.055), back, {.blend = 0.10});
    s.add("tail_fin", egg({0, 0.58, -0.74}, {0.03, 0.15, 0.13}), fin, {.blend = 0.03, .edge = 0.022});
    s.add_pair("left_fin", egg({0.44, 0.50, 0.02}, {0.12, 0.09, 0.028}).turn({0.36, 0.5, 0.02}, turned_y(25)), fin,
               {.blend = 0.03, .edge = 0.022});
    s.paint(egg({0, 0.36, 0.05}, {0.40, 0.22, 0.44}), belly, {.softness = 0.05});
}

void rig(Skeleton& k) {
    k.add("body", "", {0, 0.55, 0.05}, {0, 0.55, 0.30});
    k.add("back", "body", {0, 0.55, 0.05}, {0, 0.55, -0.30});
    k.add("tail", "back", {0, 0.55, -0.30}, {0, 0.57, -0.58});
    k.add("tail_fin", "tail", {0, 0.57, -0.58}, {0, 0.58, -0.86});
    k.add_pair("left_fin", "body", {0.34, 0.50, 0.03}, {0.54, 0.50, -0.05});
}

void swim(double seconds, Puppet& puppet) {
    const double phase = seconds / 0.8;
    puppet.root_offset = {0, 0.05 * wave(phase / 2), 0.04 * cowave(phase)};
    puppet.turn("body", turned_y(6 * wave(phase)));
    puppet.turn("back", turned_y(14 * wave(phase - 0.1)));
    puppet.turn("tail", turned_y(22 * wave(phase - 0.25)));
    puppet.turn("tail_fin", turned_y(26 * wave(phase - 0.4)));
    puppet.turn_both("left_fin", turned_z(25 * wave(2 * phase)) * turned_y(15 * cowave(2 * phase)));
}

}  // namespace

Character puffer_body() {
    Design d = drawn("puffer", {0.03, 0.014, 0.022}, sculpt, rig);
    d.skinning.add("body", {{"body"}, {"back", 0.14, {0, 0, -1}}}, 0.08);
    d.skinning.add("tail", {{"back"}, {"tail", 0.08}, {"tail_fin", 0.05}}, 0.08);
    d.skinning.add("tail_fin", {{"tail"}, {"tail_fin", 0.05}}, 0.04);
    d.skinning.add_pair("left_fin", {{"left_fin"}}, 0.04);
    Character out = build_still(d);
    for (const double side : {1.0, -1.0})
        add_ball(out, {{side * eye.x, eye.y, eye.z}, 0.06}, d.skeleton.find("body"), white, black);
    count_again(out);
    out.clips = {record_loop("swim", d.skeleton, 1.6, swim)};
    out.clips.push_back(shake_clip(0.12));
    return out;
}

}  // namespace fascia::test
