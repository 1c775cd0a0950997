#include "sim/lattice_swing.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fascia/math.h"

namespace fascia::sim {
namespace {

/// An L-shaped block of particles with the regions of radius 2 along its edges.
struct Block {
    std::vector<Vec3d> places;
    std::vector<std::uint32_t> first{0}, members;
    std::size_t stride = 0;
    std::vector<float> rest;
    std::vector<std::uint8_t> bone;
    SwingRegions regions;

    Block() {
        for (int z = 0; z < 3; ++z)
            for (int y = 0; y < 6; ++y)
                for (int x = 0; x < 6; ++x)
                    if (x < 3 || y < 3) places.push_back({double(x), double(y), double(z)});
        for (std::size_t p = 0; p < places.size(); ++p) {
            for (std::uint32_t q = 0; q < places.size(); ++q) {
                const Vec3d d = places[q] - places[p];
                if (std::abs(d.x) + std::abs(d.y) + std::abs(d.z) < 2.5) members.push_back(q);
            }
            first.push_back(std::uint32_t(members.size()));
        }
        stride = (places.size() + 7) / 8 * 8 + 8;
        rest = channels(places);
        bone.assign(places.size(), 0);
        regions = make_swing_regions(first, members, rest, stride, bone);
    }
    std::vector<float> channels(const std::vector<Vec3d>& v) const {
        std::vector<float> out(3 * stride, 0);
        for (std::size_t p = 0; p < v.size(); ++p)
            out[p] = float(v[p].x), out[stride + p] = float(v[p].y), out[2 * stride + p] = float(v[p].z);
        return out;
    }
    Vec3d at(const std::vector<float>& c, std::size_t p) const { return {c[p], c[stride + p], c[2 * stride + p]}; }
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
    const Block b;
    Dice dice;
    std::vector<Vec3d> places = b.places, speeds;
    for (Vec3d& p : places) {
        p += dice.vector() * 0.3;
        speeds.push_back(dice.vector());
    }
    const std::vector<float> x = b.channels(places);
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
    damp_regions(b.regions, x, 0.5f, v, scratch);
    const double after = sums(l1, a1);
    EXPECT_LT(length(l1 - l0), 1e-4);
    EXPECT_LT(length(a1 - a0), 1e-3);
    EXPECT_LT(after, 0.8 * before);
}

TEST(LatticeSwing, RegionDampingLeavesRigidMotionAlone) {
    const Block b;
    const Vec3d spin{0.3, -0.2, 0.5}, shift{1, 2, 3};
    std::vector<Vec3d> speeds;
    for (const Vec3d& p : b.places) speeds.push_back(shift + cross(spin, p));
    std::vector<float> v = b.channels(speeds);
    std::vector<float> scratch(v.size());
    damp_regions(b.regions, b.rest, 1.0f, v, scratch);
    for (std::size_t p = 0; p < speeds.size(); ++p) EXPECT_LT(length(b.at(v, p) - speeds[p]), 1e-4);
}

TEST(LatticeSwing, AFitOfARigidlyMovedBodyHasNoGoalElsewhere) {
    const Block b;
    const Quat q = quat_from_axis_angle(normalized(Vec3d{1, 2, -1}), 0.4);
    std::vector<Vec3d> places;
    for (const Vec3d& p : b.places) places.push_back(rotate(q, p) + Vec3d{3, 1, -2});
    const std::vector<float> x = b.channels(places);
    std::vector<float> turned(4 * b.stride, 0), rotations(4 * b.stride, 0), goals(3 * b.stride, 0);
    for (std::size_t p = 0; p < b.stride; ++p) {
        turned[p] = float(q.w), turned[b.stride + p] = float(q.x);
        turned[2 * b.stride + p] = float(q.y), turned[3 * b.stride + p] = float(q.z);
        rotations[p] = 1;
    }
    std::vector<double> records(b.regions.listed.size() * ListedRegions::record);
    ThreadPool pool(1);
    fit_swing(b.regions, b.rest, x, turned, rotations, goals, records, pool);
    for (std::size_t p = 0; p < places.size(); ++p) EXPECT_LT(length(b.at(goals, p)), 1e-4) << p;
}

/// One particle pulled out of a block at rest: goals of its regions, by the definition in double (rotations stay 1 by
/// symmetry only for translation, so the whole block is shifted instead).
TEST(LatticeSwing, AUniformOffsetIsPulledBackByWhatDeltaLeaves) {
    const Block b;
    SwingTuning tuning;
    tuning.alpha = 0.1f;
    tuning.delta.assign(b.stride, 0.75f);
    tuning.drive.assign(b.stride, 1.0f);
    tuning.limit = 100;
    std::vector<float> turned(4 * b.stride, 0), rotations(4 * b.stride, 0), driven = b.rest, last = b.rest;
    for (std::size_t p = 0; p < b.stride; ++p) turned[p] = rotations[p] = 1;
    std::vector<float> positions = b.rest, v(3 * b.stride, 0), speed(3 * b.stride, 0), mixed(3 * b.stride),
                       goals(3 * b.stride), base(3 * b.stride), base_turns(4 * b.stride);
    for (std::size_t p = 0; p < b.places.size(); ++p) positions[p] += 1;  // along x
    std::vector<double> records(b.regions.listed.size() * ListedRegions::record);
    ThreadPool pool(1);
    SwingArrays arrays{driven,    turned, last,  speed, positions,  v,      rotations,
                       {0, 0, 0}, mixed,  goals, base,  base_turns, records};
    swing(b.regions, b.rest, b.bone, tuning, arrays, pool);
    // u' = u - alpha (1 - delta) u
    for (std::size_t p = 0; p < b.places.size(); ++p) EXPECT_NEAR(positions[p] - b.rest[p], 1 - 0.1 * 0.25, 1e-4);
}

}  // namespace
}  // namespace fascia::sim
