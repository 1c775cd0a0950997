// Bones blending through the public interface: the figures of docs/formulas.md 0.7 and B, and a twin in double.
#include <cmath>
#include <numbers>
#include <ostream>
#include <random>

#include <gtest/gtest.h>

#include "fascia/measure.h"
#include "fascia/method.h"
#include "support/tube.h"

namespace fascia {
namespace {

constexpr double degrees = std::numbers::pi / 180;
constexpr double tube_size = 8;

BonesBlendingSettings zone(const std::string& joint, double t_min, double t_max) {
    BonesBlendingSettings settings;
    settings.joints.push_back({joint, t_min, t_max, 1.0});
    return settings;
}

std::vector<Affine> pose_of(const Character& c, Vec3d axis, double angle) {
    return {c.joints[0].rest, compose({0, 0, 0}, quat_from_axis_angle(axis, angle), {1, 1, 1})};
}

struct Deformed {
    std::vector<Vec3> positions, normals;
};

Deformed deform(const Character& c, const Settings& settings, const std::vector<Affine>& pose) {
    const auto rig = bind(c, settings);
    EXPECT_TRUE(rig.ok());
    State state = make_state(**rig);
    Workspace work;
    reset(**rig, pose, state, work);
    Deformed out{std::vector<Vec3>(c.mesh.vertex_count()), std::vector<Vec3>(c.mesh.vertex_count())};
    embed(**rig, state, {out.positions, out.normals, {}}, work);
    return out;
}

struct Row {
    double b;
    bool twist;
    double angle, percent;
};
void PrintTo(const Row& row, std::ostream* out) {
    *out << "b " << row.b << (row.twist ? " twist " : " bend ") << row.angle;
}
class BonesBlendingTube : public ::testing::TestWithParam<Row> {};

TEST_P(BonesBlendingTube, KeepsTheVolumeOfTheTable) {
    const Row row = GetParam();
    const Character c = test::tube_character({160, 64, row.b});
    const Vec3d axis = row.twist ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1};
    const auto out = deform(c, zone("upper", -row.b, row.b), pose_of(c, axis, row.angle * degrees));
    const SurfaceMeter meter(c.mesh.positions, c.mesh.triangles, tube_size);
    EXPECT_NEAR(100 * meter.volume_ratio(out.positions).value_or(0), row.percent, row.percent == 100 ? 0.05 : 0.02);
}

INSTANTIATE_TEST_SUITE_P(AllRows, BonesBlendingTube,
                         ::testing::Values(Row{1, false, 90, 99.99}, Row{1, false, 135, 99.98},
                                           Row{1, false, 180, 99.96}, Row{1, true, 90, 100}, Row{1, true, 135, 100},
                                           Row{1, true, 180, 100}, Row{2, false, 90, 100}, Row{2, false, 135, 100},
                                           Row{2, false, 180, 100}, Row{2, true, 90, 100}, Row{2, true, 180, 100}));

TEST(BonesBlending, TwistKeepsTheRadiusOfEveryRing) {
    const Character c = test::tube_character({});
    for (const double angle : {60.0, 90.0, 120.0, 180.0}) {
        const auto out = deform(c, zone("upper", -1, 1), pose_of(c, {1, 0, 0}, angle * degrees));
        for (std::size_t i = 0; i < c.mesh.vertex_count(); ++i) {
            const Vec3 rest = c.mesh.positions[i];
            EXPECT_NEAR(std::hypot(out.positions[i].y, out.positions[i].z), std::hypot(rest.y, rest.z), 2e-6);
            EXPECT_NEAR(out.positions[i].x, rest.x, 2e-6);
        }
    }
}

TEST(BonesBlending, DistanceToTheJointIsConstant) {
    const Character c = test::tube_character({});
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    for (int trial = 0; trial < 20; ++trial) {
        const Vec3d axis = normalized(Vec3d{normal(random), normal(random), normal(random)});
        const auto out = deform(c, zone("upper", -1.5, 0.7), pose_of(c, axis, trial * 9 * degrees));
        for (std::size_t i = 0; i < c.mesh.vertex_count(); ++i)
            ASSERT_NEAR(length(out.positions[i]), length(c.mesh.positions[i]), 1e-5 * tube_size);
    }
}

/// The publication's own formula, in double: v' = F(p) R(j) T(j)^t A(j)^-1 v.
Vec3d twin(const Affine& parent_pose, const Affine& parent_rest, const Affine& rest, const Affine& pose, Vec3d along,
           double t_min, double t_max, Vec3d v) {
    const Affine carried = parent_pose * (inverse(parent_rest) * rest);  // F(p) R(j)
    const Affine turn = inverse(carried) * pose;                         // T(j)
    const Vec3d v0 = transform_point(inverse(rest), v);
    const Vec3d n = transform_vector(inverse(rest), along);
    const double t = std::clamp((dot(v0, n) - t_min) / (t_max - t_min), 0.0, 1.0);
    const Quat q = slerp(Quat{}, quat_from_matrix(turn), t);
    return transform_point(carried, rotate(q, v0));
}

TEST(BonesBlending, EqualsTheFormulaOnAChainOfTurnedJoints) {
    Character c = test::tube_character({40, 12, 1});
    c.joints[0].rest = compose({-4, 0, 0}, quat_from_axis_angle(normalized(Vec3d{1, 2, 3}), 1.1), {1, 1, 1});
    c.joints[1].rest = compose({0, 0, 0}, quat_from_axis_angle(normalized(Vec3d{-1, 2, 1}), 2.0), {1, 1, 1});
    const Affine move = compose({3, -2, 7}, quat_from_axis_angle(normalized(Vec3d{0, 1, 1}), 0.8), {1, 1, 1});
    const Affine turn = compose({}, quat_from_axis_angle(normalized(Vec3d{1, 1, 0}), 1.9), {1, 1, 1});
    const std::vector<Affine> pose{move * c.joints[0].rest, move * c.joints[1].rest * turn};
    const auto out = deform(c, zone("upper", -1.2, 0.8), pose);
    for (std::size_t i = 0; i < c.mesh.vertex_count(); ++i) {
        const Vec3d v = to_double(c.mesh.positions[i]);
        const Vec3d expected = twin(pose[0], c.joints[0].rest, c.joints[1].rest, pose[1], {1, 0, 0}, -1.2, 0.8, v);
        ASSERT_LT(length(to_double(out.positions[i]) - expected), 2e-6 * tube_size) << i;
        if (v.x <= -1.2) {
            ASSERT_LT(length(expected - transform_point(move, v)), 1e-12);
        }
        if (v.x >= 0.8) {
            const Vec3d own = transform_point(pose[1] * inverse(c.joints[1].rest), v);
            ASSERT_LT(length(expected - own), 1e-12);
            ASSERT_LT(length(to_double(out.positions[i]) - own), 2e-6 * tube_size);
        }
    }
}

TEST(BonesBlending, NormalsTurnWithTheSkin) {
    const Character c = test::tube_character({});
    const auto out = deform(c, zone("upper", -1, 1), pose_of(c, {1, 0, 0}, 90 * degrees));
    for (std::size_t i = 0; i + 2 < c.mesh.vertex_count(); ++i) {
        const Vec3 p = out.positions[i];
        EXPECT_LT(length(out.normals[i] - Vec3{0, p.y, p.z}), 2e-6f);
    }
}

TEST(BonesBlending, ScaledAndMovedJointEndsAtItsOwnTransform) {
    const Character c = test::tube_character({80, 16, 1});
    std::vector<Affine> pose = pose_of(c, {0, 0, 1}, 70 * degrees);
    pose[1] = pose[1] * compose({0.3, 0.1, 0}, {}, {1.3, 0.8, 1.1});
    const auto out = deform(c, zone("upper", -1, 1), pose);
    double jump = 0;
    for (std::size_t i = 0; i < c.mesh.vertex_count(); ++i) {
        const Vec3d v = to_double(c.mesh.positions[i]);
        if (v.x >= 0.99) {
            EXPECT_LT(length(to_double(out.positions[i]) - transform_point(pose[1], v)), 0.02);
        }
        if (i + 16 < c.mesh.vertex_count() - 2)
            jump = std::max<double>(jump, length(out.positions[i] - out.positions[i + 16]));
    }
    EXPECT_LT(jump, 0.25);  // rings 0.1 apart at rest: stretched, not torn
}

TEST(BonesBlending, AJointThatIsOnlyMovedShiftsItsZoneEvenly) {
    const Character c = test::tube_character({40, 12, 1});
    const Vec3d shift{0.3, -0.2, 0.5};
    std::vector<Affine> pose = pose_of(c, {0, 0, 1}, 0);
    pose[1] = compose(shift, {}, {1, 1, 1}) * pose[1];
    const auto out = deform(c, zone("upper", -1, 1), pose);
    for (std::size_t i = 0; i < c.mesh.vertex_count(); ++i) {
        const Vec3d v = to_double(c.mesh.positions[i]);
        const double share = std::clamp((v.x + 1) / 2, 0.0, 1.0);
        ASSERT_LT(length(to_double(out.positions[i]) - (v + shift * share)), 2e-6 * tube_size) << v.x;
    }
}

TEST(BonesBlending, ATurnPassesHalfACircleWithoutAJump) {
    const Character c = test::tube_character({40, 12, 1});
    const auto rig = bind(c, zone("upper", -1, 1));
    State state = make_state(**rig);
    Workspace work;
    std::vector<Vec3> last(c.mesh.vertex_count()), now(c.mesh.vertex_count());
    reset(**rig, pose_of(c, {1, 0, 0}, 160 * degrees), state, work);
    embed(**rig, state, {last, {}, {}}, work);
    for (int angle = 161; angle <= 195; ++angle) {
        advance(**rig, pose_of(c, {1, 0, 0}, angle * degrees), 1.0 / 60, state, work);
        embed(**rig, state, {now, {}, {}}, work);
        for (std::size_t i = 0; i < now.size(); ++i) ASSERT_LT(length(now[i] - last[i]), 0.02f) << angle;
        last = now;
    }
    reset(**rig, pose_of(c, {1, 0, 0}, 195 * degrees), state, work);  // without a history, the shorter way
    embed(**rig, state, {now, {}, {}}, work);
    float most = 0;
    for (std::size_t i = 0; i < now.size(); ++i) most = std::max(most, length(now[i] - last[i]));
    EXPECT_GT(most, 1.0f);
}

TEST(BonesBlending, JointsAtRestKeepTheirTurnsAndMovingOnesDoNot) {
    const Character c = test::tube_character({40, 16, 1});
    const BonesBlendingSettings settings = zone("upper", -1, 1);
    const auto rig = bind(c, settings);
    ASSERT_TRUE(rig.ok());
    State state = make_state(**rig);
    Workspace work;
    std::vector<Vec3> now(c.mesh.vertex_count());
    const auto bent = [&](double angle) { return pose_of(c, {0, 0, 1}, angle * degrees); };
    // The root moves too: a turn is relative to the joint's parent.
    const auto carried = [&](double angle) {
        std::vector<Affine> pose = bent(20);
        pose[0] = compose({-4, 0, 0}, quat_from_axis_angle({0, 1, 0}, angle * degrees), {1, 1, 1});
        return pose;
    };
    reset(**rig, bent(20), state, work);
    for (const auto& pose : {bent(20), bent(50), bent(50), bent(20), carried(30), carried(30), bent(20)}) {
        advance(**rig, pose, 1 / 60.0, state, work);
        embed(**rig, state, {now, {}, {}}, work);
        const std::vector<Vec3> anew = deform(c, settings, pose).positions;
        for (std::size_t v = 0; v < now.size(); ++v)
            ASSERT_TRUE(now[v].x == anew[v].x && now[v].y == anew[v].y && now[v].z == anew[v].z) << v;
    }
}

TEST(BonesBlending, AnEmptyZoneIsBasicSkeletalAnimation) {
    const Character c = test::tube_character({80, 16, 1});
    const auto pose = pose_of(c, {0, 0, 1}, 80 * degrees);
    const auto out = deform(c, zone("upper", 0.33, 0.33), pose);
    for (std::size_t i = 0; i < c.mesh.vertex_count(); ++i) {
        const Vec3d v = to_double(c.mesh.positions[i]);
        const Vec3d expected = v.x >= 0.33 ? transform_point(pose[1], v) : v;
        ASSERT_LT(length(to_double(out.positions[i]) - expected), 1e-5);
    }
}

TEST(BonesBlending, DefaultZoneIsTheLimbsRadius) {
    const Character c = test::tube_character({});
    const auto pose = pose_of(c, {1, 0, 0}, 120 * degrees);
    const auto automatic = deform(c, BonesBlendingSettings{}, pose), asked = deform(c, zone("upper", -1, 1), pose);
    for (std::size_t i = 0; i < c.mesh.vertex_count(); ++i)
        ASSERT_LT(length(automatic.positions[i] - asked.positions[i]), 1e-6f);
}

Clip turning_clip(double angle) {
    Channel channel;
    channel.node = 1;
    channel.times = {0, 1};
    const auto s = static_cast<float>(std::sin(angle / 2)), w = static_cast<float>(std::cos(angle / 2));
    channel.values = {0, 0, 0, 1, s, 0, 0, w};
    return {"turn", 1, {channel}};
}

TEST(BonesBlending, JointsThatAClipTurnsWidelyAreChosen) {
    for (const double angle : {50.0, 70.0}) {
        Character c = test::tube_character({40, 12, 1});
        c.joints[0].node = 0;
        c.nodes[0].translation = {-4, 0, 0};
        c.nodes[1].translation = {4, 0, 0};
        c.clips.push_back(turning_clip(angle * degrees));
        const auto pose = pose_of(c, {1, 0, 0}, 90 * degrees);
        const auto out = deform(c, BonesBlendingSettings{}, pose), lbs = deform(c, LbsSettings{}, pose),
                   dqs_rest = deform(
                       c,
                       [] {
                           BonesBlendingSettings s;
                           s.rest_method = "dqs";
                           return s;
                       }(),
                       pose),
                   dqs = deform(c, DqsSettings{}, pose);
        double from_lbs = 0, from_dqs = 0;
        for (std::size_t i = 0; i < c.mesh.vertex_count(); ++i) {
            from_lbs = std::max<double>(from_lbs, length(out.positions[i] - lbs.positions[i]));
            from_dqs = std::max<double>(from_dqs, length(dqs_rest.positions[i] - dqs.positions[i]));
        }
        if (angle < 60) {
            EXPECT_LT(from_lbs, 1e-6);
            EXPECT_LT(from_dqs, 1e-6);
        } else {
            EXPECT_NEAR(from_lbs, 1 - std::cos(45 * degrees), 0.01);  // LBS loses this much of the middle ring
        }
    }
}

TEST(BonesBlending, BlendOfOneJointCrossFadesToTheOtherSkinning) {
    const Character c = test::tube_character({40, 12, 1});
    const auto pose = pose_of(c, {1, 0, 0}, 90 * degrees);
    BonesBlendingSettings half = zone("upper", -1, 1);
    half.joints[0].blend = 0.5;
    const auto mixed = deform(c, half, pose), whole = deform(c, zone("upper", -1, 1), pose),
               lbs = deform(c, LbsSettings{}, pose);
    for (std::size_t i = 0; i < c.mesh.vertex_count(); ++i)
        ASSERT_LT(length(mixed.positions[i] - (whole.positions[i] + lbs.positions[i]) * 0.5f), 2e-6f);
}

TEST(BonesBlending, SameBitsForAnyNumberOfThreads) {
    const Character c = test::tube_character({});
    const auto rig = bind(c, zone("upper", -2, 2));
    std::vector<std::vector<Vec3>> results;
    for (const int threads : {1, 3}) {
        State state = make_state(**rig);
        Workspace work(threads);
        advance(**rig, pose_of(c, normalized(Vec3d{1, 1, 1}), 2.0), 1.0 / 60, state, work);
        results.emplace_back(c.mesh.vertex_count());
        embed(**rig, state, {results.back(), {}, {}}, work);
    }
    EXPECT_TRUE(results[0] == results[1]);
}

TEST(BonesBlending, OverlappingZonesAreNamed) {
    Character c = test::tube_character({40, 12, 1});
    c.joints.push_back(c.joints[1]);
    c.joints[2].name = "tip";
    c.joints[2].parent = 1;
    c.joints[2].rest.m[0][3] = 1;
    c.joints[1].tail = {1, 0, 0};
    BonesBlendingSettings settings = zone("upper", -1, 1);
    settings.joints.push_back({"tip", -0.8, 0.8, 1.0});
    const auto rig = bind(c, settings);
    ASSERT_TRUE(rig.ok());
    const auto warnings = (*rig)->warnings();
    ASSERT_FALSE(warnings.empty());
    EXPECT_NE(warnings[0].find("'upper' and 'tip' overlap"), std::string::npos);
}

}  // namespace
}  // namespace fascia
