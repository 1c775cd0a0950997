#include "own_motions.h"

#include <algorithm>
#include <cmath>

#include "clip_builder.h"
#include "fascia/pose.h"
#include "trig.h"

namespace fascia::characters {
namespace {

constexpr int keys_per_second = 60;

/// A number between -1 and 1 over time.
using Height = double (*)(double seconds);

double shaken(double seconds) {
    constexpr double frequency = 1.5, stop = 2;
    return seconds < stop ? wave(frequency * seconds) : 0;
}

/// Thrown up and caught, without a pause.
double bounced(double seconds) {
    constexpr double hops_per_second = 1.5;
    const double s = seconds * hops_per_second, t = s - std::floor(s);
    return 4 * t * (1 - t);
}

std::vector<double> key_times(double seconds) {
    std::vector<double> times;
    for (int i = 0; i <= static_cast<int>(seconds * keys_per_second + 0.5); ++i)
        times.push_back(static_cast<double>(i) / keys_per_second);
    return times;
}

/// The topmost nodes above the joints: what moves with them moves as a whole. A node with a matrix cannot be animated;
/// below it the next one is taken.
std::vector<int> moved_nodes(const Character& character) {
    std::vector<int> out;
    for (const Joint& joint : character.joints) {
        int top = joint.node;
        for (int node = joint.node; node >= 0; node = character.nodes[static_cast<std::size_t>(node)].parent)
            if (!character.nodes[static_cast<std::size_t>(node)].matrix) top = node;
        if (std::find(out.begin(), out.end(), top) == out.end()) out.push_back(top);
    }
    return out;
}

Vec3d in_axes_of_parent(const Character& character, const Pose& pose, int node, Vec3d world) {
    const int parent = character.nodes[static_cast<std::size_t>(node)].parent;
    return parent < 0 ? world : transform_vector(inverse(pose.nodes[static_cast<std::size_t>(parent)]), world);
}

Clip moved_up_and_down(const Character& character, double amplitude, double seconds, Height height) {
    Pose pose;
    evaluate(character, nullptr, 0, pose);
    const std::vector<double> times = key_times(seconds);
    Clip clip;
    for (const int node : moved_nodes(character)) {
        const Vec3d up = in_axes_of_parent(character, pose, node, {0, amplitude, 0});
        const Vec3d at_rest = character.nodes[static_cast<std::size_t>(node)].translation;
        std::vector<Vec3d> places;
        for (const double t : times) places.push_back(at_rest + up * height(t));
        clip.channels.push_back(translation_channel(node, times, places));
    }
    return clip;
}

/// Joints between each joint and the root of its tree. [joints]
std::vector<int> depths(const Character& character) {
    std::vector<int> out;
    for (const Joint& joint : character.joints)
        out.push_back(joint.parent < 0 ? 0 : out[static_cast<std::size_t>(joint.parent)] + 1);
    return out;
}

/// A wave runs from the root to the ends; the longer the chains, the less each joint bends.
Clip swayed(const Character& character, double seconds) {
    constexpr double cycles_per_second = 0.5, lag_per_joint = 0.07, whole_bend = 36, most = 8;  // degrees
    const std::vector<int> depth = depths(character);
    const int deepest = *std::max_element(depth.begin(), depth.end());
    const double bend = std::min(most, whole_bend / std::max(1, deepest));
    Pose pose;
    evaluate(character, nullptr, 0, pose);
    const std::vector<double> times = key_times(seconds);
    std::vector<bool> turned_already(character.nodes.size(), false);
    Clip clip;
    for (std::size_t j = 0; j < character.joints.size(); ++j) {
        const auto node = static_cast<std::size_t>(character.joints[j].node);
        if (turned_already[node] || character.nodes[node].matrix) continue;
        turned_already[node] = true;
        // About the way the character faces, whatever the axes of the joint's parent.
        const Vec3d axis = normalized(in_axes_of_parent(character, pose, static_cast<int>(node), {0, 0, 1}), {0, 0, 1});
        std::vector<Quat> turns;
        for (const double t : times) {
            const double angle = bend * wave(cycles_per_second * t - lag_per_joint * depth[j]);
            turns.push_back(normalized(turned(axis, angle) * character.nodes[node].rotation));
        }
        clip.channels.push_back(rotation_channel(static_cast<int>(node), times, turns));
    }
    return clip;
}

}  // namespace

std::optional<Clip> own_motion(const Character& character, const std::string& name) {
    constexpr double loop = 4, settling = 6;  // seconds
    if (character.joints.empty()) return std::nullopt;
    const double size = character.size();
    std::optional<Clip> clip;
    if (name == "shake") clip = moved_up_and_down(character, 0.1 * size, settling, shaken);
    if (name == "bounce") clip = moved_up_and_down(character, 0.2 * size, loop, bounced);
    if (name == "sway") clip = swayed(character, loop);
    if (clip) {
        clip->name = name;
        clip->duration = name == "shake" ? settling : loop;
    }
    return clip;
}

}  // namespace fascia::characters
