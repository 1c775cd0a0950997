#include "character/sole_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace fascia {
namespace {

/// Straight down, and eight directions at three slopes: where a foot touches when it is flat, on its heel or on its
/// toes.
std::vector<Vec3d> touching_directions(const BodyFrame& frame) {
    std::vector<Vec3d> directions{-frame.up()};
    constexpr double kPi = 3.14159265358979323846;
    for (int turn = 0; turn < 8; ++turn) {
        const double side = turn * kPi / 4;
        for (double slope : {0.0, kPi / 6, kPi / 3}) {
            const double level = std::cos(slope);
            directions.push_back(
                rotate(frame.rotation, {level * std::sin(side), -std::sin(slope), level * std::cos(side)}));
        }
    }
    return directions;
}

/// Of all points that move with one node: the outermost one in each direction.
class OutermostPoints {
public:
    explicit OutermostPoints(const std::vector<Vec3d>& directions) : directions_(directions) {}

    void add(int node, Vec3d place) {
        auto [found, fresh] = by_node_.try_emplace(node);
        std::vector<Vec3d>& best = found->second;
        if (fresh) best.assign(directions_.size(), place);
        for (std::size_t d = 0; d < directions_.size(); ++d)
            if (dot(place - best[d], directions_[d]) > 0) best[d] = place;
    }

    std::vector<SolePoint> points() const {
        std::vector<SolePoint> out;
        for (const auto& [node, places] : by_node_)
            for (const Vec3d& place : places) out.push_back({node, place, 0});
        return out;
    }

private:
    const std::vector<Vec3d>& directions_;
    std::map<int, std::vector<Vec3d>> by_node_;
};

/// For each node: the foot (0 left, 1 right) that it belongs to, or -1.
std::vector<int> feet_of_nodes(const Character& character, const CharacterRest& rest, const Anatomy& anatomy) {
    std::vector<int> foot(character.nodes.size(), -1);
    for (std::size_t n = 0; n < character.nodes.size(); ++n) {
        const int parent = character.nodes[n].parent;
        if (parent >= 0) foot[n] = foot[parent];
        for (int s = 0; s < 2; ++s) {
            for (int part : {static_cast<int>(limb_end), static_cast<int>(limb_tip)}) {
                const int joint = anatomy.legs[s][part];
                if (joint >= 0 && rest.nodes[joint] == static_cast<int>(n)) foot[n] = s;
            }
        }
    }
    return foot;
}

void add_skinned(const Character& character, const std::vector<int>& foot, std::vector<OutermostPoints>& feet) {
    const SkinWeights& weights = character.weights;
    if (weights.influences <= 0) return;
    for (std::size_t v = 0; v < character.mesh.positions.size(); ++v) {
        const std::size_t slot = v * static_cast<std::size_t>(weights.influences);  // the largest weight comes first
        if (slot >= weights.weights.size() || weights.weights[slot] < 0.5f) continue;
        const int node = character.joints[weights.joints[slot]].node;
        if (foot[node] >= 0) feet[foot[node]].add(node, to_double(character.mesh.positions[v]));
    }
}

void add_rigid(const Character& character, const CharacterRest& rest, const std::vector<int>& foot,
               std::vector<OutermostPoints>& feet) {
    for (const Part& part : character.rigid.parts) {
        if (part.node < 0 || foot[part.node] < 0) continue;
        for (int v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
            const Vec3d place = transform_point(rest.world[part.node], to_double(character.rigid.positions[v]));
            feet[foot[part.node]].add(part.node, place);
        }
    }
}

std::vector<SolePoint> joint_points(const CharacterRest& rest, const Limb& leg, Vec3d up) {
    std::vector<SolePoint> points;
    for (int part : {static_cast<int>(limb_end), static_cast<int>(limb_tip)}) {
        if (leg[part] < 0) continue;
        const Vec3d place = rest.skeleton.positions[leg[part]];
        points.push_back({rest.nodes[leg[part]], place, dot(place, up)});
    }
    return points;
}

}  // namespace

std::vector<SolePoint> sole_points(const Character& character, const CharacterRest& rest, const Anatomy& anatomy,
                                   const BodyFrame& frame) {
    const Vec3d up = frame.up();
    const std::vector<Vec3d> directions = touching_directions(frame);
    const std::vector<int> foot = feet_of_nodes(character, rest, anatomy);
    std::vector<OutermostPoints> feet(2, OutermostPoints(directions));
    add_skinned(character, foot, feet);
    add_rigid(character, rest, foot, feet);

    std::vector<SolePoint> surface, out;
    for (int s = 0; s < 2; ++s) {
        const std::vector<SolePoint> points = feet[s].points();
        surface.insert(surface.end(), points.begin(), points.end());
        if (!points.empty()) continue;
        const std::vector<SolePoint> joints = joint_points(rest, anatomy.legs[s], up);
        out.insert(out.end(), joints.begin(), joints.end());
    }
    double ground = std::numeric_limits<double>::infinity();
    for (const SolePoint& point : surface) ground = std::min(ground, dot(point.place, up));
    for (SolePoint& point : surface) point.ground = ground;
    out.insert(out.end(), surface.begin(), surface.end());
    return out;
}

}  // namespace fascia
