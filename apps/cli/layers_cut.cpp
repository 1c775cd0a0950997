#include "layers_cut.h"

#include <array>
#include <cmath>

namespace fascia::cli {

namespace {

/// Linear colours as in an anatomical drawing; layers with other names have their own.
Vec4 layer_color(const std::string& name, std::size_t layer) {
    if (name == "bone") return {0.85f, 0.82f, 0.72f, 1};
    if (name == "muscle" || name == "flesh") return {0.55f, 0.07f, 0.06f, 1};
    if (name == "fat") return {0.90f, 0.58f, 0.13f, 1};
    if (name == "skin") return {0.60f, 0.27f, 0.20f, 1};
    return index_color(static_cast<int>(layer));
}

}  // namespace

LayersCut::LayersCut(const Character& character, const Rig& rig)
    : character_(character), rest_(rig.point_count()), half_(static_cast<float>(0.5 * rig.inside()->point_spacing())) {
    Workspace work(1);
    State state = make_state(rig);
    std::vector<Affine> joints;
    for (const Joint& joint : character.joints) joints.push_back(joint.rest);
    reset(rig, joints, state, work);
    rig.inside()->point_positions(state, rest_, work);
    const std::vector<std::string> names = rig.inside()->layer_names();
    for (const std::uint8_t layer : rig.inside()->point_layers()) color_.push_back(layer_color(names[layer], layer));
    for (const Vec3 p : rest_) middle_ += to_double(p) * (1.0 / static_cast<double>(rest_.size()));
}

void LayersCut::choose_side(const Pose& pose, double yaw) {
    chosen_ = true;
    const Vec3d seen{std::sin(yaw), 0, std::cos(yaw)};
    const Affine back = pose.joints.empty() ? Affine{} : character_.joints[0].rest * inverse(pose.joints[0]);
    const Vec3d direction = transform_point(back, seen) - transform_point(back, {});
    // The cut from front to back shows most, so it is taken where both would do.
    if (std::abs(direction.x) > 0.5 * std::abs(direction.z))
        to_viewer_ = {direction.x > 0 ? 1.0 : -1.0, 0, 0};
    else
        to_viewer_ = {0, 0, direction.z > 0 ? 1.0 : -1.0};
}

void LayersCut::add_cube(Vec3 at, Vec4 color, PaintedScene& scene) const {
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const float side : {-1.0f, 1.0f}) {
            const auto first = static_cast<std::uint32_t>(scene.positions.size());
            for (const auto& [u, v] : {std::array{-1.0f, -1.0f}, {1.0f, -1.0f}, {1.0f, 1.0f}, {-1.0f, 1.0f}}) {
                std::array<float, 3> corner{}, normal{};
                corner[axis] = side, corner[(axis + 1) % 3] = u, corner[(axis + 2) % 3] = v;
                normal[axis] = side;
                scene.positions.push_back(at + Vec3{corner[0], corner[1], corner[2]} * half_);
                scene.normals.push_back({normal[0], normal[1], normal[2]});
                scene.colors.push_back(color);
            }
            constexpr std::array<std::uint32_t, 6> up{0, 1, 2, 0, 2, 3}, down{0, 2, 1, 0, 3, 2};
            for (const std::uint32_t k : side > 0 ? up : down) scene.triangles.push_back(first + k);
        }
}

void LayersCut::open(const Pose& pose, std::span<const Vec3> points, double yaw, PaintedScene& scene) {
    if (!chosen_) choose_side(pose, yaw);
    const std::vector<Vec3>& rest = character_.mesh.positions;
    std::size_t kept = 0;
    for (std::size_t t = 0; t + 2 < scene.triangles.size(); t += 3) {
        const std::array<std::uint32_t, 3> corners{scene.triangles[t], scene.triangles[t + 1], scene.triangles[t + 2]};
        // Rigid and attached parts are left out: nothing is known about what is inside them.
        bool far = true;
        for (const std::uint32_t v : corners) far = far && v < rest.size() && !is_near(to_double(rest[v]));
        if (!far) continue;
        for (const std::uint32_t v : corners) scene.triangles[kept++] = v;
    }
    scene.triangles.resize(kept);
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!is_near(to_double(rest_[i]))) add_cube(points[i], color_[i], scene);
}

}  // namespace fascia::cli
