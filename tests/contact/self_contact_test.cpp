#include "contact/self_contact.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace fascia::contact {
namespace {

/// Two blocks of 27 points, far apart at rest; on the first a sample that looks along x. Then the second one comes so
/// near that its surface lies 0.8 behind the sample.
struct TwoBlocks {
    static constexpr std::size_t n = 54;
    std::vector<float> positions = std::vector<float>(3 * n), rest = positions, velocities = positions,
                       driven_speed = positions, driven;
    std::vector<float> limit = std::vector<float>(n, 10), give = std::vector<float>(n, 1), unturned, shares;
    std::vector<std::uint16_t> joints = std::vector<std::uint16_t>(4 * n, 0);
    std::vector<std::uint32_t> slots, first{0}, links, linked = std::vector<std::uint32_t>(n, (1u << 27) - 1);
    std::vector<std::uint32_t> around = std::vector<std::uint32_t>(27 * n, TouchingBody::none);
    std::vector<std::uint16_t> part;

    static constexpr std::uint32_t home = 14;  ///< (2, 1, 1)

    TwoBlocks() : unturned(4 * n, 0), shares(4 * n, 0) {
        for (std::uint32_t i = 0; i < n; ++i) {
            const Vec3 p{float(i % 3), float(i / 3 % 3), float(i / 9 % 3)};
            slots.push_back(i);
            part.push_back(i < 27 ? 0 : 1);
            Channels{n, rest.data()}.set(i, p + Vec3{i < 27 ? 0.0f : 20.0f, 0, 0});
            Channels{n, positions.data()}.set(i, p + Vec3{i < 27 ? 0.0f : 2.2f, 0, 0});
            for (const auto& [step, side] : {std::pair{1u, i % 3}, {3u, i / 3 % 3}, {9u, i / 9 % 3}}) {
                if (side > 0) links.push_back(i - step);
                if (side < 2) links.push_back(i + step);
            }
            first.push_back(std::uint32_t(links.size()));
            for (std::uint32_t k = 0; k < 27; ++k) {
                const std::uint32_t x = i % 3 + k % 3, y = i / 3 % 3 + k / 3 % 3, z = i / 9 % 3 + k / 9;
                if (x >= 1 && x <= 3 && y >= 1 && y <= 3 && z >= 1 && z <= 3)
                    around[27 * i + k] = i / 27 * 27 + (z - 1) * 9 + (y - 1) * 3 + x - 1;
            }
            unturned[i] = shares[i] = 1;
        }
    }
    static RestDistance distance() {
        const RestGrid grid{{-4, -4, -4}, 31, 11, 11};
        std::vector<float> out(grid.size());
        const auto box = [](Vec3 p) { return std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) - 1.5f; };
        for (int z = 0; z < 11; ++z)
            for (int y = 0; y < 11; ++y)
                for (int x = 0; x < 31; ++x) {
                    const Vec3 p = Vec3{float(x), float(y), float(z)} - Vec3{5, 5, 5};
                    out[grid.index(x, y, z)] = std::min(box(p), box(p - Vec3{20, 0, 0}));
                }
        return RestDistance(grid, out);
    }

    TouchingBody body() const {
        const std::vector<std::uint32_t> homes{home}, carriers(8, home);
        const std::vector<Vec3> places{{2.5f, 1, 1}}, normals{{1, 0, 0}};
        const std::vector<float> weights{1, 0, 0, 0, 0, 0, 0, 0};
        return TouchingBody({.stride = n,
                             .slots = slots,
                             .rest = rest,
                             .links = {first, links},
                             .linked = linked,
                             .around = around,
                             .joints = joints,
                             .shares = shares,
                             .part = part,
                             .homes = homes,
                             .places = places,
                             .normals = normals,
                             .carriers = carriers,
                             .weights = weights},
                            distance());
    }
    TouchedPoints points() {
        driven = positions;
        return {{n, positions.data()},
                {n, velocities.data()},
                {n, driven.data()},
                {n, driven_speed.data()},
                limit,
                give,
                0.01f};
    }

    /// How far the home of the sample and, in sum, the points of the other block move along x.
    std::pair<double, double> moves(float give_of_first, float give_of_second) {
        for (std::size_t i = 0; i < n; ++i) give[i] = i < 27 ? give_of_first : give_of_second;
        const std::vector<float> before = positions;
        const TouchingBody body = this->body();
        const TouchedPoints points = this->points();
        SelfContact contact;
        ContactSums sums;
        contact.begin(0.01f);
        sums.begin(n);
        const std::vector<float> duals{1, 0, 0, 0, 0, 0, 0, 0};
        contact.press(body, points, {duals, unturned}, 10, sums);
        EXPECT_EQ(contact.hit_count(), 1u);
        sums.apply(100, points);
        std::pair<double, double> out{positions[home] - before[home], 0};
        for (std::size_t i = 27; i < n; ++i) out.second += positions[i] - before[i];
        positions = before;
        return out;
    }
};

TEST(SelfContact, BothSidesYieldByWhatTheyHaveToGive) {
    TwoBlocks blocks;
    const auto [own, other] = blocks.moves(1, 1);
    EXPECT_LT(own, -0.1);
    EXPECT_NEAR(other, -own, 1e-5);
    const auto [stiff, soft] = blocks.moves(1, 3);
    EXPECT_NEAR(soft, -3 * stiff, 1e-5);
    EXPECT_NEAR(soft - stiff, other - own, 1e-5) << "together they part as far";
    const auto [bone, flesh] = blocks.moves(0, 1);
    EXPECT_EQ(bone, 0);
    EXPECT_NEAR(flesh, other - own, 1e-5);
}

/// A place in the second block, wherever that is and however it has turned, is found in its rest pose.
TEST(FleshPlaces, APlaceIsFollowedBackToTheRestPose) {
    TwoBlocks blocks;
    const Vec3 shift{-13, 4, 2};
    const auto turned = [](Vec3 v) { return Vec3{-v.y, v.x, v.z}; };  // a quarter about z
    const std::size_t n = TwoBlocks::n;
    for (std::size_t i = 27; i < n; ++i)
        Channels{n, blocks.positions.data()}.set(i, turned(ConstChannels{n, blocks.rest.data()}.at(i)) + shift);
    const TouchingBody body = blocks.body();
    const float half = std::sqrt(0.5f);
    for (std::size_t i = 27; i < n; ++i) blocks.unturned[i] = half, blocks.unturned[3 * n + i] = half;
    FleshPlaces places;
    const std::vector<float> duals{1, 0, 0, 0, 0, 0, 0, 0};
    places.begin(body, {duals, blocks.unturned});
    FleshPlace found;
    for (const Vec3 rest : {Vec3{20.3f, 0.2f, 1.4f}, Vec3{22.4f, 2.3f, 0.9f}, Vec3{19.4f, 1.1f, 1.6f}}) {
        ASSERT_TRUE(places.find(body, blocks.points(), turned(rest) + shift, 40, found));
        EXPECT_LT(length(found.rest - rest), 1e-4f);
        float sum = 0;
        for (std::uint32_t k = 0; k < found.count; ++k) sum += found.weights[k];
        EXPECT_NEAR(sum, 1, 1e-5f);
    }
    EXPECT_FALSE(places.find(body, blocks.points(), turned({26, 1, 1}) + shift, 40, found)) << "too far away";
}

}  // namespace
}  // namespace fascia::contact
