#include "bodies.h"
#include "clip_builder.h"
#include "drawing.h"
#include "shells.h"
#include "trig.h"

namespace fascia::test {

using namespace characters;

namespace {

const Color tone = srgb(0xE0AC8A), hair = srgb(0x6B4A2B), cloth = srgb(0x5B6C8F), lips = srgb(0xB8605A);
const Color white = srgb(0xF7F4EE), black = srgb(0x16120F);
const Vec3d eye{0.042, 0.545, 0.098};

void sculpt(Sculpture& s) {
    s.add("chest", egg({0, 0.10, 0}, {0.26, 0.20, 0.15}).cut({0, 0, 0}, {0, -1, 0}, 0.02), cloth);
    s.add_pair("chest", egg({0.22, 0.15, -0.01}, {0.12, 0.11, 0.11}).cut({0, 0, 0}, {0, -1, 0}, 0.02), cloth,
               {.blend = 0.05});
    s.add("neck", limb({0, 0.24, -0.02}, 0.075, {0, 0.40, 0}, 0.06), tone, {.blend = 0.04});
    s.add("head", egg({0, 0.55, 0.01}, {0.10, 0.14, 0.12}), tone, {.blend = 0.03});
    s.add("head", egg({0, 0.46, 0.05}, {0.07, 0.06, 0.07}), tone, {.blend = 0.05});
    s.add("head", limb({0, 0.545, 0.12}, 0.013, {0, 0.505, 0.145}, 0.019), tone, {.blend = 0.02, .edge = 0.01});
    s.add_pair("head", egg({0.103, 0.54, -0.005}, {0.014, 0.034, 0.022}), tone, {.blend = 0.012, .edge = 0.012});
    s.add("head", egg({0, 0.59, -0.03}, {0.112, 0.125, 0.115}), hair, {.blend = 0.006, .edge = 0.014});
    s.carve_pair(ball(eye, 0.026), {.blend = 0.006, .edge = 0.009});  // sockets
    s.carve(egg({0, 0.462, 0.125}, {0.034, 0.008, 0.05}), {.blend = 0.004, .edge = 0.009});
    s.paint(egg({0, 0.462, 0.12}, {0.038, 0.016, 0.05}), lips, {.edge = 0.009});
}

/// Of a joint that exists twice, the one for this side.
const char* copy_of(const char* joint, bool left) {
    const std::string name = joint;
    if (name == "neck") return left ? "neck" : "neck_copy";
    return left ? "head" : "head_copy";
}

void rig(Skeleton& k) {
    k.add("chest", "", {0, 0.05, 0}, {0, 0.26, -0.02});
    for (const bool left : {true, false}) {
        k.add(copy_of("neck", left), "chest", {0, 0.26, -0.02}, {0, 0.42, 0});
        k.add(copy_of("head", left), copy_of("neck", left), {0, 0.42, 0}, {0, 0.68, 0});
    }
    k.add_pair("left_eye", "head", eye, eye + Vec3d{0, 0, 0.03});
}

/// The right half of the face on the copies.
void hand_over(Character& character, const Skeleton& skeleton) {
    const auto slots = std::size_t(character.weights.influences);
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
        if (character.mesh.positions[v].x >= 0) continue;
        for (std::size_t s = v * slots; s < (v + 1) * slots; ++s)
            for (const char* joint : {"neck", "head"})
                if (character.weights.weights[s] > 0 && character.weights.joints[s] == skeleton.find(joint))
                    character.weights.joints[s] = std::uint16_t(skeleton.find(copy_of(joint, false)));
    }
}

void nod(double seconds, Puppet& puppet) {
    const double phase = seconds / 1.2;
    puppet.turn("chest", turned_y(8 * wave(phase / 2)));
    for (const bool left : {true, false}) {
        puppet.turn(copy_of("neck", left), turned_x(10 * wave(phase)) * turned_z(8 * wave(phase / 2)));
        puppet.turn(copy_of("head", left), turned_x(16 * wave(phase)) * turned_y(25 * wave(phase / 2)));
    }
    for (const char* name : {"left_eye", "right_eye"}) puppet.turn(name, turned_y(20 * cowave(phase / 2)));
}

}  // namespace

Character bust_body() {
    Design d = drawn("bust", {0.018, 0.008, 0.012}, sculpt, rig);
    d.skinning.add("chest", {{"chest"}}, 0.05);
    d.skinning.add("neck", {{"chest"}, {"neck", 0.05, {0, 1, 0}}, {"head", 0.04, {0, 1, 0}}}, 0.05);
    d.skinning.add("head", {{"neck"}, {"head", 0.04, {0, 1, 0}}}, 0.05);
    Character out = build_still(d);
    hand_over(out, d.skeleton);
    for (const double side : {1.0, -1.0})
        add_ball(out, {{side * eye.x, eye.y, eye.z - 0.004}, 0.0245},
                 d.skeleton.find(side > 0 ? "left_eye" : "right_eye"), white, black);
    add_plate(out, {{0, 0.468, 0.098}, {0.022, 0.006, 0.01}, {}, 4}, d.skeleton.find("head"), white);  // teeth
    count_again(out);
    out.clips = {record_loop("nod", d.skeleton, 2.4, nod)};
    return out;
}

}  // namespace fascia::test
