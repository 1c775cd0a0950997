// An egg of flesh on a short spine, and an actor that moves it, for tests of `layers`.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fascia/method.h"
#include "lattice/meshes.h"
#include "support/flesh.h"

namespace fascia::test {

/// An egg on a short spine: flesh that is deep everywhere.
inline Character make_egg(double scale = 1) {
    Character egg;
    egg.name = "egg";
    for (int j = 0; j < 2; ++j) {
        Node node;
        node.name = j == 0 ? "hips" : "chest";
        node.parent = j - 1;
        node.translation = {0, (j == 0 ? -0.35 : 0.35) * scale, 0};
        egg.nodes.push_back(node);
        Joint joint;
        joint.name = node.name;
        joint.node = j;
        joint.parent = j - 1;
        joint.rest = compose({0, (j == 0 ? -0.35 : 0.0) * scale, 0}, {}, {1, 1, 1});
        joint.tail = {0, (j == 0 ? 0.0 : 0.35) * scale, 0};
        egg.joints.push_back(joint);
    }
    const TestMesh ball = sphere(4);
    egg.mesh.triangles = ball.triangles;
    for (const Vec3 p : ball.positions) {
        egg.mesh.positions.push_back(to_float(Vec3d{0.4 * p.x, 0.5 * p.y, 0.4 * p.z} * scale));
        egg.mesh.normals.push_back(normalized(Vec3{p.x / 0.4f, p.y / 0.5f, p.z / 0.4f}));
        const float w = std::clamp(p.y + 0.5f, 0.0f, 1.0f);
        egg.weights.joints.insert(egg.weights.joints.end(), {0, 1, 0, 0});
        egg.weights.weights.insert(egg.weights.weights.end(), {1 - w, w, 0, 0});
    }
    egg.weights.influences = 4;
    Part part;
    part.name = "shell";
    part.vertex_count = int(egg.mesh.positions.size());
    part.triangle_count = int(egg.mesh.triangle_count());
    egg.mesh.parts.push_back(part);
    return egg;
}

inline LayersSettings at_resolution(int resolution) {
    Flesh flesh = *preset("default");
    name_frequencies(flesh);
    LayersSettings settings = *settings_from<LayersSettings>(flesh);
    settings.resolution = resolution;
    return settings;
}

inline RigPtr bound(const Character& character, const LayersSettings& settings) {
    auto rig = bind(character, settings);
    EXPECT_TRUE(rig.ok()) << rig.error().message;
    return *rig;
}

inline std::vector<Affine> rest_joints(const Character& character) {
    std::vector<Affine> out;
    for (const Joint& joint : character.joints) out.push_back(joint.rest);
    return out;
}

inline std::vector<Affine> moved(std::vector<Affine> joints, const Affine& by) {
    for (Affine& j : joints) j = by * j;
    return joints;
}

struct Actor {
    RigPtr rig;
    State state;
    Workspace work;
    std::vector<Vec3> positions, normals, skinned;

    explicit Actor(RigPtr r, int threads = 1)
        : rig(std::move(r)),
          state(make_state(*rig)),
          work(threads),
          positions(rig->vertex_count()),
          normals(rig->vertex_count()),
          skinned(rig->vertex_count()) {}
    void reset_to(const std::vector<Affine>& joints) { reset(*rig, joints, state, work); }
    void go(const std::vector<Affine>& joints, double dt) { advance(*rig, joints, dt, state, work); }
    void look() {
        embed(*rig, state, {positions, normals, {}}, work);
        rig->embed_skinned(state, {skinned, {}, {}}, work);
    }
};

inline bool all_finite(const Floats& values) {
    for (const float v : values)
        if (!std::isfinite(v)) return false;
    return true;
}

}  // namespace fascia::test
