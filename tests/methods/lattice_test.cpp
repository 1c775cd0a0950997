// Lattice skinning: weights, primary deformation, parts and their volumes (docs/formulas.md D).
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "body/joint_tree.h"
#include "fascia/bundled.h"
#include "fascia/measure.h"
#include "fascia/pose.h"
#include "methods/lattice/lattice_body.h"
#include "support/points.h"
#include "support/shapes.h"
#include "support/tube.h"

namespace fascia {
namespace {

constexpr double degrees = std::numbers::pi / 180;

LatticeSettings at_resolution(int resolution) {
    LatticeSettings out;
    out = *settings_from<LatticeSettings>(*preset("default"));
    out.resolution = resolution;
    return out;
}

/// A box made of four sides.
Character arm(int sides) {
    Character c = test::tube_character({40, sides, 1});
    c.joints[0].tail = {0, 0, 0};
    c.joints[1].tail = {4, 0, 0};
    return c;
}

std::vector<Affine> bent(const Character& c, double angle, Vec3d axis = {0, 0, 1}) {
    return {c.joints[0].rest, compose({0, 0, 0}, quat_from_axis_angle(axis, angle), {1, 1, 1})};
}

/// As published: weights that diffuse from the bones, the surface in its cells.
BindInputs diffused() {
    BindInputs out;
    out.weights = "diffusion";
    return out;
}

struct Posed {
    RigPtr rig;
    State state;
    Workspace work;
    std::vector<Vec3> surface, normals;

    Posed(const Character& c, const LatticeSettings& settings)
        : rig(*bind(c, settings, diffused())), state(make_state(*rig)) {}
    void pose(const std::vector<Affine>& joints) {
        reset(*rig, joints, state, work);
        surface.resize(rig->vertex_count());
        normals.resize(rig->vertex_count());
        embed(*rig, state, {surface, normals, {}}, work);
    }
    std::vector<Vec3> particles() const {
        std::vector<Vec3> out(rig->point_count());
        test::point_positions(*rig, state, out);
        return out;
    }
};

TEST(Lattice, WeightsSumToOneAndAreNotNegative) {
    for (const char* name : {"bunny", "bloat", "tube"}) {
        const auto body = *build_lattice_body(*bundled_character(name), at_resolution(20), diffused());
        const std::size_t n = body->stride();
        for (const std::size_t p : body->slots()) {
            float sum = 0;
            for (std::size_t k = 0; k < 4; ++k) {
                EXPECT_GE(body->weights[k * n + p], 0);
                EXPECT_LT(body->joints[k * n + p], body->gate.size());
                if (k > 0) {
                    EXPECT_LE(body->weights[k * n + p], body->weights[(k - 1) * n + p]);
                }
                sum += body->weights[k * n + p];
            }
            EXPECT_NEAR(sum, 1, 1e-5);
        }
    }
}

TEST(Lattice, TheSameBodyGetsTheSameWeights) {
    const Character c = *bundled_character("bunny");
    const auto a = *build_lattice_body(c, at_resolution(16), diffused()),
               b = *build_lattice_body(c, at_resolution(16), diffused());
    EXPECT_EQ(a->joints, b->joints);
    EXPECT_TRUE(a->weights == b->weights);
}

TEST(Lattice, RestIsRest) {
    for (const char* name : {"bunny", "tube"}) {
        const Character c = *bundled_character(name);
        Posed posed(c, at_resolution(24));
        std::vector<Affine> rest;
        for (const Joint& joint : c.joints) rest.push_back(joint.rest);
        posed.pose(rest);
        for (std::size_t v = 0; v < posed.surface.size(); ++v) {
            ASSERT_LT(length(posed.surface[v] - c.mesh.positions[v]), 1e-6 * c.size()) << v;
            ASSERT_GT(dot(posed.normals[v], c.mesh.normals[v]), 0.9999f) << v;
        }
        for (const JointVolume& part : posed.rig->inside()->joint_volumes(posed.state))
            EXPECT_NEAR(part.ratio, 1, 1e-6);
    }
}

/// Position of a vertex by definition: blended matrices at the corners of its cell, in double.
TEST(Lattice, WithoutVolumeTheSurfaceIsTheBlendedOneInItsCells) {
    const Character c = *bundled_character("bunny");
    LatticeSettings settings = at_resolution(20);
    settings.preserve_volume = 0;
    const auto body = *build_lattice_body(c, settings, diffused());
    Posed posed(c, settings);
    Pose pose;
    evaluate(c, *find_clip(c, "dance"), 1.8, pose);
    posed.pose(pose.joints);
    const std::size_t n = body->stride();
    const auto particle = [&](std::size_t p) {
        const Vec3d rest = Vec3d{body->rest[p], body->rest[n + p], body->rest[2 * n + p]} * body->h + body->centre;
        Vec3d out;
        for (std::size_t k = 0; k < 4; ++k) {
            const std::size_t j = body->joints[k * n + p];
            out += transform_point(pose.joints[j] * inverse(c.joints[j].rest), rest) * double(body->weights[k * n + p]);
        }
        return out;
    };
    double worst = 0;
    for (std::size_t v = 0; v < c.mesh.vertex_count(); v += 7) {
        Vec3d place;
        for (std::size_t k = 8 * v; k < 8 * v + 8; ++k)
            place += particle(body->bound.points[k]) * double(body->bound.weights[k]);
        worst = std::max(worst, length(place - to_double(posed.surface[v])));
    }
    EXPECT_LT(worst, 1e-6 * c.size());
}

TEST(Lattice, ARigidMotionCarriesNormalsExactly) {
    const Character c = *bundled_character("bunny");
    Posed posed(c, at_resolution(16));
    const Affine move = compose({3, -1, 2}, quat_from_axis_angle(normalized(Vec3d{1, 2, 3}), 2.1), {1, 1, 1});
    std::vector<Affine> joints;
    for (const Joint& joint : c.joints) joints.push_back(move * joint.rest);
    posed.pose(joints);
    for (std::size_t v = 0; v < posed.surface.size(); ++v) {
        const Vec3d place = transform_point(move, to_double(c.mesh.positions[v]));
        ASSERT_LT(length(to_double(posed.surface[v]) - place), 1e-5 * c.size());
        ASSERT_GT(dot(posed.normals[v], to_float(transform_vector(move, to_double(c.mesh.normals[v])))), 0.9999f);
    }
}

/// For neighbours on the surface that are much closer than a cell is wide: by how much more their normals differ than
/// they should. With normals from the gradient of each cell alone it is 48 degrees.
TEST(Lattice, NormalsDoNotJumpFromCellToCell) {
    const Character c = *bundled_character("bunny");
    LatticeSettings settings = at_resolution(12);
    settings.preserve_volume = 0;
    Posed posed(c, settings);
    Pose pose;
    evaluate(c, *find_clip(c, "dance"), 0.8, pose);
    posed.pose(pose.joints);
    double worst = 0;
    for (std::size_t k = 0; k + 2 < c.mesh.triangles.size(); k += 3) {
        const std::size_t a = c.mesh.triangles[k], b = c.mesh.triangles[k + 1];
        const auto angle = [](Vec3 u, Vec3 v) { return std::acos(std::min(1.0, double(dot(u, v)))) / degrees; };
        if (length(c.mesh.positions[a] - c.mesh.positions[b]) > 0.1 * c.size() / 12) continue;
        worst =
            std::max(worst, angle(posed.normals[a], posed.normals[b]) - angle(c.mesh.normals[a], c.mesh.normals[b]));
    }
    EXPECT_LT(worst, 12);
}

/// Bent about its second joint.
std::vector<Affine> bent_tube(const Character& c, double angle) {
    std::vector<Affine> out;
    for (const Joint& joint : c.joints) out.push_back(joint.rest);
    const Vec3d pivot = translation_of(c.joints[1].rest);
    const Affine turn = compose(pivot, quat_from_axis_angle({0, 0, 1}, angle), {1, 1, 1}) *
                        compose({-pivot.x, -pivot.y, -pivot.z}, {}, {1, 1, 1});
    for (std::size_t j = 1; j < out.size(); ++j) out[j] = turn * out[j];
    return out;
}

TEST(Lattice, EveryPartKeepsItsVolumeInABend) {
    const std::pair<const char*, Character> bodies[] = {
        {"box arm", arm(4)}, {"round arm", arm(48)}, {"tube", *bundled_character("tube")}};
    for (const auto& [name, c] : bodies) {
        LatticeSettings without = at_resolution(32);
        without.preserve_volume = 0;
        Posed kept(c, at_resolution(32)), lost(c, without);
        for (const double angle : {30.0, 60.0, 90.0, 120.0}) {
            kept.pose(bent_tube(c, angle * degrees));
            lost.pose(bent_tube(c, angle * degrees));
            EXPECT_GE(kept.rig->inside()->joint_volumes(kept.state).size(), 2u);
            for (const JointVolume& part : kept.rig->inside()->joint_volumes(kept.state))
                EXPECT_NEAR(part.ratio, 1, 1e-3) << name << ", " << angle << " degrees, joint " << part.joint;
            double least = 1;
            for (const JointVolume& part : lost.rig->inside()->joint_volumes(lost.state))
                least = std::min(least, part.ratio);
            std::printf("%s, %.0f degrees: %.2f %% without\n", name, angle, 100 * least);
            EXPECT_LT(least, angle < 60 ? 0.99 : 0.97) << name << ", " << angle << " degrees";
        }
    }
}

/// A figure of boxes: hips, spine and chest in the middle, an arm and a leg on each side.
Character manikin() {
    Character c;
    c.name = "manikin";
    c.weights.influences = 4;
    const auto limb = [&](const char* name, int parent, Vec3d head, Vec3d tail, Vec3 low, Vec3 high) {
        Joint joint;
        joint.name = name;
        joint.parent = parent;
        joint.rest = compose(head, {}, {1, 1, 1});
        joint.tail = tail;
        const test::Shape box = test::box_shape(low, high);
        const auto first = std::uint32_t(c.mesh.positions.size());
        for (const std::uint32_t v : box.triangles) c.mesh.triangles.push_back(first + v);
        for (const Vec3 p : box.positions) {
            c.mesh.positions.push_back(p);
            c.mesh.normals.push_back(normalized(p - (low + high) * 0.5f));
            for (std::uint16_t k = 0; k < 4; ++k) {
                c.weights.joints.push_back(k == 0 ? std::uint16_t(c.joints.size()) : std::uint16_t(0));
                c.weights.weights.push_back(k == 0 ? 1.0f : 0.0f);
            }
        }
        c.joints.push_back(joint);
    };
    limb("hips", -1, {0, 8, 0}, {0, 10, 0}, {-2, 7, -1}, {2, 10, 1});
    limb("spine", 0, {0, 10, 0}, {0, 12, 0}, {-2, 9.5f, -1}, {2, 12, 1});
    limb("chest", 1, {0, 12, 0}, {0, 15, 0}, {-2, 11.5f, -1}, {2, 15, 1});
    limb("left_arm", 2, {2, 14, 0}, {8, 14, 0}, {1.5f, 13, -1}, {8, 15, 1});
    limb("right_arm", 2, {-2, 14, 0}, {-8, 14, 0}, {-8, 13, -1}, {-1.5f, 15, 1});
    limb("left_leg", 0, {1, 7.5, 0}, {1, 0, 0}, {0.25f, 0, -0.75f}, {1.9f, 7.5f, 0.75f});
    limb("right_leg", 0, {-1, 7.5, 0}, {-1, 0, 0}, {-1.9f, 0, -0.75f}, {-0.25f, 7.5f, 0.75f});
    return c;
}

TEST(Lattice, MovingAnArmMovesNoLeg) {
    const Character c = manikin();
    Posed posed(c, at_resolution(32));
    const auto body = *build_lattice_body(c, at_resolution(32), diffused());
    std::vector<Affine> rest, moved;
    for (const Joint& joint : c.joints) rest.push_back(joint.rest);
    moved = rest;
    moved[3] = moved[3] * compose({}, quat_from_axis_angle({0, 0, 1}, 1.2), {1, 1, 1});
    posed.pose(rest);
    const std::vector<Vec3> before = posed.particles();
    posed.pose(moved);
    const std::vector<Vec3> after = posed.particles();
    std::size_t legs = 0, arms = 0, chests = 0;
    for (std::size_t p = 0; p < before.size(); ++p) {
        const double way = length(after[p] - before[p]);
        if (body->blueprint->part[p] == 5 || body->blueprint->part[p] == 6) {
            ++legs;
            EXPECT_LT(way, 1e-6 * c.size());
        }
        arms += body->blueprint->part[p] == 3 && way > 0.01 * c.size();
        chests += body->blueprint->part[p] == 2 && way > 1e-4 * c.size();
    }
    EXPECT_GT(legs, 50u);
    EXPECT_GT(arms, 20u);
    EXPECT_GT(chests, 10u);  // the chest does move
    for (const JointVolume& part : posed.rig->inside()->joint_volumes(posed.state)) EXPECT_NEAR(part.ratio, 1, 1e-3);
}

/// No particle is held by an arm and a leg, or by two legs, together.
TEST(Lattice, OnlyRelativesHoldAParticle) {
    const Character c = *bundled_character("gnome");
    const auto body = *build_lattice_body(c, at_resolution(20), diffused());
    const Relations relations = related_joints(c);
    const weights::Influences& held = body->blueprint->influences;
    std::size_t shared = 0;
    for (std::size_t p = 0; p < held.size(); ++p)
        for (std::size_t a = 4 * p; a < 4 * p + 4; ++a)
            for (std::size_t b = 4 * p; b < a; ++b) {
                if (!(held.weights[a] > 0) || !(held.weights[b] > 0)) continue;
                ++shared;
                EXPECT_TRUE(relations.related(held.joints[a], held.joints[b]))
                    << c.joints[held.joints[a]].name << " and " << c.joints[held.joints[b]].name;
            }
    EXPECT_GT(shared, held.size() / 4);
}

/// The smallest share of its rest volume that a part keeps in a clip.
double least_volume(const Character& c, const Rig& rig, const char* clip, const std::string& joint) {
    State state = make_state(rig);
    Workspace work;
    Pose pose;
    double least = 1;
    for (double t = 0; t < 4; t += 0.1) {
        evaluate(c, *find_clip(c, clip), t, pose);
        reset(rig, pose.joints, state, work);
        for (const JointVolume& part : rig.inside()->joint_volumes(state))
            if (c.joints[part.joint].name == joint) least = std::min(least, part.ratio);
    }
    return least;
}

/// The bunny's bones are shorter than its legs are thick: its dance presses them evenly to half of their volume.
TEST(Lattice, PressedLegsGetAboutAThirdOfWhatTheyLoseBack) {
    const Character c = *bundled_character("bunny");
    LatticeSettings settings = at_resolution(32), without = at_resolution(32);
    settings.delta = without.delta = 0;
    without.preserve_volume = 0;
    const RigPtr kept = *bind(c, settings, diffused()), lost = *bind(c, without, diffused());
    for (const char* joint : {"left_upper_leg", "left_lower_leg", "right_upper_leg", "right_lower_leg"}) {
        const double before = least_volume(c, *lost, "dance", joint), after = least_volume(c, *kept, "dance", joint);
        EXPECT_GT((after - before) / (1 - before), 0.2) << joint << ' ' << before << ' ' << after;
    }
}

/// Flesh squeezed by bones gives way no further than it can without a fold (the bunny crouches in its dance).
TEST(Lattice, NeighboursOfAPressedPartStayTogether) {
    const Character c = *bundled_character("bunny");
    const auto body = *build_lattice_body(c, at_resolution(32), diffused());
    LatticeSettings without = at_resolution(32);
    without.preserve_volume = 0;
    Posed kept(c, at_resolution(32)), lost(c, without);
    Pose pose;
    evaluate(c, *find_clip(c, "dance"), 0, pose);
    kept.pose(pose.joints);
    lost.pose(pose.joints);
    const SurfaceMeter meter(c.mesh.positions, c.mesh.triangles, c.size());
    EXPECT_LT(meter.flipped_triangles(kept.surface, lost.surface), 5u);
}

/// Where the surface passes from one cell to the next, both carry it by the same particles, even where a body forks and
/// two sheets lie in one cell (the gnome's beard over its chest: 64 torn edges without this).
TEST(Lattice, TheSurfaceDoesNotTearWhereBodiesFork) {
    for (const char* name : {"gnome", "bloat"}) {
        const Character c = *bundled_character(name);
        const auto body = *build_lattice_body(c, at_resolution(32), diffused());
        const LatticeBlueprint& plan = *body->blueprint;
        const embedding::Trilinear surface = bound_to_particles(*body);
        std::size_t crossings = 0, torn = 0;
        for (std::size_t t = 0; t < c.mesh.triangles.size(); ++t) {
            const std::size_t a = c.mesh.triangles[t], b = c.mesh.triangles[t % 3 == 2 ? t - 2 : t + 1];
            for (std::size_t i = 8 * a; i < 8 * a + 8; ++i)
                for (std::size_t k = 8 * b; k < 8 * b + 8; ++k) {
                    const std::uint32_t p = surface.points[i], q = surface.points[k];
                    if (!(plan.corners.places[p] == plan.corners.places[q])) continue;
                    ++crossings;
                    torn += p != q;
                }
        }
        EXPECT_GT(crossings, 10000u);
        EXPECT_EQ(torn, 0u) << name;
    }
}

TEST(Lattice, PivotedKeepsTheDistanceFromTheJoint) {
    const Character c = arm(48);
    LatticeSettings plain = at_resolution(24), pivoted = at_resolution(24);
    plain.preserve_volume = pivoted.preserve_volume = 0;
    pivoted.pivoted = 1;
    Posed a(c, plain), b(c, pivoted);
    a.pose(bent(c, 90 * degrees, {1, 0, 0}));
    b.pose(bent(c, 90 * degrees, {1, 0, 0}));
    const std::vector<Vec3> thin = a.particles(), kept = b.particles();
    double least_thin = 1, least_kept = 1;
    for (std::size_t p = 0; p < thin.size(); ++p) {
        const auto body_radius = [](Vec3 v) { return std::hypot(double(v.y), double(v.z)); };
        State rest = make_state(*a.rig);
        std::vector<Vec3> places(thin.size());
        test::point_positions(*a.rig, rest, places);
        if (p == 0 || body_radius(places[p]) < 0.9) continue;
        least_thin = std::min(least_thin, body_radius(thin[p]) / body_radius(places[p]));
        least_kept = std::min(least_kept, body_radius(kept[p]) / body_radius(places[p]));
    }
    EXPECT_NEAR(least_thin, std::cos(45 * degrees), 0.02);
    EXPECT_NEAR(least_kept, 1, 1e-4);
}

/// docs/formulas.md 0.5: the octants of all particles add up to the cells, even where the body is concave.
TEST(Lattice, PartsTogetherHaveTheVolumeOfTheCells) {
    for (const char* name : {"bunny", "gnome"}) {
        const auto body = *build_lattice_body(*bundled_character(name), at_resolution(20), diffused());
        double sum = 0;
        for (const VolumePart& part : body->volumes.parts) sum += part.rest_volume;
        const double cells = double(body->blueprint->corners.of_cell.size()) / 8;
        EXPECT_NEAR(sum, cells, 1e-4 * cells);
    }
}

TEST(Lattice, ABodyWithoutVolumeIsRefusedInASentence) {
    Character c = arm(8);
    c.mesh.triangles.clear();
    const auto rig = bind(c, at_resolution(16));
    ASSERT_FALSE(rig.ok());
    EXPECT_NE(rig.error().message.find("tube"), std::string::npos);
}

TEST(Lattice, TangentsTurnWithTheSkinAndKeepTheirHandedness) {
    Character c = arm(12);
    c.mesh.tangents.clear();
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
        const Vec3 n = c.mesh.normals[v], across = std::abs(n.x) < 0.5f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        const Vec3 t = normalized(across - n * dot(n, across));
        c.mesh.tangents.push_back({t.x, t.y, t.z, v % 3 == 0 ? -1.0f : 1.0f});
    }
    BindInputs painted;
    for (const BindInputs& inputs : {diffused(), painted}) {
        const auto bound = bind(c, at_resolution(12), inputs);
        ASSERT_TRUE(bound.ok()) << bound.error().message;
        const RigPtr rig = *bound;
        State state = make_state(*rig);
        Workspace work;
        std::vector<Vec3> surface(rig->vertex_count()), normals(surface.size());
        std::vector<Vec4> tangents(surface.size());
        const auto direction = [&](std::size_t v) { return Vec3{tangents[v].x, tangents[v].y, tangents[v].z}; };
        // All of it turned: they turn with it.
        const Affine turn = compose({1, 2, 3}, quat_from_axis_angle(normalized(Vec3d{1, 2, 2}), 1.3), {1, 1, 1});
        reset(*rig, std::vector<Affine>{turn * c.joints[0].rest, turn * c.joints[1].rest}, state, work);
        embed(*rig, state, {surface, normals, tangents}, work);
        for (std::size_t v = 0; v < surface.size(); ++v) {
            const Vec4 rest = c.mesh.tangents[v];
            ASSERT_LT(length(to_double(direction(v)) - transform_vector(turn, {rest.x, rest.y, rest.z})), 1e-4) << v;
            ASSERT_EQ(tangents[v].w, rest.w) << v;
        }
        // Bent: those of the hand turn with the hand, and all stay in the surface.
        reset(*rig, bent(c, 60 * degrees), state, work);
        embed(*rig, state, {surface, normals, tangents}, work);
        for (std::size_t v = 0; v < surface.size(); ++v) {
            const Vec4 rest = c.mesh.tangents[v];
            EXPECT_LT(std::abs(dot(direction(v), normals[v])), 0.02) << v;
            EXPECT_NEAR(length(direction(v)), 1, 1e-5) << v;
            EXPECT_EQ(tangents[v].w, rest.w) << v;
            if (c.mesh.positions[v].x < 3) continue;
            const Vec3d hand = rotate(quat_from_axis_angle({0, 0, 1}, 60 * degrees), Vec3d{rest.x, rest.y, rest.z});
            EXPECT_LT(length(to_double(direction(v)) - hand), 0.15) << v;  // the volume swells a little
        }
    }
}

}  // namespace
}  // namespace fascia
