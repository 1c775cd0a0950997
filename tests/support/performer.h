// A character moved by a method, and measurements on it, for tests of how flesh moves.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/glob.h"
#include "fascia/fascia.h"

namespace fascia::test {

/// Poses over time, in seconds.
using PoseAt = std::function<std::vector<Affine>(double)>;

inline PoseAt play(const Character& character, const Clip& clip, double stop_at = 1e9) {
    return [&character, &clip, stop_at](double t) {
        Pose pose;
        evaluate(character, &clip, std::min(t, stop_at), pose);
        return pose.joints;
    };
}

class Performer {
public:
    explicit Performer(RigPtr rig)
        : rig_(std::move(rig)), state_(make_state(*rig_)), surface_(rig_->vertex_count()), skinned_(surface_.size()) {}

    void start(const std::vector<Affine>& joints) { reset(*rig_, joints, state_, work_); }
    void go(const std::vector<Affine>& joints, double dt) { advance(*rig_, joints, dt, state_, work_); }
    /// Looks at the surface: as simulated, and as skinned with the method's own weights.
    void look() {
        embed(*rig_, state_, {surface_, {}, {}}, work_);
        rig_->embed_skinned(state_, {skinned_, {}, {}}, work_);
    }

    const std::vector<Vec3>& surface() const { return surface_; }
    const std::vector<Vec3>& skinned() const { return skinned_; }
    const State& state() const { return state_; }
    const Rig& rig() const { return *rig_; }

private:
    RigPtr rig_;
    State state_;
    Workspace work_{1};
    std::vector<Vec3> surface_, skinned_;
};

/// The joint that each vertex follows most.
inline std::vector<int> followed_joints(const Character& character) {
    std::vector<int> out(character.mesh.vertex_count(), 0);
    const auto slots = std::size_t(character.weights.influences);
    for (std::size_t v = 0; v < out.size(); ++v) {
        const auto first = character.weights.weights.begin() + std::ptrdiff_t(v * slots);
        const auto most = std::max_element(first, first + std::ptrdiff_t(slots));
        out[v] = character.weights.joints[v * slots + std::size_t(most - first)];
    }
    return out;
}

/// Vertices that follow a joint whose name matches one of the patterns.
inline std::vector<std::size_t> vertices_of(const Character& character, const std::vector<std::string>& patterns) {
    const std::vector<int> followed = followed_joints(character);
    std::vector<std::size_t> out;
    for (std::size_t v = 0; v < followed.size(); ++v)
        for (const std::string& pattern : patterns)
            if (glob_match(pattern, character.joints[std::size_t(followed[v])].name)) {
                out.push_back(v);
                break;
            }
    return out;
}

/// The foremost point of the trunk at the height of the waist, with everything within `reach` of the size around it.
inline std::vector<std::size_t> belly_of(const Character& character, double reach = 0.05) {
    const auto& p = character.mesh.positions;
    const std::vector<std::size_t> trunk =
        vertices_of(character, {"*belly*", "*hips*", "*spine*", "*lowerback*", "*torso*", "*body*"});
    std::size_t front = trunk.front();
    for (const std::size_t v : trunk)
        if (p[v].z > p[front].z) front = v;
    std::vector<std::size_t> out;
    for (const std::size_t v : trunk)
        if (length(p[v] - p[front]) < reach * character.size()) out.push_back(v);
    return out;
}

/// Mean of what the flesh adds to skinning, over some vertices.
inline Vec3d mean_offset(const Performer& performer, const std::vector<std::size_t>& vertices) {
    Vec3d sum;
    for (const std::size_t v : vertices) sum += to_double(performer.surface()[v] - performer.skinned()[v]);
    return sum * (1.0 / double(vertices.size()));
}

}  // namespace fascia::test
