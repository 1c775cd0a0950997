// What a picture of the inside needs: parts, cells and positions of the points.
#include <set>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/live.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "support/points.h"

namespace fascia {
namespace {

LatticeSettings coarse(double delta) {
    LatticeSettings out = *settings_from<LatticeSettings>(*preset("default"));
    out.resolution = 16;
    out.delta = delta;
    return out;
}

std::vector<Vec3> places(const Rig& rig, const State& state) {
    std::vector<Vec3> out(rig.point_count());
    test::point_positions(rig, state, out);
    return out;
}

TEST(PointParts, OfALatticeAreTheJointsAroundAndTheBonesAlong) {
    const Character bunny = bundled_character("bunny").value();
    const RigPtr rig = *bind(bunny, coarse(0.8));
    const PointParts parts = rig->inside()->point_parts();
    ASSERT_EQ(parts.joints.size(), rig->point_count());
    ASSERT_EQ(parts.bones.size(), rig->point_count());
    const std::vector<Vec3> at = places(*rig, make_state(*rig));
    std::size_t at_parent = 0;
    for (std::size_t p = 0; p < at.size(); ++p) {
        ASSERT_LT(parts.joints[p], bunny.joints.size());
        ASSERT_LT(parts.bones[p], bunny.joints.size());
        // Half of a bone lies around its joint, the other half around a child of it.
        const bool own = parts.joints[p] == parts.bones[p];
        at_parent += !own;
        EXPECT_TRUE(own || bunny.joints[parts.joints[p]].parent == parts.bones[p]);
    }
    EXPECT_GT(at_parent, at.size() / 20);
    // Parts and volumes refer to the same joints.
    std::set<std::size_t> with_volume;
    for (const JointVolume& part : rig->inside()->joint_volumes(make_state(*rig))) {
        with_volume.insert(part.joint);
        EXPECT_NEAR(part.ratio, 1, 1e-5);
    }
    EXPECT_EQ(with_volume, std::set<std::size_t>(parts.joints.begin(), parts.joints.end()));
}

TEST(PointParts, CellsAreCubesOfTheSpacing) {
    const RigPtr rig = *bind(bundled_character("tube").value(), coarse(0.8));
    const std::vector<std::uint32_t> cells = rig->inside()->point_cells();
    ASSERT_FALSE(cells.empty());
    ASSERT_EQ(cells.size() % 8, 0u);
    const std::vector<Vec3> at = places(*rig, make_state(*rig));
    const double h = rig->inside()->point_spacing();
    for (std::size_t c = 0; c < cells.size(); c += 8)
        for (std::size_t corner = 0; corner < 8; ++corner) {
            const Vec3 off = at[cells[c + corner]] - at[cells[c]];
            EXPECT_NEAR(off.x, (corner & 1) ? h : 0, 1e-5 * h);
            EXPECT_NEAR(off.y, (corner & 2) ? h : 0, 1e-5 * h);
            EXPECT_NEAR(off.z, (corner & 4) ? h : 0, 1e-5 * h);
        }
}

TEST(PointParts, PointsAreMixedByDelta) {
    const Character bunny = bundled_character("bunny").value();
    const RigPtr half = *bind(bunny, coarse(0.5));
    State state = make_state(*half);
    Workspace work;
    Pose pose;
    for (int k = 0; k < 40; ++k) {
        evaluate(bunny, &bunny.clips[3], k / 60.0, pose);
        advance(*half, pose.joints, 1.0 / 60, state, work);
    }
    // With no mix the same State shows the skinned points, with a tenth of the mix points a tenth of the way from
    // there.
    const RigPtr none = *retune(half, coarse(0)), tenth = *retune(half, coarse(0.05));
    const std::vector<Vec3> skinned = places(*none, state), little = places(*tenth, state),
                            shown = places(*half, state);
    double most = 0, worst = 0;
    for (std::size_t p = 0; p < shown.size(); ++p) {
        most = std::max<double>(most, length(shown[p] - skinned[p]));
        worst = std::max<double>(worst, length((little[p] - skinned[p]) * 10.0f - (shown[p] - skinned[p])));
    }
    EXPECT_GT(most, 1e-3 * bunny.size());
    EXPECT_LT(worst, 1e-5 * bunny.size());
}

TEST(PointParts, MethodsWithoutPartsHaveNone) {
    const Character tube = bundled_character("tube").value();
    EXPECT_EQ((*bind(tube, LbsSettings{}))->inside(), nullptr);
    {
        const RigPtr rig = *bind(tube, "layers", *preset("default"));
        EXPECT_TRUE(rig->inside()->point_parts().joints.empty());
        EXPECT_TRUE(rig->inside()->point_cells().empty());
        EXPECT_TRUE(rig->inside()->joint_volumes(make_state(*rig)).empty());
    }
}

}  // namespace
}  // namespace fascia
