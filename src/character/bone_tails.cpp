#include "character/bone_tails.h"

#include <algorithm>
#include <cmath>

#include "character/continuing_child.h"

namespace fascia {

namespace {

Vec3d head(const Joint& joint) {
    return translation_of(joint.rest);
}

/// Centre of the vertices that mostly follow a joint.
struct FleshAround {
    Vec3d sum;
    double count = 0;
};

std::vector<FleshAround> gather_flesh(const Mesh& mesh, const SkinWeights& weights, std::size_t joints) {
    std::vector<FleshAround> out(joints);
    if (weights.influences == 0) return out;
    const auto stride = static_cast<std::size_t>(weights.influences);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const float weight = weights.weights[v * stride];
        if (weight < 0.5f) continue;
        FleshAround& flesh = out[weights.joints[v * stride]];
        flesh.sum += to_double(mesh.positions[v]) * weight;
        flesh.count += weight;
    }
    return out;
}

/// Towards the flesh that follows the joint (a foot points forward, not through the floor), else in its parent's
/// direction.
Vec3d leaf_direction(const std::vector<Joint>& joints, std::size_t j, const FleshAround& flesh, Vec3d arrived,
                     double smallest) {
    if (flesh.count > 0) {
        const Vec3d towards = flesh.sum * (1 / flesh.count) - head(joints[j]);
        if (length(towards) > 10 * smallest) return normalized(towards);
    }
    return length(arrived) > 0 ? arrived : Vec3d{0, 1, 0};
}

/// Farthest reach of the vertices of each leaf along its direction.
std::vector<double> reaches(const Mesh& mesh, const SkinWeights& weights, const std::vector<Joint>& joints,
                            const std::vector<Vec3d>& direction) {
    std::vector<double> out(joints.size(), 0);
    const auto stride = static_cast<std::size_t>(weights.influences);
    for (std::size_t v = 0; stride > 0 && v < mesh.positions.size(); ++v) {
        if (weights.weights[v * stride] < 0.5f) continue;
        const std::size_t j = weights.joints[v * stride];
        out[j] = std::max(out[j], dot(to_double(mesh.positions[v]) - head(joints[j]), direction[j]));
    }
    return out;
}

double parent_length(const std::vector<Joint>& joints, std::size_t j, double smallest) {
    for (int at = joints[j].parent; at >= 0; at = joints[static_cast<std::size_t>(at)].parent) {
        const double l = length(head(joints[j]) - head(joints[static_cast<std::size_t>(at)]));
        if (l > smallest) return l;
    }
    return 0;
}

}  // namespace

void guess_tails(const Mesh& mesh, const SkinWeights& weights, std::vector<Joint>& joints) {
    if (joints.empty()) return;
    std::vector<Vec3d> heads;
    std::vector<int> parents;
    for (const Joint& joint : joints) heads.push_back(head(joint)), parents.push_back(joint.parent);
    const double extent = skeleton_extent(heads), smallest = coincident_joints * extent;
    const std::vector<int> children = continuing_children(heads, parents);
    const std::vector<FleshAround> flesh = gather_flesh(mesh, weights, joints.size());
    std::vector<Vec3d> direction(joints.size());
    for (std::size_t j = 0; j < joints.size(); ++j)
        direction[j] = leaf_direction(joints, j, flesh[j], arriving_direction(heads, parents, j, smallest), smallest);
    const std::vector<double> reach = reaches(mesh, weights, joints, direction);
    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (children[j] >= 0) {
            joints[j].tail = heads[static_cast<std::size_t>(children[j])];
            continue;
        }
        double l = reach[j];
        if (l <= smallest) l = parent_length(joints, j, smallest);
        if (l <= smallest) l = extent > 0 ? 0.1 * extent : 1;
        joints[j].tail = head(joints[j]) + direction[j] * l;
    }
}

}  // namespace fascia
