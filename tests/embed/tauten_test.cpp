#include "embed/tauten.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/portable_math.h"
#include "fascia/measure.h"

namespace fascia::embedding {
namespace {

/// A closed cylinder of radius 1 and height 4 whose middle line is the z axis, with a seam along it.
struct Can {
    static constexpr std::uint32_t columns = 24, rows = 33;
    std::vector<Vec3> rest;
    std::vector<std::uint32_t> triangles;

    Can() {
        for (std::uint32_t y = 0; y < rows; ++y)
            for (std::uint32_t x = 0; x <= columns; ++x) {
                const double angle = 2 * portable::pi * (x % columns) / columns;
                rest.push_back({float(std::cos(angle)), float(std::sin(angle)), 4 * float(y) / (rows - 1) - 2});
            }
        rest.push_back({0, 0, -2});
        rest.push_back({0, 0, 2});
        const auto bottom = std::uint32_t(rest.size() - 2), top = bottom + 1;
        for (std::uint32_t x = 0; x < columns; ++x) {
            for (std::uint32_t y = 0; y + 1 < rows; ++y)
                triangles.insert(triangles.end(),
                                 {at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)});
            triangles.insert(triangles.end(), {bottom, at(x + 1, 0), at(x, 0)});
            triangles.insert(triangles.end(), {top, at(x, rows - 1), at(x + 1, rows - 1)});
        }
    }
    static std::uint32_t at(std::uint32_t x, std::uint32_t y) { return y * (columns + 1) + x; }

    std::vector<Vec3> tautened(std::vector<Vec3> surface, float scale = 1) const {
        const Fans fans(rest, triangles);
        TautenScratch scratch;
        Tautening(rest, fans).apply(scale, surface, scratch);
        return surface;
    }
    SurfaceMeter meter() const { return {rest, triangles, 4}; }

    /// The upper half turned against the lower one.
    std::vector<Vec3> wrung(double angle) const {
        std::vector<Vec3> out = rest;
        const auto c = float(std::cos(angle)), s = float(std::sin(angle));
        for (Vec3& p : out)
            if (p.z > 0) p = {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
        return out;
    }
};

TEST(Tauten, StretchIsSpreadAndTheVolumeStays) {
    const Can can;
    const SurfaceMeter meter = can.meter();
    const std::vector<Vec3> wrung = can.wrung(0.5), taut = can.tautened(wrung);
    ASSERT_GT(meter.edge_strain(wrung).max, 2.5);
    EXPECT_LT(meter.edge_strain(taut).max, 1);
    EXPECT_NEAR(*meter.volume_ratio(taut), *meter.volume_ratio(wrung), 0.003);
    // Far from where it is wrung, nothing moves.
    for (std::uint32_t x = 0; x < Can::columns; ++x) {
        EXPECT_EQ(taut[Can::at(x, 2)], wrung[Can::at(x, 2)]);
        EXPECT_EQ(taut[Can::at(x, Can::rows - 3)], wrung[Can::at(x, Can::rows - 3)]);
    }
}

TEST(Tauten, WhatIsStretchedLessKeepsItsBits) {
    const Can can;
    std::vector<Vec3> longer = can.rest;
    for (Vec3& p : longer) p.z *= 1.45f;
    EXPECT_EQ(can.tautened(longer), longer);
}

TEST(Tauten, ABodyThatIsScaledAsAWholeIsNotStretched) {
    const Can can;
    std::vector<Vec3> large = can.rest;
    for (Vec3& p : large) p = p * 3.0f;
    EXPECT_EQ(can.tautened(large, 3), large);
    EXPECT_NE(can.tautened(large, 1), large);
}

TEST(Tauten, SeamsStayClosed) {
    const Can can;
    const std::vector<Vec3> wrung = can.wrung(0.5), taut = can.tautened(wrung);
    for (std::uint32_t y = 0; y < Can::rows; ++y) EXPECT_EQ(taut[Can::at(0, y)], taut[Can::at(Can::columns, y)]);
    EXPECT_NE(taut[Can::at(0, 16)], wrung[Can::at(0, 16)]);
}

TEST(Tauten, WhatIsNotANumberDoesNoHarm) {
    const Can can;
    std::vector<Vec3> wrung = can.wrung(0.5);
    const std::uint32_t bad = Can::at(5, 17), endless = Can::at(12, 16);
    wrung[bad].x = std::numeric_limits<float>::quiet_NaN();
    wrung[endless].y = std::numeric_limits<float>::infinity();
    const std::vector<Vec3> taut = can.tautened(wrung);
    for (std::uint32_t v = 0; v < taut.size(); ++v)
        EXPECT_TRUE(v == bad || v == endless || std::isfinite(length(taut[v]))) << v;
    // The others keep the volume as if nothing had happened.
    const std::vector<Vec3> sound = can.wrung(0.5);
    std::vector<Vec3> mended = taut;
    for (const std::uint32_t v : {bad, endless}) mended[v] = sound[v];
    EXPECT_NEAR(*can.meter().volume_ratio(mended), *can.meter().volume_ratio(sound), 0.003);
}

}  // namespace
}  // namespace fascia::embedding
