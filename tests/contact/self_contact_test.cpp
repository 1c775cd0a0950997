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
    std::vector<float> positions = std::vector<float>(3 * n), rest = positions, nothing = positions;
    std::vector<float> limit = std::vector<float>(n, 10), give = std::vector<float>(n, 1), unturned, shares;
    std::vector<std::uint16_t> joints = std::vector<std::uint16_t>(4 * n, 0);
    std::vector<std::uint32_t> slots, first{0}, links, linked = std::vector<std::uint32_t>(n, (1u << 27) - 1);
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

    /// How far the home of the sample and, in sum, the points of the other block move along x.
    std::pair<double, double> moves(float give_of_first, float give_of_second) {
        for (std::size_t i = 0; i < n; ++i) give[i] = i < 27 ? give_of_first : give_of_second;
        const std::vector<std::uint32_t> homes{home}, carriers(8, home);
        const std::vector<Vec3> places{{2.5f, 1, 1}}, normals{{1, 0, 0}};
        const std::vector<float> weights{1, 0, 0, 0, 0, 0, 0, 0}, before = positions, driven = positions;
        const TouchingBody body({.stride = n,
                                 .slots = slots,
                                 .rest = rest,
                                 .links = {first, links},
                                 .linked = linked,
                                 .joints = joints,
                                 .shares = shares,
                                 .part = part,
                                 .homes = homes,
                                 .places = places,
                                 .normals = normals,
                                 .carriers = carriers,
                                 .weights = weights},
                                distance());
        std::vector<float> velocities = nothing, driven_speed = nothing, driven_now = driven;
        const TouchedPoints points{{n, positions.data()},
                                   {n, velocities.data()},
                                   {n, driven_now.data()},
                                   {n, driven_speed.data()},
                                   limit,
                                   give,
                                   0.01f};
        SelfContact contact;
        ContactSums sums;
        ThreadPool pool(1);
        contact.find_candidates(body, points, 0.01f);
        sums.begin(n);
        const std::vector<float> duals{1, 0, 0, 0, 0, 0, 0, 0};
        contact.press(body, points, {duals, unturned}, 10, pool, sums);
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

}  // namespace
}  // namespace fascia::contact
