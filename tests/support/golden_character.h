// A character and poses made of integers and square roots only: the same bits on every machine, compiler and library.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "fascia/method.h"

namespace fascia::test {

class Dice {
public:
    /// In [-1, 1), a multiple of 2^-20.
    double next() {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<double>(static_cast<std::int64_t>(state_ >> 43)) / (1 << 20) - 1;
    }
    Vec3d vector() {
        const double x = next(), y = next(), z = next();
        return {x, y, z};
    }
    Quat rotation() {
        const double w = next(), x = next(), y = next(), z = next();
        return normalized(Quat{w, x, y, z});
    }

private:
    std::uint64_t state_ = 42;
};

inline Character golden_character() {
    Dice dice;
    Character c;
    c.name = "golden";
    c.joints.resize(19);
    for (std::size_t j = 0; j < c.joints.size(); ++j) {
        c.joints[j].name = std::to_string(j);
        c.joints[j].parent = static_cast<int>(j) - 1;
        const Vec3d at = dice.vector();
        c.joints[j].rest = compose(at, dice.rotation(), {1, 1, 1});
    }
    c.weights.influences = 4;
    for (std::size_t v = 0; v < 3001; ++v) {
        c.mesh.positions.push_back(to_float(dice.vector()));
        c.mesh.normals.push_back(to_float(normalized(dice.vector())));
        const Vec3 t = to_float(normalized(dice.vector()));
        c.mesh.tangents.push_back({t.x, t.y, t.z, 1});
        // The first half in runs that share joints, the second scattered.
        for (std::size_t k = 0; k < 4; ++k) {
            const std::size_t joint = v < 1500 ? v / 50 + k : v * 7 + k * 5;
            c.weights.joints.push_back(static_cast<std::uint16_t>(joint % 19));
            c.weights.weights.push_back(k < 1 + v % 4 ? static_cast<float>(1.0 + dice.next() * 0.5) : 0.0f);
        }
    }
    return c;
}

/// Hash of positions, normals and tangents over three poses, the last one with uneven scale.
inline std::uint64_t golden_hash(const Settings& settings, int threads) {
    const Character c = golden_character();
    const auto rig = bind(c, settings);
    if (!rig.ok()) return 0;
    State state = make_state(**rig);
    Workspace work(threads);
    Dice dice;
    Hasher hasher;
    std::vector<Vec3> positions(c.mesh.vertex_count()), normals(c.mesh.vertex_count());
    std::vector<Vec4> tangents(c.mesh.vertex_count());
    for (int frame = 0; frame < 3; ++frame) {
        std::vector<Affine> pose;
        for (const Joint& j : c.joints) {
            const Vec3d at = dice.vector();
            pose.push_back(compose(at, dice.rotation(), {1, frame == 2 ? 1.5 : 1.0, 1}) * j.rest);
        }
        advance(**rig, pose, 1.0 / 60, state, work);
        embed(**rig, state, {positions, normals, tangents}, work);
        hasher.values(std::span<const Vec3>(positions));
        hasher.values(std::span<const Vec3>(normals));
        hasher.values(std::span<const Vec4>(tangents));
    }
    const std::uint64_t last = hash(state);
    hasher.bytes(&last, sizeof last);
    return hasher.value();
}

}  // namespace fascia::test
