// A trunk and an arm that are shells of their own: they reach into one another at the shoulder, and below it the arm
// hangs beside the trunk, a known gap away. Both are round.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "fascia/character.h"
#include "support/plain_character.h"

namespace fascia::test {

class ArmedTrunk {
public:
    /// gap: scene units; the whole is one unit tall. one_joint: all of it follows the spine.
    ArmedTrunk(double gap, bool one_joint) : beside_(trunk_radius + arm_radius + gap) {
        add_bone(out_, "spine", -1, {0, 0.1, 0}, {0, 0.85, 0});
        add_bone(out_, "arm", 0, {beside_, shoulder - 0.05, 0}, {beside_, low, 0});
        // Circles have a corner where they come nearest, so that the gap is exact.
        sweep(
            11, trunk_radius,
            [](double s) {
                return Vec3d{0, 0.05 + 0.85 * s, 0};
            },
            0, 0);
        sweep(
            16, arm_radius, [&](double s) { return arm_at(s); }, one_joint ? 0 : 1, 1);
        finish_character(out_, "armed trunk");
    }
    const Character& character() const { return out_; }
    /// 0: of the trunk, 1: of the arm. [vertices]
    const std::vector<int>& side() const { return side_; }
    /// How far a vertex lies below where trunk and arm join.
    double below_join(std::size_t vertex) const {
        return shoulder - arm_radius - double(out_.mesh.positions[vertex].y);
    }
    Vec3d on_arm() const { return {beside_ + arm_radius, low + 0.05, 0}; }
    Vec3d on_trunk() const { return {-trunk_radius, 0.25, 0}; }

private:
    static constexpr double trunk_radius = 0.14, arm_radius = 0.07, shoulder = 0.82, low = 0.2;
    static constexpr double turn = 2 * std::numbers::pi;
    static constexpr int around = 16;

    /// Out of the trunk, round a corner and down.
    Vec3d arm_at(double s) const {
        const double r = 1.2 * arm_radius, flat = beside_ - r, corner = turn / 4 * r, drop = shoulder - r - low;
        const double x = s * (flat + corner + drop);
        if (x < flat) return {x, shoulder, 0};
        if (x > flat + corner) return {beside_, shoulder - r - (x - flat - corner), 0};
        const double angle = (x - flat) / r;
        return {flat + r * std::sin(angle), shoulder - r + r * std::cos(angle), 0};
    }

    void sweep(int rings, double radius, const std::function<Vec3d(double)>& at, int joint, int side) {
        Mesh& mesh = out_.mesh;
        const auto first = std::uint32_t(mesh.positions.size());
        const auto add = [&](Vec3d p) {
            add_vertex(out_, p, std::uint16_t(joint));
            side_.push_back(side);
        };
        const auto along = [&](double s) {
            return normalized(at(std::min(1.0, s + 1e-4)) - at(std::max(0.0, s - 1e-4)));
        };
        add(at(0) - along(0) * radius);
        for (int i = 0; i <= rings; ++i) {
            const double s = double(i) / rings;
            const Vec3d z{0, 0, 1}, across = cross(z, along(s));
            for (int k = 0; k < around; ++k)
                add(at(s) + (across * std::cos(turn * k / around) + z * std::sin(turn * k / around)) * radius);
        }
        add(at(1) + along(1) * radius);
        const auto last = std::uint32_t(mesh.positions.size() - 1);
        const auto ring = [&](int i, int k) { return first + 1 + std::uint32_t(i * around + k % around); };
        const auto face = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            mesh.triangles.insert(mesh.triangles.end(), {a, b, c});
        };
        for (int k = 0; k < around; ++k) {
            face(first, ring(0, k + 1), ring(0, k));
            face(last, ring(rings, k), ring(rings, k + 1));
            for (int i = 0; i < rings; ++i) {
                face(ring(i, k), ring(i, k + 1), ring(i + 1, k + 1));
                face(ring(i, k), ring(i + 1, k + 1), ring(i + 1, k));
            }
        }
    }

    double beside_;
    Character out_;
    std::vector<int> side_;
};

}  // namespace fascia::test
