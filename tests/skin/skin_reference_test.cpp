// The scalar reference against docs/formulas.md in double.
#include "skin/skin_reference.h"

#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace fascia {
namespace {

struct Rigid {
    Quat q;
    Vec3d t;
    Affine matrix() const { return compose(t, q, {1, 1, 1}); }
};

struct Scene {
    std::vector<Rigid> joints;
    std::vector<Vec3> positions;
    BoundWeights weights;
    std::vector<float> rows, duals;
};

Scene random_scene(unsigned seed, double largest_angle) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    Scene s;
    std::vector<Affine> maps;
    for (int j = 0; j < 12; ++j) {
        const Vec3d axis = normalized(Vec3d{unit(random), unit(random), unit(random)});
        s.joints.push_back(
            {quat_from_axis_angle(axis, largest_angle * unit(random)), {unit(random), unit(random), unit(random)}});
        maps.push_back(s.joints.back().matrix());
    }
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    for (int v = 0; v < 300; ++v) {
        s.positions.push_back(to_float(Vec3d{unit(random), unit(random), unit(random)}));
        for (int k = 0; k < 4; ++k) {
            joints.push_back(static_cast<std::uint16_t>(random() % 12));
            weights.push_back(static_cast<float>(std::abs(unit(random))));
        }
    }
    s.weights = bind_weights({s.positions, {}, {}, joints, weights, 4});
    s.rows.resize(12 * row_floats);
    s.duals.resize(12 * dual_floats);
    std::vector<Affine> phase1(12);
    matrix_rows(maps, s.rows);
    EXPECT_FALSE(split_rigid(maps, std::vector<Vec3d>(12), s.duals, phase1).has_phase1);
    return s;
}

/// C1 literally: align to the pivot, blend, normalise both parts, rotate, translate by the vector part.
Vec3d textbook_dqs(const Scene& s, std::size_t v) {
    const auto sum = [](Quat a, double w, Quat b) {
        return Quat{a.w + w * b.w, a.x + w * b.x, a.y + w * b.y, a.z + w * b.z};
    };
    const Quat pivot = s.joints[s.weights.pivots[v]].q;
    Quat b0{0, 0, 0, 0}, be{0, 0, 0, 0};
    for (std::size_t k = 0; k < 4; ++k) {
        const Rigid& j = s.joints[s.weights.joints[4 * v + k]];
        const double w = s.weights.weights[4 * v + k] * (dot(j.q, pivot) < 0 ? -1.0 : 1.0);
        const Quat e = Quat{0, j.t.x, j.t.y, j.t.z} * j.q;
        b0 = sum(b0, w, j.q);
        be = sum(be, 0.5 * w, e);
    }
    const double norm = std::sqrt(dot(b0, b0));
    b0 = {b0.w / norm, b0.x / norm, b0.y / norm, b0.z / norm};
    be = {be.w / norm, be.x / norm, be.y / norm, be.z / norm};
    const Vec3d v0{b0.x, b0.y, b0.z}, ve{be.x, be.y, be.z};
    const Vec3d t = (ve * b0.w - v0 * be.w + cross(v0, ve)) * 2.0;
    return rotate(b0, to_double(s.positions[v])) + t;
}

TEST(Reference, LbsIsTheSumOfWeightedMaps) {
    const Scene s = random_scene(1, 3.1);
    std::vector<Vec3> out(s.positions.size());
    lbs_reference(s.rows, s.weights, s.positions, {}, out);
    for (std::size_t v = 0; v < out.size(); ++v) {
        Vec3d expected;
        for (std::size_t k = 0; k < 4; ++k)
            expected += transform_point(s.joints[s.weights.joints[4 * v + k]].matrix(), to_double(s.positions[v])) *
                        double{s.weights.weights[4 * v + k]};
        EXPECT_LT(length(to_double(out[v]) - expected), 1e-6);
    }
}

TEST(Reference, DqsIsTheTextbooks) {
    for (const double angle : {0.01, 1.0, 3.1}) {
        const Scene s = random_scene(2, angle);
        std::vector<Vec3> out(s.positions.size());
        dqs_reference(s.duals, s.weights, s.positions, 1, {}, out);
        for (std::size_t v = 0; v < out.size(); ++v)
            EXPECT_LT(length(to_double(out[v]) - textbook_dqs(s, v)), 5e-6) << "angle " << angle << " vertex " << v;
    }
}

TEST(Reference, DqsDoesNotCareAboutTheSignOfAnyQuaternion) {
    const Scene s = random_scene(3, 3.1);
    std::vector<Vec3> out(s.positions.size()), flipped(s.positions.size());
    dqs_reference(s.duals, s.weights, s.positions, 1, {}, out);
    std::vector<float> duals = s.duals;
    for (std::size_t j = 0; j < 12; j += 2)
        for (std::size_t e = 0; e < dual_floats; ++e) duals[j * dual_floats + e] *= -1;
    dqs_reference(duals, s.weights, s.positions, 1, {}, flipped);
    for (std::size_t v = 0; v < out.size(); ++v)
        EXPECT_EQ(std::memcmp(&out[v], &flipped[v], sizeof(Vec3)), 0) << "vertex " << v;
}

TEST(Reference, DqsOfOneBoneIsItsMatrix) {
    Scene s = random_scene(4, 3.14159);
    for (std::size_t i = 0; i < s.weights.weights.size(); ++i) s.weights.weights[i] = i % 4 == 0 ? 1.0f : 0.0f;
    for (std::size_t v = 0; v < s.positions.size(); ++v) s.weights.pivots[v] = s.weights.joints[4 * v];
    std::vector<Vec3> out(s.positions.size());
    dqs_reference(s.duals, s.weights, s.positions, 1, {}, out);
    for (std::size_t v = 0; v < out.size(); ++v) {
        const Vec3d expected = transform_point(s.joints[s.weights.joints[4 * v]].matrix(), to_double(s.positions[v]));
        EXPECT_LT(length(to_double(out[v]) - expected), 1e-6);
    }
}

/// Opposite rotations with equal weights: after alignment the blend is at least as long as the pivot's weight.
TEST(Reference, OppositeRotationsGiveARotation) {
    for (const double angle : {3.14159265358979, -3.14159265358979, 3.1415, 6.2831}) {
        const Affine maps[2] = {compose({}, quat_from_axis_angle({1, 0, 0}, 0), {1, 1, 1}),
                                compose({}, quat_from_axis_angle({1, 0, 0}, angle), {1, 1, 1})};
        std::vector<float> duals(2 * dual_floats);
        Affine phase1[2];
        const Vec3d pivots[2] = {};
        split_rigid(maps, pivots, duals, phase1);
        BoundWeights w;
        w.influences = 2;
        w.joints = {0, 1};
        w.weights = {0.5f, 0.5f};
        w.pivots = {0};
        const std::vector<Vec3> in{{0.3f, 1, 0}};
        std::vector<Vec3> out(1);
        dqs_reference(duals, w, in, 1, {}, out);
        EXPECT_NEAR(std::hypot(out[0].y, out[0].z), 1, 1e-6);
        EXPECT_NEAR(out[0].x, 0.3, 1e-6);
    }
}

TEST(Reference, CollapsedDirectionsGetAUnitVector) {
    // Half of the identity plus half of a half turn about x: y and z vanish.
    const Affine maps[2] = {{}, compose({}, {0, 1, 0, 0}, {1, 1, 1})};
    std::vector<float> rows(2 * row_floats);
    matrix_rows(maps, rows);
    BoundWeights w;
    w.influences = 2;
    w.joints = {0, 1, 0, 1};
    w.weights = {0.5f, 0.5f, 0.5f, 0.5f};
    w.pivots = {0, 0};
    const std::vector<Vec3> in{{0, 0, 1}, {1, 0, 0}};
    std::vector<Vec3> out(2);
    lbs_directions_reference(rows, w, in, out);
    EXPECT_EQ(out[0], (Vec3{0, 1, 0}));
    EXPECT_EQ(out[1], (Vec3{1, 0, 0}));
}

}  // namespace
}  // namespace fascia
