#include "contact/contact_sums.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace fascia::contact {
namespace {

/// One point in channels of two places; the other one is never touched.
struct OnePoint {
    std::vector<float> positions = {1, 9, 0, 9, 0, 9}, velocities = {0, 9, 0, 9, 0, 9};
    std::vector<float> driven = {0, 9, 0, 9, 0, 9}, driven_speed = {0, 0, 0, 0, 0, 0};
    std::vector<float> limit = {4, 4}, give = {1, 1};
    ContactSums sums;

    OnePoint() { sums.begin(2); }
    TouchedPoints points() {
        return {{2, positions.data()},
                {2, velocities.data()},
                {2, driven.data()},
                {2, driven_speed.data()},
                limit,
                give,
                0.01f};
    }
};

/// Each step a spring pulls it in by as much as contact then pushes it out: it rests, and its velocity is zero.
TEST(ContactSums, WhatIsHeldOutAgainstASpringHasNoVelocity) {
    OnePoint one;
    one.velocities[0] = -20;
    one.sums.ask(0, 2, {0.2f, 0, 0}, {-30, 0, 0});
    one.sums.apply(1, one.points());
    EXPECT_NEAR(one.positions[0], 1.2f, 1e-6f);
    EXPECT_NEAR(one.velocities[0], 0, 1e-4f);
    EXPECT_EQ(one.positions[1], 9);
    EXPECT_TRUE(one.sums.empty());
}

TEST(ContactSums, MovesAreMeansAndLittleWeightMovesLittle) {
    OnePoint one;
    one.sums.ask(0, 0.25f, {0.4f, 0, 0}, {});
    one.sums.ask(0, 0.25f, {0.2f, 0, 0}, {});
    one.sums.apply(1, one.points());
    EXPECT_NEAR(one.positions[0], 1 + 0.15f, 1e-6f);
    OnePoint other;
    for (int k = 0; k < 8; ++k) other.sums.ask(0, 1, {0.4f, 0, 0}, {});
    other.sums.apply(1, other.points());
    EXPECT_NEAR(other.positions[0], 1.4f, 1e-6f);
}

TEST(ContactSums, NothingLeavesFasterThanTheExitSpeedOrWhatPushesIt) {
    OnePoint free;
    free.sums.ask(0, 1, {1, 0, 0}, {});
    free.sums.apply(3, free.points());
    EXPECT_LE(free.velocities[0], 3);
    EXPECT_GT(free.velocities[0], 1);
    OnePoint pushed;
    pushed.sums.ask(0, 1, {1, 0, 0}, {50, 0, 0});
    pushed.sums.apply(3, pushed.points());
    EXPECT_LE(pushed.velocities[0], 53);
    EXPECT_GT(pushed.velocities[0], 25);
}

TEST(ContactSums, NoPointGoesBeyondItsLimit) {
    OnePoint one;
    one.sums.ask(0, 1, {100, 0, 0}, {});
    one.sums.apply(1, one.points());
    EXPECT_NEAR(one.positions[0], 4, 1e-5f);
}

TEST(ContactSums, WhatAStepHasLeftBeyondItsLimitStaysThere) {
    OnePoint one;
    one.positions[0] = 6;
    one.sums.ask(0, 1, {0, 1, 0}, {});
    one.sums.apply(1, one.points());
    EXPECT_NEAR(length(Vec3{one.positions[0], one.positions[2], one.positions[4]}), 6, 1e-5f);
}

/// Half of the weight of a step that damps by half.
TEST(ContactSums, PressedFleshStopsSwinging) {
    OnePoint one;
    one.velocities[4] = 8;
    one.sums.ask(0, 0.5f, {0.01f, 0, 0}, {});
    one.sums.apply(10, one.points());
    EXPECT_NEAR(one.velocities[4], 6, 1e-4f);
}

TEST(ContactSums, TheFastestIsFoundAndWhatIsNoNumberIsReported) {
    const std::uint32_t both[] = {0, 1};
    std::vector<float> velocities = {3, 0, 4, 0, 0, 1};
    EXPECT_FLOAT_EQ(fastest_of(both, {2, velocities.data()}), 5);
    velocities[1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_GE(fastest_of(both, {2, velocities.data()}), 1e30f);
}

}  // namespace
}  // namespace fascia::contact
