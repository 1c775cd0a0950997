#include "methods/shared/rest_surface.h"

#include <algorithm>
#include <cmath>

namespace fascia {

namespace {

constexpr std::size_t most_joints = 65536;  ///< they are stored in 16 bits

bool all_finite(std::span<const Vec3> values) {
    return std::all_of(values.begin(), values.end(),
                       [](Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); });
}

bool fits(const SkinWeights& weights, std::size_t vertices, std::size_t joints) {
    if (weights.influences < 1 || weights.influences > max_influences) return false;
    const std::size_t slots = vertices * std::size_t(weights.influences);
    return weights.joints.size() == slots && weights.weights.size() == slots &&
           std::all_of(weights.joints.begin(), weights.joints.end(), [&](auto j) { return j < joints; }) &&
           std::all_of(weights.weights.begin(), weights.weights.end(),
                       [](float w) { return w >= 0 && std::isfinite(w); });
}

bool usable(const std::vector<Joint>& joints) {
    for (std::size_t j = 0; j < joints.size(); ++j)
        if (joints[j].parent < -1 || joints[j].parent >= int(joints.size()) || !is_finite(joints[j].rest) ||
            !is_invertible(joints[j].rest))
            return false;
    return !joints.empty();
}

}  // namespace

RestSurface::RestSurface(const Character& character)
    : positions(character.mesh.positions),
      normals(character.mesh.normals),
      tangents(character.mesh.tangents),
      triangles(character.mesh.triangles),
      weights(character.weights) {
    for (const Joint& joint : character.joints) {
        Joint kept;
        kept.name = joint.name;
        kept.parent = joint.parent;
        kept.rest = joint.rest;
        joints.push_back(std::move(kept));
    }
}

SkinSource RestSurface::source() const {
    return {positions, normals, tangents, weights.joints, weights.weights, weights.influences};
}

std::vector<std::string> names_of_joints(const RestSurface& surface) {
    std::vector<std::string> names;
    for (const Joint& joint : surface.joints) names.push_back(joint.name);
    return names;
}

void write_rest_surface(const RestSurface& surface, ByteWriter& out) {
    const auto& [positions, normals, tangents, triangles, weights, joints] = surface;
    out.array(positions);
    out.array(normals);
    out.array(tangents);
    out.array(triangles);
    out.value(std::int32_t(weights.influences));
    out.array(weights.joints);
    out.array(weights.weights);
    out.value(std::uint64_t{joints.size()});
    for (const Joint& joint : joints) {
        out.array(joint.name);
        out.value(std::int32_t(joint.parent));
        out.value(joint.rest);
    }
}

Result<RestSurface> read_rest_surface(ByteReader& in) {
    RestSurface out;
    in.array(out.positions);
    in.array(out.normals);
    in.array(out.tangents);
    in.array(out.triangles);
    out.weights.influences = in.value<std::int32_t>();
    in.array(out.weights.joints);
    in.array(out.weights.weights);
    const auto joints = in.value<std::uint64_t>();
    if (joints > most_joints) return input_error("it names more joints than a rig can have");
    for (std::uint64_t j = 0; j < joints && in.ok(); ++j) {
        Joint joint;
        joint.name = in.text();
        joint.parent = in.value<std::int32_t>();
        joint.rest = in.value<Affine>();
        out.joints.push_back(std::move(joint));
    }
    if (!in.ok()) return input_error("it ends too early");
    const std::size_t n = out.positions.size();
    const auto within = [&](std::size_t size) { return size == 0 || size == n; };
    if (n == 0 || !within(out.normals.size()) || !within(out.tangents.size()) || !all_finite(out.positions))
        return input_error("its surface is damaged");
    if (out.triangles.size() % 3 != 0 ||
        !std::all_of(out.triangles.begin(), out.triangles.end(), [&](std::uint32_t v) { return v < n; }))
        return input_error("its triangles are damaged");
    if (!usable(out.joints)) return input_error("its joints are damaged");
    if (!fits(out.weights, n, out.joints.size())) return input_error("its weights are damaged");
    return out;
}

}  // namespace fascia
