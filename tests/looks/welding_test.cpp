// Flesh that lies on other flesh at rest, but is connected with it only farther away, is not welded to it.
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include <gtest/gtest.h>

#include "body/body_cells.h"
#include "body/opened_overlaps.h"
#include "fascia/bundled.h"
#include "fascia/live.h"
#include "methods/layers_egg.h"
#include "support/armed_trunk.h"
#include "support/flesh.h"
#include "support/lying_bodies.h"
#include "support/steady_body.h"

namespace fascia {
namespace {

using test::Actor;
using test::BlockCharacter;
using test::LyingBody;

constexpr double step = 0.025;  // 40 steps are one unit
const std::vector<double> gaps{0, 0.25, 0.5, 0.75, 1};
const std::vector<double> overlaps{-0.25, -0.5};  ///< parts that lie in one another: gaps below zero

/// Walls along the grid, and at an angle to it.
Affine stand(bool turned) {
    if (!turned) return {};
    return compose({0.1, 0.2, 0.3}, quat_from_axis_angle(normalized(Vec3d{1, 2, 3}), 0.4), {1, 1, 1});
}

/// gap: in voxels.
BlockCharacter make_body(const LyingBody& body, double gap, int resolution, bool turned, bool one_joint) {
    const double size = BlockCharacter(body, step, 0, stand(turned), one_joint).character().size();
    return BlockCharacter(body, step, gap * size / resolution, stand(turned), one_joint);
}

/// How far a place lies from where the parts join.
double away(const LyingBody& body, const double (&place)[3]) {
    const double d = place[body.join_axis] - body.join * step;
    return body.join_above ? -d : d;
}

std::string label(const LyingBody& body, double gap, int resolution, bool turned, bool one_joint) {
    return body.name + ", gap " + std::to_string(gap) + ", resolution " + std::to_string(resolution) +
           (turned ? ", turned" : "") + (one_joint ? ", one joint" : "");
}

// ---- how cells are connected -----------------------------------------------------------------------------------
/// Cells farther than four from where the parts join that hold both of them, or are linked from one to the other.
std::size_t count_welds(const LyingBody& body, const BlockCharacter& block, int resolution, bool turned) {
    const std::optional<Character> opened = with_overlaps_opened(block.character());
    const Character& character = opened ? *opened : block.character();
    std::vector<std::uint16_t> followed;
    for (std::size_t t = 0; t < character.mesh.triangle_count(); ++t)
        followed.push_back(character.weights.joints[4 * character.mesh.triangles[3 * t]]);
    const BodyCells filled = fill_body(character, followed, resolution);
    const lattice::Tissue& tissue = filled.tissue;
    const Affine back = inverse(stand(turned));
    const Vec3d wall = transform_point(
        back, block.at({body.gap_axis == 0 ? body.gap_step + 0.5 : 0, body.gap_axis == 1 ? body.gap_step + 0.5 : 0,
                        body.gap_axis == 2 ? body.gap_step + 0.5 : 0}));
    enum { low = 1, high = 2 };
    std::vector<int> side(tissue.size(), 0);
    std::vector<double> distance(tissue.size());
    std::size_t welds = 0;
    for (std::uint32_t n = 0; n < tissue.size(); ++n) {
        const Vec3d p = transform_point(back, filled.grid.center(tissue.cells[n]));
        const double place[3] = {p.x, p.y, p.z}, between[3] = {wall.x, wall.y, wall.z};
        distance[n] = away(body, place) / filled.grid.h;
        for (const std::uint32_t t : tissue.triangles_of(n))
            for (int k = 0; k < 3; ++k)
                side[n] |=
                    block.steps()[character.mesh.triangles[3 * t + k]][body.gap_axis] <= body.gap_step ? low : high;
        if (side[n] == 0) side[n] = place[body.gap_axis] < between[body.gap_axis] ? low : high;
        welds += distance[n] > 4 && side[n] == (low | high);
    }
    for (std::uint32_t n = 0; n < tissue.size(); ++n)
        for (int d = 0; d < 6; ++d)
            for (const std::uint32_t m : tissue.through(n, d))
                welds += distance[n] > 4 && side[n] == low && side[m] == high;
    return welds;
}

TEST(Welding, NoCellHoldsPartsThatOnlyLieTogether) {
    int k = 0;
    for (const LyingBody& body : test::lying_bodies())
        for (const bool turned : {false, true})
            for (const int resolution : {24, 40})
                for (const double gap : gaps) {
                    const bool one_joint = ++k % 2 == 0;
                    const BlockCharacter block = make_body(body, gap, resolution, turned, one_joint);
                    EXPECT_EQ(count_welds(body, block, resolution, turned), 0u)
                        << label(body, gap, resolution, turned, one_joint);
                }
}

TEST(Welding, NorPartsThatOverlap) {
    for (const LyingBody& body : test::lying_bodies())
        for (const bool turned : {false, true})
            for (const int resolution : {24, 40})
                for (const double gap : {-0.25, -0.5}) {
                    const BlockCharacter block = make_body(body, gap, resolution, turned, false);
                    EXPECT_EQ(count_welds(body, block, resolution, turned), 0u)
                        << label(body, gap, resolution, turned, false);
                }
}

/// Walls that have passed one another meet about half way.
TEST(Welding, OverlappingWallsMeet) {
    for (const LyingBody& body : test::lying_bodies())
        for (const bool turned : {false, true})
            for (const double gap : overlaps) {
                SCOPED_TRACE(label(body, gap, 24, turned, false));
                const BlockCharacter block = make_body(body, gap, 24, turned, false);
                const Character& given = block.character();
                const std::optional<Character> opened = with_overlaps_opened(given);
                ASSERT_TRUE(opened.has_value());
                const double overlap = -gap * given.size() / 24;
                std::array<double, 3> one{};
                one[std::size_t(body.gap_axis)] = 1;
                const Vec3d axis = normalized(block.at(one) - block.at({0, 0, 0}));
                std::map<std::array<int, 3>, std::size_t> vertex_at;
                for (std::size_t v = 0; v < given.mesh.vertex_count(); ++v) vertex_at[block.steps()[v]] = v;
                const auto moved = [&](std::size_t v) {
                    return dot(to_double(opened->mesh.positions[v]) - to_double(given.mesh.positions[v]), axis);
                };
                double low = 0, pairs = 0;
                for (const auto& [at, v] : vertex_at) {
                    const double place[3] = {at[0] * step, at[1] * step, at[2] * step};
                    std::array<int, 3> across = at;
                    ++across[std::size_t(body.gap_axis)];
                    if (at[std::size_t(body.gap_axis)] != body.gap_step || vertex_at.count(across) == 0 ||
                        away(body, place) < 0.1)
                        continue;
                    const double closed = moved(vertex_at[across]) - moved(v);
                    EXPECT_GT(closed, 0.95 * overlap);
                    EXPECT_LT(closed, overlap + 0.012);
                    low += -moved(v) / overlap, ++pairs;
                }
                EXPECT_GT(pairs, 20);
                EXPECT_NEAR(low / pairs, 0.5, 0.2);
            }
}

TEST(Welding, SoundBodiesAreLeftAsTheyAre) {
    for (const LyingBody& body : test::lying_bodies())
        for (const double gap : gaps)
            EXPECT_FALSE(with_overlaps_opened(make_body(body, gap, 32, true, false).character())) << body.name;
    for (const std::string& name : bundled_names()) EXPECT_FALSE(with_overlaps_opened(*bundled_character(name)));
}

TEST(Welding, TheBodyStaysInOnePiece) {
    for (const LyingBody& body : test::lying_bodies())
        for (const bool turned : {false, true}) {
            const BlockCharacter block = make_body(body, 0, 32, turned, true);
            const std::vector<std::uint16_t> followed(block.character().mesh.triangle_count(), 0);
            const lattice::Tissue tissue = fill_body(block.character(), followed, 32).tissue;
            // By links, and by the neighbours of which each node has one in each direction.
            for (const bool by_links : {true, false}) {
                std::vector<std::uint8_t> seen(tissue.size(), 0);
                std::vector<std::uint32_t> queue{0};
                seen[0] = 1;
                const auto reach = [&](std::uint32_t next) {
                    if (!seen[next]) seen[next] = 1, queue.push_back(next);
                };
                for (std::size_t k = 0; k < queue.size(); ++k) {
                    for (int d = 0; d < 6 && by_links; ++d)
                        for (const std::uint32_t next : tissue.through(queue[k], d)) reach(next);
                    for (int place = 0; place < 27 && !by_links; ++place)
                        if (const std::int32_t next = tissue.neighbours[std::size_t(queue[k]) * 27 + place]; next >= 0)
                            reach(std::uint32_t(next));
                }
                EXPECT_EQ(queue.size(), tissue.size()) << body.name;
            }
        }
}

/// What `info` would say of a body filled at a resolution.
std::vector<std::string> told(const BlockCharacter& block, int resolution) {
    const Character& character = block.character();
    std::vector<std::uint16_t> followed;
    for (std::size_t t = 0; t < character.mesh.triangle_count(); ++t)
        followed.push_back(character.weights.joints[4 * character.mesh.triangles[3 * t]]);
    std::vector<std::string> out;
    warn_of_meetings(character, fill_body(character, followed, resolution).tissue, character.size(), out);
    return out;
}

TEST(Welding, WhatLiesTogetherIsNamedWithTheResolutionThatPartsIt) {
    constexpr double gap = 0.8;
    for (const LyingBody& body : test::lying_bodies()) {
        SCOPED_TRACE(label(body, gap, 24, true, false));
        const BlockCharacter block = make_body(body, gap, 24, true, false);
        const std::vector<std::string> warnings = told(block, 24);
        ASSERT_FALSE(warnings.empty());
        // Cells whose diagonal is shorter than the gap, which is measured from places that lie a little apart.
        const int needed = int(std::floor(std::sqrt(3.0) * 24 / gap)) + 1;
        int said = 0;
        for (int n = needed - 1; n <= needed + 3; ++n)
            if (warnings.front().find("resolution " + std::to_string(n) + " would part them") != std::string::npos)
                said = n;
        ASSERT_GT(said, 0) << warnings.front();
        EXPECT_TRUE(told(block, said).empty());
    }
}

// ---- how flesh moves -------------------------------------------------------------------------------------------
struct Moved {
    double held = 0, other = 0;
};

/// Pulls at one part and measures how far the other moves, six voxels and more from where they join.
Moved pull_one(const RigPtr& rig, const LyingBody& body, const BlockCharacter& block, double h, bool the_other) {
    const std::vector<Affine> still = test::rest_joints(block.character());
    Actor actor(rig);
    actor.reset_to(still);
    const auto& from = the_other ? body.other : body.held;
    const Vec3d point = block.at(from);
    EXPECT_TRUE(pull(*rig, point, point + Vec3d{0.05, 0.02, 0.05}, 1, actor.state));
    for (int k = 0; k < 90; ++k) actor.go(still, 1.0 / 60);
    actor.look();
    Moved out;
    const bool held_low = from[body.gap_axis] <= body.gap_step;
    for (std::size_t v = 0; v < actor.positions.size(); ++v) {
        const double moved = length(to_double(actor.positions[v] - actor.skinned[v]));
        const auto at = block.steps()[v];
        const double place[3] = {at[0] * step, at[1] * step, at[2] * step};
        if ((at[body.gap_axis] <= body.gap_step) == held_low)
            out.held = std::max(out.held, moved);
        else if (away(body, place) >= 6 * h)
            out.other = std::max(out.other, moved);
    }
    return out;
}

class WeldingPull : public testing::TestWithParam<std::tuple<std::string, int>> {};
INSTANTIATE_TEST_SUITE_P(Methods, WeldingPull,
                         testing::Combine(testing::ValuesIn(steady::methods_with_flesh()),
                                          testing::Values(24, 32, 48, 64)));

TEST_P(WeldingPull, MovesOnePartAndNotTheOther) {
    const auto& [method, resolution] = GetParam();
    const Flesh flesh = test::flesh_with("default", {{"resolution", double(resolution)}});
    int k = 0;
    for (const LyingBody& body : test::lying_bodies())
        for (const double gap : gaps) {
            // Each body and gap in one of the ways, at fine resolutions some of them.
            const bool turned = ++k % 2 == 1, one_joint = k % 3 == 2;
            if (resolution > 32 && k % 9 != 1) continue;
            const BlockCharacter block = make_body(body, gap, resolution, turned, one_joint);
            const auto rig = fascia::bind(block.character(), method, flesh);
            ASSERT_TRUE(rig.ok());
            for (const bool the_other : {false, true}) {
                const Moved moved = pull_one(*rig, body, block, block.character().size() / resolution, the_other);
                EXPECT_GT(moved.held, 0.005) << label(body, gap, resolution, turned, one_joint);
                EXPECT_LT(moved.other, 1e-3 * moved.held) << label(body, gap, resolution, turned, one_joint);
            }
        }
}

TEST_P(WeldingPull, MovesOnePartAndNotTheOtherWhereTheyOverlap) {
    const auto& [method, resolution] = GetParam();
    if (method == "particles" || resolution > 32) return;  // particles have no cells
    const Flesh flesh = test::flesh_with("default", {{"resolution", double(resolution)}});
    int k = 0;
    for (const LyingBody& body : test::lying_bodies())
        for (const double gap : overlaps) {
            const bool turned = ++k % 2 == 1;
            if (resolution == 32 && k % 4 > 1) continue;
            const BlockCharacter block = make_body(body, gap, resolution, turned, false);
            const auto rig = fascia::bind(block.character(), method, flesh);
            ASSERT_TRUE(rig.ok());
            LyingBody pulled = body;
            if (body.gap_axis < 2)  // where there is room, farther from the overlap
                for (auto* place : {&pulled.held, &pulled.other})
                    (*place)[std::size_t(body.gap_axis)] +=
                        (*place)[std::size_t(body.gap_axis)] > body.gap_step ? 2 : -2;
            for (const bool the_other : {false, true}) {
                const Moved moved = pull_one(*rig, pulled, block, block.character().size() / resolution, the_other);
                EXPECT_GT(moved.held, 0.005) << label(body, gap, resolution, turned, false);
                EXPECT_LT(moved.other, 1e-3 * moved.held) << label(body, gap, resolution, turned, false);
            }
        }
}

/// The same with an arm that is a shell of its own, as characters made of several pieces have.
TEST_P(WeldingPull, MovesAnArmOfItsOwnAndNotTheTrunk) {
    const auto& [method, resolution] = GetParam();
    if (resolution > 32) return;  // what matters shows at coarser ones
    const Flesh flesh = test::flesh_with("default", {{"resolution", double(resolution)}});
    for (const double gap : {0.0, 0.5, 1.0})
        for (const bool one_joint : {false, true}) {
            const test::ArmedTrunk body(gap / resolution, one_joint);
            const Character& character = body.character();
            const RigPtr rig = *fascia::bind(character, method, flesh);
            const double h = character.size() / resolution;
            for (const int held : {0, 1}) {
                const std::vector<Affine> still = test::rest_joints(character);
                Actor actor(rig);
                actor.reset_to(still);
                const Vec3d point = held == 1 ? body.on_arm() : body.on_trunk();
                ASSERT_TRUE(pull(*rig, point, point + Vec3d{0.05, 0.02, 0.05}, 1, actor.state));
                for (int k = 0; k < 90; ++k) actor.go(still, 1.0 / 60);
                actor.look();
                double moved[2] = {0, 0};
                for (std::size_t v = 0; v < actor.positions.size(); ++v) {
                    const int side = body.side()[v];
                    if (side != held && body.below_join(v) < 6 * h) continue;
                    moved[side] = std::max(moved[side], length(to_double(actor.positions[v] - actor.skinned[v])));
                }
                EXPECT_GT(moved[held], 0.005) << gap << " " << one_joint;
                EXPECT_LT(moved[1 - held], 1e-3 * moved[held]) << gap << " " << one_joint << ", held " << held;
            }
        }
}

}  // namespace
}  // namespace fascia
