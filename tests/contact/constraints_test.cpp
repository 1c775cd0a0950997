// Gaps and gradients of contact constraints against differences, and trees of boxes against plain search.
#include "contact/constraints.h"

#include <random>

#include <gtest/gtest.h>

#include "contact/box_tree.h"

namespace fascia::contact {
namespace {

class Dice {
public:
    float next() { return some_(engine_); }
    Vec3 place() {
        const float x = next(), y = next(), z = next();
        return {x, y, z};
    }

private:
    std::mt19937 engine_{11};
    std::uniform_real_distribution<float> some_{-1, 1};
};

/// The gap as a function of its twelve coordinates, in double.
double point_gap(const Vec3d* x) {
    return dot(x[0] - x[1], normalized(cross(x[2] - x[1], x[3] - x[1])));
}
double edge_gap(const Vec3d* x, Vec3d side) {
    const Vec3d n = normalized(cross(x[1] - x[0], x[3] - x[2]));
    return dot(x[3] - x[0], dot(n, side) < 0 ? n * -1.0 : n);
}

template <class Gap>
void expect_gradients(const Touch& touch, const Vec3 (&x)[4], Gap&& gap) {
    ASSERT_TRUE(touch.valid);
    Vec3d places[4];
    for (int k = 0; k < 4; ++k) places[k] = to_double(x[k]);
    EXPECT_NEAR(gap(places), double(touch.gap), 1e-5);
    for (std::size_t k = 0; k < 4; ++k)
        for (const auto axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
            constexpr double by = 1e-5;
            Vec3d up[4], down[4];
            std::copy(places, places + 4, up);
            std::copy(places, places + 4, down);
            up[k].*axis += by;
            down[k].*axis -= by;
            const double expected = (gap(up) - gap(down)) / (2 * by);
            EXPECT_NEAR(to_double(touch.normal * touch.share[k]).*axis, expected, 2e-4);
        }
}

TEST(ContactConstraints, PointAndTriangle) {
    Dice dice;
    for (int round = 0; round < 50; ++round) {
        const Vec3 x[4] = {dice.place(), dice.place(), dice.place(), dice.place()};
        if (length(cross(x[2] - x[1], x[3] - x[1])) < 0.3f) continue;
        // The gradient at the corners is that of a point that moves with the plane: normals turn, too.
        const Touch touch = point_triangle(x[0], x[1], x[2], x[3]);
        expect_gradients(touch, x, [](const Vec3d* p) { return point_gap(p); });
        EXPECT_NEAR(touch.share[1] + touch.share[2] + touch.share[3], -1, 1e-5);
    }
    EXPECT_FALSE(point_triangle({0, 0, 1}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}).valid) << "no area";
}

TEST(ContactConstraints, TwoEdges) {
    Dice dice;
    for (int round = 0; round < 50; ++round) {
        const Vec3 x[4] = {dice.place(), dice.place(), dice.place(), dice.place()};
        if (length(cross(x[1] - x[0], x[3] - x[2])) < 0.3f) continue;
        for (const Vec3 side : {Vec3{0, 0, 1}, Vec3{0, 0, -1}}) {
            const Touch touch = edge_edge(x[0], x[1], x[2], x[3], side);
            EXPECT_GE(dot(touch.normal, side), 0);
            expect_gradients(touch, x, [&](const Vec3d* p) { return edge_gap(p, to_double(side)); });
        }
    }
}

TEST(ContactConstraints, ParallelEdgesTouchAlongTheirDistance) {
    const Touch touch = edge_edge({0, 0, 0}, {2, 0, 0}, {0.5f, 0, 0.25f}, {1.5f, 0, 0.25f}, {0, 0, 1});
    ASSERT_TRUE(touch.valid);
    EXPECT_FLOAT_EQ(touch.gap, 0.25f);
    EXPECT_TRUE(is_within(touch));
    EXPECT_FALSE(edge_edge({0, 0, 0}, {2, 0, 0}, {0.5f, 0, 0}, {1.5f, 0, 0}, {0, 0, 1}).valid) << "on one line";
}

TEST(BoxTree, FindsWhatAPlainSearchFinds) {
    Dice dice;
    std::vector<Vec3d> rest;
    for (int k = 0; k < 300; ++k) rest.push_back(to_double(dice.place()));
    const BoxTree tree(rest);
    for (const float away : {0.0f, 1.0f}) {
        // Also after things have moved since the tree was built.
        std::vector<FloatBox> boxes;
        for (const Vec3d& p : rest) {
            FloatBox box;
            box.add(to_float(p) + dice.place() * away);
            box.widen(0.05f);
            boxes.push_back(box);
        }
        std::vector<FloatBox> fitted(tree.branch_count());
        tree.refit(boxes, fitted);
        std::size_t hits = 0;
        for (int k = 0; k < 40; ++k) {
            FloatBox wanted;
            wanted.add(dice.place());
            wanted.widen(0.3f);
            std::vector<std::uint32_t> found, expected;
            tree.find(wanted, boxes, fitted, [&](std::uint32_t thing) { found.push_back(thing); });
            for (std::uint32_t t = 0; t < boxes.size(); ++t)
                if (wanted.meets(boxes[t])) expected.push_back(t);
            std::sort(found.begin(), found.end());
            EXPECT_EQ(found, expected);
            hits += found.size();
        }
        EXPECT_GT(hits, 10u);
    }
    EXPECT_EQ(BoxTree(std::span<const Vec3d>{}).branch_count(), 0u);
}

}  // namespace
}  // namespace fascia::contact
