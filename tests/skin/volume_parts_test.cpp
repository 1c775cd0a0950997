#include "skin/volume_parts.h"

#include <cmath>

#include <gtest/gtest.h>

namespace fascia {
namespace {

class Dice {
public:
    float next() {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return float(double(state_ >> 40) / double(1 << 24)) - 0.5f;
    }

private:
    std::uint64_t state_ = 7;
};

/// One inner particle (neighbours 0..5, itself 6), and the octant on its side +x +y -z a second time.
VolumeParts two_kinds() {
    VolumeParts all;
    all.places = all.moved = {0, 1, 2, 3, 4, 5, 6};
    all.mover.assign(7, 0);
    all.boxes.push_back({{0, 1, 2, 3, 4, 5}});
    all.boxes.push_back({{6, 1, 6, 3, 4, 6}});
    VolumePart part;
    part.moved_last = 7;
    part.box_last = 2;
    all.parts.push_back(part);
    return all;
}

TEST(VolumeParts, TheCubicIsTheVolumeForEveryLambda) {
    const VolumeParts all = two_kinds();
    Dice dice;
    for (int round = 0; round < 20; ++round) {
        std::vector<float> places(21), moves(21), moved(21), records(7 * volume_record, 0);
        for (float& v : places) v = dice.next();
        for (float& v : moves) v = dice.next();
        for (std::size_t i = 0; i < 7; ++i)
            for (std::size_t c = 0; c < 3; ++c) {
                records[volume_record * i + c] = places[7 * c + i];
                records[volume_record * i + 4 + c] = moves[7 * c + i];
            }
        const Cubic cubic = volume_polynomial(all, all.parts[0], records);
        for (const float lambda : {-2.0f, -0.5f, 0.25f, 1.0f, 3.0f}) {
            for (std::size_t k = 0; k < 21; ++k) moved[k] = places[k] + lambda * moves[k];
            EXPECT_NEAR(cubic.at(double(lambda)), part_volume(all, all.parts[0], 7, moved), 2e-5);
        }
    }
}

/// docs/formulas.md 0.5: det of half the differences, and an octant is an eighth of it.
TEST(VolumeParts, VolumesOfAGrid) {
    const VolumeParts all = two_kinds();
    const float h = 0.5f;
    // Neighbours -x +x -y +y -z +z of the origin, and the origin itself.
    const std::vector<float> places{-h, h, 0, 0, 0, 0, 0, 0, 0, -h, h, 0, 0, 0, 0, 0, 0, 0, -h, h, 0};
    EXPECT_NEAR(part_volume(all, all.parts[0], 7, places), double(h * h * h) * (1 + 0.125), 1e-6);
}

TEST(VolumeParts, RootsAreFoundFromZeroAndWithinTheLimit) {
    const Cubic cubic{{1, 0.5, 0.1, 0.05}};
    const double root = nearest_root(cubic, 1.3, -2, 2);
    EXPECT_NEAR(cubic.at(root), 1.3, 1e-6);
    EXPECT_GT(root, 0);
    EXPECT_LT(nearest_root(cubic, 0.9, -2, 2), 0);
    EXPECT_EQ(nearest_root(cubic, 0, -0.1, 2), -0.1);
    EXPECT_EQ(nearest_root(cubic, 100, -1, 2), 2);
    EXPECT_EQ(nearest_root({{1, 0, 0, 0}}, 2, -2, 2), 0);  // nothing moves
}

TEST(VolumeParts, PartsGetTheirVolume) {
    VolumeParts all = two_kinds();
    const float h = 0.5f;
    std::vector<float> places{-h, h, 0, 0, 0, 0, 0, 0, 0, -h, h, 0, 0, 0, 0, 0, 0, 0, -h, h, 0};
    all.parts[0].rest_volume = part_volume(all, all.parts[0], 7, places);
    all.directions = {-1, 1, 0, 0, 0, 0, 0, 0, 0, -1, 1, 0, 0, 0, 0, 0, 0, 0, -1, 1, 0};
    for (float& v : places) v *= 0.9f;
    std::vector<float> rotations(28, 0), records(7 * volume_record), lambdas(1);
    std::fill_n(rotations.begin(), 7, 1.0f);
    solve_volumes(all, 7, rotations, places, records, lambdas);
    EXPECT_NEAR(lambdas[0], 0.1f * h, 1e-4);
    move_parts(all, 7, rotations, lambdas, places);
    EXPECT_NEAR(part_volume(all, all.parts[0], 7, places), all.parts[0].rest_volume, 1e-6);
}

}  // namespace
}  // namespace fascia
