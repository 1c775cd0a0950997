// Rotations from pseudo-edges (docs/formulas.md C17).
#include "methods/handles/edge_turns.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace fascia {
namespace {

constexpr double degree = std::numbers::pi / 180;

double angle_of(Quat q) {
    return 2 * std::atan2(std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z), std::abs(q.w)) / degree;
}

TEST(EdgeTurns, TheShortestTurnTakesOneDirectionToTheOther) {
    const Vec3d a{0.3, -2, 1}, b{4, 0.5, -1};
    const Vec3d to = rotate(turn_between(a, b), normalized(a));
    EXPECT_LT(length(to - normalized(b)), 1e-12);
    EXPECT_LT(length(rotate(turn_between(a, -a), a) + a), 1e-9);
    EXPECT_LT(length(rotate(turn_between({3, 0, 0}, {-1, 0, 0}), Vec3d{3, 0, 0}) + Vec3d{3, 0, 0}), 1e-9);
    EXPECT_EQ(turn_between({}, a).w, 1);
}

/// The figures of docs/formulas.md C17: four edges stand still and the last is turned by 120 degrees.
TEST(EdgeTurns, FourStillEdgesAndOneThatTurned) {
    std::vector<Quat> turns(4);
    turns.push_back(quat_from_axis_angle({0, 0, 1}, 120 * degree));
    EXPECT_NEAR(angle_of(mean_turn(turns, TurnMean::printed)), 86.7, 0.1);
    EXPECT_NEAR(angle_of(mean_turn(turns, TurnMean::fast)), 21.8, 0.1);
    EXPECT_NEAR(angle_of(mean_turn(turns, TurnMean::eigenvector)), 13.9, 0.1);
    EXPECT_NEAR(angle_of(mean_turn(turns, TurnMean::slerp)), 24.0, 1e-6);
}

TEST(EdgeTurns, MeansDoNotAskForSigns) {
    const Quat one = quat_from_axis_angle({0, 1, 0}, 50 * degree), two = quat_from_axis_angle({0, 1, 0}, 90 * degree);
    const Quat other{-two.w, -two.x, -two.y, -two.z};
    for (const TurnMean how : {TurnMean::eigenvector, TurnMean::slerp, TurnMean::fast, TurnMean::printed})
        EXPECT_NEAR(angle_of(mean_turn(std::vector<Quat>{one, other}, how)), 70, 1e-9);
}

TEST(EdgeTurns, HandlesTurnWithTheBodyTheyBelongTo) {
    const std::vector<Vec3d> rest{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 5, 5}};
    const std::vector<PseudoEdge> edges{{0, 1}, {0, 2}, {0, 3}, {2, 2}};
    // Turned about a coordinate axis, each edge agrees with it or stands still: the mean lies between.
    const Quat q = quat_from_axis_angle({0, 0, 1}, 30 * degree);
    std::vector<Vec3d> places;
    for (const Vec3d p : rest) places.push_back(rotate(q, p) + Vec3d{3, 2, 1});
    std::vector<Quat> turns(rest.size());
    EdgeTurns(rest, edges, TurnMean::slerp).find(places, turns);
    EXPECT_NEAR(angle_of(turns[0]), 20, 1e-6);
    EXPECT_NEAR(angle_of(turns[1]), 30, 1e-6);
    EXPECT_NEAR(angle_of(turns[3]), 0, 1e-6);
    EXPECT_NEAR(angle_of(turns[4]), 0, 0) << "a handle without edges does not turn";
}

}  // namespace
}  // namespace fascia
