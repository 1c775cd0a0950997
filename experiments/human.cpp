#include "human.h"

#include <cstdlib>
#include <filesystem>
#include <numbers>

namespace fascia::experiments {

namespace {

std::string shared_man() {
    const char* folder = std::getenv("FASCIA_DATA");
    return (folder ? std::string(folder) : std::string(FASCIA_SOURCE_DIR) + "/../shared/data") +
           "/characters/mh_heavy_male.glb";
}

std::size_t joint_named(const Character& character, const std::string& name) {
    for (std::size_t j = 0; j < character.joints.size(); ++j)
        if (character.joints[j].name == name) return j;
    return 0;
}

}  // namespace

Human human() {
    if (std::filesystem::exists(shared_man()))
        if (Result<Character> man = load_character(shared_man()); man)
            return {std::move(*man), {"LeftForeArm", normalized(Vec3d{-3.6, -3.2, 0.4})}, {"LeftLeg", {1, 0, 0}}};
    return {cast("gnome"), {"left_lower_arm", {0, -1, 0}}, {"left_lower_leg", {1, 0, 0}}};
}

std::vector<Affine> turned(const Character& character, const std::vector<Turn>& turns) {
    std::vector<Affine> joints = rest_pose(character).joints;
    // Turns are given in the rest pose's axes, so those along a chain are composed from its end to its root.
    for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
        const std::size_t centre = joint_named(character, turn->joint);
        const Vec3d at = translation_of(joints[centre]);
        const Quat q = quat_from_axis_angle(turn->axis, turn->degrees * std::numbers::pi / 180);
        const Affine about = compose(at, q, {1, 1, 1}) * compose(at * -1.0, {}, {1, 1, 1});
        for (std::size_t j = 0; j < joints.size(); ++j) {
            int up = int(j);
            while (up >= 0 && std::size_t(up) != centre) up = character.joints[std::size_t(up)].parent;
            if (up >= 0) joints[j] = about * joints[j];
        }
    }
    return joints;
}

View close_up(const Character& character, const std::string& joint, double reach, const std::vector<Vec3>& positions) {
    const Vec3d centre = translation_of(character.joints[joint_named(character, joint)].rest);
    const double radius = reach * character.size();
    std::vector<Vec3> near;
    for (const Vec3& p : positions)
        if (length(to_double(p) - centre) < radius) near.push_back(p);
    View view = view_of(near);
    view.ground = false;
    return view;
}

Held hold(const Rig& rig, const std::vector<Affine>& joints) {
    Held out{std::vector<Vec3>(rig.vertex_count()), std::vector<Vec3>(rig.vertex_count()), make_state(rig)};
    Workspace work;
    reset(rig, joints, out.state, work);
    embed(rig, out.state, {out.positions, out.normals, {}}, work);
    return out;
}

}  // namespace fascia::experiments
