// What every as-rigid-as-possible surface must keep (docs/formulas.md C3).
#include "sim/surface_arap.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace fascia::sim {
namespace {

/// A closed tube along x with rings of `around` vertices and two caps.
struct SurfaceTube {
    std::vector<Vec3> positions;
    std::vector<std::uint32_t> triangles;
    int rings, around;

    SurfaceTube(int ring_count, int vertices_around) : rings(ring_count), around(vertices_around) {
        for (int r = 0; r < rings; ++r)
            for (int k = 0; k < around; ++k) {
                const double angle = 2 * std::numbers::pi * k / around;
                positions.push_back({0.25f * float(r), float(std::cos(angle)), float(std::sin(angle))});
            }
        const auto at = [&](int r, int k) { return std::uint32_t(r * around + k % around); };
        const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            triangles.insert(triangles.end(), {a, b, c});
        };
        for (int r = 0; r + 1 < rings; ++r)
            for (int k = 0; k < around; ++k) {
                add(at(r, k), at(r + 1, k + 1), at(r + 1, k));
                add(at(r, k), at(r, k + 1), at(r + 1, k + 1));
            }
        for (int k = 1; k + 1 < around; ++k) {
            add(at(0, 0), at(0, k + 1), at(0, k));
            add(at(rings - 1, 0), at(rings - 1, k), at(rings - 1, k + 1));
        }
    }
};

struct Posed {
    SurfaceArap arap;
    SurfaceHold hold;
    std::vector<float> places, rotations;
};

/// Both ends are held; the far one turns about the middle, everything between is blended.
Posed bent(const SurfaceTube& tube, Vec3d axis, double angle) {
    Posed out;
    out.arap = SurfaceArap(tube.positions, cotangent_graph(tube.positions, tube.triangles));
    const std::size_t n = tube.positions.size();
    const double length_x = 0.25 * (tube.rings - 1);
    std::vector<std::uint8_t> held(n);
    out.places.resize(arap_places(n));
    out.rotations.assign(4 * out.arap.stride(), 0);
    for (std::size_t k = 0; k < out.arap.stride(); ++k) {
        const std::size_t p = std::min(k, n - 1);
        const Vec3d rest = to_double(out.arap.rest()[p]) - Vec3d{0.5 * length_x, 0, 0};
        const double share = std::clamp(rest.x / length_x + 0.5, 0.0, 1.0);
        out.rotations[k] = 1;
        if (k >= n) continue;
        held[p] = share < 0.15 || share > 0.85;
        const double t = share < 0.15 ? 0 : share > 0.85 ? 1 : share;
        const Vec3d to = rest * (1 - t) + rotate(quat_from_axis_angle(axis, angle), rest) * t;
        out.places[arap_floats * p] = float(to.x);
        out.places[arap_floats * p + 1] = float(to.y);
        out.places[arap_floats * p + 2] = float(to.z);
    }
    out.hold = SurfaceHold(out.arap, held);
    return out;
}

TEST(CotangentGraph, HasTheCotangentsOfItsTriangles) {
    // Two right triangles: 45 degrees opposite the legs, 90 opposite the diagonal.
    const std::vector<Vec3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const std::vector<std::uint32_t> triangles{0, 1, 2, 0, 2, 3};
    const CotangentGraph graph = cotangent_graph(square, triangles);
    ASSERT_EQ(graph.size(), 4u);
    EXPECT_EQ(graph.to, (std::vector<std::uint32_t>{1, 2, 3, 0, 2, 0, 1, 3, 0, 2}));
    const float legs = 0.5f, diagonal = 1e-3f;
    for (const std::size_t e : {0u, 2u, 3u, 4u, 6u, 7u, 8u, 9u}) EXPECT_FLOAT_EQ(graph.weights[e], legs) << e;
    EXPECT_FLOAT_EQ(graph.weights[1], diagonal);
    EXPECT_FLOAT_EQ(graph.weights[5], diagonal);
}

TEST(CotangentGraph, SliversAndPointsAreBounded) {
    const std::vector<Vec3> positions{{0, 0, 0}, {1, 0, 0}, {0.5f, 1e-7f, 0}, {0.5f, 0, 0}, {0.5f, 0, 0}};
    const CotangentGraph graph = cotangent_graph(positions, std::vector<std::uint32_t>{0, 1, 2, 3, 4, 0, 1, 1, 2});
    for (const float w : graph.weights) {
        EXPECT_GE(w, 1e-3f);
        EXPECT_LE(w, 50.0f);
    }
}

TEST(SurfaceArap, EnergyNeverRises) {
    ThreadPool pool(1);
    ArapScratch scratch;
    for (const Vec3d axis : {Vec3d{0, 0, 1}, Vec3d{1, 0, 0}, Vec3d{0.6, 0, 0.8}})
        for (const double degrees : {40.0, 90.0, 150.0}) {
            Posed pose = bent(SurfaceTube(24, 13), axis, degrees * std::numbers::pi / 180);
            double last = 1e300;
            for (int k = 0; k < 12; ++k) {
                pose.arap.fit(pose.places, pose.rotations, scratch, pool);
                const double turned = pose.arap.energy(pose.places, pose.rotations);
                EXPECT_LE(turned, last * (1 + 1e-6)) << "turning in iteration " << k;
                pose.hold.relax(pose.arap, pose.places, scratch, pool);
                last = pose.arap.energy(pose.places, pose.rotations);
                EXPECT_LE(last, turned * (1 + 1e-6)) << "moving in iteration " << k;
            }
        }
}

/// `pull` is minus a quarter of the gradient by finite differences.
TEST(SurfaceArap, PullsAgainstTheGradient) {
    ThreadPool pool(1);
    ArapScratch scratch;
    Posed pose = bent(SurfaceTube(10, 9), {0, 0, 1}, 1.0);
    pose.arap.fit(pose.places, pose.rotations, scratch, pool);
    pose.arap.pull(pose.places, scratch, pool);
    // At fixed rotations the gradient of both ends of every edge counts.
    for (const std::size_t p : {0u, 17u, 44u, 80u})
        for (std::size_t c = 0; c < 3; ++c) {
            const float step = 0.01f;
            float& x = pose.places[arap_floats * p + c];
            const float was = x;
            x = was + step;
            const double more = pose.arap.energy(pose.places, pose.rotations);
            x = was - step;
            const double less = pose.arap.energy(pose.places, pose.rotations);
            x = was;
            EXPECT_NEAR(-4 * scratch.values[c * pose.arap.stride() + p], (more - less) / (2 * double(step)), 2e-3);
        }
}

/// One global step solves its linear system: nothing is left to pull at free points.
TEST(SurfaceArap, AStepLeavesNothingToPullAtFreePoints) {
    ThreadPool pool(1);
    ArapScratch scratch;
    Posed pose = bent(SurfaceTube(40, 17), {0, 0, 1}, 1.2);
    pose.arap.fit(pose.places, pose.rotations, scratch, pool);
    pose.hold.relax(pose.arap, pose.places, scratch, pool);
    pose.arap.pull(pose.places, scratch, pool);
    std::vector<std::uint8_t> held(pose.arap.point_count(), 0);
    for (const std::uint32_t p : pose.hold.held()) held[p] = 1;
    double free_pull = 0, held_pull = 0;
    for (std::size_t p = 0; p < held.size(); ++p)
        for (std::size_t c = 0; c < 3; ++c) {
            double& most = held[p] ? held_pull : free_pull;
            most = std::max(most, double(std::abs(scratch.values[c * pose.arap.stride() + p])));
        }
    EXPECT_LT(free_pull, 2e-5);
    EXPECT_GT(held_pull, 1e-3);
}

TEST(SurfaceArap, ATurnedSurfaceComesToRestTurned) {
    ThreadPool pool(1);
    ArapScratch scratch;
    const SurfaceTube tube(16, 11);
    Posed pose = bent(tube, {0, 0, 1}, 0);
    const Quat q = quat_from_axis_angle({0.6, 0.8, 0}, 1.9);
    const Vec3d middle{0.125 * (tube.rings - 1), 0, 0};
    std::vector<std::uint8_t> held(pose.arap.point_count(), 0);
    for (const std::uint32_t p : pose.hold.held()) held[p] = 1;
    for (std::size_t p = 0; p < held.size(); ++p) {
        const Vec3d to = rotate(q, to_double(pose.arap.rest()[p]) - middle);
        if (!held[p]) continue;  // the free ones have to find their way
        pose.places[arap_floats * p] = float(to.x);
        pose.places[arap_floats * p + 1] = float(to.y);
        pose.places[arap_floats * p + 2] = float(to.z);
    }
    for (int k = 0; k < 300; ++k) {
        pose.arap.fit(pose.places, pose.rotations, scratch, pool);
        pose.hold.relax(pose.arap, pose.places, scratch, pool);
    }
    double worst = 0;
    for (std::size_t p = 0; p < held.size(); ++p) {
        const float* at = &pose.places[arap_floats * p];
        const Vec3d to = rotate(q, to_double(pose.arap.rest()[p]) - middle);
        worst = std::max(worst, length(Vec3d{at[0], at[1], at[2]} - to));
    }
    EXPECT_LT(worst, 1e-3);
}

TEST(SurfaceArap, SameBitsForAnyNumberOfThreads) {
    const auto run = [](int threads) {
        ThreadPool pool(threads);
        ArapScratch scratch;
        Posed pose = bent(SurfaceTube(60, 19), {0, 0, 1}, 1.5);
        for (int k = 0; k < 3; ++k) {
            pose.arap.fit(pose.places, pose.rotations, scratch, pool);
            pose.hold.relax(pose.arap, pose.places, scratch, pool);
        }
        return pose.places;
    };
    EXPECT_EQ(run(1), run(3));
}

}  // namespace
}  // namespace fascia::sim
