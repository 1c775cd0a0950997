// Bodies and motions for the tests of steadiness: any method that has a State, on the bundled characters. A new method
// joins automatically if it simulates.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/measure.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "support/flesh.h"

namespace fascia::steady {

inline std::vector<std::string> methods_with_memory() {
    std::vector<std::string> out;
    for (const MethodInfo& method : methods())
        if (method.abilities.simulates) out.push_back(method.name);
    return out;
}

/// Those of them whose flesh is in voxels or particles, which a hand can pull at.
inline std::vector<std::string> methods_with_flesh() {
    std::vector<std::string> out;
    for (const MethodInfo& method : methods())
        if (method.abilities.simulates && method.abilities.takes_hand) out.push_back(method.name);
    return out;
}

/// Those whose flesh is all over the body, and not only where an anatomy file puts muscles.
inline std::vector<std::string> methods_that_swing_everywhere() {
    std::vector<std::string> out;
    for (const MethodInfo& method : methods()) {
        const bool by_anatomy = std::any_of(method.fields.begin(), method.fields.end(),
                                            [](const FieldInfo& field) { return field.key == "anatomy_step"; });
        if (method.abilities.simulates && !by_anatomy) out.push_back(method.name);
    }
    return out;
}

/// A test's last name is the method's.
inline std::string method_name(const testing::TestParamInfo<std::string>& info) {
    std::string out = info.param;
    for (char& c : out)
        if (c == '-') c = '_';
    return out;
}

inline constexpr double turn = 6.283185307179586;

/// Noise without a library: the same on every machine.
class Noise {
public:
    /// In [-1, 1).
    double next() {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return double(std::int64_t(state_ >> 11)) / double(1ull << 52) - 1;
    }
    /// Roughly normal, standard deviation 1.
    double bell() { return (next() + next() + next()); }
    Vec3d vector() {
        const double x = bell(), y = bell(), z = bell();
        return {x, y, z};
    }

private:
    std::uint64_t state_ = 12345;
};

/// A skeleton that is posed joint by joint, relative to its rest pose.
class Puppet {
public:
    explicit Puppet(const Character& character) : joints_(character.joints), size_(character.size()) {
        std::vector<int> children(joints_.size(), 0), below(joints_.size(), 1);
        for (std::size_t j = joints_.size(); j-- > 0;)
            if (joints_[j].parent >= 0) {
                ++children[joints_[j].parent];
                below[joints_[j].parent] += below[j];
            }
        // Limbs begin where the skeleton forks: all branches but the heaviest.
        for (std::size_t j = 0; j < joints_.size(); ++j) {
            const int p = joints_[j].parent;
            if (p < 0 || children[p] < 2) continue;
            bool heaviest = true;
            for (std::size_t k = 0; k < joints_.size(); ++k)
                if (joints_[k].parent == p && (below[k] > below[j] || (below[k] == below[j] && k < j)))
                    heaviest = false;
            if (!heaviest) limbs_.push_back(j);
        }
    }

    double size() const { return size_; }
    const std::vector<std::size_t>& limbs() const { return limbs_; }
    std::size_t joint_count() const { return joints_.size(); }

    /// local: [joints] what each joint does about its own rest position; root: what the whole body does.
    std::vector<Affine> pose(const Affine& root, const std::vector<Affine>& local) const {
        std::vector<Affine> out(joints_.size());
        for (std::size_t j = 0; j < joints_.size(); ++j) {
            const int p = joints_[j].parent;
            const Affine at_rest = p < 0 ? root * joints_[j].rest : out[p] * inverse(joints_[p].rest) * joints_[j].rest;
            out[j] = at_rest * local[j];
        }
        return out;
    }
    std::vector<Affine> still() const { return std::vector<Affine>(joints_.size()); }

    /// Root thrown about by 0.3 of the size at 3 Hz, yaw by 180 degrees at 1.5 Hz, limbs by 86 degrees at 3 to 5 Hz.
    std::vector<Affine> violent(double t) const {
        std::vector<Affine> local = still();
        for (std::size_t k = 0; k < limbs_.size(); ++k) {
            const Vec3d axis = k % 3 == 0 ? Vec3d{1, 0, 0} : k % 3 == 1 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
            const double angle = 1.5 * std::sin(turn * (3 + double(k % 5) * 0.5) * t + double(k));
            local[limbs_[k]] = compose({}, quat_from_axis_angle(axis, angle), {1, 1, 1});
        }
        return pose(compose({0.3 * size_ * std::sin(turn * 3 * t), 0, 0},
                            quat_from_axis_angle({0, 1, 0}, turn / 2 * std::sin(turn * 1.5 * t)), {1, 1, 1}),
                    local);
    }

private:
    std::vector<Joint> joints_;
    double size_;
    std::vector<std::size_t> limbs_;
};

struct Body {
    Character character;
    Puppet puppet;
    RigPtr rig;

    Body(const std::string& method, const std::string& name, int resolution = 14, const std::string& flesh = "default")
        : character(*bundled_character(name)), puppet(character) {
        auto bound = fascia::bind(character, method, test::flesh_with(flesh, {{"resolution", resolution}}));
        EXPECT_TRUE(bound.ok());
        rig = *bound;
    }

    /// The clip played forwards and backwards for ever.
    std::vector<Affine> clip(const std::string& name, double t) const {
        const Clip* clip = *find_clip(character, name);
        const double round = std::fmod(t, 2 * clip->duration);
        Pose pose;
        evaluate(character, clip, round < clip->duration ? round : 2 * clip->duration - round, pose);
        return pose.joints;
    }
};

/// One instance under observation.
struct Actor {
    const Body& body;
    State state;
    Workspace work;
    std::vector<Vec3> positions, skinned;

    explicit Actor(const Body& b, int threads = 1)
        : body(b),
          state(make_state(*b.rig)),
          work(threads),
          positions(b.rig->vertex_count()),
          skinned(b.rig->vertex_count()) {}
    void reset_to(const std::vector<Affine>& joints) { reset(*body.rig, joints, state, work); }
    void go(const std::vector<Affine>& joints, double dt) { advance(*body.rig, joints, dt, state, work); }
    /// Distance of the surface from the fully skinned one, divided by the size.
    Offset look() {
        embed(*body.rig, state, {positions, {}, {}}, work);
        body.rig->embed_skinned(state, {skinned, {}, {}}, work);
        return surface_offset(positions, skinned, body.puppet.size());
    }
    bool finite() const {
        // The sum is finite only if all terms are: a NaN or an infinity stays in it.
        float sum = 0;
        for (const Floats* channel : {&state.positions, &state.velocities, &state.rotations, &state.memory})
            for (const float v : *channel) sum += v * 1e-20f;
        return std::isfinite(sum);
    }
};

inline std::vector<Affine> moved(std::vector<Affine> joints, const Affine& by) {
    for (Affine& j : joints) j = by * j;
    return joints;
}

}  // namespace fascia::steady
