// The puppet with other proportions and a skin of capsules: men, apes, bears.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "character/puppet.h"

namespace fascia::test {

/// Everything is relative to the puppet, whose limbs are 0.6 thick and whose trunk is 1.5 thick.
struct Build {
    const char* name = "man";
    double legs = 1, thigh_share = 0.5, arms = 1, trunk = 1, hips = 1, feet = 1;
    double limb_width = 1, trunk_width = 1, head_width = 1;
};

inline std::vector<Build> all_builds() {
    Build man, dwarf{"short_legged_man"}, ape{"ape"}, bear{"bear"}, wader{"wader"};
    dwarf.legs = 0.45;
    dwarf.hips = 1.3;
    dwarf.thigh_share = 0.42;
    ape.legs = 0.6;
    ape.arms = 1.6;
    ape.trunk_width = 1.4;
    bear.legs = 0.5;
    bear.arms = 0.75;
    bear.hips = 1.8;
    bear.limb_width = 1.8;
    bear.trunk_width = 2.2;
    bear.head_width = 1.6;
    bear.feet = 1.4;
    wader.legs = 1.7;
    wader.thigh_share = 0.4;
    wader.arms = 0.8;
    wader.limb_width = 0.7;
    return {man, dwarf, ape, bear, wader};
}

/// Positions of the puppet's joints in a T-pose, with feet as high above the floor as their skin is thick.
inline std::vector<Vec3d> places_of(const Build& build) {
    const double ankle = std::max(1.0, 0.75 * build.limb_width), leg = 9 * build.legs, hips = ankle + leg;
    std::vector<Vec3d> places;
    for (const PuppetJoint& joint : puppet_joints()) {
        const std::string name = joint.name;
        Vec3d place = joint.place;
        const double side = place.x < 0 ? -1 : 1;
        place.y = hips + (place.y - 10) * build.trunk;
        if (std::abs(place.x) > 2) place.x = side * (2 + (std::abs(place.x) - 2) * build.arms);
        if (name.find("Leg") != std::string::npos || name.find("Foot") != std::string::npos ||
            name.find("Toe") != std::string::npos) {
            place.x *= build.hips;
            place.y = hips;
            if (name == "LeftLeg" || name == "RightLeg") place.y = hips - leg * build.thigh_share;
            if (name.find("Foot") != std::string::npos) place.y = ankle;
            if (name.find("Toe") != std::string::npos) place = {place.x, 0.4 * ankle, 1.5 * build.feet};
        }
        places.push_back(place);
    }
    return places;
}

/// A capsule of points around the bone from `a` to `b`. Its first third partly follows the parent.
inline void add_capsule(Character& character, int joint, int parent, Vec3d a, Vec3d b, double radius) {
    const Vec3d axis = normalized(b - a, {0, 1, 0});
    const Vec3d u = normalized(cross(axis, std::abs(axis.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1}));
    const Vec3d v = cross(axis, u);
    constexpr int kRings = 12, kSides = 16;
    const auto first = static_cast<std::uint32_t>(character.mesh.positions.size());
    for (int ring = 0; ring <= kRings; ++ring) {
        const double t = static_cast<double>(ring) / kRings;
        // Half a sphere at each end, sharing the rings equally.
        const double angle = std::numbers::pi * (std::min(t, 0.25) + std::max(0.0, t - 0.75)) * 2;
        const double along = std::clamp((t - 0.25) * 2, 0.0, 1.0);
        for (int side = 0; side < kSides; ++side) {
            const double turn = 2 * std::numbers::pi * side / kSides;
            const Vec3d out = u * std::cos(turn) + v * std::sin(turn);
            const Vec3d place = a + (b - a) * along + (out * std::sin(angle) - axis * std::cos(angle)) * radius;
            character.mesh.positions.push_back(to_float(place));
            const double own = parent < 0 ? 1 : std::clamp(0.5 + 1.5 * along, 0.5, 1.0);
            const bool own_first = own >= 0.5;
            const auto slots = {std::pair(own_first ? joint : parent, own), std::pair(std::max(parent, 0), 1 - own)};
            for (const auto& [which, weight] : slots) {
                character.weights.joints.push_back(weight > 0 ? static_cast<std::uint16_t>(which) : 0);
                character.weights.weights.push_back(static_cast<float>(weight));
            }
            for (int rest = 0; rest < 2; ++rest) {
                character.weights.joints.push_back(0);
                character.weights.weights.push_back(0);
            }
        }
    }
    for (std::uint32_t ring = 0; ring < kRings; ++ring) {
        for (std::uint32_t side = 0; side < kSides; ++side) {
            const std::uint32_t p = first + ring * kSides + side, q = first + ring * kSides + (side + 1) % kSides;
            for (std::uint32_t corner : {p, q, p + kSides, q, q + kSides, p + kSides})
                character.mesh.triangles.push_back(corner);
        }
    }
}

inline Character fleshed_puppet(const Build& build) {
    Character character;
    character.name = build.name;
    character.weights.influences = 4;
    const std::vector<Vec3d> places = places_of(build);
    for (std::size_t j = 0; j < places.size(); ++j) {
        const PuppetJoint& pattern = puppet_joints()[j];
        Node node;
        node.name = pattern.name;
        node.parent = pattern.parent;
        node.translation = places[j] - (pattern.parent < 0 ? Vec3d{} : places[pattern.parent]);
        character.nodes.push_back(node);
        Joint joint;
        joint.name = node.name;
        joint.node = static_cast<int>(j);
        joint.parent = pattern.parent;
        joint.rest = compose(places[j], {}, {1, 1, 1});
        character.joints.push_back(joint);
    }
    for (std::size_t j = 0; j < places.size(); ++j) {
        const PuppetJoint& pattern = puppet_joints()[j];
        const std::string name = pattern.name;
        Vec3d end = places[j];
        int children = 0;
        for (std::size_t k = j + 1; k < places.size(); ++k) {
            if (puppet_joints()[k].parent != static_cast<int>(j)) continue;
            if (children++ == 0) end = places[k];
        }
        double radius = 0.6 * build.limb_width;
        if (name == "Hips" || name.find("Spine") == 0) radius = 1.5 * build.trunk_width;
        if (name == "Head") radius = 1.2 * build.head_width;
        if (name.find("UpLeg") != std::string::npos) radius *= 1.3;
        if (name.find("Foot") != std::string::npos || name.find("Toe") != std::string::npos)
            radius = 0.4 * std::max(1.0, 0.75 * build.limb_width);
        if (name == "Head") end.y += 1;
        if (name.find("Hand") != std::string::npos) end.x += places[j].x < 0 ? -1.0 : 1.0;
        if (name.find("Toe") != std::string::npos) end.z += 0.5;
        add_capsule(character, static_cast<int>(j), pattern.parent, places[j], end, radius);
    }
    character.mesh.normals.assign(character.mesh.positions.size(), {0, 1, 0});
    Part part;
    part.name = "skin";
    part.vertex_count = static_cast<int>(character.mesh.positions.size());
    part.triangle_count = static_cast<int>(character.mesh.triangles.size() / 3);
    character.mesh.parts.push_back(part);
    return character;
}

}  // namespace fascia::test
