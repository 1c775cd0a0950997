// Bodies whose parts lie on one another at rest, a known gap apart: blocks on a lattice of planes, one of which is as
// wide as the gap. One closed surface each; at a gap of 0 its walls coincide.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "fascia/character.h"
#include "support/plain_character.h"

namespace fascia::test {

/// A part of the body, in steps of the lattice; `high` is not part of it.
struct Block {
    std::array<int, 3> low, high;
    std::uint16_t joint = 0;
};

struct LyingBody {
    std::string name;
    std::vector<Block> blocks;
    int gap_axis = 0, gap_step = 0;  ///< the step of the lattice that is as wide as the gap
    struct Bone {
        std::string name;
        int parent;
        std::array<double, 3> head, tail;  ///< in steps
    };
    std::vector<Bone> bones;
    std::array<double, 3> held, other;  ///< places of the surface of either part, away from where they join, in steps
    int join_axis = 1;                  ///< the parts are connected at and beyond `join`, along this axis
    double join = 0;
    bool join_above = true;  ///< whether `beyond` is above
};

/// Arm and side, thighs, breast and upper arm, chin and chest, buttocks, tail and leg. All are 40 steps long.
inline std::vector<LyingBody> lying_bodies() {
    using Bones = std::vector<LyingBody::Bone>;
    const Bones trunk_and_arm{{"spine", -1, {5, 4, 4}, {5, 36, 4}}, {"arm", 0, {14.5, 36, 4.5}, {14.5, 10, 4.5}}};
    const Bones trunk_and_far_arm{{"spine", -1, {5, 4, 4}, {5, 36, 4}}, {"arm", 0, {14.5, 36, 9}, {14.5, 10, 9}}};
    return {
        {"arm and side",
         {{{0, 0, 0}, {10, 40, 8}, 0}, {{11, 6, 1}, {18, 40, 8}, 1}, {{10, 34, 1}, {11, 40, 8}, 1}},
         0,
         10,
         trunk_and_arm,
         {14, 9, 8},
         {5, 9, 8},
         1,
         34,
         true},
        {"thighs",
         {{{0, 26, 0}, {17, 40, 9}, 0}, {{0, 0, 0}, {8, 26, 9}, 1}, {{9, 0, 0}, {17, 26, 9}, 2}},
         0,
         8,
         {{"hips", -1, {8.5, 30, 4}, {8.5, 38, 4}},
          {"left", 0, {4, 28, 4}, {4, 2, 4}},
          {"right", 0, {13, 28, 4}, {13, 2, 4}}},
         {4, 5, 9},
         {13, 5, 9},
         1,
         26,
         true},
        {"breast and arm",
         {{{0, 0, 0}, {10, 40, 8}, 0},
          {{2, 8, 8}, {10, 18, 14}, 0},
          {{11, 4, 5}, {18, 40, 13}, 1},
          {{10, 36, 5}, {11, 40, 8}, 1}},
         0,
         10,
         trunk_and_far_arm,
         {6, 13, 14},
         {14, 10, 13},
         1,
         36,
         true},
        {"chin and chest",
         {{{0, 0, 0}, {12, 25, 22}, 0}, {{2, 25, 0}, {10, 26, 4}, 0}, {{0, 26, 0}, {12, 40, 22}, 1}},
         1,
         25,
         {{"spine", -1, {6, 4, 2}, {6, 25, 2}}, {"head", 0, {6, 26, 2}, {6, 36, 2}}},
         {6, 29, 22},
         {6, 22, 22},
         2,
         4,
         false},
        {"buttocks",
         {{{0, 0, 0}, {21, 40, 4}, 0}, {{0, 8, 4}, {10, 24, 22}, 0}, {{11, 8, 4}, {21, 24, 22}, 0}},
         0,
         10,
         {{"hips", -1, {10, 4, 2}, {10, 36, 2}}},
         {5, 16, 22},
         {16, 16, 22},
         2,
         4,
         false},
        {"tail and leg",
         {{{0, 26, 0}, {9, 40, 19}, 0}, {{0, 0, 10}, {9, 26, 19}, 1}, {{2, 0, 1}, {7, 26, 9}, 2}},
         2,
         9,
         {{"hips", -1, {4, 30, 9}, {4, 38, 9}},
          {"leg", 0, {4, 28, 14}, {4, 2, 14}},
          {"tail", 0, {4, 28, 5}, {4, 2, 5}}},
         {4, 5, 1},
         {9, 5, 14},
         1,
         26,
         true},
    };
}

/// A body of blocks as a character, in steps of `step` scene units but for that of the gap. one_joint: all of it
/// follows the first joint, as breast and belly do.
class BlockCharacter {
public:
    BlockCharacter(const LyingBody& body, double step, double gap, const Affine& place, bool one_joint)
        : body_(body), step_(step), gap_(gap), place_(place) {
        for (const Block& b : body.blocks)
            for (int z = b.low[2]; z < b.high[2]; ++z)
                for (int y = b.low[1]; y < b.high[1]; ++y)
                    for (int x = b.low[0]; x < b.high[0]; ++x) filled_[{x, y, z}] = one_joint ? 0 : b.joint;
        for (const auto& [cell, joint] : filled_) add_walls(cell, joint);
        for (const LyingBody::Bone& bone : body.bones)
            add_bone(out_, bone.name, bone.parent, at(bone.head), at(bone.tail));
        finish_character(out_, body.name);
    }
    const Character& character() const { return out_; }

    Vec3d at(std::array<double, 3> p) const {
        double c[3];
        for (int k = 0; k < 3; ++k) {
            const double beyond = k == body_.gap_axis ? std::clamp(p[k] - body_.gap_step, 0.0, 1.0) : 0;
            c[k] = (p[k] - beyond) * step_ + beyond * gap_;
        }
        return transform_point(place_, {c[0], c[1], c[2]});
    }

    /// Steps of the lattice that each vertex lies at.
    const std::vector<std::array<int, 3>>& steps() const { return steps_; }

private:
    using Place = std::array<int, 3>;

    void add_walls(const Place& cell, std::uint16_t joint) {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                Place next = cell;
                next[axis] += side ? 1 : -1;
                if (filled_.count(next)) continue;
                Place corner[4];
                const int u = (axis + 1) % 3, v = (axis + 2) % 3;
                for (int k = 0; k < 4; ++k) {
                    corner[k] = cell;
                    corner[k][axis] += side;
                    corner[k][u] += k == 1 || k == 2;
                    corner[k][v] += k >= 2;
                }
                const int order[6] = {0, 1, 2, 0, 2, 3}, turned[6] = {0, 2, 1, 0, 3, 2};
                for (const int k : side ? order : turned) out_.mesh.triangles.push_back(vertex(corner[k], joint));
            }
    }

    std::uint32_t vertex(const Place& p, std::uint16_t joint) {
        const auto [it, fresh] = vertices_.try_emplace(p, std::uint32_t(out_.mesh.positions.size()));
        if (fresh) {
            add_vertex(out_, at({double(p[0]), double(p[1]), double(p[2])}), joint);
            steps_.push_back(p);
        }
        return it->second;
    }

    const LyingBody& body_;
    double step_, gap_;
    Affine place_;
    std::map<Place, std::uint16_t> filled_;
    std::map<Place, std::uint32_t> vertices_;
    std::vector<Place> steps_;
    Character out_;
};

}  // namespace fascia::test
