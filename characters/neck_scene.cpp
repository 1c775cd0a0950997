// The anatomy of the bust as a scene: bodies and muscles, and what joins, drives and holds them.
#include "neck_anatomy.h"

namespace fascia::characters {
namespace {

Vec3d metres(Vec3d cm) {
    return neck_place(cm) * neck_metres_per_unit;
}
Vec3d other_side(Vec3d p) {
    return {-p.x, p.y, p.z};
}

void add_joints(AnatomyScene& scene) {
    // Degrees that each level swings; most between skull and atlas, hardly any sideways between atlas and axis.
    constexpr double limits[] = {18, 20, 22, 22, 20, 18, 45, 28};
    for (std::size_t i = 1; i < neck_joints.size(); ++i) {
        const NeckJoint &below = neck_joints[i - 1], &here = neck_joints[i];
        scene.joints.push_back({std::string(below.name) + "-" + here.name,
                                below.name,
                                here.name,
                                false,
                                metres(here.centre),
                                {0, 1, 0},
                                limits[i - 1]});
    }
    scene.joints.push_back({"thyroid-cricoid", "thyroid", "cricoid", true, metres({0, 22.7, 0.8}), {1, 0, 0}, 180});
}

template <class Line>
void add_pair(std::vector<Line>& lines, Line left) {
    Line right = left;
    right.name = "right_" + left.name;
    left.name = "left_" + left.name;
    right.from = other_side(left.from);
    right.to = other_side(left.to);
    lines.push_back(left);
    lines.push_back(right);
}

/// Two pairs between rings of two bodies: upright and crossed, so that neither slides nor turns freely on the other.
void add_crossed(AnatomyScene& scene, const char* name, const char* a, const char* b, Vec3d from, Vec3d to,
                 double stiffness) {
    const auto spring = [&](const char* kind, Vec3d p, Vec3d q) {
        AnatomyScene::Spring s;
        s.name = std::string(name) + kind;
        s.a = a;
        s.b = b;
        s.from = metres(p);
        s.to = metres(q);
        s.stiffness = stiffness;
        s.damping = 0.05 * stiffness * length(s.to - s.from);
        add_pair(scene.springs, s);
    };
    spring("", from, to);
    spring("_crossed", from, other_side(to));
}

void add_springs(AnatomyScene& scene) {
    add_crossed(scene, "cricoid_base", "cricoid", "base", {1.1, 21.9, 1.3}, {1.4, 16.0, 1.9}, 250);
    add_crossed(scene, "hyoid_thyroid", "hyoid", "thyroid", {1.6, 27.0, 0.4}, {1.5, 25.4, 0.6}, 400);
    // The floor of the mouth and the ligaments that the hyoid hangs on: an opening jaw moves the throat.
    add_crossed(scene, "hyoid_jaw", "hyoid", "jaw", {0.7, 26.8, 1.8}, {1.0, 30.0, 5.9}, 200);
    add_crossed(scene, "hyoid_skull", "hyoid", "skull", {1.8, 27.3, -0.3}, {4.4, 36.0, -1.6}, 150);
}

AnatomyScene::Actuator actuator(const char* name, const char* a, const char* b, Vec3d from, Vec3d to, double f0) {
    AnatomyScene::Actuator out;
    out.name = name;
    out.a = a;
    out.b = b;
    out.from = metres(from);
    out.to = metres(to);
    out.f0 = f0;
    out.lo = length(out.to - out.from);
    out.lmax = 1.5 * out.lo;
    out.gamma = 0.1;
    out.damping = 0.05 * f0;
    return out;
}

void add_actuators(AnatomyScene& scene) {
    // The muscles that lift the hyoid are excited by the joint `larynx`, which a clip lifts.
    const auto lifts = [&](AnatomyScene::Actuator a) {
        a.joint = "larynx";
        add_pair(scene.actuators, a);
    };
    lifts(actuator("stylohyoid", "skull", "hyoid", {4.6, 36.2, -1.8}, {1.4, 27.0, 1.0}, 12));
    lifts(actuator("digastric", "skull", "hyoid", {5.2, 35.4, -2.6}, {1.6, 27.1, 0.6}, 15));
    lifts(actuator("geniohyoid", "jaw", "hyoid", {0.5, 29.8, 5.9}, {0.5, 26.8, 1.9}, 10));
    // These turn, bend and raise the head where it is driven by activations.
    add_pair(scene.actuators, actuator("sternomastoid", "base", "skull", {1.6, 16.0, 2.2}, {5.3, 36.0, -2.6}, 130));
    add_pair(scene.actuators, actuator("splenius", "base", "skull", {0.5, 17.5, -7.8}, {4.6, 37.4, -4.6}, 120));
    add_pair(scene.actuators, actuator("semispinalis", "base", "skull", {1.2, 15.5, -7.0}, {1.4, 38.2, -7.2}, 150));
}

}  // namespace

Vec3d SkinDepth::at_depth(Vec3d p, double depth) const {
    constexpr int rounds = 6;
    constexpr double longest = 1.2 * neck_units_per_cm;
    for (int i = 0; i < rounds; ++i) {
        const double off = skin_.distance(p) + depth;
        if (off < 1e-5 && off > -1e-5) break;
        const double step = off > longest ? longest : off < -longest ? -longest : off;
        p = p - outward(p) * step;
    }
    return p;
}

Vec3d SkinDepth::sunk(Vec3d p, double depth) const {
    return skin_.distance(p) > -depth ? at_depth(p, depth) : p;
}

AnatomyScene neck_scene(const Field& skin) {
    const SkinDepth depth(skin);
    AnatomyScene scene;
    scene.unit = 1;
    scene.bodies = neck_bodies(depth);
    scene.muscles = neck_muscles(depth);
    add_joints(scene);
    add_actuators(scene);
    add_springs(scene);
    scene.skin.reach = 0.025;
    return scene;
}

}  // namespace fascia::characters
