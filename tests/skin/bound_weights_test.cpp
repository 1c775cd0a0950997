#include "skin/bound_weights.h"

#include <vector>

#include <gtest/gtest.h>

namespace fascia {
namespace {

struct Input {
    std::vector<Vec3> positions;
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    int influences = 4;
    SkinSource source() const { return {positions, {}, {}, joints, weights, influences}; }
};

TEST(BoundWeights, SortsByJointAndFindsThePivot) {
    const Input in{{{}}, {7, 2, 5, 0}, {0.2f, 0.5f, 0.3f, 0}, 4};
    const BoundWeights w = bind_weights(in.source());
    EXPECT_EQ(w.joints, (std::vector<std::uint16_t>{2, 5, 7, 7}));
    EXPECT_EQ(w.weights, (std::vector<float>{0.5f, 0.3f, 0.2f, 0}));
    EXPECT_EQ(w.pivots[0], 2);
    EXPECT_EQ(w.unweighted, 0u);
}

TEST(BoundWeights, AddsUpSlotsOfTheSameJoint) {
    const Input in{{{}}, {3, 1, 3, 0}, {0.3f, 0.4f, 0.3f, 0}, 4};
    const BoundWeights w = bind_weights(in.source());
    EXPECT_EQ(w.joints[0], 1);
    EXPECT_EQ(w.joints[1], 3);
    EXPECT_FLOAT_EQ(w.weights[1], 0.6f);
    EXPECT_EQ(w.pivots[0], 3);
}

TEST(BoundWeights, MakesTheSumOne) {
    const Input in{{{}}, {0, 1, 2, 3}, {0.9f, 0.5f, 0.3f, 0.055f}, 4};
    const BoundWeights w = bind_weights(in.source());
    float sum = 0;
    for (const float x : w.weights) sum += x;
    EXPECT_NEAR(sum, 1, 1e-6);
    EXPECT_NEAR(w.weights[0], 0.9 / 1.755, 1e-6);
}

TEST(BoundWeights, AttachesVerticesWithoutWeightToTheFirstJoint) {
    const Input in{{{}, {}}, {5, 6, 7, 8, 1, 0, 0, 0}, {0, 0, 0, 0, 1, 0, 0, 0}, 4};
    const BoundWeights w = bind_weights(in.source());
    EXPECT_EQ(w.unweighted, 1u);
    EXPECT_EQ(w.joints[0], 0);
    EXPECT_EQ(w.weights[0], 1.0f);
    EXPECT_EQ(w.pivots[1], 1);
}

TEST(BoundWeights, BreaksTiesByTheFirstJoint) {
    const Input a{{{}}, {9, 4}, {0.5f, 0.5f}, 2}, b{{{}}, {4, 9}, {0.5f, 0.5f}, 2};
    EXPECT_EQ(bind_weights(a.source()).pivots[0], 4);
    EXPECT_EQ(bind_weights(b.source()).pivots[0], 4);
}

TEST(RestCentre, IsTheMiddleOfTheBox) {
    const std::vector<Vec3> p{{1, 2, 3}, {3, 2, -3}, {2, 10, 0}};
    const Vec3 c = rest_centre(p);
    EXPECT_EQ(c, (Vec3{2, 6, 0}));
}

}  // namespace
}  // namespace fascia
