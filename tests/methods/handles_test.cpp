// Method `handles` (docs/formulas.md C15 to C17): bodies posed by points.
#include "fascia/handles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "fascia/fascia.h"
#include "fascia/penetration.h"
#include "support/small_character.h"

namespace fascia {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// A closed tube along x from 0 to `length`, pointed at both ends.
Mesh spindle(double length, double radius, int rings, int around) {
    Mesh out;
    const auto add = [&](double x, double y, double z, Vec3 normal) {
        out.positions.push_back({float(x), float(y), float(z)});
        out.normals.push_back(normal);
    };
    for (int r = 0; r < rings; ++r)
        for (int k = 0; k < around; ++k) {
            const double a = 2 * std::numbers::pi * k / around;
            const Vec3 n{0, float(std::cos(a)), float(std::sin(a))};
            add(length * r / (rings - 1), radius * std::cos(a), radius * std::sin(a), n);
        }
    add(-0.5 * radius, 0, 0, {-1, 0, 0});
    add(length + 0.5 * radius, 0, 0, {1, 0, 0});
    const auto at = [&](int r, int k) { return std::uint32_t(r * around + k % around); };
    const std::uint32_t low = std::uint32_t(rings * around), high = low + 1;
    const auto triangle = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        out.triangles.insert(out.triangles.end(), {a, b, c});
    };
    for (int k = 0; k < around; ++k) {
        for (int r = 0; r + 1 < rings; ++r) {
            triangle(at(r, k), at(r + 1, k + 1), at(r + 1, k));
            triangle(at(r, k), at(r, k + 1), at(r + 1, k + 1));
        }
        triangle(low, at(0, k + 1), at(0, k));
        triangle(high, at(rings - 1, k), at(rings - 1, k + 1));
    }
    return out;
}

Character with_handles(const Mesh& mesh, const std::vector<Vec3d>& points, const std::vector<int>& parents) {
    HandleOptions options;
    for (std::size_t k = 0; k < points.size(); ++k)
        options.points.push_back({"h" + std::to_string(k), parents[k], points[k], std::nullopt});
    const Result<RiggedMesh> rigged = rig_with_handles(mesh, "spindle", options);
    EXPECT_TRUE(rigged.ok());
    return rigged->character;
}

/// Three handles in a row: 0.5, 4 and 7.5 along a spindle of length 8.
const Character& three_in_a_row() {
    static const Character character =
        with_handles(spindle(8, 1, 49, 24), {{0.5, 0, 0}, {4, 0, 0}, {7.5, 0, 0}}, {-1, 0, 1});
    return character;
}

/// The weights that rig_with_handles has made are those that a bind would make again.
HandlesSettings with_file_weights(HandlesSettings settings) {
    settings.influence = "file";
    return settings;
}

class Dragged {
public:
    Dragged(const Character& character, const HandlesSettings& settings)
        : rig(*bind(character, with_file_weights(settings))), state(make_state(*rig)), work(1) {
        for (const Joint& joint : character.joints) pose.push_back(joint.rest);
        rest = character.mesh.positions;
        triangles = character.mesh.triangles;
        reset(*rig, pose, state, work);
    }
    void drag(std::size_t handle, Vec3d to) {
        pose[handle].m[0][3] = to.x, pose[handle].m[1][3] = to.y, pose[handle].m[2][3] = to.z;
    }
    const std::vector<Vec3>& show() {
        surface.resize(rest.size());
        normals.resize(rest.size());
        advance(*rig, pose, 1.0 / 30, state, work);
        embed(*rig, state, {surface, normals, {}}, work);
        return surface;
    }
    /// |length / rest length - 1| of the edges that lie in a part of the body at rest, ascending.
    template <class Part>
    std::vector<double> strains(Part part) const {
        std::vector<double> out;
        for (std::size_t s = 0; s < triangles.size(); ++s) {
            const std::uint32_t a = triangles[s], b = triangles[s % 3 == 2 ? s - 2 : s + 1];
            if (!part(rest[a]) || !part(rest[b])) continue;
            out.push_back(std::abs(double(length(surface[a] - surface[b]) / length(rest[a] - rest[b])) - 1));
        }
        std::sort(out.begin(), out.end());
        return out;
    }
    RigPtr rig;
    State state;
    Workspace work;
    std::vector<Affine> pose;
    std::vector<Vec3> rest, surface, normals;
    std::vector<std::uint32_t> triangles;
};

double rms(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v * v;
    return std::sqrt(sum / double(values.size()));
}

const auto everywhere = [](Vec3) { return true; };

TEST(Handles, AtRestTheBodyIsAsItWas) {
    Dragged body(three_in_a_row(), {});
    body.show();
    for (std::size_t v = 0; v < body.rest.size(); ++v) EXPECT_LT(length(body.surface[v] - body.rest[v]), 1e-5f);
}

/// Handles that move together carry the body as one, far away and turned, also around their links.
TEST(Handles, ABodyThatIsMovedAsAWholeKeepsItsShape) {
    // The fourth handle is off the line of the others: on a single line, nothing would show a turn around it.
    const Character character =
        with_handles(spindle(8, 1, 49, 24), {{0.5, 0, 0}, {4, 0, 0}, {7.5, 0, 0}, {4, 0.8, 0}}, {-1, 0, 1, 1});
    for (const char* turns : {"eigenvector", "slerp", "fast", "given"}) {
        HandlesSettings settings;
        settings.turns = turns;
        Dragged body(character, settings);
        const Affine by = compose({10000, 3, -2}, quat_from_axis_angle({0.48, 0.6, 0.64}, 150 * degree), {1, 1, 1});
        for (Affine& joint : body.pose) joint = by * joint;
        body.show();
        for (std::size_t v = 0; v < body.rest.size(); ++v) {
            const Vec3d to = transform_point(by, to_double(body.rest[v]));
            EXPECT_LT(length(to_double(body.surface[v]) - to), 4e-3) << turns;
            const Vec3d n = transform_vector(by, to_double(character.mesh.normals[v]));
            ASSERT_GT(dot(to_double(body.normals[v]), n), 0.99) << turns;
        }
    }
}

/// The box of the publication: an end that is dragged around without a turn shears; turned by its link it does not.
TEST(Handles, LinksTurnWhatTranslationAloneDistorts) {
    const Character character = with_handles(spindle(4, 1, 33, 24), {{0.5, 0, 0}, {3.5, 0, 0}}, {-1, 0});
    const auto strain = [&](const char* turns) {
        HandlesSettings settings;
        settings.turns = turns;
        Dragged body(character, settings);
        body.drag(1, {0.5, 3, 0});
        body.show();
        return rms(body.strains(everywhere));
    };
    const double sheared = strain("given"), turned = strain("eigenvector");
    EXPECT_GT(sheared, 0.2);
    EXPECT_LT(turned, 0.02);
}

/// Bent by 90 degrees in the middle: nearer to rigid than blending, and nearer still with more iterations.
TEST(Handles, WhatLiesBetweenHandlesIsStretchedLessInABend) {
    const auto stretched = [](int iterations) {
        HandlesSettings settings;
        settings.iterations = iterations;
        settings.links = "free";
        Dragged body(three_in_a_row(), settings);
        body.drag(2, {4, 3.5, 0});
        body.show();
        const auto between = body.strains([](Vec3 p) { return p.x > 1 && p.x < 2.7f; });
        return between[between.size() * 99 / 100];
    };
    const double blended = stretched(0), usual = stretched(3), settled = stretched(50);
    EXPECT_LT(usual, 0.6 * blended);
    EXPECT_LT(settled, 0.5 * usual);
}

/// What a link holds turns with it; the bend is at the handle, where flesh lies as near as it is thick.
TEST(Handles, WhatLiesBetweenLinkedHandlesStaysRigidInABend) {
    for (const char* turns : {"eigenvector", "slerp", "fast"}) {
        HandlesSettings settings;
        settings.turns = turns;
        Dragged body(three_in_a_row(), settings);
        body.drag(2, {4, 3.5, 0});
        body.show();
        for (const auto& [low, high] : {std::pair{0.9f, 2.75f}, {5.25f, 7.1f}}) {
            const auto between = body.strains([from = low, to = high](Vec3 p) { return p.x > from && p.x < to; });
            ASSERT_GT(between.size(), 500u);
            EXPECT_LT(between.back(), 0.02) << turns;
        }
        // The bend itself is still there.
        EXPECT_NEAR(body.surface[24 * 36].x - body.surface[24 * 36 + 12].x, 0 - 2.0, 0.1);
    }
}

/// A link that is drawn out stretches what it holds along itself alone, and each end may twist it.
TEST(Handles, ALinkStretchesAndTwistsWhatItHolds) {
    const Character character = with_handles(spindle(8, 1, 49, 24), {{0.5, 0, 0}, {7.5, 0, 0}}, {-1, 0});
    Dragged body(character, {});
    body.drag(1, {9.6, 0, 0});
    ASSERT_TRUE(turn_handles(*body.rig, "h1", quat_from_axis_angle({1, 0, 0}, 60 * degree), body.state).ok());
    body.show();
    for (const int ring : {14, 24, 34}) {
        const Vec3 p = body.surface[std::size_t(ring) * 24];
        const double share = (double(ring) / 6 - 0.5) / 7;
        EXPECT_NEAR(p.x, 0.5 + 9.1 * share, 0.02);
        EXPECT_NEAR(std::hypot(p.y, p.z), 1, 0.02);
        EXPECT_NEAR(std::atan2(double(p.z), double(p.y)) / degree, 60 * share, 1.5);
    }
}

TEST(Handles, ATwistSpreadsBetweenHandles) {
    const Character character = with_handles(spindle(8, 1, 49, 24), {{0.5, 0, 0}, {7.5, 0, 0}}, {-1, 0});
    HandlesSettings settings;
    settings.iterations = 30;
    Dragged body(character, settings);
    ASSERT_TRUE(turn_handles(*body.rig, "h1", quat_from_axis_angle({1, 0, 0}, 90 * degree), body.state).ok());
    body.show();
    double last = -5;
    for (int ring = 16; ring <= 32; ring += 4) {
        const Vec3 p = body.surface[std::size_t(ring) * 24];
        const double angle = std::atan2(double(p.z), double(p.y)) / degree;
        EXPECT_GT(angle, last + 5) << "ring " << ring;
        last = angle;
    }
    EXPECT_NEAR(std::atan2(double(body.surface[24 * 24].z), double(body.surface[24 * 24].y)) / degree, 45, 5);
}

/// Five arms around a middle, each bent by the same turn: what a mean of links has to get right.
TEST(Handles, AStarThatIsTurnedAtItsTipsDoesNotCrossItself) {
    Mesh star;
    const int arms = 5, steps = 8;
    const auto add = [&](double x, double y, double z) { star.positions.push_back({float(x), float(y), float(z)}); };
    // A disc in the shape of a star, above and below: rays from the middle whose length changes with the angle.
    const int around = arms * 12;
    for (const double side : {0.4, -0.4}) {
        add(0, 0, side);
        for (int s = 1; s <= steps; ++s)
            for (int k = 0; k < around; ++k) {
                const double a = 2 * std::numbers::pi * k / around, bump = std::cos(arms * a);
                const double reach = (1.2 + 2.2 * std::pow(0.5 + 0.5 * bump, 2.0)) * s / steps;
                add(reach * std::cos(a), reach * std::sin(a), side * (s == steps ? 0.5 : 1));
            }
    }
    const auto at = [&](int side, int s, int k) {
        const int sheet = 1 + steps * around;
        return std::uint32_t(side * sheet + (s == 0 ? 0 : 1 + (s - 1) * around + k % around));
    };
    const auto add_triangle = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, bool flip) {
        star.triangles.insert(star.triangles.end(), {a, flip ? c : b, flip ? b : c});
    };
    for (int k = 0; k < around; ++k) {
        for (int side = 0; side < 2; ++side) {
            add_triangle(at(side, 0, 0), at(side, 1, k), at(side, 1, k + 1), side == 1);
            for (int s = 1; s < steps; ++s) {
                add_triangle(at(side, s, k), at(side, s + 1, k), at(side, s + 1, k + 1), side == 1);
                add_triangle(at(side, s, k), at(side, s + 1, k + 1), at(side, s, k + 1), side == 1);
            }
        }
        add_triangle(at(0, steps, k), at(1, steps, k), at(1, steps, k + 1), false);
        add_triangle(at(0, steps, k), at(1, steps, k + 1), at(0, steps, k + 1), false);
    }
    std::vector<Vec3d> handles{{0, 0, 0}};
    std::vector<int> parents{-1};
    for (int k = 0; k < arms; ++k) {
        const double a = 2 * std::numbers::pi * k / arms;
        handles.push_back({3 * std::cos(a), 3 * std::sin(a), 0});
        parents.push_back(0);
    }
    Dragged body(with_handles(star, handles, parents), {});
    // All tips but one go around the middle; the last stays.
    for (std::size_t k = 1; k < handles.size(); ++k) {
        const double turn = k == 1 ? 0.0 : 25 * degree;
        body.drag(k, rotate(quat_from_axis_angle({0, 0, 1}, turn), handles[k]));
    }
    body.show();
    EXPECT_EQ(CrossingMeter(body.rest, body.triangles, 7).measure(body.surface).pairs, 0u);
    EXPECT_LT(rms(body.strains(everywhere)), 0.25);
}

HandlesSettings reduced(HandlesSettings settings = {}) {
    settings.solver = "reduced";
    return settings;
}

TEST(ReducedHandles, FollowTheFullSolution) {
    HandlesSettings blending;
    blending.iterations = 0;
    for (const bool turned : {false, true}) {
        Dragged full(three_in_a_row(), {}), few(three_in_a_row(), reduced()), blended(three_in_a_row(), blending);
        for (Dragged* body : {&full, &few, &blended}) {
            body->drag(2, {5, 3.2, 0});
            if (turned) {
                EXPECT_TRUE(turn_handles(*body->rig, "h2", quat_from_axis_angle({1, 0, 0}, 0.6), body->state).ok());
            }
            body->show();
        }
        const auto off = [&](const Dragged& body) {
            double sum = 0;
            for (std::size_t v = 0; v < body.rest.size(); ++v) {
                const double d = double(length(body.surface[v] - full.surface[v]));
                sum += d * d;
            }
            return std::sqrt(sum / double(body.rest.size())) / 9;
        };
        EXPECT_LT(off(few), 0.015);
        EXPECT_LT(off(few), 0.5 * off(blended));
        // In the crease of the bend, where the full solution folds, normals may differ.
        std::size_t turned_away = 0;
        for (std::size_t v = 0; v < few.rest.size(); ++v) {
            const float along = dot(few.normals[v], full.normals[v]) / length(few.normals[v]);
            ASSERT_GT(along, 0) << v;
            turned_away += along < 0.9f;
        }
        EXPECT_LT(turned_away, few.rest.size() / 12);
    }
}

TEST(ReducedHandles, RigidMotionIsRigid) {
    const Character character =
        with_handles(spindle(8, 1, 49, 24), {{0.5, 0, 0}, {4, 0, 0}, {7.5, 0, 0}, {4, 0.8, 0}}, {-1, 0, 1, 1});
    for (const char* turns : {"eigenvector", "given"}) {
        HandlesSettings settings = reduced();
        settings.turns = turns;
        Dragged body(character, settings);
        const Affine by = compose({1000, 3, -2}, quat_from_axis_angle({0.48, 0.6, 0.64}, 150 * degree), {1, 1, 1});
        for (Affine& joint : body.pose) joint = by * joint;
        body.show();
        for (std::size_t v = 0; v < body.rest.size(); ++v)
            ASSERT_LT(length(to_double(body.surface[v]) - transform_point(by, to_double(body.rest[v]))), 2e-3) << turns;
    }
}

/// Of the State after one handle was dragged.
std::uint64_t hash_of_a_drag(const Character& character, const RigPtr& rig, int threads) {
    State state = make_state(*rig);
    Workspace work(threads);
    std::vector<Affine> pose;
    for (const Joint& joint : character.joints) pose.push_back(joint.rest);
    pose[2].m[1][3] += 3;
    advance(*rig, pose, 1.0 / 30, state, work);
    return hash(state);
}

TEST(ReducedHandles, KeepTheirPromisesAsOthersDo) {
    const Character character = three_in_a_row();
    const RigPtr rig = *bind(character, with_file_weights(reduced()));
    EXPECT_EQ(hash_of_a_drag(character, rig, 1), hash_of_a_drag(character, rig, 3));
    EXPECT_EQ(hash_of_a_drag(character, rig, 1), hash_of_a_drag(character, *load_rig(*save_rig(*rig)), 1));
    // Clothes go with it, and handles may be switched.
    Dragged body(character, reduced());
    Mesh ring = spindle(0.4, 1.1, 3, 12);
    for (Vec3& p : ring.positions) p.x += 6;
    const auto attached = attach(body.rig, ring);
    ASSERT_TRUE(attached.ok());
    body.drag(2, {7.5, 0, 1.5});
    ASSERT_TRUE(enable_handles(*body.rig, "h1", false, body.state).ok());
    body.show();
    std::vector<Vec3> positions(ring.positions.size()), normals(positions);
    embed(*attached, body.state, {positions, normals, {}}, body.work);
    for (std::size_t v = 0; v < positions.size(); ++v) {
        EXPECT_GT(positions[v].z - ring.positions[v].z, 0.3f);
        EXPECT_LT(positions[v].z - ring.positions[v].z, 2.0f);
    }
}

TEST(Handles, DisabledHandlesHoldNothing) {
    Dragged body(three_in_a_row(), {});
    body.drag(1, {4, 1.5, 0});
    body.show();
    const Vec3 held = body.surface[24 * 24];
    EXPECT_TRUE(is_enabled(*body.rig, 1, body.state));
    ASSERT_TRUE(enable_handles(*body.rig, "h1", false, body.state).ok());
    EXPECT_FALSE(is_enabled(*body.rig, 1, body.state));
    for (int k = 0; k < 3; ++k) body.show();
    const Vec3 left = body.surface[24 * 24];
    EXPECT_LT(left.y, held.y - 0.1f) << "the middle goes back towards the line between the ends";
    // Wherever it is put, it goes with the others: half as far as the end that is dragged, as the other end stays.
    body.drag(1, {40, 15, -7});
    body.drag(2, {7.5, 0, 2});
    const std::vector<Vec3> one_way = body.show();
    body.drag(1, {4, 0, 0});
    EXPECT_EQ(body.show(), one_way) << "where a disabled handle is dragged does not matter";
    std::vector<Affine> carried(3);
    handle_pose(*body.rig, body.state, carried);
    EXPECT_NEAR(carried[1].m[0][3], 4, 1e-9);
    EXPECT_NEAR(carried[1].m[2][3], 1, 1e-9);
    body.drag(1, {4, 1.5, 0});
    body.drag(2, {7.5, 0, 0});
    ASSERT_TRUE(enable_handles(*body.rig, "*", true, body.state).ok());
    body.show();
    EXPECT_EQ(body.surface[24 * 24], held) << "the same set gives the same bits";
    HandlesSettings settings;
    settings.disabled = "h1,nobody";
    Dragged other(three_in_a_row(), settings);
    other.drag(1, {4, 1.5, 0});
    EXPECT_EQ(other.show()[24 * 24], left) << "disabled at bind or later";
}

TEST(Handles, NamesThatAreNotThereAreSaid) {
    Dragged body(three_in_a_row(), {});
    const Status wrong = enable_handles(*body.rig, "h7", false, body.state);
    ASSERT_FALSE(wrong.ok());
    EXPECT_NE(wrong.error().message.find("did you mean 'h"), std::string::npos);
    State other;
    EXPECT_FALSE(enable_handles(*body.rig, "h1", false, other).ok());
    const auto lbs = bind(test::small_character(), LbsSettings{});
    State state = make_state(**lbs);
    EXPECT_NE(enable_handles(**lbs, "*", true, state).error().message.find("'handles'"), std::string::npos);
}

TEST(Handles, APieceWithoutAHandleFollowsTheNearest) {
    Mesh mesh = spindle(8, 1, 25, 16);
    const Mesh hat = spindle(0.6, 0.3, 4, 8);
    const std::uint32_t first = std::uint32_t(mesh.positions.size());
    for (const Vec3 p : hat.positions) mesh.positions.push_back(p + Vec3{7, 1.6f, 0});
    mesh.normals.insert(mesh.normals.end(), hat.normals.begin(), hat.normals.end());
    for (const std::uint32_t v : hat.triangles) mesh.triangles.push_back(first + v);
    Dragged body(with_handles(mesh, {{0.5, 0, 0}, {7.5, 0, 0}}, {-1, 0}), {});
    body.drag(1, {7.5, 0, 2});
    body.show();
    const auto part = [](Vec3 p) { return p.y > 1.25f; };
    const auto strain = body.strains(part);
    ASSERT_FALSE(strain.empty());
    EXPECT_LT(strain.back(), 0.05);
    EXPECT_NEAR(body.surface[first].z - body.rest[first].z, 2, 0.6);
}

TEST(Handles, WhatCannotBePosedIsStillANumber) {
    // One triangle; two handles at one place; three triangles at one edge.
    Mesh triangle;
    triangle.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    triangle.triangles = {0, 1, 2};
    Mesh book = triangle;
    book.positions.insert(book.positions.end(), {{1, 1, 1}, {1, 1, -1}});
    book.triangles.insert(book.triangles.end(), {0, 1, 3, 0, 1, 4});
    for (const Mesh& mesh : {triangle, book}) {
        Dragged body(with_handles(mesh, {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}, {-1, 0, 0}), {});
        body.drag(2, {5, 5, 5});
        for (const Vec3 p : body.show()) EXPECT_TRUE(std::isfinite(p.x + p.y + p.z));
    }
    for (const Mesh& mesh : {triangle, book}) {
        Dragged body(with_handles(mesh, {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}, {-1, 0, 0}), reduced());
        body.drag(2, {5, 5, 5});
        for (const Vec3 p : body.show()) EXPECT_TRUE(std::isfinite(p.x + p.y + p.z));
    }
    // Without anything inside there is still one handle, and a word about it.
    const auto alone = rig_with_handles(triangle, "triangle", {});
    ASSERT_TRUE(alone.ok());
    EXPECT_EQ(alone->character.joints.size(), 1u);
    EXPECT_FALSE(alone->notes.empty());
    Mesh nothing;
    EXPECT_FALSE(rig_with_handles(nothing, "nothing", {}).ok());
    Mesh point = triangle;
    for (Vec3& p : point.positions) p = {1, 1, 1};
    EXPECT_NE(rig_with_handles(point, "point", {}).error().message.find("one place"), std::string::npos);
}

TEST(Handles, TooManyVerticesAreRefusedWithANumber) {
    Character character = three_in_a_row();
    character.mesh.positions.resize(300001);
    character.mesh.normals.resize(300001);
    character.weights.joints.resize(300001 * std::size_t(character.weights.influences));
    character.weights.weights.resize(300001 * std::size_t(character.weights.influences), 0.125f);
    character.mesh.parts[0].vertex_count = 300001;
    const auto rig = bind(character, HandlesSettings{});
    ASSERT_FALSE(rig.ok());
    EXPECT_NE(rig.error().message.find("at most 300000"), std::string::npos) << rig.error().message;
}

TEST(Handles, TooManyJointsAreRefusedWithANumber) {
    Character character = three_in_a_row();
    while (character.joints.size() <= 5000) {
        Joint joint = character.joints.back();
        joint.name += std::to_string(character.joints.size());
        joint.parent = 0;
        character.joints.push_back(joint);
    }
    const auto rig = bind(character, HandlesSettings{});
    ASSERT_FALSE(rig.ok());
    EXPECT_NE(rig.error().message.find("at most 5000"), std::string::npos) << rig.error().message;
}

TEST(Handles, SameBitsForAnyNumberOfThreadsAndAfterLoading) {
    const Character character = three_in_a_row();
    const RigPtr rig = *bind(character, HandlesSettings{});
    EXPECT_EQ(hash_of_a_drag(character, rig, 1), hash_of_a_drag(character, rig, 3));
    EXPECT_EQ((*bind(character, with_file_weights({})))->skin_weights()->weights, rig->skin_weights()->weights);
    EXPECT_EQ(hash_of_a_drag(character, rig, 1), hash_of_a_drag(character, *load_rig(*save_rig(*rig)), 1));
}

// ---- placement -----------------------------------------------------------------------------------------------------
/// Two thick ends and a thin middle.
Mesh dumb_bell() {
    Mesh out = spindle(12, 1, 61, 24);
    for (Vec3& p : out.positions) {
        const float far = std::abs(p.x - 6) - 3.5f, t = std::clamp(far / 0.5f, 0.0f, 1.0f);
        const float thick = 0.5f + 1.3f * t * t * (3 - 2 * t);
        p.y *= thick, p.z *= thick;
    }
    return out;
}

TEST(PlaceHandles, AreInsideMirroredAndWhereTheBodyBecomesThinner) {
    const Mesh mesh = dumb_bell();
    const auto placed = place_handles(mesh, "dumb-bell", {});
    ASSERT_TRUE(placed.ok());
    EXPECT_TRUE(placed->mirrored);
    ASSERT_GE(placed->handles.size(), 2u);
    const auto nearest = [&](Vec3d p) {
        double least = 1e300;
        for (const SkeletonJoint& h : placed->handles) least = std::min(least, length(h.position - p));
        return least;
    };
    EXPECT_LT(nearest({2.25, 0, 0}), 1);
    EXPECT_LT(nearest({9.75, 0, 0}), 1);
    for (const SkeletonJoint& h : placed->handles) {
        EXPECT_LT(nearest({12 - h.position.x, h.position.y, h.position.z}), 1e-3) << "mirrored";
        EXPECT_LT(std::abs(h.position.y) + std::abs(h.position.z), 0.5);
    }
    int roots = 0;
    for (std::size_t k = 0; k < placed->handles.size(); ++k) {
        roots += placed->handles[k].parent < 0;
        EXPECT_LT(placed->handles[k].parent, int(k));
    }
    EXPECT_EQ(roots, 1);
}

/// Links mirror each other as handles do: the parent of a mirrored handle is its parent's mirror image.
void expect_mirrored_links(const PlacedHandles& placed, double size, const std::string& name) {
    ASSERT_TRUE(placed.mirrored) << name;
    double middle = 0;
    for (const SkeletonJoint& h : placed.handles) middle += h.position.x / double(placed.handles.size());
    const auto twin = [&](std::size_t k) {
        const Vec3d p = placed.handles[k].position, other{2 * middle - p.x, p.y, p.z};
        for (std::size_t j = 0; j < placed.handles.size(); ++j)
            if (length(placed.handles[j].position - other) < 1e-3 * size) return int(j);
        return -1;
    };
    int pairs = 0;
    for (std::size_t k = 0; k < placed.handles.size(); ++k) {
        const int other = twin(k), parent = placed.handles[k].parent;
        ASSERT_GE(other, 0) << name << " handle " << k;
        if (parent < 0 || other == int(k)) continue;
        ++pairs;
        EXPECT_EQ(placed.handles[std::size_t(other)].parent, twin(std::size_t(parent))) << name << " handle " << k;
    }
    EXPECT_GE(pairs, 6) << name;
}

TEST(PlaceHandles, BodiesThatMirrorThemselvesAreLinkedSo) {
    for (const char* name : {"bunny", "bloat"}) {
        const Character body = *bundled_character(name);
        const auto placed = place_handles(body.mesh, name, {});
        ASSERT_TRUE(placed.ok());
        EXPECT_LT(placed->handles.size(), 25u) << name << ": not a handle for every finger";
        EXPECT_TRUE(placed->notes.empty()) << name << ": all inside";
        expect_mirrored_links(*placed, body.size(), name);
        // Where the body bends there is one, no farther from the joint than the skin is.
        for (const Joint& joint : body.joints) {
            const auto is = [&](const char* part) { return joint.name.find(part) != std::string::npos; };
            if (!is("neck") && !is("upper_arm") && !is("upper_leg") && !is("lower_leg")) continue;
            const Vec3d at = translation_of(joint.rest);
            double handle = 1e300, skin = 1e300;
            for (const SkeletonJoint& h : placed->handles) handle = std::min(handle, length(h.position - at));
            for (const Vec3 p : body.mesh.positions) skin = std::min(skin, length(to_double(p) - at));
            EXPECT_LE(handle, skin) << name << ", " << joint.name;
        }
        // Something is in every limb: no part of the surface is far from all handles.
        double farthest = 0;
        for (const Vec3 p : body.mesh.positions) {
            double least = 1e300;
            for (const SkeletonJoint& h : placed->handles) least = std::min(least, length(h.position - to_double(p)));
            farthest = std::max(farthest, least);
        }
        EXPECT_LT(farthest, 0.35 * body.size()) << name;
    }
}

TEST(PlaceHandles, ABagDoesNotKeepABodyFromBeingMirrored) {
    const Character body = *bundled_character("gnome");
    const auto placed = place_handles(body.mesh, "gnome", {});
    ASSERT_TRUE(placed.ok());
    EXPECT_TRUE(placed->notes.empty()) << "all inside";
    expect_mirrored_links(*placed, body.size(), "gnome");
    for (const Joint& joint : body.joints) {
        const auto is = [&](const char* part) { return joint.name.find(part) != std::string::npos; };
        if (!is("neck") && !is("upper_arm") && !is("lower_arm")) continue;
        const Vec3d at = translation_of(joint.rest);
        double handle = 1e300, skin = 1e300;
        for (const SkeletonJoint& h : placed->handles) handle = std::min(handle, length(h.position - at));
        for (const Vec3 p : body.mesh.positions) skin = std::min(skin, length(to_double(p) - at));
        EXPECT_LE(handle, skin) << joint.name;
    }
}

TEST(PlaceHandles, TheNumberCanBeAskedFor) {
    const Mesh mesh = dumb_bell();
    for (const int count : {1, 2, 3, 6, 7, 12}) {
        HandleOptions options;
        options.count = count;
        const auto placed = place_handles(mesh, "dumb-bell", options);
        ASSERT_TRUE(placed.ok());
        EXPECT_EQ(int(placed->handles.size()), count);
    }
    HandleOptions wrong;
    wrong.count = 1000;
    EXPECT_FALSE(place_handles(mesh, "dumb-bell", wrong).ok());
}

TEST(PlaceHandles, GivenOnesReplaceOrJoinThoseFound) {
    HandleOptions options;
    options.points = {{"mine", -1, {1, 0, 0}, std::nullopt}, {"yours", -1, {11, 0, 0}, std::nullopt}};
    const auto given = place_handles(dumb_bell(), "dumb-bell", options);
    ASSERT_EQ(given->handles.size(), 2u);
    EXPECT_EQ(given->handles[1].parent, 0) << "linked though no link was given";
    options.add_to_found = true;
    EXPECT_GT(place_handles(dumb_bell(), "dumb-bell", options)->handles.size(), 2u);
    EXPECT_EQ(handles_to_tgf(given->handles), "1 1 0 0 mine\n2 11 0 0 yours\n#\n1 2\n");
    options = {};
    options.points = {{"only", -1, {1, 0, 0}, Vec3d{11, 0, 0}}};
    EXPECT_EQ(place_handles(dumb_bell(), "dumb-bell", options)->handles.size(), 2u) << "ends of chains are handles";
}

TEST(PlaceHandles, ALineGetsOneInItsMiddle) {
    Mesh line;
    line.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    line.triangles = {0, 1, 2};
    const auto placed = place_handles(line, "line", {});
    ASSERT_TRUE(placed.ok());
    ASSERT_EQ(placed->handles.size(), 1u);
    EXPECT_LT(length(placed->handles[0].position - Vec3d{1, 0, 0}), 0.01);
    EXPECT_FALSE(placed->notes.empty());
}

TEST(PlaceHandles, NamesAreOneWordInTgf) {
    EXPECT_EQ(handles_to_tgf({{"left arm\n2 0 0", -1, {1, 0, 0}, std::nullopt}}), "1 1 0 0 left_arm_2_0_0\n#\n");
}

TEST(PlaceHandles, TooManyAreRefusedBeforeAnythingIsComputed) {
    HandleOptions options;
    for (int k = 0; k < 1200; ++k) options.points.push_back({"p", k - 1, {0.01 * k, 0, 0}, std::nullopt});
    const auto linked = place_handles(dumb_bell(), "dumb-bell", options);
    ASSERT_FALSE(linked.ok());
    EXPECT_EQ(linked.error().message, "a body has at most 1000 handles, not 1200");
    for (SkeletonJoint& joint : options.points) joint.parent = -1;
    EXPECT_EQ(place_handles(dumb_bell(), "dumb-bell", options).error().message,
              "a body has at most 200 handles, not 1200");
}

}  // namespace
}  // namespace fascia
