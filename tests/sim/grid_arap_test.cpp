// The bar of docs/formulas.md C10, and what every as-rigid-as-possible solver must keep.
#include "sim/grid_arap.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace fascia::sim {
namespace {

constexpr double degrees = std::numbers::pi / 180;

/// A bar of cells with the corners of both ends held.
class Bar {
public:
    int nx, ny, nz;
    std::vector<std::array<int, 3>> places;
    std::vector<std::uint32_t> ends;
    std::vector<std::uint8_t> held;

    Bar(int x_cells, int y_cells, int z_cells, int slab) : nx(x_cells), ny(y_cells), nz(z_cells) {
        for (int z = 0; z <= nz; ++z)
            for (int y = 0; y <= ny; ++y)
                for (int x = 0; x <= nx; ++x) {
                    places.push_back({x, y, z});
                    held.push_back(x <= slab || x >= nx - slab);
                    const int own[3] = {x, y, z}, most[3] = {nx, ny, nz};
                    for (int side = 0; side < 6; ++side) {
                        std::array<int, 3> q{x, y, z};
                        const auto axis = std::size_t(side / 2);
                        q[axis] += side % 2 == 1 ? 1 : -1;
                        const bool there = q[axis] >= 0 && q[axis] <= most[axis];
                        ends.push_back(there ? at(q[0], q[1], q[2]) : at(own[0], own[1], own[2]));
                    }
                }
    }
    std::uint32_t at(int x, int y, int z) const { return std::uint32_t((z * (ny + 1) + y) * (nx + 1) + x); }
    GridArap solver() const { return GridArap({places, ends, held}); }
    Vec3d rest(std::size_t p) const {
        return {places[p][0] - 0.5 * nx, places[p][1] - 0.5 * ny, places[p][2] - 0.5 * nz};
    }
};

struct Pose {
    std::vector<float> places, rotations;
};

Vec3d place(const Pose& pose, std::size_t p) {
    const float* v = &pose.places[arap_floats * p];
    return {v[0], v[1], v[2]};
}

/// Linear blending from one end to the other over the middle three quarters, as in docs/formulas.md C10.
Pose skinned(const Bar& bar, const GridArap& arap, Vec3d axis, double angle) {
    Pose out{std::vector<float>(arap_places(bar.places.size())), std::vector<float>(4 * arap.stride())};
    const double reach = 0.375 * bar.nx;
    const auto weight = [&](std::size_t p) { return std::clamp((bar.rest(p).x + reach) / (2 * reach), 0.0, 1.0); };
    for (std::size_t p = 0; p < bar.places.size(); ++p) {
        const Vec3d v = bar.rest(p);
        const Vec3d to = v * (1 - weight(p)) + rotate(quat_from_axis_angle(axis, angle), v) * weight(p);
        out.places[arap_floats * p] = float(to.x);
        out.places[arap_floats * p + 1] = float(to.y);
        out.places[arap_floats * p + 2] = float(to.z);
    }
    for (std::size_t k = 0; k < arap.stride(); ++k) {
        const std::size_t p = arap.turned()[std::min(k, arap.turned().size() - 1)];
        const Quat q = quat_from_axis_angle(axis, angle * weight(p));
        const double values[4] = {q.w, q.x, q.y, q.z};
        for (std::size_t c = 0; c < 4; ++c) out.rotations[c * arap.stride() + k] = float(values[c]);
    }
    return out;
}

/// Of the closed surface around the bar, two triangles per face, in percent of rest.
double volume(const Bar& bar, const Pose& pose) {
    double sum = 0;
    const auto quad = [&](std::array<int, 3> o, int u, int v, bool flip) {
        auto a = o, b = o, c = o;
        a[std::size_t(u)] += 1, b[std::size_t(u)] += 1, b[std::size_t(v)] += 1, c[std::size_t(v)] += 1;
        const auto p = [&](std::array<int, 3> k) { return place(pose, bar.at(k[0], k[1], k[2])); };
        const double six = dot(p(o), cross(p(a), p(b))) + dot(p(o), cross(p(b), p(c)));
        sum += (flip ? -six : six) / 6;
    };
    const int most[3] = {bar.nx, bar.ny, bar.nz};
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int i = 0; i < most[u]; ++i)
            for (int j = 0; j < most[v]; ++j)
                for (const int upper : {0, 1}) {
                    std::array<int, 3> o{};
                    o[std::size_t(axis)] = upper * most[axis], o[std::size_t(u)] = i, o[std::size_t(v)] = j;
                    quad(o, u, v, upper == 0);
                }
    }
    return 100 * sum / (bar.nx * bar.ny * bar.nz);
}

struct Row {
    Vec3d axis;
    double angle, lbs, two, fifty;
};

TEST(GridArap, TheBarOfTheSheet) {
    const Bar bar(24, 6, 6, 1);
    const GridArap arap = bar.solver();
    ThreadPool pool(1);
    ArapScratch scratch;
    for (const Row& row : {Row{{0, 0, 1}, 90, 87.4, 91.1, 90.2}, Row{{1, 0, 0}, 90, 75.0, 97.3, 97.9},
                           Row{{1, 0, 0}, 135, 57.3, 93.4, 95.3}}) {
        Pose pose = skinned(bar, arap, row.axis, row.angle * degrees);
        EXPECT_NEAR(volume(bar, pose), row.lbs, 0.1) << row.angle;
        for (int k = 0; k < 2; ++k) arap.iterate(pose.places, pose.rotations, 1, scratch, pool);
        EXPECT_NEAR(volume(bar, pose), row.two, 0.1) << row.angle;
        for (int k = 2; k < 50; ++k) arap.iterate(pose.places, pose.rotations, 1, scratch, pool);
        EXPECT_NEAR(volume(bar, pose), row.fifty, 0.1) << row.angle;
    }
}

/// Read after every half of every iteration.
void expect_energy_to_fall(const GridArap& arap, Pose& pose, int iterations, float step = 1) {
    ThreadPool pool(1);
    ArapScratch scratch;
    double last = 1e300;
    for (int k = 0; k < iterations; ++k) {
        arap.fit(pose.places, pose.rotations, scratch, pool);
        const double turned = arap.energy(pose.places, pose.rotations);
        EXPECT_LE(turned, last * (1 + 1e-6)) << "turning in iteration " << k;
        arap.relax(pose.places, step, scratch, pool);
        last = arap.energy(pose.places, pose.rotations);
        EXPECT_LE(last, turned * (1 + 1e-6)) << "moving in iteration " << k;
    }
}

TEST(GridArap, EnergyNeverRises) {
    const Bar bar(16, 5, 4, 1);
    const GridArap arap = bar.solver();
    for (const Vec3d axis : {Vec3d{0, 0, 1}, Vec3d{1, 0, 0}, Vec3d{0.6, 0, 0.8}})
        for (const double angle : {30.0, 90.0, 135.0, 178.0}) {
            Pose pose = skinned(bar, arap, axis, angle * degrees);
            expect_energy_to_fall(arap, pose, 30);
            pose = skinned(bar, arap, axis, angle * degrees);
            expect_energy_to_fall(arap, pose, 30, 1.8f);
        }
}

TEST(GridArap, ElementsThatAreInsideOutComeBack) {
    const Bar bar(10, 4, 4, 1);
    const GridArap arap = bar.solver();
    Pose pose = skinned(bar, arap, {0, 0, 1}, 0);
    for (std::size_t p = 0; p < bar.places.size(); ++p)
        if (!bar.held[p]) pose.places[arap_floats * p] *= -1;  // the middle is turned inside out
    expect_energy_to_fall(arap, pose, 400);
    double worst = 0;
    for (std::size_t p = 0; p < bar.places.size(); ++p) worst = std::max(worst, length(place(pose, p) - bar.rest(p)));
    EXPECT_LT(worst, 1e-2);
}

TEST(GridArap, ATurnedBodyIsTurnedAndNothingElse) {
    const Bar bar(12, 4, 4, 1);
    const GridArap arap = bar.solver();
    ThreadPool pool(1);
    ArapScratch scratch;
    const Quat q = quat_from_axis_angle({0.6, 0.8, 0}, 2.1);
    const Vec3d shift{3, -2, 5};
    Pose one = skinned(bar, arap, {0, 0, 1}, 80 * degrees), two = one;
    for (std::size_t p = 0; p < bar.places.size(); ++p) {
        const Vec3d v = rotate(q, place(one, p)) + shift;
        two.places[arap_floats * p] = float(v.x);
        two.places[arap_floats * p + 1] = float(v.y);
        two.places[arap_floats * p + 2] = float(v.z);
    }
    for (std::size_t k = 0; k < arap.stride(); ++k) {
        const std::size_t n = arap.stride();
        const Quat turned =
            q * Quat{one.rotations[k], one.rotations[n + k], one.rotations[2 * n + k], one.rotations[3 * n + k]};
        two.rotations[k] = float(turned.w), two.rotations[n + k] = float(turned.x);
        two.rotations[2 * n + k] = float(turned.y), two.rotations[3 * n + k] = float(turned.z);
    }
    for (int k = 0; k < 5; ++k) {
        arap.iterate(one.places, one.rotations, 1, scratch, pool);
        arap.iterate(two.places, two.rotations, 1, scratch, pool);
    }
    for (std::size_t p = 0; p < bar.places.size(); ++p)
        EXPECT_LT(length(rotate(q, place(one, p)) + shift - place(two, p)), 1e-4);
}

/// The gradient of the energy at the points where an iteration has come to rest, by finite differences.
TEST(GridArap, ComesToRestWhereTheEnergyIsLeast) {
    const Bar bar(8, 3, 3, 1);
    const GridArap arap = bar.solver();
    ThreadPool pool(1);
    ArapScratch scratch;
    Pose pose = skinned(bar, arap, {0, 0, 1}, 60 * degrees);
    for (int k = 0; k < 300; ++k) arap.iterate(pose.places, pose.rotations, 1, scratch, pool);
    arap.fit(pose.places, pose.rotations, scratch, pool);
    for (const std::size_t p :
         {std::size_t(bar.at(4, 1, 1)), std::size_t(bar.at(3, 0, 2)), std::size_t(bar.at(5, 3, 3))})
        for (std::size_t c = 0; c < 3; ++c) {
            const float step = 0.01f;
            float& x = pose.places[arap_floats * p + c];
            const float was = x;
            x = was + step;
            const double more = arap.energy(pose.places, pose.rotations);
            x = was - step;
            const double less = arap.energy(pose.places, pose.rotations);
            x = was;
            EXPECT_NEAR((more - less) / (2 * step), 0, 2e-3);
        }
}

/// A few rounds of Newton's method end where hundreds of iterations would, and each lowers the energy.
TEST(GridArap, NewtonIsThereSoon) {
    const Bar bar(16, 5, 4, 1);
    const GridArap arap = bar.solver();
    ThreadPool pool(1);
    ArapScratch scratch;
    for (const Vec3d axis : {Vec3d{0, 0, 1}, Vec3d{1, 0, 0}, Vec3d{0.6, 0, 0.8}})
        for (const double angle : {30.0, 90.0, 135.0}) {
            Pose slow = skinned(bar, arap, axis, angle * degrees);
            for (int k = 0; k < 2; ++k) arap.iterate(slow.places, slow.rotations, 1, scratch, pool);
            Pose quick = slow;
            for (int k = 0; k < 600; ++k) arap.iterate(slow.places, slow.rotations, 1, scratch, pool);
            double last = 1e300;
            int rounds = 0;
            while (arap.newton(quick.places, quick.rotations, scratch, pool)) {
                ASSERT_LT(++rounds, 12) << angle;
                const double now = arap.energy(quick.places, quick.rotations);
                EXPECT_LE(now, last * (1 + 1e-5)) << angle << ", round " << rounds;
                last = now;
            }
            EXPECT_GT(rounds, 0);
            EXPECT_LE(last, arap.energy(slow.places, slow.rotations) * (1 + 1e-4)) << angle;
            // At 135 degrees, hundreds of iterations are not enough.
            for (std::size_t p = 0; angle < 100 && p < bar.places.size(); ++p)
                ASSERT_LT(length(place(quick, p) - place(slow, p)), 0.01) << axis.x << " " << angle;
        }
}

/// The solution of a bend is a good start for that of a bend a little further on: one round is enough.
TEST(GridArap, NewtonNeedsOneRoundFromNearby) {
    const Bar bar(24, 6, 6, 1);
    const GridArap arap = bar.solver();
    ThreadPool pool(1);
    ArapScratch scratch;
    const Vec3d axis{0, 0.6, 0.8};
    Pose pose = skinned(bar, arap, axis, 60 * degrees);
    for (int k = 0; k < 600; ++k) arap.iterate(pose.places, pose.rotations, 1, scratch, pool);
    const Pose next = skinned(bar, arap, axis, 62 * degrees);
    for (std::size_t p = 0; p < bar.places.size(); ++p)
        if (bar.held[p]) std::copy_n(&next.places[arap_floats * p], 3, &pose.places[arap_floats * p]);
    Pose there = pose, plain = pose;
    for (int k = 0; k < 600; ++k) arap.iterate(there.places, there.rotations, 1, scratch, pool);
    EXPECT_TRUE(arap.newton(pose.places, pose.rotations, scratch, pool));
    arap.iterate(plain.places, plain.rotations, 1, scratch, pool);
    double off = 0, off_plain = 0;
    for (std::size_t p = 0; p < bar.places.size(); ++p) {
        off = std::max(off, length(place(pose, p) - place(there, p)));
        off_plain = std::max(off_plain, length(place(plain, p) - place(there, p)));
    }
    EXPECT_LT(off, 0.02);
    EXPECT_GT(off_plain, 10 * off);
}

/// However far the start: what Newton would make worse is done by an iteration.
TEST(GridArap, NewtonsEnergyNeverRises) {
    const Bar bar(10, 4, 4, 1);
    const GridArap arap = bar.solver();
    ThreadPool pool(1);
    ArapScratch scratch;
    for (const double angle : {0.0, 150.0, 178.0}) {
        Pose pose = skinned(bar, arap, {1, 0, 0}, angle * degrees);
        if (angle == 0)
            for (std::size_t p = 0; p < bar.places.size(); ++p)
                if (!bar.held[p]) pose.places[arap_floats * p] *= -1;  // inside out
        arap.fit(pose.places, pose.rotations, scratch, pool);
        double last = arap.energy(pose.places, pose.rotations);
        for (int k = 0; k < 60; ++k) {
            arap.newton(pose.places, pose.rotations, scratch, pool);
            const double now = arap.energy(pose.places, pose.rotations);
            EXPECT_LE(now, last * (1 + 1e-5) + 1e-5) << angle << ", round " << k;
            last = now;
        }
    }
}

/// What edges lose by a bend and a twist comes back, and the shape that they have found stays.
TEST(GridArap, VolumeIsRestored) {
    const Bar bar(24, 6, 6, 1);
    const GridArap arap = bar.solver();
    ThreadPool pool(1);
    ArapScratch scratch;
    for (const Row& row : {Row{{0, 0, 1}, 90, 0, 0, 0}, Row{{1, 0, 0}, 90, 0, 0, 0}, Row{{1, 0, 0}, 135, 0, 0, 0}}) {
        Pose pose = skinned(bar, arap, row.axis, row.angle * degrees);
        for (int k = 0; k < 10; ++k) arap.iterate(pose.places, pose.rotations, 1, scratch, pool);
        const Pose before = pose;
        const double lost = 100 - volume(bar, pose);
        for (int k = 0; k < 2; ++k) arap.restore_volume(pose.places, pose.rotations, 1.4f, scratch, pool);
        EXPECT_LT(std::abs(100 - volume(bar, pose)), 0.3 * lost) << row.angle;
        for (int k = 0; k < 8; ++k) arap.restore_volume(pose.places, pose.rotations, 1.4f, scratch, pool);
        EXPECT_NEAR(volume(bar, pose), 100, 0.06 * lost) << row.angle;
        double furthest = 0;
        for (std::size_t p = 0; p < bar.places.size(); ++p)
            furthest = std::max(furthest, length(place(pose, p) - place(before, p)));
        EXPECT_LT(furthest, 1) << row.angle;
    }
}

/// A body that has its volume everywhere is left alone, however it is turned.
TEST(GridArap, WhatHasItsVolumeStays) {
    const Bar bar(8, 4, 4, 1);
    const GridArap arap = bar.solver();
    ThreadPool pool(1);
    ArapScratch scratch;
    Pose pose = skinned(bar, arap, {0, 0, 1}, 0);
    const Quat q = quat_from_axis_angle({0.6, 0, 0.8}, 1.3);
    for (std::size_t p = 0; p < bar.places.size(); ++p) {
        const Vec3d at = place(pose, p);
        // Sheared, which keeps volume, and turned.
        const Vec3d to = rotate(q, {at.x + 0.3 * at.y, at.y, at.z});
        pose.places[arap_floats * p] = float(to.x);
        pose.places[arap_floats * p + 1] = float(to.y);
        pose.places[arap_floats * p + 2] = float(to.z);
    }
    const Pose before = pose;
    arap.restore_volume(pose.places, pose.rotations, 1, scratch, pool);
    for (std::size_t p = 0; p < bar.places.size(); ++p) EXPECT_LT(length(place(pose, p) - place(before, p)), 1e-4);
}

TEST(GridArap, NothingFreeNothingMoved) {
    Bar bar(3, 2, 2, 5);
    const GridArap arap = bar.solver();
    EXPECT_EQ(arap.free_count(), 0u);
    ThreadPool pool(1);
    ArapScratch scratch;
    Pose pose = skinned(bar, arap, {0, 0, 1}, 0);
    const std::vector<float> before = pose.places;
    arap.iterate(pose.places, pose.rotations, 1, scratch, pool);
    EXPECT_FALSE(arap.newton(pose.places, pose.rotations, scratch, pool));
    EXPECT_EQ(pose.places, before);
}

TEST(GridArap, SameBitsForAnyNumberOfThreads) {
    const Bar bar(20, 8, 8, 1);
    const GridArap arap = bar.solver();
    const auto run = [&](int threads) {
        ThreadPool pool(threads);
        ArapScratch scratch;
        Pose pose = skinned(bar, arap, {0, 0, 1}, 1.5);
        for (int k = 0; k < 3; ++k) arap.iterate(pose.places, pose.rotations, 1, scratch, pool);
        arap.restore_volume(pose.places, pose.rotations, 1, scratch, pool);
        arap.newton(pose.places, pose.rotations, scratch, pool);
        return pose.places;
    };
    EXPECT_EQ(run(1), run(4));
}

}  // namespace
}  // namespace fascia::sim
