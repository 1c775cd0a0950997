// Crossing triangles against a plain search over all pairs that decides by signs of volumes.
#include "fascia/penetration.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/shapes.h"

namespace fascia {
namespace {

double volume(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
    return dot(b - a, cross(c - a, d - a));
}
/// The segment's ends lie on different sides of the triangle, and the segment goes round no edge the wrong way.
bool pierces(Vec3d p, Vec3d q, const Vec3d* t) {
    if (!(volume(p, t[0], t[1], t[2]) * volume(q, t[0], t[1], t[2]) < 0)) return false;
    const double u = volume(p, q, t[0], t[1]), v = volume(p, q, t[1], t[2]), w = volume(p, q, t[2], t[0]);
    return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

std::size_t crossing_pairs(const std::vector<Vec3>& positions, const std::vector<std::uint32_t>& triangles) {
    std::size_t out = 0;
    for (std::size_t i = 0; i < triangles.size(); i += 3)
        for (std::size_t k = i + 3; k < triangles.size(); k += 3) {
            Vec3d a[3], b[3];
            bool share = false, crosses = false;
            for (std::size_t c = 0; c < 3; ++c) {
                a[c] = to_double(positions[triangles[i + c]]);
                b[c] = to_double(positions[triangles[k + c]]);
                for (std::size_t d = 0; d < 3; ++d) share = share || triangles[i + c] == triangles[k + d];
            }
            for (std::size_t c = 0; c < 3; ++c)
                crosses = crosses || pierces(a[c], a[(c + 1) % 3], b) || pierces(b[c], b[(c + 1) % 3], a);
            out += !share && crosses;
        }
    return out;
}

/// Two wavy sheets, one above the other.
struct Sheets {
    static constexpr std::uint32_t side = 14;
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> triangles;

    Sheets() {
        for (int sheet = 0; sheet < 2; ++sheet) {
            const auto first = std::uint32_t(positions.size());
            for (std::uint32_t y = 0; y < side; ++y)
                for (std::uint32_t x = 0; x < side; ++x)
                    positions.push_back(
                        {float(x) + 0.13f * float(sheet), float(y) + 0.29f * float(sheet),
                         2.0f * float(sheet) + 0.3f * std::sin((1 + float(sheet)) * float(x) + 2 * float(y))});
            for (std::uint32_t y = 0; y + 1 < side; ++y)
                for (std::uint32_t x = 0; x + 1 < side; ++x) {
                    const std::uint32_t v = first + y * side + x;
                    triangles.insert(triangles.end(), {v, v + 1, v + side + 1, v, v + side + 1, v + side});
                }
        }
    }
    std::vector<Vec3> lowered(float by) const {
        std::vector<Vec3> out = positions;
        for (std::size_t v = out.size() / 2; v < out.size(); ++v) out[v].z -= by;
        return out;
    }
};

TEST(CrossingMeter, CountsWhatAPlainSearchCounts) {
    const Sheets sheets;
    const CrossingMeter meter(sheets.positions, sheets.triangles, 13);
    EXPECT_EQ(meter.measure(sheets.positions).pairs, 0u);
    for (const float by : {1.8f, 1.9f, 2.0f, 2.2f}) {
        const std::vector<Vec3> lower = sheets.lowered(by);
        const std::size_t expected = crossing_pairs(lower, sheets.triangles);
        EXPECT_GT(expected, 20u);
        EXPECT_EQ(meter.measure(lower).pairs, expected) << by;
    }
}

TEST(CrossingMeter, WhatCrossesAtRestDoesNotCount) {
    const Sheets sheets;
    const std::vector<Vec3> rest = sheets.lowered(2);
    const CrossingMeter meter(rest, sheets.triangles, 13);
    EXPECT_EQ(meter.measure(rest).pairs, 0u);
    EXPECT_GT(meter.pairs(rest).size(), 20u);
    EXPECT_GT(meter.measure(sheets.lowered(1.8f)).pairs, 0u) << "others do";
}

TEST(CrossingMeter, DepthOfABoxInABox) {
    // A corner of the one goes 0.1 deep into a side of the other.
    test::Shape both = test::box_shape({0, 0, 0}, {1, 1, 1});
    const test::Shape other = test::box_shape({0.9f, 0.25f, 0.25f}, {2, 0.75f, 0.75f});
    const auto first = std::uint32_t(both.positions.size());
    both.positions.insert(both.positions.end(), other.positions.begin(), other.positions.end());
    for (const std::uint32_t v : other.triangles) both.triangles.push_back(first + v);
    std::vector<Vec3> rest = both.positions;
    for (std::size_t v = first; v < rest.size(); ++v) rest[v].x += 1;
    const CrossingMeter meter(rest, both.triangles, 2);
    EXPECT_EQ(meter.measure(rest).pairs, 0u);
    const Crossings found = meter.measure(both.positions);
    EXPECT_GT(found.pairs, 0u);
    EXPECT_NEAR(found.depth, 0.1 / 2, 1e-6);
}

TEST(BoneInterface, LiesBetweenSkinAndBone) {
    Character character;
    character.mesh.positions = {{0.5f, 1, 0}, {2.5f, 0, 1}, {-1, 0, 0}};
    character.joints.resize(2);
    character.joints[0].tail = {1, 0, 0};
    character.joints[1].rest.m[0][3] = 2;
    character.joints[1].tail = {3, 0, 0};
    character.weights.influences = 4;
    character.weights.joints = {0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    character.weights.weights = {0.7f, 0.3f, 0, 0, 0.6f, 0.4f, 0, 0, 1, 0, 0, 0};
    const std::vector<Vec3> found = bone_interface(character, 0.8);
    const Vec3 expected[] = {{0.5f, 0.2f, 0}, {2.5f, 0, 0.2f}, {-0.2f, 0, 0}};
    for (std::size_t v = 0; v < 3; ++v) EXPECT_LT(length(found[v] - expected[v]), 1e-6f) << v;
}

TEST(BoneCrossings, CountOnlyWhatFleshCannotGive) {
    // Two limbs side by side, a bone in each.
    Character character;
    test::Shape limbs = test::box_shape({0, 0, 0}, {1, 1, 4});
    test::append(limbs, test::box_shape({3, 0.05f, 0.3f}, {4, 1.05f, 4.3f}));
    character.mesh.positions = limbs.positions;
    character.mesh.triangles = limbs.triangles;
    character.joints.resize(2);
    for (std::size_t j = 0; j < 2; ++j) {
        character.joints[j].rest.m[0][3] = 0.5 + 3 * double(j);
        character.joints[j].rest.m[1][3] = 0.5;
        character.joints[j].tail = {0.5 + 3 * double(j), 0.5, 4};
    }
    character.weights.influences = 4;
    for (std::size_t v = 0; v < 16; ++v)
        for (std::size_t k = 0; k < 4; ++k) {
            character.weights.joints.push_back(v < 8 ? 0 : 1);
            character.weights.weights.push_back(k == 0 ? 1.0f : 0.0f);
        }
    const BoneCrossings meter(character);
    const std::vector<Vec3> rest = bone_interface(character);
    const auto moved = [&](float by) {
        std::vector<Vec3> out = rest;
        for (std::size_t v = 8; v < 16; ++v) out[v].x -= by;
        return out;
    };
    EXPECT_EQ(meter.measure(rest), 0u);
    EXPECT_EQ(meter.measure(moved(2.5f)), 0u) << "half of each limb's flesh is in the other";
    EXPECT_GT(meter.measure(moved(2.9f)), 0u) << "the bones are";
}

}  // namespace
}  // namespace fascia
