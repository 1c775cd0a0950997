// volumetric-dqs and volumetric-arap through the public interface: docs/formulas.md C9 and C10.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/measure.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "methods/volumetric/fitted_weights.h"
#include "methods/volumetric/held_points.h"
#include "support/tube.h"

namespace fascia {
namespace {

constexpr double degrees = std::numbers::pi / 180;

VolumetricDqsSettings fine_dqs(int resolution) {
    VolumetricDqsSettings out;
    out.resolution = resolution;
    return out;
}

VolumetricArapSettings arap_at(int resolution) {
    VolumetricArapSettings out;
    out.resolution = resolution;
    return out;
}

std::vector<Affine> rests(const Character& c) {
    std::vector<Affine> out;
    for (const Joint& joint : c.joints) out.push_back(joint.rest);
    return out;
}

struct Shown {
    std::vector<Vec3> positions, normals;
    std::vector<Vec4> tangents;
};

Shown show(const Rig& rig, const State& state, Workspace& work) {
    Shown out{std::vector<Vec3>(rig.vertex_count()), std::vector<Vec3>(rig.vertex_count()),
              std::vector<Vec4>(rig.vertex_count())};
    embed(rig, state, {out.positions, out.normals, out.tangents}, work);
    return out;
}

Shown posed(const Character& c, const Settings& settings, const std::vector<Affine>& pose) {
    const auto rig = bind(c, settings);
    EXPECT_TRUE(rig.ok()) << rig.error().message;
    State state = make_state(**rig);
    Workspace work;
    advance(**rig, pose, 1.0 / 60, state, work);
    return show(**rig, state, work);
}

std::vector<Affine> bent(const Character& c, Vec3d axis, double angle) {
    return {c.joints[0].rest, compose({0, 0, 0}, quat_from_axis_angle(axis, angle), {1, 1, 1})};
}

double volume_percent(const Character& c, const Settings& settings, const std::vector<Affine>& pose) {
    const SurfaceMeter meter(c.mesh.positions, c.mesh.triangles, 8);
    return 100 * meter.volume_ratio(posed(c, settings, pose).positions).value_or(0);
}

double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double out = 0;
    for (std::size_t v = 0; v < a.size(); ++v) out = std::max(out, double(length(a[v] - b[v])));
    return out;
}

/// The smallest cosine between a normal on a tube's side and that of the triangles around its vertex.
double least_agreement(const Character& c, const Shown& shown) {
    std::vector<Vec3d> sums(c.mesh.vertex_count());
    for (std::size_t t = 0; t < c.mesh.triangles.size(); t += 3) {
        const auto at = [&](std::size_t k) { return to_double(shown.positions[c.mesh.triangles[t + k]]); };
        const Vec3d area = cross(at(1) - at(0), at(2) - at(0));
        for (std::size_t k = 0; k < 3; ++k) sums[c.mesh.triangles[t + k]] = sums[c.mesh.triangles[t + k]] + area;
    }
    double out = 1;
    for (std::size_t v = 0; v + 2 < c.mesh.vertex_count(); ++v)  // without the middle of the caps
        if (std::abs(c.mesh.positions[v].x) < 3.8f)              // and the rims
            out = std::min(out, dot(normalized(sums[v]), to_double(shown.normals[v])));
    return out;
}

// ---- both ----------------------------------------------------------------------------------------------------------
class Volumetric : public ::testing::TestWithParam<Settings> {};
INSTANTIATE_TEST_SUITE_P(Methods, Volumetric, ::testing::Values(Settings(fine_dqs(24)), Settings(arap_at(24))),
                         [](const auto& method) {
                             return std::string(method.param.method()) == "volumetric-dqs" ? "Dqs" : "Arap";
                         });

TEST_P(Volumetric, RestIsRest) {
    const Character c = test::tube_character({80, 32, 1});
    const Shown shown = posed(c, GetParam(), rests(c));
    EXPECT_LT(largest_distance(shown.positions, c.mesh.positions), 1e-5);
    EXPECT_LT(largest_distance(shown.normals, c.mesh.normals), 1e-4);
}

TEST_P(Volumetric, OneMotionForAllJointsIsRigid) {
    const Character c = test::tube_character({80, 32, 1});
    for (const Vec3d shift : {Vec3d{3, 1, -2}, Vec3d{10000, 0, 0}}) {
        const Affine motion = compose(shift, quat_from_axis_angle({0.6, 0, 0.8}, 2.5), {1, 1, 1});
        std::vector<Affine> pose;
        for (const Affine& rest : rests(c)) pose.push_back(motion * rest);
        const Shown shown = posed(c, GetParam(), pose);
        // 1e-5 of the size, which is 8, plus what a float can resolve far away.
        const double limit = 8e-5 + 1e-7 * length(shift);
        for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
            EXPECT_LT(length(transform_point(motion, to_double(c.mesh.positions[v])) - to_double(shown.positions[v])),
                      limit);
            EXPECT_LT(length(rotate(quat_from_axis_angle({0.6, 0, 0.8}, 2.5), to_double(c.mesh.normals[v])) -
                             to_double(shown.normals[v])),
                      1e-4);
            EXPECT_EQ(shown.tangents[v].w, c.mesh.tangents[v].w);
        }
    }
}

TEST_P(Volumetric, AScaledCharacterIsScaled) {
    const Character c = test::tube_character({80, 32, 1});
    const Affine larger = compose({1, 2, 3}, {}, {3, 3, 3});
    std::vector<Affine> pose = bent(c, {0, 0, 1}, 1), scaled;
    for (const Affine& joint : pose) scaled.push_back(larger * joint);
    const Shown one = posed(c, GetParam(), pose), three = posed(c, GetParam(), scaled);
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v)
        EXPECT_LT(length(transform_point(larger, to_double(one.positions[v])) - to_double(three.positions[v])), 2e-4);
}

TEST_P(Volumetric, APieceWithoutABoneAndASingleTriangleAreGraceful) {
    Character c = test::tube_character({40, 16, 1});
    // A triangle far from everything, whose vertices no joint holds.
    for (const Vec3 p : {Vec3{0, 3, 0}, Vec3{0.5f, 3, 0}, Vec3{0, 3, 0.5f}}) {
        c.mesh.triangles.push_back(std::uint32_t(c.mesh.positions.size()));
        c.mesh.positions.push_back(p);
        c.mesh.normals.push_back({0, 1, 0});
        c.mesh.tangents.push_back({1, 0, 0, 1});
        c.weights.joints.insert(c.weights.joints.end(), 4, 0);
        c.weights.weights.insert(c.weights.weights.end(), 4, 0.0f);
    }
    const Shown shown = posed(c, GetParam(), bent(c, {0, 0, 1}, 1.5));
    for (const Vec3 p : shown.positions) EXPECT_TRUE(std::isfinite(p.x + p.y + p.z));

    Character flat = c;
    flat.mesh.positions.erase(flat.mesh.positions.begin(), flat.mesh.positions.end() - 3);
    flat.mesh.normals.resize(3), flat.mesh.tangents.resize(3);
    flat.mesh.triangles = {0, 1, 2};
    flat.weights.joints.resize(12), flat.weights.weights.assign(12, 0.0f);
    for (std::size_t v = 0; v < 3; ++v) flat.weights.weights[4 * v] = 1;
    const Shown lone = posed(flat, GetParam(), bent(flat, {0, 0, 1}, 1.5));
    for (const Vec3 p : lone.positions) EXPECT_TRUE(std::isfinite(p.x + p.y + p.z));
}

TEST_P(Volumetric, WhatIsShownFollowsFromThePoseAlone) {
    const Character c = *bundled_character("bloat");
    const auto clip = find_clip(c, "walk");
    const auto rig = bind(c, GetParam());
    Workspace work;
    State slow = make_state(**rig), fast = make_state(**rig);
    Pose pose;
    for (int frame = 0; frame <= 30; ++frame) {
        evaluate(c, *clip, frame / 60.0, pose);
        advance(**rig, pose.joints, 1 / 60.0, slow, work);
        if (frame % 15 == 0) advance(**rig, pose.joints, 15 / 60.0, fast, work);
    }
    const Shown a = show(**rig, slow, work), b = show(**rig, fast, work);
    EXPECT_EQ(a.positions, b.positions);
}

// ---- volumetric-dqs ------------------------------------------------------------------------------------------------
TEST(VolumetricDqs, KeepsTheVolumeOfSurfaceDqs) {
    const Character c = test::tube_character({160, 64, 1});
    for (const Vec3d axis : {Vec3d{0, 0, 1}, Vec3d{1, 0, 0}}) {
        const auto pose = bent(c, axis, 90 * degrees);
        EXPECT_NEAR(volume_percent(c, fine_dqs(64), pose), volume_percent(c, DqsSettings{}, pose), 0.02);
    }
}

/// They turn, as those of skinned vertices do.
TEST(VolumetricDqs, NormalsAreThoseOfDqs) {
    const Character c = test::tube_character({80, 32, 1});
    const auto pose = bent(c, {0, 0, 1}, 90 * degrees);
    EXPECT_LT(largest_distance(posed(c, fine_dqs(64), pose).normals, posed(c, DqsSettings{}, pose).normals), 0.03);
}

/// Where a bone is scaled, rotations are not all that happens to a cell: vertices and normals are stretched first.
TEST(VolumetricDqs, ScaledBonesAreThoseOfDqs) {
    const Character c = test::tube_character({80, 32, 1});
    std::vector<Affine> pose = bent(c, {0, 0, 1}, 30 * degrees);
    pose[1] = pose[1] * compose({}, {}, {1, 1.5, 1.5});
    const Shown ours = posed(c, fine_dqs(64), pose), theirs = posed(c, DqsSettings{}, pose);
    EXPECT_LT(largest_distance(ours.positions, theirs.positions), 0.02);
    EXPECT_LT(largest_distance(ours.normals, theirs.normals), 0.03);
}

TEST(VolumetricDqs, ComesNearerToDqsTheFinerItIs) {
    const Character c = test::tube_character({160, 64, 1});
    const auto pose = bent(c, {0, 0, 1}, 90 * degrees);
    const Shown exact = posed(c, DqsSettings{}, pose);
    const double coarse = largest_distance(posed(c, fine_dqs(20), pose).positions, exact.positions),
                 fine = largest_distance(posed(c, fine_dqs(80), pose).positions, exact.positions);
    EXPECT_LT(fine, 0.025);
    EXPECT_LT(fine, coarse / 3);
}

/// Weights that are linear in space are the same between points: then there is nothing to be lost, however coarse.
TEST(VolumetricDqs, LinearWeightsMakeItDqs) {
    const Character c = test::tube_character({80, 32, 4});
    for (const Vec3d axis : {Vec3d{0, 0, 1}, Vec3d{1, 0, 0}}) {
        const auto pose = bent(c, axis, 130 * degrees);
        const Shown ours = posed(c, fine_dqs(12), pose), theirs = posed(c, DqsSettings{}, pose);
        EXPECT_LT(largest_distance(ours.positions, theirs.positions), 6e-3);
        EXPECT_LT(largest_distance(ours.normals, theirs.normals), 6e-3);
    }
}

TEST(VolumetricDqs, KeepsTheVolumeOfSurfaceDqsOnABody) {
    const Character c = *bundled_character("gnome");
    const auto clip = find_clip(c, "walk");
    ASSERT_TRUE(clip.ok());
    Pose pose;
    evaluate(c, *clip, 0.4 * (*clip)->duration, pose);
    EXPECT_NEAR(volume_percent(c, fine_dqs(64), pose.joints), volume_percent(c, DqsSettings{}, pose.joints), 0.3);
}

/// Every vertex has a joint of its own, so that hundreds of them meet in a cell.
TEST(VolumetricDqs, OfManyJointsAtAPointTheStrongestAreFittedAndThatIsSaid) {
    Character c = test::tube_character({});
    const auto warns = [](const Character& character) {
        const auto rig = bind(character, fine_dqs(4));
        EXPECT_TRUE(rig.ok());
        const auto said = (*rig)->warnings();
        return std::any_of(said.begin(), said.end(),
                           [](const std::string& s) { return s.find("more than 64 joints") != std::string::npos; });
    };
    EXPECT_FALSE(warns(c));
    const std::size_t few = c.joints.size(), own = std::size_t(c.weights.influences), n = c.mesh.vertex_count();
    for (std::size_t v = 0; v < n; ++v) {
        Joint joint = c.joints[0];
        joint.name = "own " + std::to_string(v);
        joint.parent = 0;
        c.joints.push_back(joint);
        c.weights.joints[own * v] = std::uint16_t(v % 7 == 0 ? few : few + v);
        for (std::size_t k = 0; k < own; ++k) c.weights.weights[own * v + k] = k == 0;
    }
    EXPECT_TRUE(warns(c));
    const auto body = build_volumetric_body(c, fine_dqs(4), "test");
    ASSERT_TRUE(body.ok());
    const PointWeights fitted = fitted_weights(**body);
    // A seventh of the vertices everywhere share one joint: nothing else is as strong.
    std::vector<std::uint8_t> carries((*body)->point_count(), 0);
    for (std::size_t k = 0; k < (*body)->bound.points.size(); ++k)
        if ((*body)->bound.weights[k] > 0.2f) carries[(*body)->bound.points[k]] = 1;
    for (std::size_t p = 0; p < carries.size(); ++p)
        if (carries[p] != 0) {
            EXPECT_EQ(fitted.joints[PointWeights::slots * p], few) << p;
        }
}

/// Between the points, the fitted weights are those of the vertices, and nearer to them than the weights that the
/// body handed over.
TEST(VolumetricDqs, WeightsOfPointsAreThoseOfTheVertices) {
    const Character c = *bundled_character("gnome");
    const auto body = build_volumetric_body(c, fine_dqs(48), "test");
    ASSERT_TRUE(body.ok());
    const VolumetricBody& b = **body;
    const PointWeights fitted = fitted_weights(b);
    const auto missed = [&](const std::vector<std::uint16_t>& joints, const std::vector<float>& weights,
                            std::size_t slots) {
        double out = 0;
        std::vector<double> sum(c.joints.size());
        const auto own = std::size_t(c.weights.influences);
        for (std::size_t v = 0; v < b.bound.vertex_count(); ++v) {
            std::fill(sum.begin(), sum.end(), 0.0);
            for (std::size_t k = own * v; k < own * (v + 1); ++k)
                sum[c.weights.joints[k]] += double(c.weights.weights[k]);
            for (std::size_t k = 8 * v; k < 8 * v + 8; ++k)
                for (std::size_t e = slots * b.bound.points[k]; e < slots * (b.bound.points[k] + std::size_t(1)); ++e)
                    sum[joints[e]] -= double(b.bound.weights[k]) * double(weights[e]);
            for (const double left : sum) out += std::abs(left) / double(b.bound.vertex_count());
        }
        return out;
    };
    const double before = missed(b.influences.joints, b.influences.weights, 4),
                 after = missed(fitted.joints, fitted.weights, PointWeights::slots);
    EXPECT_LT(after, 0.5 * before);
    for (std::size_t p = 0; p < b.point_count(); ++p) {
        float all = 0;
        for (std::size_t k = PointWeights::slots * p; k < PointWeights::slots * (p + 1); ++k) {
            EXPECT_GE(fitted.weights[k], 0);
            all += fitted.weights[k];
        }
        EXPECT_NEAR(all, 1, 1e-5);
    }
}

/// Opposite turns leave nothing to divide by.
TEST(VolumetricDqs, OppositeMotionsStayFinite) {
    const Character c = test::tube_character({40, 16, 1});
    for (const double angle : {180.0, 360.0})
        for (const Vec3 p : posed(c, fine_dqs(24), bent(c, {0, 1, 0}, angle * degrees)).positions)
            EXPECT_LT(length(p), 10);
}

/// A bone that begins to be scaled does not make the surface jump.
TEST(VolumetricDqs, ScaleBeginsWithoutAJump) {
    const Character c = test::tube_character({80, 32, 1});
    const std::vector<Affine> pose = bent(c, {0, 0, 1}, 100 * degrees);
    std::vector<Affine> scaled = pose;
    scaled[1] = scaled[1] * compose({}, {}, {1.001, 1, 1});
    const Shown plain = posed(c, fine_dqs(24), pose), barely = posed(c, fine_dqs(24), scaled);
    EXPECT_LT(largest_distance(plain.positions, barely.positions), 0.006);
    EXPECT_LT(largest_distance(plain.normals, barely.normals), 0.003);
}

TEST(VolumetricDqs, OnlyPointsAroundTheSurfaceAreSkinned) {
    const Character c = test::tube_character({160, 64, 1});
    const auto hull = bind(c, fine_dqs(64)), all = bind(c, arap_at(64));
    EXPECT_LT((*hull)->point_count(), 0.75 * double((*all)->point_count()));
}

// ---- volumetric-arap -----------------------------------------------------------------------------------------------
TEST(VolumetricArap, WithoutIterationsItIsSkinning) {
    const Character c = test::tube_character({80, 32, 1});
    VolumetricArapSettings none = arap_at(32);
    none.rounds = 0;
    const auto pose = bent(c, {0, 0, 1}, 1.2);
    BindInputs between;
    between.embed.how = "trilinear";
    const auto rig = bind(c, fine_dqs(32), between);
    ASSERT_TRUE(rig.ok()) << rig.error().message;
    State state = make_state(**rig);
    Workspace work;
    advance(**rig, pose, 1.0 / 60, state, work);
    EXPECT_LT(largest_distance(posed(c, none, pose).positions, show(**rig, state, work).positions), 1e-5);
}

TEST(VolumetricArap, TwistedLimbsDoNotCollapse) {
    const Character c = test::tube_character({160, 64, 1});
    const auto pose = bent(c, {1, 0, 0}, 135 * degrees);
    EXPECT_GT(volume_percent(c, arap_at(48), pose), volume_percent(c, LbsSettings{}, pose) + 5);
}

/// Dual quaternions bulge at the outside of a bend: edges there are stretched most.
TEST(VolumetricArap, BentLimbsAreStretchedLessThanWithDualQuaternions) {
    const Character c = test::tube_character({160, 64, 1});
    const auto pose = bent(c, {0, 0, 1}, 120 * degrees);
    const auto most_stretched = [&](const Settings& settings) {
        const std::vector<Vec3> shown = posed(c, settings, pose).positions;
        double out = 0;
        for (std::size_t k = 0; k < c.mesh.triangles.size(); ++k) {
            const std::uint32_t a = c.mesh.triangles[k], b = c.mesh.triangles[k % 3 == 2 ? k - 2 : k + 1];
            out =
                std::max(out, double(length(shown[a] - shown[b]) / length(c.mesh.positions[a] - c.mesh.positions[b])));
        }
        return out;
    };
    EXPECT_LT(most_stretched(arap_at(48)) - 1, 0.8 * (most_stretched(DqsSettings{}) - 1));
}

TEST(VolumetricArap, ElbowsKeepMoreOfTheirVolumeThanByEdgesAlone) {
    const Character c = test::tube_character({160, 64, 1});
    VolumetricArapSettings edges = arap_at(48);
    edges.volume_rounds = 0;
    // Beyond that the inside of a bend so short passes through itself.
    for (const double angle : {45.0, 70.0}) {
        const auto pose = bent(c, {0, 0, 1}, angle * degrees);
        const double alone = volume_percent(c, edges, pose), kept = volume_percent(c, arap_at(48), pose);
        EXPECT_LT(std::abs(100 - kept), 0.95 * (100 - alone)) << angle;
    }
}

TEST(VolumetricArap, NormalsAreThoseOfTheSurface) {
    const Character c = test::tube_character({80, 32, 1});
    EXPECT_GT(least_agreement(c, posed(c, arap_at(24), bent(c, {0, 0, 1}, 60 * degrees))), 0.97);
}

/// After some frames of one iteration, as near to the solution as twenty.
TEST(VolumetricArap, AWarmStartNeedsOneIteration) {
    for (const char* name : {"bunny", "bloat", "gnome"}) {
        const Character c = *bundled_character(name);
        const auto clip = find_clip(c, "walk");
        VolumetricArapSettings exact = arap_at(24), warm = exact;
        exact.rounds = 20;
        warm.rounds = 1;
        warm.warm = true;
        const auto many = bind(c, exact), one = bind(c, warm);
        State a = make_state(**many), b = make_state(**one);
        Workspace work;
        Pose pose;
        double worst = 0;
        for (int frame = 0; frame < 20; ++frame) {
            evaluate(c, *clip, std::fmod(frame / 60.0, (*clip)->duration), pose);
            if (frame == 0) reset(**one, pose.joints, b, work);
            advance(**many, pose.joints, 1 / 60.0, a, work);
            advance(**one, pose.joints, 1 / 60.0, b, work);
            worst = std::max(worst, largest_distance(show(**many, a, work).positions, show(**one, b, work).positions));
        }
        EXPECT_LT(worst, 0.002 * c.size()) << name;
    }
}

TEST(VolumetricArap, AWarmStateIsSavedAndGoesOn) {
    const Character c = *bundled_character("bloat");
    const auto clip = find_clip(c, "walk");
    VolumetricArapSettings warm = arap_at(24);
    warm.warm = true;
    const auto rig = bind(c, warm);
    Workspace work;
    State state = make_state(**rig);
    Pose pose;
    const auto go = [&](State& which, int frame) {
        evaluate(c, *clip, frame / 60.0, pose);
        advance(**rig, pose.joints, 1 / 60.0, which, work);
    };
    for (int frame = 0; frame < 10; ++frame) go(state, frame);
    State again = *load_state(**rig, save_state(**rig, state));
    for (int frame = 10; frame < 20; ++frame) go(state, frame), go(again, frame);
    EXPECT_EQ(hash(state), hash(again));
}

TEST(VolumetricArap, BonesKeepTheirLengthsWhereAsked) {
    const std::vector<int> parents{-1, 0, 1};
    std::vector<Affine> rest(3), pose(3), kept(3);
    rest[1].m[0][3] = 2, rest[2].m[0][3] = 5;
    pose = rest;
    pose[1].m[0][3] = 2, pose[1].m[1][3] = 2;
    pose[2].m[0][3] = 20;
    keep_bone_lengths(pose, rest, parents, kept);
    EXPECT_NEAR(length(translation_of(kept[1]) - translation_of(kept[0])), 2, 1e-12);
    EXPECT_NEAR(length(translation_of(kept[2]) - translation_of(kept[1])), 3, 1e-12);
    // In the direction in which it was dragged.
    EXPECT_NEAR(translation_of(kept[1]).x, translation_of(kept[1]).y, 1e-12);
    keep_bone_lengths(rest, rest, parents, kept);
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(translation_of(kept[j]).x, translation_of(rest[j]).x);

    const Character c = test::tube_character({40, 16, 1});
    VolumetricArapSettings free = arap_at(24), held = free;
    held.keep_lengths = true;
    std::vector<Affine> dragged = rests(c);
    dragged[1].m[0][3] += 4;
    const auto furthest = [&](const Settings& settings) {
        float out = 0;
        for (const Vec3 p : posed(c, settings, dragged).positions) out = std::max(out, p.x);
        return out;
    };
    EXPECT_NEAR(furthest(free), 8, 0.05);
    EXPECT_NEAR(furthest(held), 4, 0.05);
}

TEST(VolumetricArap, PointsAtBonesCanHoldInstead) {
    const Character c = test::tube_character({80, 32, 1});
    VolumetricArapSettings bones = arap_at(24);
    bones.hold = "bones";
    const auto rig = bind(c, bones), by_weights = bind(c, arap_at(24));
    const auto held = [](const Rig& r) {
        std::size_t out = 0;
        for (const std::uint8_t layer : r.inside()->point_layers()) out += layer == 0;
        return out;
    };
    EXPECT_GT(held(**rig), 0u);
    EXPECT_LT(held(**rig), held(**by_weights) / 2);
    for (const Vec3 p : posed(c, bones, bent(c, {0, 0, 1}, 1.5)).positions) EXPECT_TRUE(std::isfinite(p.x + p.y + p.z));
}

TEST(VolumetricArap, APieceThatNoJointHoldsAloneIsStillHeld) {
    Character c = test::tube_character({40, 16, 1});
    for (std::size_t k = 0; k < c.weights.weights.size(); k += 4)
        c.weights.weights[k] = 0.6f, c.weights.weights[k + 1] = 0.4f;
    const auto rig = bind(c, arap_at(24));
    ASSERT_TRUE(rig.ok());
    bool warned = false;
    for (const std::string& text : (*rig)->warnings())
        warned |= text.find("no point that one joint holds") != text.npos;
    EXPECT_TRUE(warned);
    const std::vector<std::uint8_t> layers = (*rig)->inside()->point_layers();
    EXPECT_GT(std::count(layers.begin(), layers.end(), 0), 0);
    for (const Vec3 p : posed(c, arap_at(24), bent(c, {0, 0, 1}, 1.5)).positions)
        EXPECT_TRUE(std::isfinite(p.x + p.y + p.z));
}

TEST(VolumetricArap, EdgesAreMutual) {
    const Character c = *bundled_character("bunny");
    const auto body = build_volumetric_body(c, arap_at(32), "test");
    const std::vector<std::uint32_t> ends = grid_ends((*body)->corners);
    for (std::size_t k = 0; k < ends.size(); ++k)
        if (ends[k] != k / 6) {
            EXPECT_EQ(ends[6 * std::size_t(ends[k]) + (k % 6 ^ 1)], k / 6);
        }
}

}  // namespace
}  // namespace fascia
