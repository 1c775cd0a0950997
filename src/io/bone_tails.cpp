#include "io/bone_tails.h"

#include <algorithm>
#include <cmath>

namespace fascia::io {

namespace {

Vec3d head(const Joint& joint) {
    return translation_of(joint.rest);
}

/// Shorter than this share of the skeleton, two joints are at one place.
constexpr double coincident = 1e-4;

double skeleton_extent(const std::vector<Joint>& joints) {
    Vec3d low = head(joints[0]), high = low;
    for (const Joint& joint : joints) {
        const Vec3d p = head(joint);
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return length(high - low);
}

/// The direction in which a chain arrives at a joint: from its nearest ancestor at another place.
Vec3d arriving(const std::vector<Joint>& joints, std::size_t j, double smallest) {
    for (int at = joints[j].parent; at >= 0; at = joints[static_cast<std::size_t>(at)].parent) {
        const Vec3d step = head(joints[j]) - head(joints[static_cast<std::size_t>(at)]);
        if (length(step) > smallest) return normalized(step);
    }
    return {0, 0, 0};
}

/// Where the vertices are that mostly follow a joint.
struct Flesh {
    Vec3d sum;
    double count = 0;
};

std::vector<Flesh> gather_flesh(const Mesh& mesh, const SkinWeights& weights, std::size_t joints) {
    std::vector<Flesh> out(joints);
    if (weights.influences == 0) return out;
    const auto stride = static_cast<std::size_t>(weights.influences);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const float weight = weights.weights[v * stride];
        if (weight < 0.5f) continue;
        Flesh& flesh = out[weights.joints[v * stride]];
        flesh.sum += to_double(mesh.positions[v]) * weight;
        flesh.count += weight;
    }
    return out;
}

/// The child that carries on: the one most in line with the arriving bone (the neck, not an arm); for a root the one
/// with the most joints behind it.
int main_child(const std::vector<Joint>& joints, std::size_t j, const std::vector<int>& children,
               const std::vector<int>& followers, double smallest) {
    const Vec3d direction = arriving(joints, j, smallest);
    int best = -1;
    double best_score = -INFINITY;
    for (int child : children) {
        const Vec3d step = head(joints[static_cast<std::size_t>(child)]) - head(joints[j]);
        if (length(step) <= smallest) continue;
        const double score = dot(normalized(step), direction) + 1e-6 * followers[static_cast<std::size_t>(child)];
        if (score > best_score) {
            best_score = score;
            best = child;
        }
    }
    return best;
}

/// Into the flesh that follows the joint (a foot goes forward, not through the floor), else straight on.
Vec3d leaf_direction(const std::vector<Joint>& joints, std::size_t j, const Flesh& flesh, double smallest) {
    if (flesh.count > 0) {
        const Vec3d towards = flesh.sum * (1 / flesh.count) - head(joints[j]);
        if (length(towards) > 10 * smallest) return normalized(towards);
    }
    const Vec3d arrived = arriving(joints, j, smallest);
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
    const double extent = skeleton_extent(joints), smallest = coincident * extent;
    std::vector<std::vector<int>> children(joints.size());
    std::vector<int> followers(joints.size(), 0);
    for (std::size_t j = joints.size(); j-- > 0;) {
        if (joints[j].parent < 0) continue;
        const auto p = static_cast<std::size_t>(joints[j].parent);
        followers[p] += followers[j] + 1;
    }

    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (joints[j].parent >= 0) children[static_cast<std::size_t>(joints[j].parent)].push_back(static_cast<int>(j));
    }

    const std::vector<Flesh> flesh = gather_flesh(mesh, weights, joints.size());
    std::vector<Vec3d> direction(joints.size());
    for (std::size_t j = 0; j < joints.size(); ++j) direction[j] = leaf_direction(joints, j, flesh[j], smallest);
    const std::vector<double> reach = reaches(mesh, weights, joints, direction);
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const int child = main_child(joints, j, children[j], followers, smallest);
        if (child >= 0) {
            joints[j].tail = head(joints[static_cast<std::size_t>(child)]);
            continue;
        }
        double l = reach[j];
        if (l <= smallest) l = parent_length(joints, j, smallest);
        if (l <= smallest) l = extent > 0 ? 0.1 * extent : 1;
        joints[j].tail = head(joints[j]) + direction[j] * l;
    }
}

}  // namespace fascia::io
