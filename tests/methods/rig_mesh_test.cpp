#include "fascia/rig_mesh.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fascia/method.h"
#include "support/tube.h"

namespace fascia {
namespace {

Skeleton two_bones(double scale) {
    return {{"lower", -1, {-3.9 * scale, 0, 0}, {}}, {"upper", 0, {0, 0, 0}, Vec3d{3.9 * scale, 0, 0}}};
}

TEST(RigMesh, JointsThatNoFileCanHoldAreRefusedByName) {
    const Mesh mesh = test::tube_mesh({8, 8, 1});
    RigOptions as_it_is;
    as_it_is.fit = RigOptions::Fit::none;
    as_it_is.center = true;
    const Skeleton far{{"lower", -1, {0, 0, 0}, {}}, {"upper", 0, {1e39, 0, 0}, {}}};
    const Skeleton apart{{"lower", -1, {-3e38, 0, 0}, {}}, {"upper", 0, {3e38, 0, 0}, {}}};
    const Skeleton long_tail{{"lower", -1, {0, 0, 0}, {}}, {"upper", 0, {1, 0, 0}, Vec3d{0, 1e39, 0}}};
    for (const Skeleton& skeleton : {far, apart, long_tail}) {
        const auto rigged = rig_mesh(mesh, "tube", skeleton, as_it_is);
        ASSERT_FALSE(rigged.ok());
        EXPECT_EQ(rigged.error().kind, Error::Kind::input);
        EXPECT_NE(rigged.error().message.find("'upper'"), std::string::npos) << rigged.error().message;
    }
}

TEST(RigMesh, GivesACharacterThatBends) {
    const Mesh mesh = test::tube_mesh({32, 16, 1});
    const auto rigged = rig_mesh(mesh, "tube", two_bones(1), {});
    ASSERT_TRUE(rigged.ok());
    const Character& c = rigged->character;
    EXPECT_EQ(rigged->fallback_share, 0);
    const auto rig = fascia::bind(c, LbsSettings{});
    ASSERT_TRUE(rig.ok());
    State state = make_state(**rig);
    Workspace work;
    std::vector<Affine> pose{
        c.joints[0].rest,
        c.joints[1].rest * compose({}, quat_from_axis_angle({0, 0, 1}, 1.5707963267948966), {1, 1, 1})};
    reset(**rig, pose, state, work);
    std::vector<Vec3> out(mesh.vertex_count());
    embed(**rig, state, {out, {}, {}}, work);
    for (std::size_t v = 0; v < out.size(); ++v) {
        const Vec3 p = mesh.positions[v];
        if (p.x < -3) {
            EXPECT_LT(length(out[v] - p), 0.05f);
        }
        if (p.x > 3) {
            EXPECT_LT(length(out[v] - Vec3{-p.y, p.x, p.z}), 0.05f);
        }
    }
}

TEST(RigMesh, ASkeletonOfAnotherSizeIsFitted) {
    const Mesh mesh = test::tube_mesh({32, 16, 1});
    const auto rigged = rig_mesh(mesh, "tube", two_bones(100), {});
    ASSERT_TRUE(rigged.ok());
    EXPECT_NEAR(rigged->character.joints[0].rest.m[0][3], -0.92 * 4, 1e-6);
    EXPECT_NEAR(rigged->character.joints[1].rest.m[0][3], 0, 1e-6);
    RigOptions as_it_is;
    as_it_is.fit = RigOptions::Fit::none;
    as_it_is.scale = 0.01;
    const auto placed = rig_mesh(mesh, "tube", two_bones(100), as_it_is);
    ASSERT_TRUE(placed.ok());
    EXPECT_NEAR(placed->character.joints[0].rest.m[0][3], -3.9, 1e-9);
}

TEST(RigMesh, ABoneGoesOnToTheChildMostInLine) {
    const Mesh mesh = test::tube_mesh({32, 16, 1});
    const Skeleton branching{{"hips", -1, {-3, 0, 0}, {}},
                             {"hip", 0, {-3, -0.3, 0}, Vec3d{-3, -0.8, 0}},
                             {"chest", 0, {0, 0, 0}, {}},
                             {"arm", 2, {0, 0.5, 0}, Vec3d{0, 0.9, 0}},
                             {"neck", 2, {2, 0.1, 0}, Vec3d{3, 0, 0}}};
    const auto rigged = rig_mesh(mesh, "tube", branching, {});
    ASSERT_TRUE(rigged.ok());
    const auto tail = [&](std::size_t j) { return rigged->character.joints[j].tail; };
    EXPECT_EQ(tail(0).x, 0);  // a root's bone goes to where most joints follow, not to the first child
    EXPECT_EQ(tail(2).x, 2);  // straight on, not into the arm
    EXPECT_EQ(tail(3).y, 0.9);
}

TEST(RigMesh, CenterPullsJointsToTheMiddle) {
    const Mesh mesh = test::tube_mesh({32, 16, 1});
    Skeleton skeleton = two_bones(1);
    skeleton[1].position.y = 0.3;
    RigOptions options;
    options.center = true;
    const auto rigged = rig_mesh(mesh, "tube", skeleton, options);
    ASSERT_TRUE(rigged.ok());
    EXPECT_LT(std::abs(rigged->character.joints[1].rest.m[1][3]), 0.15);
}

}  // namespace
}  // namespace fascia
