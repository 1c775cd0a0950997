// Anatomies of bundled characters. examples/anatomy/ holds the same as files, which a test compares.
#include "scenes.h"

#include <memory>

#include "fascia/anatomy_scene.h"

namespace fascia::characters {
namespace {

/// An anatomy under construction, in the words of anatomy files.
struct Scene : AnatomyScene {
    void body(const char* name, const char* follows, bool is_free, Solid solid) {
        Body out;
        out.name = name, out.joint = follows, out.free = is_free, out.solid = std::move(solid);
        bodies.push_back(std::move(out));
    }
    void heavy(double density) { bodies.back().density = density; }
    void ball(const char* a, const char* b, Vec3d at, Vec3d axis, double limit) {
        Joint out;
        out.a = a, out.b = b, out.at = at, out.axis = axis, out.limit = limit;
        joints.push_back(out);
    }
    Muscle& muscle(const char* name, double young, const std::vector<Vec3d>& path, const std::vector<double>& radii,
                   int segments, std::vector<Attachment> attachments) {
        Muscle out;
        out.name = name, out.young = young, out.attachments = std::move(attachments);
        sweep_muscle(path, radii, segments, out);
        muscles.push_back(std::move(out));
        return muscles.back();
    }
    void actuator(const char* name, const char* a, const char* b, Vec3d from, Vec3d to, double f0, double damping) {
        Actuator out;
        out.name = name, out.a = a, out.b = b, out.from = from, out.to = to, out.f0 = f0, out.damping = damping;
        actuators.push_back(out);
    }
    void spring(const char* a, const char* b, Vec3d from, Vec3d to, double stiffness, double damping) {
        Spring out;
        out.a = a, out.b = b, out.from = from, out.to = to, out.stiffness = stiffness, out.damping = damping;
        springs.push_back(out);
    }
};

/// Ears whose upper halves swing.
Scene bunny_anatomy() {
    Scene s;
    s.unit = 0.4;
    s.body("left_root", "left_ear", false, capsule_solid({0.125, 1.42, -0.02}, {0.155, 1.56, -0.04}, 0.05));
    s.body("left_middle", "left_ear", true, capsule_solid({0.16, 1.62, -0.046}, {0.195, 1.8, -0.062}, 0.035));
    s.heavy(6000);
    s.body("left_tip", "left_ear", true, capsule_solid({0.2, 1.85, -0.066}, {0.222, 1.96, -0.076}, 0.025));
    s.heavy(6000);
    s.body("right_root", "right_ear", false, capsule_solid({-0.125, 1.42, -0.02}, {-0.155, 1.56, -0.04}, 0.05));
    s.body("right_middle", "right_ear", true, capsule_solid({-0.16, 1.62, -0.046}, {-0.195, 1.8, -0.062}, 0.035));
    s.heavy(6000);
    s.body("right_tip", "right_ear", true, capsule_solid({-0.2, 1.85, -0.066}, {-0.222, 1.96, -0.076}, 0.025));
    s.heavy(6000);
    s.ball("left_root", "left_middle", {0.157, 1.59, -0.043}, {0.17, 1, -0.08}, 50);
    s.ball("left_middle", "left_tip", {0.198, 1.825, -0.064}, {0.17, 1, -0.08}, 50);
    s.ball("right_root", "right_middle", {-0.157, 1.59, -0.043}, {-0.17, 1, -0.08}, 50);
    s.ball("right_middle", "right_tip", {-0.198, 1.825, -0.064}, {-0.17, 1, -0.08}, 50);
    s.muscle("left_ear", 4000, {{0.13, 1.44, -0.03}, {0.18, 1.72, -0.054}, {0.225, 1.98, -0.077}}, {0.05, 0.05, 0.035},
             10, {{"left_root", 0.03}, {"left_middle", 0.03}, {"left_tip", 0.02}});
    s.muscle("right_ear", 4000, {{-0.13, 1.44, -0.03}, {-0.18, 1.72, -0.054}, {-0.225, 1.98, -0.077}},
             {0.05, 0.05, 0.035}, 10, {{"right_root", 0.03}, {"right_middle", 0.03}, {"right_tip", 0.02}});
    s.skin.epidermal = 100;
    s.skin.reach = 0.09;
    return s;
}

/// A hat of felt with a bobble, bent by its own weight.
Scene gnome_anatomy() {
    Scene s;
    s.unit = 0.5;
    s.body("brim", "hat", false, capsule_solid({0, 1.32, -0.02}, {0, 1.44, -0.03}, 0.15));
    s.body("cone", "hat", true, capsule_solid({0.002, 1.56, -0.045}, {0.018, 1.68, -0.065}, 0.07));
    s.body("fold", "hat", true, capsule_solid({0.04, 1.78, -0.074}, {0.1, 1.87, -0.079}, 0.04));
    s.body("end", "hat", true, capsule_solid({0.17, 1.918, -0.075}, {0.25, 1.933, -0.057}, 0.025));
    s.body("bobble", "hat", true, ellipsoid_solid({0.335, 1.925, -0.04}, {0.055, 0.055, 0.055}));
    s.heavy(6000);
    s.ball("brim", "cone", {0, 1.48, -0.038}, {0, 1, -0.1}, 30);
    s.ball("cone", "fold", {0.022, 1.73, -0.071}, {0.4, 1, -0.1}, 40);
    s.ball("fold", "end", {0.13, 1.9, -0.079}, {1, 0.4, 0}, 60);
    s.ball("end", "bobble", {0.285, 1.938, -0.05}, {1, 0, 0.2}, 60);
    s.muscle("felt", 15000,
             {{0, 1.36, -0.025}, {0, 1.5, -0.04}, {0.02, 1.72, -0.07}, {0.12, 1.905, -0.08}, {0.29, 1.94, -0.05}},
             {0.2, 0.17, 0.1, 0.055, 0.035}, 16,
             {{"brim", 0.06}, {"cone", 0.05}, {"fold", 0.04}, {"end", 0.03}, {"bobble", 0.02}})
        .density = 300;
    s.skin.reach = 0.12;
    return s;
}

/// A tail, and a throat whose larynx two actuators lift and lower.
Scene bloat_anatomy() {
    Scene s;
    s.unit = 0.4;
    s.body("pelvis", "hips", false, ellipsoid_solid({0, 0.5, -0.2}, {0.3, 0.3, 0.25}));
    s.body("tail1", "tail", true, capsule_solid({0, 0.44, -0.52}, {0, 0.38, -0.7}, 0.05));
    s.body("tail2", "tail", true, capsule_solid({0, 0.36, -0.74}, {0, 0.41, -0.92}, 0.04));
    s.body("tail3", "tail", true, capsule_solid({0, 0.43, -0.95}, {0, 0.56, -1.03}, 0.03));
    s.body("tip", "tail", true, ellipsoid_solid({0, 0.66, -1.06}, {0.05, 0.07, 0.05}));
    s.body("jaw", "head", false, capsule_solid({-0.2, 0.9, 0.52}, {0.2, 0.9, 0.52}, 0.05));
    s.body("breast", "spine", false, capsule_solid({-0.15, 0.6, 0.48}, {0.15, 0.6, 0.48}, 0.06));
    s.body("larynx", "chest", true, ellipsoid_solid({0, 0.79, 0.58}, {0.07, 0.06, 0.05}));
    s.ball("pelvis", "tail1", {0, 0.46, -0.46}, {0, -0.2, -1}, 40);
    s.ball("tail1", "tail2", {0, 0.36, -0.72}, {0, 0, -1}, 50);
    s.ball("tail2", "tail3", {0, 0.42, -0.94}, {0, 0.5, -1}, 50);
    s.ball("tail3", "tip", {0, 0.59, -1.04}, {0, 1, 0}, 50);
    s.muscle("tail", 150000, {{0, 0.47, -0.4}, {0, 0.36, -0.74}, {0, 0.42, -0.95}, {0, 0.58, -1.04}},
             {0.1, 0.065, 0.045, 0.03}, 14,
             {{"pelvis", 0.06}, {"tail1", 0.05}, {"tail2", 0.05}, {"tail3", 0.04}, {"tip", 0.02}});
    s.muscle("left_strap", 20000, {{0.13, 0.96, 0.52}, {0.05, 0.79, 0.6}, {0.1, 0.62, 0.52}}, {0.03}, 8,
             {{"jaw", 0.05}, {"larynx", 0.04}, {"breast", 0.06}});
    s.muscle("right_strap", 20000, {{-0.13, 0.96, 0.52}, {-0.05, 0.79, 0.6}, {-0.1, 0.62, 0.52}}, {0.03}, 8,
             {{"jaw", 0.05}, {"larynx", 0.04}, {"breast", 0.06}});
    s.actuator("lift", "jaw", "larynx", {0, 0.98, 0.52}, {0, 0.84, 0.58}, 12, 2);
    s.actuator("lower", "breast", "larynx", {0, 0.6, 0.5}, {0, 0.74, 0.58}, 4, 2);
    s.spring("jaw", "larynx", {0.12, 0.98, 0.5}, {-0.05, 0.81, 0.56}, 60, 1);
    s.spring("jaw", "larynx", {-0.12, 0.98, 0.5}, {0.05, 0.81, 0.56}, 60, 1);
    s.spring("breast", "larynx", {0.12, 0.6, 0.46}, {-0.05, 0.77, 0.56}, 60, 1);
    s.spring("breast", "larynx", {-0.12, 0.6, 0.46}, {0.05, 0.77, 0.56}, 60, 1);
    s.skin.reach = 0.12;
    return s;
}

}  // namespace

Character with_anatomy(Character character) {
    AnatomyScene scene;
    if (character.name == "bunny") scene = bunny_anatomy();
    if (character.name == "gnome") scene = gnome_anatomy();
    if (character.name == "bloat") scene = bloat_anatomy();
    if (!scene.bodies.empty()) character.scene = std::make_shared<const AnatomyScene>(std::move(scene));
    return character;
}

}  // namespace fascia::characters
