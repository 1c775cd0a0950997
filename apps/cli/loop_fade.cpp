#include "loop_fade.h"

#include <algorithm>
#include <utility>

namespace fascia::cli {

namespace {

/// How far apart two transforms of a joint put flesh near it: its head and three points a tenth of the size around it.
double distance_between(const Affine& a, const Affine& b, const Affine& rest, double size) {
    const Vec3d head = translation_of(rest);
    const double reach = 0.1 * size;
    const Affine to_local = inverse(rest), from_a = a * to_local, from_b = b * to_local;
    double largest = 0;
    for (Vec3d offset : {Vec3d{0, 0, 0}, Vec3d{reach, 0, 0}, Vec3d{0, reach, 0}, Vec3d{0, 0, reach}}) {
        const Vec3d point = head + offset;
        largest = std::max(largest, length(transform_point(from_a, point) - transform_point(from_b, point)));
    }
    return largest;
}

int root_of(const Character& character, int joint) {
    while (character.joints[static_cast<std::size_t>(joint)].parent >= 0)
        joint = character.joints[static_cast<std::size_t>(joint)].parent;
    return joint;
}

Affine lerp_matrices(const Affine& a, const Affine& b, double share) {
    Affine out;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) out.m[r][c] = a.m[r][c] + share * (b.m[r][c] - a.m[r][c]);
    return out;
}

Affine blend(const Affine& a, const Affine& b, double share) {
    Vec3d ta, tb, sa, sb;
    Quat ra, rb;
    if (!decompose(a, ta, ra, sa) || !decompose(b, tb, rb, sb)) return lerp_matrices(a, b, share);
    return compose(ta + share * (tb - ta), slerp(ra, rb, share), sa + share * (sb - sa));
}

}  // namespace

double smooth_share(double x) {
    const double t = std::clamp(x, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

LoopFade::LoopFade(const Character& character, Pose first, const Pose& last)
    : character_(character), first_(std::move(first)), above_root_(character.nodes.size(), false) {
    const double size = std::max(character.size(), 1e-30);
    constexpr double travel = 0.1;  // of the size: anything less is a sway, and a sway must close
    for (std::size_t j = 0; j < character.joints.size(); ++j) {
        const Joint& joint = character.joints[j];
        if (joint.parent >= 0) continue;
        for (int node = joint.node; node >= 0; node = character.nodes[static_cast<std::size_t>(node)].parent)
            above_root_[static_cast<std::size_t>(node)] = true;
        const Vec3d moved = translation_of(last.joints[j]) - translation_of(first_.joints[j]);
        travels_ = travels_ || length(moved) > travel * size;
    }
    if (travels_) travel_ = last.joints[0] * inverse(first_.joints[0]);
    for (std::size_t j = 0; j < character.joints.size(); ++j) {
        const auto root = static_cast<std::size_t>(root_of(character, static_cast<int>(j)));
        // Put the last pose where the first pose's root stands, if the root is free to travel.
        const Affine back = travels_ ? first_.joints[root] * inverse(last.joints[root]) : Affine{};
        const Affine& rest = character.joints[j].rest;
        gap_ = std::max(gap_, distance_between(first_.joints[j], back * last.joints[j], rest, size) / size);
    }
}

void LoopFade::apply(double share, Pose& pose) const {
    if (share <= 0) return;
    const std::vector<Affine> old = pose.nodes;
    for (std::size_t i = 0; i < old.size(); ++i) {
        const int parent = character_.nodes[i].parent;
        const auto p = static_cast<std::size_t>(std::max(parent, 0));
        const Affine local = parent < 0 ? old[i] : inverse(old[p]) * old[i];
        const Affine first = parent < 0 ? first_.nodes[i] : inverse(first_.nodes[p]) * first_.nodes[i];
        const Affine mixed = keeps_local(i) ? local : blend(local, first, share);
        pose.nodes[i] = parent < 0 ? mixed : pose.nodes[p] * mixed;
    }
    for (std::size_t j = 0; j < pose.joints.size(); ++j)
        pose.joints[j] = pose.nodes[static_cast<std::size_t>(character_.joints[j].node)];
}

}  // namespace fascia::cli
