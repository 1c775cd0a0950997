#include "sim/lattice_swing.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fascia/math.h"

namespace fascia::sim {
namespace {

/// An L-shaped block of particles, with regions of a given radius along its edges. A slit runs into its foot: what lies
/// across it is close but not a neighbour.
struct SlitBlock {
    std::vector<Site> sites;
    std::vector<Vec3d> places;
    std::vector<std::uint32_t> first{0}, members;
    std::vector<std::uint8_t> bone;
    SwingRegions regions;
    std::size_t stride = 0;
    std::vector<float> rest;

    explicit SlitBlock(int radius = 2) {
        for (int z = 0; z < 3; ++z)
            for (int y = 0; y < 6; ++y)
                for (int x = 0; x < 6; ++x)
                    if (x < 3 || y < 3) {
                        sites.push_back({x, y, z, 0});
                        places.push_back({double(x), double(y), double(z)});
                    }
        for (std::uint32_t p = 0; p < sites.size(); ++p) {
            const std::vector<int> steps = steps_from(p);
            for (std::uint32_t q = 0; q < sites.size(); ++q)
                if (steps[q] <= radius) members.push_back(q);
            first.push_back(std::uint32_t(members.size()));
        }
        bone.assign(places.size(), 0);
        regions = make_swing_regions(sites, {first, members}, radius, bone);
        stride = regions.stride();
        rest = channels(places);
    }
    static bool joined(const Site& a, const Site& b) {
        if (std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z) != 1) return false;
        return std::min(a.x, b.x) < 3 || std::min(a.y, b.y) != 1 || a.y == b.y;
    }
    std::vector<int> steps_from(std::uint32_t p) const {
        std::vector<int> steps(sites.size(), 1000);
        std::vector<std::uint32_t> queue{p};
        steps[p] = 0;
        for (std::size_t k = 0; k < queue.size(); ++k)
            for (std::uint32_t q = 0; q < sites.size(); ++q)
                if (steps[q] == 1000 && joined(sites[queue[k]], sites[q]))
                    steps[q] = steps[queue[k]] + 1, queue.push_back(q);
        return steps;
    }
    std::size_t slot(std::size_t p) const { return regions.slots()[p]; }
    std::vector<float> channels(const std::vector<Vec3d>& v) const {
        std::vector<float> out(3 * stride, 0);
        for (std::size_t p = 0; p < v.size(); ++p) {
            const std::size_t i = slot(p);
            out[i] = float(v[p].x), out[stride + i] = float(v[p].y), out[2 * stride + i] = float(v[p].z);
        }
        return out;
    }
    /// The same for what is read of neighbours.
    std::vector<float> spread(const std::vector<Vec3d>& v) const {
        std::vector<float> out(3 * regions.spread(), 0);
        spread_out(regions, channels(v), out);
        return out;
    }
    /// The same rotation everywhere.
    std::vector<float> turned(const Quat& q) const {
        std::vector<float> out(4 * stride, 0);
        const float values[4] = {float(q.w), float(q.x), float(q.y), float(q.z)};
        for (std::size_t p = 0; p < places.size(); ++p)
            for (std::size_t c = 0; c < 4; ++c) out[c * stride + slot(p)] = values[c];
        return out;
    }
    Vec3d at(const std::vector<float>& c, std::size_t p) const {
        const std::size_t i = slot(p);
        return {c[i], c[stride + i], c[2 * stride + i]};
    }
};

class Dice {
public:
    double next() {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return double(state_ >> 40) / double(1 << 24) - 0.5;
    }
    Vec3d vector() {
        const double x = next(), y = next(), z = next();
        return {x, y, z};
    }

private:
    std::uint64_t state_ = 11;
};

TEST(LatticeSwing, RegionDampingKeepsMomentumAndTakesEnergy) {
    const SlitBlock b;
    Dice dice;
    std::vector<Vec3d> places = b.places, speeds;
    for (Vec3d& p : places) {
        p += dice.vector() * 0.3;
        speeds.push_back(dice.vector());
    }
    const std::vector<float> x = b.channels(places), spread = b.spread(places);
    std::vector<float> v = b.channels(speeds);
    const auto sums = [&](Vec3d& linear, Vec3d& angular) {
        double energy = 0;
        linear = angular = {};
        for (std::size_t p = 0; p < places.size(); ++p) {
            linear += b.at(v, p);
            angular += cross(b.at(x, p), b.at(v, p));
            energy += dot(b.at(v, p), b.at(v, p));
        }
        return energy;
    };
    Vec3d l0, a0, l1, a1;
    const double before = sums(l0, a0);
    std::vector<float> scratch(v.size());
    damp_regions(b.regions, spread, 0.5f, v, scratch);
    const double after = sums(l1, a1);
    EXPECT_LT(length(l1 - l0), 1e-4);
    EXPECT_LT(length(a1 - a0), 1e-3);
    EXPECT_LT(after, 0.8 * before);
}

TEST(LatticeSwing, RegionDampingLeavesRigidMotionAlone) {
    const SlitBlock b;
    const Vec3d spin{0.3, -0.2, 0.5}, shift{1, 2, 3};
    std::vector<Vec3d> speeds;
    for (const Vec3d& p : b.places) speeds.push_back(shift + cross(spin, p));
    std::vector<float> v = b.channels(speeds);
    std::vector<float> scratch(v.size());
    damp_regions(b.regions, b.spread(b.places), 1.0f, v, scratch);
    for (std::size_t p = 0; p < speeds.size(); ++p) EXPECT_LT(length(b.at(v, p) - speeds[p]), 1e-4);
}

TEST(LatticeSwing, AFitOfARigidlyMovedBodyHasNoGoalElsewhere) {
    for (const int radius : {1, 2, 3}) {
        const SlitBlock b(radius);
        const Quat q = quat_from_axis_angle(normalized(Vec3d{1, 2, -1}), 0.4);
        std::vector<Vec3d> places;
        for (const Vec3d& p : b.places) places.push_back(rotate(q, p) + Vec3d{3, 1, -2});
        const std::vector<float> x = b.spread(places), turned = b.turned(q);
        std::vector<float> rotations = b.turned({}), goals(3 * b.stride, 0), fits(12 * b.regions.spread(), 0);
        ThreadPool pool(1);
        fit_swing(b.regions, {x, turned, rotations, fits, goals}, pool);
        for (std::size_t p = 0; p < places.size(); ++p) EXPECT_LT(length(b.at(goals, p)), 1e-4) << p;
    }
}

/// Closest rotation of a matrix, by many steps of gradient ascent in double.
Quat best_rotation(const double (&a)[3][3], Quat q) {
    for (int round = 0; round < 400; ++round) {
        const Vec3d r[3] = {rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})};
        Vec3d torque;
        double size = 1e-12;
        for (int c = 0; c < 3; ++c) {
            const Vec3d column{a[0][c], a[1][c], a[2][c]};
            torque += cross(r[c], column);
            size += std::abs(dot(r[c], column));
        }
        const Vec3d turn = torque * (1 / size);
        const double angle = length(turn);
        if (angle < 1e-14) break;
        q = normalized(quat_from_axis_angle(turn * (1 / angle), angle) * q);
    }
    return q;
}

/// docs/formulas.md 0.4 computed from lists in double, compared with the vectors: every radius, edges of the body and a
/// slit.
TEST(LatticeSwing, GoalsAreThoseOfTheListsInDouble) {
    for (const int radius : {1, 2, 3, 4}) {
        const SlitBlock b(radius);
        EXPECT_FALSE(b.regions.corrections.empty());  // the slit
        Dice dice;
        std::vector<Vec3d> places = b.places;
        const Quat turn = quat_from_axis_angle(normalized(Vec3d{1, -1, 2}), 0.7);
        for (Vec3d& p : places) p = rotate(turn, p + dice.vector() * 0.4) + Vec3d{30, -20, 10};
        const std::vector<float> x = b.spread(places), turned = b.turned(turn);
        std::vector<float> rotations = b.turned({}), goals(3 * b.stride, 0), fits(12 * b.regions.spread(), 0);
        ThreadPool pool(1);
        // Newton's method continues from where it was.
        for (int round = 0; round < 4; ++round) fit_swing(b.regions, {x, turned, rotations, fits, goals}, pool);

        std::vector<Vec3d> sums(places.size());
        for (std::size_t r = 0; r < places.size(); ++r) {
            const auto ball = std::span(b.members).subspan(b.first[r], b.first[r + 1] - b.first[r]);
            const auto share = [&](std::uint32_t p) { return 1.0 / (b.first[p + 1] - b.first[p]); };
            double mass = 0, a[3][3] = {};
            Vec3d c, c0;
            for (const std::uint32_t p : ball) {
                mass += share(p);
                c += places[p] * share(p);
                c0 += b.places[p] * share(p);
            }
            c = c * (1 / mass);
            c0 = c0 * (1 / mass);
            for (const std::uint32_t p : ball) {
                const Vec3d u = (places[p] - c) * share(p), d = b.places[p] - c0;
                const double us[3] = {u.x, u.y, u.z}, ds[3] = {d.x, d.y, d.z};
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < 3; ++j) a[i][j] += us[i] * ds[j];
            }
            // The skeleton's own rotation has a small weight.
            for (int j = 0; j < 3; ++j) {
                const Vec3d column = rotate(turn, {double(j == 0), double(j == 1), double(j == 2)}) * (0.02 * mass);
                a[0][j] += column.x, a[1][j] += column.y, a[2][j] += column.z;
            }
            const Quat best = best_rotation(a, turn);
            for (const std::uint32_t p : ball) sums[p] += rotate(best, b.places[p] - c0) + c - places[p];
        }
        for (std::size_t p = 0; p < places.size(); ++p)
            EXPECT_LT(length(b.at(goals, p) - sums[p]), 1e-3) << "radius " << radius << ", particle " << p;
    }
}

TEST(LatticeSwing, AUniformOffsetIsPulledBackByWhatDeltaLeaves) {
    const SlitBlock b;
    SwingTuning tuning;
    tuning.alpha = 0.1f;
    tuning.delta.assign(b.stride, 0.75f);
    tuning.drive.assign(b.stride, 1.0f);
    tuning.pull.assign(b.stride, 1.0f);
    tuning.limit.assign(b.stride, 100.0f);
    std::vector<Vec3d> shifted;
    for (const Vec3d& p : b.places) shifted.push_back(p + Vec3d{1, 0, 0});
    const std::vector<float> turned = b.turned({}), driven = b.rest;
    std::vector<float> rotations = turned, last = b.rest, positions = b.channels(shifted), v(3 * b.stride, 0),
                       speed(3 * b.stride, 0), mixed(3 * b.regions.spread()), goals(3 * b.stride),
                       fits(12 * b.regions.spread());
    ThreadPool pool(1);
    SwingArrays arrays{.driven = driven,
                       .turned = turned,
                       .last_driven = last,
                       .last_speed = speed,
                       .positions = positions,
                       .velocities = v,
                       .rotations = rotations,
                       .push = {},
                       .mixed = mixed,
                       .goals = goals,
                       .fits = fits,
                       .base_goals = {},
                       .base_places = {},
                       .base_rotations = {}};
    swing(b.regions, tuning, arrays, pool);
    // u' = u - alpha (1 - delta) u
    for (std::size_t p = 0; p < b.places.size(); ++p)
        EXPECT_LT(length(b.at(positions, p) - b.places[p] - Vec3d{1 - 0.1 * 0.25, 0, 0}), 1e-4);
}

}  // namespace
}  // namespace fascia::sim
