#include "methods/shared/points_around.h"

#include <numeric>

#include <gtest/gtest.h>

namespace fascia {
namespace {

/// A cube of points, `n` along each side, from 0 to 1.
struct Block {
    std::vector<std::uint32_t> slots;
    std::vector<float> rest;
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    std::size_t stride = 0;
    double h = 1;

    explicit Block(int n) : stride(std::size_t(n * n * n)), h(1.0 / (n - 1)) {
        rest.resize(3 * stride);
        for (std::size_t i = 0; i < stride; ++i) {
            const int at[3] = {int(i) % n, int(i) / n % n, int(i) / n / n};
            for (std::size_t c = 0; c < 3; ++c) rest[c * stride + i] = float(at[c]);
            slots.push_back(std::uint32_t(i));
        }
    }
    RestPoints points() const { return {h, {}, 0, stride, slots, rest, joints, weights}; }
};

TEST(PointsAround, ShareWhatIsNearAndSumToOne) {
    const Block coarse(5), fine(9);
    for (const auto& [to, from] : {std::pair{&coarse, &fine}, {&fine, &coarse}}) {
        const PointsAround around = points_around(to->points(), from->points());
        ASSERT_EQ(around.first.size(), to->slots.size() + 1);
        for (std::size_t p = 0; p < to->slots.size(); ++p) {
            const auto *begin = &around.shares[around.first[p]], *end = begin + (around.first[p + 1] - around.first[p]);
            ASSERT_GT(end - begin, 0);
            EXPECT_NEAR(std::accumulate(begin, end, 0.0), 1, 1e-5);
            Vec3d mean;
            for (std::size_t k = around.first[p]; k < around.first[p + 1]; ++k)
                mean += from->points().place(around.slots[k]) * double(around.shares[k]);
            const Vec3d at = to->points().place(p);
            // Within the block the points around balance; at its rim there are none outside.
            const bool inner = std::min({at.x, at.y, at.z}) > 0.3 && std::max({at.x, at.y, at.z}) < 0.7;
            EXPECT_LT(length(mean - at), inner ? 1e-6 : 0.2);
        }
    }
}

TEST(PointsAround, PreferPointsOfTheSameJoints) {
    Block to(5), from(5);
    for (Block* block : {&to, &from}) {
        block->joints.assign(4 * block->stride, 0);
        block->weights.assign(4 * block->stride, 0);
        for (std::size_t i = 0; i < block->stride; ++i) {
            block->joints[i] = block->rest[i] < 2 ? 1 : 2;  // two legs side by side
            block->weights[i] = 1;
        }
    }
    const PointsAround around = points_around(to.points(), from.points());
    for (std::size_t p = 0; p < to.slots.size(); ++p) {
        double foreign = 0;
        for (std::size_t k = around.first[p]; k < around.first[p + 1]; ++k)
            if (from.joints[around.slots[k]] != to.joints[p]) foreign += double(around.shares[k]);
        EXPECT_LT(foreign, 0.05);
    }
}

TEST(PointsAround, FarFromAllOthersThereIsNone) {
    const Block to(3), from(3);
    RestPoints away = from.points();
    away.centre = {10, 0, 0};
    EXPECT_TRUE(points_around(to.points(), away).slots.empty());
}

}  // namespace
}  // namespace fascia
