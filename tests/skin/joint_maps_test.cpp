#include "skin/joint_maps.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace fascia {
namespace {

double difference(const Affine& a, const Affine& b) {
    double worst = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) worst = std::max(worst, std::abs(a.m[r][c] - b.m[r][c]));
    return worst;
}

Affine transposed(const Affine& a) {
    Affine t;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) t.m[r][c] = a.m[c][r];
    return t;
}

Affine random_map(std::mt19937& random, double shear) {
    std::uniform_real_distribution<double> unit(-1, 1);
    const Quat q = normalized(Quat{unit(random), unit(random), unit(random), unit(random)});
    Affine a = compose({unit(random), unit(random), unit(random)}, q, {1, 1, 1});
    Affine stretch;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) stretch.m[r][c] += shear * unit(random);
    return a * stretch;
}

TEST(Polar, GivesARotationAndASymmetricStretch) {
    std::mt19937 random(3);
    for (int round = 0; round < 500; ++round) {
        const Affine a = random_map(random, 0.3);
        if (determinant(a) < 0.05) continue;
        const Polar p = polar(a);
        EXPECT_LT(difference(p.rotation * transposed(p.rotation), Affine{}), 1e-13);
        EXPECT_GT(determinant(p.rotation), 0);
        EXPECT_LT(difference(p.stretch, transposed(p.stretch)), 1e-12);
        Affine back = p.rotation * p.stretch;
        for (int r = 0; r < 3; ++r) back.m[r][3] = a.m[r][3];
        EXPECT_LT(difference(back, a), 1e-12);
    }
}

TEST(Polar, DoesNotDependOnScale) {
    std::mt19937 random(4);
    for (const double s : {1e-6, 0.1, 100.0, 1e6}) {
        const Affine a = random_map(random, 0.2);
        const Affine scaled = a * compose({}, {}, {s, s, s});
        EXPECT_LT(difference(polar(a).rotation, polar(scaled).rotation), 1e-12) << s;
    }
}

TEST(RigidSplit, PutsTheMapTogetherAgain) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(-1, 1);
    std::vector<Affine> maps;
    std::vector<Vec3d> pivots;
    for (int j = 0; j < 20; ++j) {
        maps.push_back(random_map(random, 0.15));
        pivots.push_back({unit(random), unit(random), unit(random)});
    }
    std::vector<float> duals(maps.size() * dual_floats);
    std::vector<Affine> phase1(maps.size());
    const RigidSplit split = split_rigid(maps, pivots, duals, phase1);
    EXPECT_TRUE(split.has_phase1);
    for (std::size_t j = 0; j < maps.size(); ++j) {
        const float* d = duals.data() + j * dual_floats;
        const Quat q{d[0], d[1], d[2], d[3]}, e{d[4], d[5], d[6], d[7]};
        const Quat t = e * conjugate(q);  // half of the translation
        const Vec3d v{unit(random), unit(random), unit(random)};
        const Vec3d moved =
            rotate(q, transform_point(phase1[j], v) * double{split.common_scale}) + Vec3d{2 * t.x, 2 * t.y, 2 * t.z};
        EXPECT_LT(length(moved - transform_point(maps[j], v)), 2e-6);
        // The stretch keeps the joint itself in place.
        EXPECT_LT(length(transform_point(phase1[j], pivots[j]) - pivots[j]), 1e-12);
    }
}

TEST(RigidSplit, TakesAScaledArmatureForRigid) {
    std::mt19937 random(6);
    for (const double s : {0.1, 1.0, 100.0}) {
        std::vector<Affine> maps;
        for (int j = 0; j < 5; ++j) maps.push_back(compose({}, {}, {s, s, s}) * random_map(random, 0));
        std::vector<float> duals(maps.size() * dual_floats);
        std::vector<Affine> phase1(maps.size());
        const RigidSplit split = split_rigid(maps, std::vector<Vec3d>(maps.size()), duals, phase1);
        EXPECT_FALSE(split.has_phase1);
        EXPECT_NEAR(split.common_scale, s, 1e-6 * s);
        EXPECT_FALSE(scales_unevenly(maps));
    }
}

TEST(CofactorRows, CarryNormalsOfAnUnevenScale) {
    const Affine a = compose({1, 2, 3}, quat_from_axis_angle({0, 0, 1}, 0.7), {2, 0.5, 3});
    std::vector<float> rows(row_floats);
    cofactor_rows(std::vector<Affine>{a}, rows);
    EXPECT_TRUE(scales_unevenly(std::vector<Affine>{a}));
    // Two tangents of a plane; the carried normal must stay orthogonal to both carried tangents.
    const Vec3d u{1, 1, 0}, v{0, 1, 1}, n = cross(u, v);
    Vec3d carried;
    carried.x = rows[0] * n.x + rows[1] * n.y + rows[2] * n.z;
    carried.y = rows[4] * n.x + rows[5] * n.y + rows[6] * n.z;
    carried.z = rows[8] * n.x + rows[9] * n.y + rows[10] * n.z;
    EXPECT_NEAR(dot(carried, transform_vector(a, u)), 0, 1e-6);
    EXPECT_NEAR(dot(carried, transform_vector(a, v)), 0, 1e-6);
    const Vec3d exact = cross(transform_vector(a, u), transform_vector(a, v));
    EXPECT_LT(length(carried - exact), 1e-6);
}

}  // namespace
}  // namespace fascia
