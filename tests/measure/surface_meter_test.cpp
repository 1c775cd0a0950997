#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "fascia/measure.h"
#include "support/shapes.h"
#include "support/tube.h"

namespace fascia {
namespace {

using test::Shape;

std::vector<Vec3> scaled(const std::vector<Vec3>& p, Vec3 s) {
    std::vector<Vec3> out;
    for (const Vec3 v : p) out.push_back({v.x * s.x, v.y * s.y, v.z * s.z});
    return out;
}

TEST(SurfaceMeter, AnEvenScaleStrainsEveryEdgeAlike) {
    const Mesh tube = test::tube_mesh({16, 12, 1});
    const SurfaceMeter meter(tube.positions, tube.triangles, 8);
    const auto big = scaled(tube.positions, {1.25f, 1.25f, 1.25f});
    const EdgeStrain e = meter.edge_strain(big);
    EXPECT_NEAR(e.max, 0.25, 1e-6);
    EXPECT_NEAR(e.p99, 0.25, 1e-6);
    EXPECT_NEAR(e.rms, 0.25, 1e-6);
    EXPECT_NEAR(*meter.volume_ratio(big), 1.25 * 1.25 * 1.25, 1e-6);
    std::vector<float> per_vertex(tube.positions.size());
    meter.vertex_strain(big, per_vertex);
    for (const float s : per_vertex) EXPECT_NEAR(s, 0.25, 1e-6);
    EXPECT_LT(meter.edge_strain(tube.positions).max, 1e-7);
}

TEST(SurfaceMeter, VolumeRatioOfAMirroredSurfaceIsNegative) {
    const Shape b = test::box_shape({0, 0, 0}, {1, 1, 1});
    const SurfaceMeter meter(b.positions, b.triangles, 1);
    EXPECT_NEAR(*meter.volume_ratio(scaled(b.positions, {-1, 1, 1})), -1, 1e-12);
    EXPECT_NEAR(*meter.volume_ratio(scaled(b.positions, {1, 0.5f, 1})), 0.5, 1e-12);
    const Shape walls = test::prism_walls(4);
    EXPECT_FALSE(SurfaceMeter(walls.positions, walls.triangles, 1).volume_ratio(walls.positions).has_value());
}

TEST(SurfaceMeter, NextToNoVolumeHasNoRatio) {
    // A body and a closed speck beside a sheet: 1e-4 of the box around everything is the least.
    const auto ratio = [](float thickness) {
        const Shape b = test::box_shape({0, 0, 0}, {1, 1, thickness});
        std::vector<Vec3> positions = b.positions;
        positions.push_back({0, 0, 1});  // no triangle, but part of the box
        const SurfaceMeter meter(positions, b.triangles, 1);
        return meter.volume_ratio(positions);
    };
    EXPECT_FALSE(ratio(0.9e-4f).has_value());
    ASSERT_TRUE(ratio(1.1e-4f).has_value());
    EXPECT_NEAR(*ratio(1.1e-4f), 1, 1e-12);
    const Shape inside_out = test::box_shape({0, 0, 0}, {1, 1, 1});
    std::vector<std::uint32_t> turned(inside_out.triangles.rbegin(), inside_out.triangles.rend());
    EXPECT_TRUE(SurfaceMeter(inside_out.positions, turned, 1).volume_ratio(inside_out.positions).has_value());
}

TEST(SurfaceMeter, StrainEqualsBruteForce) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> unit(-1, 1);
    const Mesh tube = test::tube_mesh({30, 20, 1});
    auto moved = tube.positions;
    for (Vec3& p : moved) p += Vec3{0.05f * unit(random), 0.05f * unit(random), 0.05f * unit(random)};

    std::map<std::pair<std::uint32_t, std::uint32_t>, double> strains;
    for (std::size_t i = 0; i < tube.triangles.size(); ++i) {
        const std::uint32_t a = tube.triangles[i], b = tube.triangles[i % 3 == 2 ? i - 2 : i + 1];
        const double rest = length(to_double(tube.positions[a]) - to_double(tube.positions[b]));
        const double now = length(to_double(moved[a]) - to_double(moved[b]));
        strains[std::minmax(a, b)] = std::abs(now / rest - 1);
    }
    std::vector<double> sorted;
    double squares = 0;
    std::vector<double> sum(tube.positions.size()), count(tube.positions.size());
    for (const auto& [edge, s] : strains) {
        sorted.push_back(s);
        squares += s * s;
        sum[edge.first] += s, sum[edge.second] += s;
        ++count[edge.first], ++count[edge.second];
    }
    std::sort(sorted.begin(), sorted.end());

    const SurfaceMeter meter(tube.positions, tube.triangles, 8);
    const EdgeStrain e = meter.edge_strain(moved);
    EXPECT_NEAR(e.max, sorted.back(), 1e-6);
    EXPECT_NEAR(e.rms, std::sqrt(squares / double(sorted.size())), 1e-6);
    EXPECT_NEAR(e.p99, sorted[(sorted.size() * 99 + 99) / 100 - 1], 1e-6);
    const auto above = std::count_if(sorted.begin(), sorted.end(), [&](double s) { return s > e.p99 + 1e-6; });
    EXPECT_LE(above, double(sorted.size()) / 100);
    std::vector<float> per_vertex(tube.positions.size());
    meter.vertex_strain(moved, per_vertex);
    for (std::size_t v = 0; v < per_vertex.size(); ++v) EXPECT_NEAR(per_vertex[v], sum[v] / count[v], 1e-6);
}

TEST(SurfaceMeter, SeamsDoNotCountTwice) {
    const Shape b = test::box_shape({0, 0, 0}, {1, 1, 1}), u = test::unwelded(b);
    auto moved = b.positions;
    moved[7].x += 0.5f;
    Shape moved_unwelded = b;
    moved_unwelded.positions = moved;
    moved_unwelded = test::unwelded(moved_unwelded);
    const SurfaceMeter welded(b.positions, b.triangles, 1), flat(u.positions, u.triangles, 1);
    EXPECT_NEAR(welded.edge_strain(moved).rms, flat.edge_strain(moved_unwelded.positions).rms, 1e-12);
    EXPECT_NEAR(*welded.volume_ratio(moved), *flat.volume_ratio(moved_unwelded.positions), 1e-12);
    std::vector<float> a(8), c(36);
    welded.vertex_strain(moved, a);
    flat.vertex_strain(moved_unwelded.positions, c);
    for (std::size_t i = 0; i < 36; ++i) EXPECT_NEAR(c[i], a[b.triangles[i]], 1e-7);
}

TEST(SurfaceMeter, CountsTrianglesThatTurned) {
    const Shape b = test::box_shape({0, 0, 0}, {1, 1, 1});
    const SurfaceMeter meter(b.positions, b.triangles, 1);
    EXPECT_EQ(meter.flipped_triangles(b.positions, b.positions), 0u);
    EXPECT_EQ(meter.flipped_triangles(scaled(b.positions, {-1, 1, 1}), b.positions), 8u);  // x walls keep their side
    // Turned by 80 degrees about z: no wall turns by more than 90. By 100 degrees: the four walls around z do.
    for (const auto& [degrees, expected] : {std::pair{80.0, 0u}, std::pair{100.0, 8u}}) {
        const Affine turn = compose({}, quat_from_axis_angle({0, 0, 1}, degrees * std::numbers::pi / 180), {1, 1, 1});
        auto moved = b.positions;
        for (Vec3& p : moved) p = to_float(transform_point(turn, to_double(p)));
        EXPECT_EQ(meter.flipped_triangles(moved, b.positions), expected);
    }
}

TEST(SurfaceMeter, ANonFiniteSurfaceIsNotHidden) {
    const Shape b = test::box_shape({0, 0, 0}, {1, 1, 1});
    const SurfaceMeter meter(b.positions, b.triangles, 1);
    auto moved = b.positions;
    moved[0].x = std::nanf("");
    EXPECT_TRUE(std::isinf(meter.edge_strain(moved).max));
    EXPECT_GT(meter.flipped_triangles(moved, b.positions), 0u);
    EXPECT_TRUE(std::isnan(*meter.volume_ratio(moved)));
    EXPECT_TRUE(std::isnan(surface_offset(moved, b.positions, 1).max));
}

TEST(SurfaceOffset, IsMeasuredInSizes) {
    const std::vector<Vec3> a{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    auto b = a;
    b[1].y += 2;
    const Offset o = surface_offset(a, b, 4);
    EXPECT_NEAR(o.max, 0.5, 1e-12);
    EXPECT_NEAR(o.rms, 0.25, 1e-12);  // sqrt(4 / 4) / 4
    EXPECT_EQ(surface_offset({}, {}, 4).max, 0);
}

TEST(JitterMeter, OnlyRestingFramesCount) {
    JitterMeter meter;
    const auto frame = [&](float x, bool resting) { meter.frame(std::vector<Vec3>{{x, 0, 0}}, resting, 2); };
    frame(0, true);
    EXPECT_EQ(meter.value(), 0);
    frame(5, false);  // the skeleton moved
    EXPECT_EQ(meter.value(), 0);
    frame(5.5f, true);
    EXPECT_NEAR(meter.value(), 0.25, 1e-12);
    frame(5.6f, true);
    EXPECT_NEAR(meter.value(), 0.25, 1e-12);
    meter.frame(std::vector<Vec3>(3), true, 2);  // another surface
    EXPECT_NEAR(meter.value(), 0.25, 1e-12);
}

TEST(Curvature, OfAPrismIsItsFacetAngle) {
    for (const int sides : {3, 4, 6, 12, 64}) {
        for (const bool flat : {false, true}) {
            Shape s = test::prism_walls(sides);
            if (flat) s = test::unwelded(s);
            std::vector<std::uint32_t> all;
            for (std::uint32_t t = 0; t < s.triangles.size() / 3; ++t) all.push_back(t);
            const Weld weld = weld_by_position(s.positions);
            EXPECT_NEAR(joint_curvature(s.positions, s.triangles, weld, all), 2 * std::numbers::pi / sides, 1e-6);
        }
    }
}

TEST(Curvature, LooksOnlyAtConnectedTrianglesAndTheirNeighbours) {
    // A sheet of five quads along x: flat at first, then with a step of 90 degrees between the fourth and the fifth.
    Shape s;
    for (int i = 0; i <= 5; ++i)
        for (const float z : {0.0f, 1.0f}) s.positions.push_back({i < 5 ? float(i) : 4.0f, i < 5 ? 0.0f : 1.0f, z});
    for (std::uint32_t i = 0; i < 5; ++i)
        for (const std::uint32_t v : {2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3})
            s.triangles.push_back(v);
    const Weld weld = weld_by_position(s.positions);
    const auto curvature = [&](std::vector<std::uint32_t> connected) {
        return joint_curvature(s.positions, s.triangles, weld, connected);
    };
    EXPECT_NEAR(curvature({0, 1, 2, 3}), 0, 1e-9);
    EXPECT_NEAR(curvature({6, 7}), std::numbers::pi / 2, 1e-9);  // the fourth quad sees the step through its neighbour
    EXPECT_NEAR(curvature({9}), 0, 1e-9);                        // the far half of the fifth does not touch the fold
    EXPECT_EQ(curvature({}), 0);
}

/// Splits every triangle 1:4; midpoints are created twice and merged by their position.
Shape split(const Shape& s) {
    Shape out{s.positions, {}};
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
        out.positions.push_back((s.positions[a] + s.positions[b]) * 0.5f);
        return static_cast<std::uint32_t>(out.positions.size() - 1);
    };
    for (std::size_t t = 0; t < s.triangles.size(); t += 3) {
        const std::uint32_t a = s.triangles[t], b = s.triangles[t + 1], c = s.triangles[t + 2];
        const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
        for (const std::uint32_t v : {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca}) out.triangles.push_back(v);
    }
    return out;
}

/// The reference values of docs/formulas.md B7: a coarse tube bent by 135 degrees, with the rotation spread evenly over
/// a zone.
TEST(Curvature, OfTheBentTubeIsThatOfTheMethodSheet) {
    struct Row {
        double half_width, degrees[3];
    };
    for (const Row& row : {Row{2, {102.1, 59.3, 64.7}}, Row{1.5, {167.8, 102.5, 72.7}}}) {
        const Mesh tube = test::tube_mesh({8, 12, 1});
        Shape s{tube.positions, tube.triangles};
        s.triangles.resize(8 * 12 * 6);  // without the caps
        for (const double expected : row.degrees) {
            std::vector<std::uint32_t> all;
            for (std::uint32_t t = 0; t < s.triangles.size() / 3; ++t) all.push_back(t);
            auto bent = s.positions;
            for (Vec3& p : bent) {
                const double t = std::clamp((double{p.x} + row.half_width) / (2 * row.half_width), 0.0, 1.0);
                const Quat q = quat_from_axis_angle({0, 0, 1}, t * 135 * std::numbers::pi / 180);
                p = to_float(rotate(q, to_double(p)));
            }
            const double angle = joint_curvature(bent, s.triangles, weld_by_position(s.positions), all);
            EXPECT_NEAR(angle * 180 / std::numbers::pi, expected, 0.06);
            s = split(s);
        }
    }
}

TEST(Curvature, SkipsDegenerateTrianglesAndBorders) {
    Shape s;
    s.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5f, 0, 0}};
    s.triangles = {0, 1, 2, 0, 3, 1};  // the second has no area
    const Weld weld = weld_by_position(s.positions);
    EXPECT_EQ(joint_curvature(s.positions, s.triangles, weld, std::vector<std::uint32_t>{0, 1}), 0);
}

}  // namespace
}  // namespace fascia
