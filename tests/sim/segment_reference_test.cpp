#include "sim/segment_reference.h"

#include <gtest/gtest.h>

#include "base/portable_math.h"
#include "sim/block.h"
#include "sim/rotation_fit.h"

namespace fascia::sim {
namespace {

using test::Block;
using test::l_shape;

// ---- drive -----------------------------------------------------------------------------------------------------
void put_dual(Quat q, Vec3d t, float* out) {
    const Quat d = Quat{0, t.x, t.y, t.z} * q;
    const double v[8] = {q.w, q.x, q.y, q.z, d.w / 2, d.x / 2, d.y / 2, d.z / 2};
    for (int k = 0; k < 8; ++k) out[k] = float(v[k]);
}

TEST(Drive, OneJointMovesRigidly) {
    Block block = l_shape();
    const Quat q = normalized(Quat{0.2, 0.5, -0.3, 0.7});
    const Vec3d t{1, -2, 0.5};
    std::vector<float> duals(8);
    put_dual(q, t, duals.data());
    drive_reference(block.rig(), duals, block.driven, block.turned);
    for (const std::size_t i : block.points) {
        EXPECT_LT(length(block.at(block.driven, i) - (rotate(q, block.at(block.rest, i)) + t)), 1e-6);
        EXPECT_NEAR(block.turned[i], q.w, 1e-6);
    }
}

TEST(Drive, BlendsAlongTheScrewOnTheSideOfTheQuaternions) {
    // Two joints about one axis, 120 degrees apart: half and half gives exactly 60 degrees, with the radius kept. With
    // one sign flipped they are 240 degrees apart the other way round.
    Block block = l_shape();
    std::vector<float> duals(16);
    put_dual({}, {}, duals.data());
    put_dual(quat_from_axis_angle({0, 0, 1}, 2 * 3.14159265358979 / 3), {}, duals.data() + 8);
    for (int flip = 0; flip < 2; ++flip) {
        for (const std::size_t i : block.points) {
            block.joints[block.stride + i] = 1;
            block.weights[i] = block.weights[block.stride + i] = 0.5f;
        }
        drive_reference(block.rig(), duals, block.driven, block.turned);
        const Quat half = quat_from_axis_angle({0, 0, 1}, 3.14159265358979 / 3 - flip * 3.14159265358979);
        for (const std::size_t i : block.points)
            EXPECT_LT(length(block.at(block.driven, i) - rotate(half, block.at(block.rest, i))), 1e-6) << flip;
        for (int k = 8; k < 16; ++k) duals[k] = -duals[k];
    }
}

TEST(Drive, BlendsLinearlyWhereAskedTo) {
    // The weighted mean of two images: the radius shrinks by the cosine of half the angle, whatever the quaternions'
    // signs.
    Block block = l_shape();
    const Quat turn = normalized(Quat{0.2, 0.5, -0.7, 0.3});
    const Vec3d away{0.5, -1, 2};
    std::vector<float> duals(16);
    put_dual({}, {}, duals.data());
    put_dual(turn, away, duals.data() + 8);
    for (const std::size_t i : block.points) {
        block.joints[block.stride + i] = 1;
        block.weights[i] = 0.7f;
        block.weights[block.stride + i] = 0.3f;
    }
    ReferenceBody rig = block.rig();
    rig.linear = true;
    for (int flip = 0; flip < 2; ++flip) {
        drive_reference(rig, duals, block.driven, block.turned);
        for (const std::size_t i : block.points) {
            const Vec3d x = block.at(block.rest, i);
            EXPECT_LT(length(block.at(block.driven, i) - (x * 0.7 + (rotate(turn, x) + away) * 0.3)), 2e-6) << flip;
        }
        for (int k = 8; k < 16; ++k) duals[k] = -duals[k];
    }
}

// ---- predict ---------------------------------------------------------------------------------------------------
TEST(Predict, IsTheExactDampedOscillator) {
    Block block(
        1, [](int, int, int) { return true; }, [](int, int, int) { return false; });
    const double w = 2 * 3.14159265358979 * 4, zeta = 0.15, dt = block.dt, start = 0.03;
    const double e = std::exp(-zeta * w * dt), wd = w * std::sqrt(1 - zeta * zeta);
    block.alpha[0] = float(2 * e * std::cos(wd * dt) - e * e);
    block.beta[0] = float(e * e * dt);
    block.limit[0] = 100;
    block.match[0] = block.stretch[0] = 0;
    // u(t) = A e^(-zeta w t) cos(wd t): give the first two values, compare the rest.
    const auto exact = [&](double t) { return start * std::exp(-zeta * w * t) * std::cos(wd * t); };
    block.positions[0] = block.driven[0] + float(exact(0));
    block.velocities[0] = float((exact(0) - exact(-dt)) / dt);
    ReferenceArrays arrays = block.arrays();
    for (int k = 1; k <= 480; ++k) {
        step_reference(block.rig(), block.tuning(), arrays);
        EXPECT_NEAR(block.positions[0] - block.driven[0], exact(k * dt), 2e-5 * start * (1 + k)) << k;
    }
}

TEST(Predict, FleshFeelsTheShareOfTheAccelerationThatDriveSays) {
    Block block = l_shape();
    const std::size_t n = block.stride;
    for (const std::size_t i : block.points) block.drive[i] = i % 2 ? 1.0f : 0.25f;
    for (const std::size_t i : block.points) block.driven[i] += 0.01f;  // from rest to 2.4 m/s along x
    ReferenceArrays arrays = block.arrays();
    predict_reference(block.rig(), block.tuning(), arrays);
    for (const std::size_t i : block.points) {
        const double expected = -block.softness[i] * block.beta[i] * block.drive[i] * 0.01 / block.dt;
        EXPECT_NEAR(block.positions[i] - block.driven[i], expected, 1e-6);
        EXPECT_NEAR(block.positions[n + i], block.driven[n + i], 1e-7);
        EXPECT_NEAR(block.last_speed[i], 0.01 / block.dt, 1e-3);
    }
}

TEST(Predict, SteadyMotionIsNotFelt) {
    Block block = l_shape();
    ReferenceArrays arrays = block.arrays();
    for (int k = 0; k < 5; ++k) {
        for (const std::size_t i : block.points) block.driven[i] += 0.0625f;
        predict_reference(block.rig(), block.tuning(), arrays);
        if (k == 0) {
            // Only the start was an acceleration: discard its effect.
            std::copy(block.driven.begin(), block.driven.end(), block.positions.begin());
            std::fill(block.velocities.begin(), block.velocities.end(), 0.0f);
            continue;
        }
        for (const std::size_t i : block.points) EXPECT_NEAR(block.positions[i], block.driven[i], 1e-5);
    }
}

// ---- stretch ---------------------------------------------------------------------------------------------------
TEST(Stretch, IsTheMeanOfTheCorrectionsOfAllPairs) {
    Block block = l_shape();
    block.shake(3, 0.4);
    std::vector<Vec3d> sum(block.points.size());
    std::vector<int> count(block.points.size(), 0);
    for (std::size_t i = 0; i < block.points.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const auto a = block.cells[i], b = block.cells[j];
            const int dx = std::abs(a[0] - b[0]), dy = std::abs(a[1] - b[1]), dz = std::abs(a[2] - b[2]);
            if (std::max({dx, dy, dz}) != 1) continue;
            const double rest = block.h * std::sqrt(double(dx + dy + dz));
            const Vec3d d = block.at(block.positions, i) - block.at(block.positions, j);
            const double c = length(d) - rest, wi = block.softness[i], wj = block.softness[j];
            ++count[i];
            ++count[j];
            if (wi + wj == 0) continue;
            sum[i] += d * (-wi / (wi + wj) * c / length(d));
            sum[j] += d * (wj / (wi + wj) * c / length(d));
        }
    stretch_reference(block.rig(), block.tuning(), block.arrays(), block.positions, block.other);
    for (std::size_t i = 0; i < block.points.size(); ++i) {
        const Vec3d expected = block.at(block.positions, i) + sum[i] * (0.5 / count[i]);
        EXPECT_LT(length(block.at(block.other, i) - expected), 1e-6 * block.h * 30) << i;
    }
}

TEST(Stretch, LeavesRestAndRigidMotionAlone) {
    Block block = l_shape();
    const Quat q = normalized(Quat{0.4, 0.1, 0.8, -0.2});
    for (const std::size_t i : block.points) {
        const Vec3d p = rotate(q, block.at(block.rest, i));
        block.positions[i] = float(p.x);
        block.positions[block.stride + i] = float(p.y);
        block.positions[2 * block.stride + i] = float(p.z);
    }
    stretch_reference(block.rig(), block.tuning(), block.arrays(), block.positions, block.other);
    for (const std::size_t i : block.points)
        EXPECT_LT(length(block.at(block.other, i) - block.at(block.positions, i)), 1e-6 * block.h * 10);
}

TEST(Stretch, CoincidentPointsAreSkipped) {
    Block block = l_shape();
    const auto j =
        std::size_t(block.neighbours[27 * 5 + 14] >= 0 ? block.neighbours[27 * 5 + 14] : block.neighbours[27 * 5 + 12]);
    for (std::size_t c = 0; c < 3; ++c) block.positions[c * block.stride + 5] = block.positions[c * block.stride + j];
    stretch_reference(block.rig(), block.tuning(), block.arrays(), block.positions, block.other);
    for (const float v : block.other) EXPECT_TRUE(std::isfinite(v));
}

// ---- volume ----------------------------------------------------------------------------------------------------
/// Volume of point i by definition: half vectors, mirrored where a neighbour is missing.
double volume_of(const Block& block, const std::vector<Vec3d>& p, std::size_t i) {
    Vec3d edge[3];
    for (int axis = 0; axis < 3; ++axis) {
        std::array<int, 3> lo = block.cells[i], hi = block.cells[i];
        --lo[axis];
        ++hi[axis];
        const int l = block.find(lo), u = block.find(hi);
        const Vec3d up = u >= 0 ? (p[u] - p[i]) * 0.5 : Vec3d{}, down = l >= 0 ? (p[l] - p[i]) * 0.5 : Vec3d{};
        const Vec3d unit{axis == 0 ? block.h : 0, axis == 1 ? block.h : 0, axis == 2 ? block.h : 0};
        edge[axis] = u >= 0 && l >= 0 ? up - down : u >= 0 ? up * 2 : l >= 0 ? down * -2 : unit;
    }
    return dot(edge[0], cross(edge[1], edge[2]));
}

TEST(Volume, IsTheProjectionWithGradientsByDifferences) {
    Block block = l_shape();
    block.shake(9, 0.2);
    const std::size_t count = block.points.size();
    std::vector<Vec3d> p;
    for (std::size_t i = 0; i < count; ++i) p.push_back(block.at(block.positions, i));
    std::vector<Vec3d> sum(count);
    const double eps = 1e-6 * block.h;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<Vec3d> gradient(count);
        double bottom = 0;
        for (std::size_t j = 0; j < count; ++j) {
            if (std::abs(block.cells[i][0] - block.cells[j][0]) + std::abs(block.cells[i][1] - block.cells[j][1]) +
                    std::abs(block.cells[i][2] - block.cells[j][2]) >
                1)
                continue;
            for (double Vec3d::*c : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
                std::vector<Vec3d> a = p, b = p;
                a[j].*c += eps;
                b[j].*c -= eps;
                gradient[j].*c = (volume_of(block, a, i) - volume_of(block, b, i)) / (2 * eps);
            }
            bottom += block.volume_weight[j] * dot(gradient[j], gradient[j]);
        }
        if (bottom <= 1e-6 * std::pow(block.h, 4)) continue;
        const double excess = volume_of(block, p, i) - block.h * block.h * block.h;
        for (std::size_t j = 0; j < count; ++j) sum[j] += gradient[j] * (-block.volume_weight[j] * excess / bottom);
    }
    volume_reference(block.rig(), block.tuning(), 0.3f, block.arrays(), block.positions, block.other);
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_LT(length(block.at(block.other, i) - (p[i] + sum[i] * 0.3)), 2e-5 * block.h) << i;
}

TEST(Volume, RestoresASquashedBlock) {
    Block block(
        6, [](int, int, int) { return true; }, [](int, int, int) { return false; });
    for (const std::size_t i : block.points) block.positions[i] *= 0.9f;
    for (auto& w : block.volume_weight) w = 1;
    const auto mean = [&] {
        double sum = 0;
        std::vector<Vec3d> p;
        for (const std::size_t i : block.points) p.push_back(block.at(block.positions, i));
        for (const std::size_t i : block.points) sum += volume_of(block, p, i);
        return sum / double(block.points.size()) / std::pow(block.h, 3);
    };
    EXPECT_NEAR(mean(), 0.9, 1e-4);
    for (int k = 0; k < 40; ++k) {
        volume_reference(block.rig(), block.tuning(), 0.3f, block.arrays(), block.positions, block.other);
        std::swap(block.positions, block.other);
    }
    EXPECT_NEAR(mean(), 1.0, 0.01);
}

// ---- rotation --------------------------------------------------------------------------------------------------
double trace_with(const Matrix& a, Rotation q) {
    const Matrix r = matrix_of(q);
    double sum = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum += double(r.m[i][j]) * a.m[i][j];
    return sum;
}

TEST(RotationFit, NoRotationIsBetter) {
    std::mt19937 random(17);
    std::normal_distribution<float> by;
    for (int round = 0; round < 200; ++round) {
        // A stretched rotation near the guess, sometimes flat, sometimes slightly inverted.
        const Rotation truth = unit({by(random), by(random), by(random), by(random)});
        const Matrix r = matrix_of(truth);
        const float s[3] = {1.0f, 0.7f, round % 3 == 0 ? 0.0f : round % 3 == 1 ? -0.1f : 0.5f};
        const Rotation axes = unit({by(random), by(random), by(random), by(random)});
        const Matrix v = matrix_of(axes);
        Matrix a{};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                for (int k = 0; k < 3; ++k)
                    for (int l = 0; l < 3; ++l) a.m[i][j] += r.m[i][k] * v.m[k][l] * s[l] * v.m[j][l];
        const Rotation guess = unit(truth * Rotation{1, 0.1f * by(random), 0.1f * by(random), 0.1f * by(random)});
        const Rotation found = fit_rotation(a, guess);
        const double best = trace_with(a, found);
        EXPECT_NEAR(best, s[0] + s[1] + s[2], 1e-4) << "the trace of the stretch is the most a rotation can reach";
        for (int k = 0; k < 500; ++k)
            EXPECT_LE(trace_with(a, unit({by(random), by(random), by(random), by(random)})), best + 1e-4);
    }
}

TEST(RotationFit, FindsTheWayBackFromFarAway) {
    std::mt19937 random(5);
    std::normal_distribution<float> by;
    for (int round = 0; round < 300; ++round) {
        const Matrix a = matrix_of(unit({by(random), by(random), by(random), by(random)}));
        Rotation q = unit({by(random), by(random), by(random), by(random)});
        for (int k = 0; k < 30; ++k) q = fit_rotation(a, q);
        EXPECT_NEAR(trace_with(a, q), 3, 1e-3);
    }
}

// ---- match -----------------------------------------------------------------------------------------------------
struct M3 {
    double m[3][3] = {};
};

/// Higham's iteration in double, independent of the stage under test.
M3 polar(M3 a) {
    for (int round = 0; round < 100; ++round) {
        M3 c;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                c.m[i][j] = a.m[(i + 1) % 3][(j + 1) % 3] * a.m[(i + 2) % 3][(j + 2) % 3] -
                            a.m[(i + 1) % 3][(j + 2) % 3] * a.m[(i + 2) % 3][(j + 1) % 3];
        const double det = a.m[0][0] * c.m[0][0] + a.m[0][1] * c.m[0][1] + a.m[0][2] * c.m[0][2];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) a.m[i][j] = 0.5 * (a.m[i][j] + c.m[i][j] / det);
    }
    return a;
}

TEST(Match, GoalsAreThoseOfTheRegions) {
    Block block = l_shape();
    block.shake(21, 0.15);
    const std::size_t count = block.points.size();
    std::vector<Vec3d> x, x0;
    for (std::size_t i = 0; i < count; ++i)
        x.push_back(block.at(block.positions, i)), x0.push_back(block.at(block.rest, i));
    std::vector<Vec3d> goal(count);
    const auto in_region = [&](std::size_t r, std::size_t i) {
        for (int c = 0; c < 3; ++c)
            if (std::abs(block.cells[r][c] - block.cells[i][c]) > 1) return false;
        return true;
    };
    std::vector<int> owners(count, 0);
    for (std::size_t r = 0; r < count; ++r)
        for (std::size_t i = 0; i < count; ++i) owners[i] += in_region(r, i);
    for (std::size_t r = 0; r < count; ++r) {
        double mass = 0;
        Vec3d c, c0;
        for (std::size_t i = 0; i < count; ++i)
            if (in_region(r, i))
                mass += 1.0 / owners[i], c += x[i] * (1.0 / owners[i]), c0 += x0[i] * (1.0 / owners[i]);
        c = c * (1 / mass);
        c0 = c0 * (1 / mass);
        M3 a;
        for (std::size_t i = 0; i < count; ++i) {
            if (!in_region(r, i)) continue;
            const Vec3d p = x[i] - c, q = x0[i] - c0;
            const double pv[3] = {p.x, p.y, p.z}, qv[3] = {q.x, q.y, q.z};
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l) a.m[k][l] += pv[k] * qv[l] / owners[i];
        }
        for (int k = 0; k < 3; ++k)
            a.m[k][k] += 0.02 * block.h * block.h;  // kappa, the driven rotation is the identity
        const M3 rot = polar(a);
        for (std::size_t i = 0; i < count; ++i) {
            if (!in_region(r, i)) continue;
            const Vec3d q = x0[i] - c0;
            goal[i] += c + Vec3d{rot.m[0][0] * q.x + rot.m[0][1] * q.y + rot.m[0][2] * q.z,
                                 rot.m[1][0] * q.x + rot.m[1][1] * q.y + rot.m[1][2] * q.z,
                                 rot.m[2][0] * q.x + rot.m[2][1] * q.y + rot.m[2][2] * q.z};
        }
    }
    ReferenceArrays arrays = block.arrays();
    match_reference(block.rig(), block.tuning(), arrays, block.positions, block.other);
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d expected = x[i] + (goal[i] * (1.0 / owners[i]) - x[i]) * (0.3 * block.softness[i]);
        EXPECT_LT(length(block.at(block.other, i) - expected), 1e-5 * block.h) << i;
    }
}

TEST(Match, KeepsMomentumOfFreeFlesh) {
    // With masses shared among regions the corrections of a free body neither move nor turn it as a whole.
    Block block(
        4, [](int x, int y, int z) { return x < 2 || (y < 2 && z < 3); }, [](int, int, int) { return false; });
    block.shake(2, 0.3);
    for (const std::size_t r : block.points) block.region[4 * block.stride + r] = 0;
    ReferenceArrays arrays = block.arrays();
    match_reference(block.rig(), block.tuning(), arrays, block.positions, block.other);
    Vec3d linear, angular;
    double size = 0;
    for (const std::size_t i : block.points) {
        const Vec3d d = block.at(block.other, i) - block.at(block.positions, i);
        linear += d;
        angular += cross(block.at(block.positions, i), d);
        size += length(d);
    }
    EXPECT_LT(length(linear), 1e-5 * size);
    EXPECT_LT(length(angular), 1e-5 * size * block.h * 4);
}

TEST(Match, AFlatRegionTakesTheDrivenRotation) {
    Block block(
        4, [](int x, int y, int z) { return y == 0 && z == 0 && x >= 0; }, [](int, int, int) { return false; });
    const Quat q = quat_from_axis_angle({1, 0, 0}, 0.6);  // about the line itself, where the points do not determine it
    for (const std::size_t i : block.points) {
        block.turned[i] = float(q.w);
        block.turned[block.stride + i] = float(q.x);
    }
    ReferenceArrays arrays = block.arrays();
    match_reference(block.rig(), block.tuning(), arrays, block.positions, block.other);
    for (const std::size_t i : block.points) EXPECT_NEAR(std::abs(block.rotations[i]), 1, 1e-5);
}

// ---- update ----------------------------------------------------------------------------------------------------
TEST(Update, StaysBelowTheLimitAndIsSmoothAtHalfOfIt) {
    Block block(
        2, [](int, int, int) { return true; }, [](int, int, int) { return false; });
    double last = 0, slope = 1;
    for (double size = 0.01; size < 20; size *= 1.01) {
        block.positions = block.driven;
        block.positions[3] += float(size);
        ReferenceArrays arrays = block.arrays();
        const Motion motion = update_reference(block.rig(), block.tuning(), arrays);
        const double u = block.positions[3] - block.driven[3], limit = block.limit[3];
        EXPECT_LE(u, limit * 1.0001);
        EXPECT_GE(u, last - 1e-6);
        if (size < 0.5 * limit) {
            EXPECT_NEAR(u, size, 1e-6);
        }
        const double next = (u - last) / (0.01 * size / 1.01);
        if (size > 0.1 && size < 2 * limit) {
            EXPECT_NEAR(next, slope, 0.12);
        }
        slope = next;
        last = u;
        EXPECT_EQ(motion.limited, size > limit ? 1u : 0u);
    }
}

TEST(Update, VelocityIsTheChangeOfTheOffset) {
    Block block = l_shape();
    for (const std::size_t i : block.points) {
        block.offset[i] = 0.001f;
        block.positions[i] = block.driven[i] + 0.003f * block.softness[i];
    }
    ReferenceArrays arrays = block.arrays();
    const Motion motion = update_reference(block.rig(), block.tuning(), arrays);
    for (const std::size_t i : block.points)
        EXPECT_NEAR(block.velocities[i], block.softness[i] * 0.002 / block.dt, 1e-3);
    EXPECT_NEAR(motion.fastest, 0.002 / block.dt, 1e-3);
}

TEST(Update, DragSlowsWhatIsFlung) {
    Block block = l_shape();
    for (const std::size_t i : block.points) block.positions[i] = block.driven[i] + 0.003f * block.softness[i];
    ReferenceArrays arrays = block.arrays();
    ReferenceTuning tuning = block.tuning();
    tuning.drag = {.free_way = 0.002f, .half_way = 0.001f, .most = 1};
    update_reference(block.rig(), tuning, arrays);
    // 1 + 1 / (1 + 1) = 1.5: as far beyond the free way as half of the drag needs
    for (const std::size_t i : block.points)
        EXPECT_NEAR(block.velocities[i], block.softness[i] * 0.002 / block.dt, 1e-3);
}

TEST(Step, BoneIsDrivenAndNeverMoved) {
    Block block = l_shape();
    std::mt19937 random(1);
    std::uniform_real_distribution<float> by(-0.02f, 0.02f);
    ReferenceArrays arrays = block.arrays();
    for (int k = 0; k < 50; ++k) {
        const float x = by(random), y = by(random);
        for (const std::size_t i : block.points) block.driven[i] += x, block.driven[block.stride + i] += y;
        step_reference(block.rig(), block.tuning(), arrays);
        for (const std::size_t i : block.points) {
            if (block.softness[i] > 0) continue;
            for (std::size_t c = 0; c < 3; ++c)
                EXPECT_EQ(block.positions[c * block.stride + i], block.driven[c * block.stride + i]);
        }
    }
}

TEST(Step, ComesToRestAtRest) {
    Block block = l_shape();
    block.shake(4, 0.5);
    ReferenceArrays arrays = block.arrays();
    float fastest = 1;
    for (int k = 0; k < 2000; ++k) fastest = step_reference(block.rig(), block.tuning(), arrays).fastest;
    EXPECT_LT(fastest, 1e-4);
    for (const std::size_t i : block.points)
        EXPECT_LT(length(block.at(block.positions, i) - block.at(block.driven, i)), 1e-3 * block.h);
}

}  // namespace
}  // namespace fascia::sim
