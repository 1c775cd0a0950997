#include <algorithm>

#include "fascia/penetration.h"

namespace fascia {

namespace {

Vec3d nearest_on_segment(Vec3d p, Vec3d a, Vec3d b) {
    const Vec3d along = b - a;
    const double square = dot(along, along);
    return square > 0 ? a + along * std::clamp(dot(p - a, along) / square, 0.0, 1.0) : a;
}

}  // namespace

/// [Deul 2013, fig. 1]
std::vector<Vec3> bone_interface(const Character& character, double share) {
    std::vector<Vec3> out = character.mesh.positions;
    const auto slots = std::size_t(character.weights.influences);
    for (std::size_t v = 0; v < out.size() && slots > 0; ++v) {
        const Joint& joint = character.joints[character.weights.joints[v * slots]];  // the largest comes first
        const Vec3d p = to_double(out[v]), bone = nearest_on_segment(p, translation_of(joint.rest), joint.tail);
        out[v] = to_float(p + (bone - p) * share);
    }
    return out;
}

BoneCrossings::BoneCrossings(const Character& character)
    : meter_(bone_interface(character), character.mesh.triangles, character.size()) {
    const Mesh& mesh = character.mesh;
    const std::vector<Vec3> bone = bone_interface(character, 1);
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        Vec3d middle;
        double depth = 0;
        for (std::size_t k = t; k < t + 3; ++k) {
            const std::uint32_t v = mesh.triangles[k];
            middle += to_double(mesh.positions[v]) * (1.0 / 3);
            depth = std::max(depth, length(to_double(bone[v] - mesh.positions[v])));
        }
        skin_.push_back(middle);
        depth_.push_back(depth);
    }
}

std::size_t BoneCrossings::measure(std::span<const Vec3> bones) const {
    std::size_t out = 0;
    for (const auto& [a, b] : meter_.new_pairs(bones)) out += length(skin_[a] - skin_[b]) > depth_[a] + depth_[b];
    return out;
}

}  // namespace fascia
