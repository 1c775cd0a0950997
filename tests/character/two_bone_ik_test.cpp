#include "character/two_bone_ik.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace fascia {
namespace {

const TwoBones kLeg{{0, 2, 0}, {0, 1, 0.2}, {0, 0, 0}};

TwoBones turned(const TwoBones& limb, const BoneTurns& turns) {
    const Vec3d middle = limb.top + rotate(turns.upper, limb.middle - limb.top);
    return {limb.top, middle, middle + rotate(turns.lower, limb.end - limb.middle)};
}

TwoBones reaching(const TwoBones& limb, Vec3d goal, Vec3d usual_hinge = {1, 0, 0}) {
    return turned(limb, bent_towards(limb, goal, bend_to_reach(limb, goal), hinge_of(limb, usual_hinge)));
}

TEST(TwoBoneIk, ReachesEveryPlaceWithinReach) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1, 1);
    const double reach = length(kLeg.middle - kLeg.top) + length(kLeg.end - kLeg.middle);
    for (int i = 0; i < 1000; ++i) {
        const Vec3d goal = kLeg.top + Vec3d{number(random), number(random) - 1, number(random)};
        if (length(goal - kLeg.top) > 0.98 * reach || length(goal - kLeg.top) < 0.2) continue;
        const TwoBones bent = reaching(kLeg, goal);
        EXPECT_LT(length(bent.end - goal), 2e-3 * reach);
        EXPECT_NEAR(length(bent.middle - bent.top), length(kLeg.middle - kLeg.top), 1e-12);
        EXPECT_NEAR(length(bent.end - bent.middle), length(kLeg.end - kLeg.middle), 1e-12);
    }
}

TEST(TwoBoneIk, TheKneeStaysInItsPlane) {
    const TwoBones bent = reaching(kLeg, {0, 0.6, 0.1});
    EXPECT_NEAR(bent.middle.x, 0, 1e-12);
    EXPECT_GT(bent.middle.z, kLeg.middle.z);  // further forward
    EXPECT_GT(hinge_of(bent, {1, 0, 0}).x, 0.999);
}

TEST(TwoBoneIk, AStraightLimbBendsAsItUsuallyDoes) {
    const TwoBones straight{{0, 2, 0}, {0, 1, 0}, {0, 0, 0}};
    EXPECT_GT(reaching(straight, {0, 0.5, 0}, {1, 0, 0}).middle.z, 0.3);
    EXPECT_LT(reaching(straight, {0, 0.5, 0}, {-1, 0, 0}).middle.z, -0.3);
    // Knees that a capture has bent backwards by a few degrees count as straight.
    const TwoBones backwards{{0, 2, 0}, {0, 1, -0.03}, {0, 0, 0}};
    EXPECT_GT(reaching(backwards, {0, 0.5, 0}, {1, 0, 0}).middle.z, 0.3);
}

TEST(TwoBoneIk, WhatIsOutOfReachIsPointedAt) {
    const TwoBones stretched = reaching(kLeg, {5, 2, 0});
    EXPECT_GT(normalized(stretched.end - stretched.top).x, 1 - 1e-9);
    EXPECT_GT(length(stretched.end - stretched.top), 0.99 * (2 * length(kLeg.middle - kLeg.top)));
}

TEST(TwoBoneIk, NoMoveIsNoTurn) {
    const TwoBones same = reaching(kLeg, kLeg.end);
    EXPECT_LT(length(same.middle - kLeg.middle) + length(same.end - kLeg.end), 1e-9);
}

TEST(TwoBoneIk, BonesWithoutLengthAndGoalsAtTheTopTurnNothing) {
    const auto is_identity = [](Quat q) { return std::abs(q.w) > 1 - 1e-12; };
    const TwoBones point{{0, 1, 0}, {0, 1, 0}, {0, 0, 0}};
    const BoneTurns a = bent_towards(point, {1, 1, 1}, bend_to_reach(point, {1, 1, 1}), {1, 0, 0});
    EXPECT_TRUE(is_identity(a.upper) && is_identity(a.lower));
    const BoneTurns b = bent_towards(kLeg, kLeg.top, bend_to_reach(kLeg, kLeg.top), {1, 0, 0});
    EXPECT_TRUE(is_identity(b.upper) && is_identity(b.lower));
}

/// Near straight the knee must not move more than a few times as far as the foot does.
TEST(TwoBoneIk, AKneeDoesNotSnapNearStraight) {
    const TwoBones straight{{0, 2, 0}, {0, 1, 0}, {0, 0, 0}};
    const double step = 1e-5;
    EXPECT_LT(length(reaching(straight, {0, step, 0}).middle - straight.middle), 40 * step);
}

}  // namespace
}  // namespace fascia
