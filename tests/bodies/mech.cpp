#include "bodies.h"
#include "design.h"
#include "shells.h"
#include "trig.h"

namespace fascia::test {

using namespace characters;

namespace {

const Color steel = srgb(0x8A95A3), orange = srgb(0xE07A2E), dark = srgb(0x3A4048), glass = srgb(0x54D1E8);
const Vec3d shoulder{0.34, 1.30, 0}, elbow{0.62, 1.28, 0}, wrist{0.86, 1.26, 0.02};
const Vec3d hip{0.16, 0.80, 0}, knee{0.18, 0.46, 0.03}, ankle{0.18, 0.12, 0};

void rig(Skeleton& k) {
    k.add("hips", "", {0, 0.86, 0}, {0, 1.0, 0});
    k.add("spine", "hips", {0, 1.0, 0}, {0, 1.12, 0});
    k.add("chest", "spine", {0, 1.12, 0}, {0, 1.42, 0});
    k.add("head", "chest", {0, 1.46, 0}, {0, 1.68, 0});
    k.add_pair("left_upper_arm", "chest", shoulder, elbow);
    k.add_pair("left_lower_arm", "left_upper_arm", elbow, wrist);
    k.add_pair("left_hand", "left_lower_arm", wrist, wrist + Vec3d{0.14, -0.02, 0});
    k.add_pair("left_upper_leg", "hips", hip, knee);
    k.add_pair("left_lower_leg", "left_upper_leg", knee, ankle);
    k.add_pair("left_foot", "left_lower_leg", ankle, {0.18, 0.05, 0.24});
}

class Builder {
public:
    Builder(Character& character, const Skeleton& skeleton) : character_(character), skeleton_(skeleton) {}
    void plate(const std::string& joint, Vec3d centre, Vec3d half, Color color) {
        add_plate(character_, {centre, half, {}, 4}, skeleton_.find(joint), color);
    }
    void pair(const std::string& joint, Vec3d centre, Vec3d half, Color color) {
        plate(joint, centre, half, color);
        plate(other_side(joint), {-centre.x, centre.y, centre.z}, half, color);
    }

private:
    Character& character_;
    const Skeleton& skeleton_;
};

}  // namespace

Character mech_body() {
    Skeleton skeleton;
    rig(skeleton);
    Character out;
    out.name = "mech";
    out.weights.influences = 4;
    Builder b(out, skeleton);
    b.plate("hips", {0, 0.86, 0}, {0.19, 0.085, 0.13}, dark);
    b.plate("spine", {0, 1.04, 0}, {0.11, 0.08, 0.09}, dark);
    b.plate("chest", {0, 1.27, 0.01}, {0.28, 0.16, 0.17}, orange);
    b.plate("chest", {0, 1.27, -0.21}, {0.2, 0.13, 0.06}, steel);
    b.plate("head", {0, 1.56, 0.02}, {0.11, 0.10, 0.11}, steel);
    b.plate("head", {0, 1.58, 0.135}, {0.08, 0.03, 0.012}, glass);
    b.pair("left_upper_arm", {0.38, 1.34, 0}, {0.085, 0.10, 0.11}, orange);
    b.pair("left_upper_arm", {0.53, 1.285, 0}, {0.09, 0.05, 0.05}, dark);
    b.pair("left_lower_arm", {0.74, 1.27, 0.01}, {0.12, 0.07, 0.075}, steel);
    b.pair("left_hand", {0.935, 1.25, 0.02}, {0.065, 0.045, 0.06}, dark);
    b.pair("left_upper_leg", {0.165, 0.63, 0.015}, {0.075, 0.15, 0.085}, steel);
    b.pair("left_lower_leg", {0.18, 0.30, 0.01}, {0.085, 0.16, 0.10}, orange);
    b.pair("left_foot", {0.18, 0.055, 0.06}, {0.09, 0.055, 0.17}, dark);
    skeleton.write_to(out);
    add_part_and_material(out);
    Style style;
    style.arms_down = 62;
    style.stride = 0.16;
    out.clips = make_clips(skeleton, style, out.mesh);
    return out;
}

}  // namespace fascia::test
