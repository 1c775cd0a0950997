// The vector passes compared with plain double loops over neighbours, which use nothing from src/sim but the data
// layout.
#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "base/isa.h"
#include "base/thread_pool.h"
#include "sim/segment_constants.h"
#include "sim/segment_run.h"
#include "sim/segments.h"

namespace fascia::sim {
namespace {

using Vec = Eigen::Vector3d;
using Mat = Eigen::Matrix3d;

/// A lump of cells with a thin arm and a hole, so that every kind of border occurs.
std::vector<Site> lump(int n) {
    std::vector<Site> sites;
    const double c = (n - 1) / 2.0;
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < 2 * n; ++x) {
                const double dx = (x - c) / c, dy = (y - c) / c, dz = (z - c) / c;
                const bool body = dx * dx + dy * dy + dz * dz < 1 && !(std::abs(dx) < 0.3 && std::abs(dy) < 0.3);
                const bool arm = x >= c && y == n / 2 && z == n / 2;
                if (body || arm) sites.push_back({x, y, z, 0});
            }
    return sites;
}

/// One body with everything that a step needs, both in plain per-point arrays and in segments.
struct Body {
    std::vector<Site> sites;
    std::map<std::tuple<int, int, int>, int> at;
    SegmentLayout layout;
    std::vector<double> mass, match, stretch_stiffness, volume_weight, pull, limit;
    std::vector<bool> bone;
    std::vector<int> regions;
    std::vector<Vec> p, a, v;
    std::vector<Eigen::Quaterniond> driven_rotation;

    std::vector<SegmentConstants> constants;
    BoxArray boxes;
    std::vector<std::uint32_t> box_of;
    std::vector<std::uint8_t> traits;
    std::vector<FaceLanes> face_lanes;
    std::vector<float> pair_weight, volume_channel, mass_channel;
    std::vector<float> position, velocity, driven, driven_velocity, rotation, other, plane_sums, fits, skinned_rotation;
    std::vector<std::uint32_t> irregular_first;
    SegmentStep step;

    int find(int x, int y, int z) const {
        const auto f = at.find({x, y, z});
        return f == at.end() ? -1 : f->second;
    }

    explicit Body(int n, unsigned seed = 1) : sites(lump(n)), layout(build_segments(sites)) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> unit(-1, 1);
        for (std::size_t i = 0; i < sites.size(); ++i) at[{sites[i].x, sites[i].y, sites[i].z}] = int(i);
        const std::size_t count = sites.size();
        for (std::size_t i = 0; i < count; ++i) {
            int members = 0;
            for (int d = 0; d < 27; ++d)
                members += find(sites[i].x + d % 3 - 1, sites[i].y + d / 3 % 3 - 1, sites[i].z + d / 9 - 1) >= 0;
            regions.push_back(members);
            mass.push_back(std::round(65536.0 / members) / 65536.0);
            bone.push_back((sites[i].x + 2 * sites[i].y) % 7 == 0);
            match.push_back(bone[i] ? 0 : 0.3);
            stretch_stiffness.push_back(bone[i] ? 0 : 0.25);
            volume_weight.push_back(bone[i] ? 0 : 0.5 + 0.5 * (i % 3 == 0));
            limit.push_back(3);
            // A twisted, sheared and noisy pose: far from rest, but not inverted.
            const Vec x0(sites[i].x, sites[i].y, sites[i].z);
            const double turn = 0.05 * x0.x();
            const Vec bent =
                Eigen::AngleAxisd(turn, Vec::UnitX()) * (Eigen::AngleAxisd(1.1, Vec(1, 2, 3).normalized()) * x0);
            a.push_back(bent + Vec(5, -3, 2));
            driven_rotation.emplace_back(Eigen::AngleAxisd(turn, Vec::UnitX()) *
                                         Eigen::AngleAxisd(1.1, Vec(1, 2, 3).normalized()));
            const Vec noise(unit(random), unit(random), unit(random));
            p.push_back(bone[i] ? a[i] : Vec(a[i] + 0.2 * noise));
            v.push_back(Vec(unit(random), unit(random), unit(random)));
        }
        for (std::size_t i = 0; i < count; ++i) {
            double bones = 0;
            for_box(int(i), [&](int j, int, int, int) { bones += bone[j] ? mass[j] : 0; });
            pull.push_back(4 * bones + 0.05);
        }
        fill();
    }

    template <class Visit>
    void for_box(int i, Visit&& visit) const {
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const int j = find(sites[i].x + dx, sites[i].y + dy, sites[i].z + dz);
                    if (j >= 0) visit(j, dx, dy, dz);
                }
    }

    void put(std::vector<float>& channel, const std::vector<Vec>& values) {
        channel.assign(3 * layout.stride, 0);
        for (std::size_t i = 0; i < sites.size(); ++i)
            for (int axis = 0; axis < 3; ++axis)
                channel[axis * layout.stride + layout.slots[i]] = float(values[i][axis]);
    }

    std::vector<Vec> get(const std::vector<float>& channel) const {
        std::vector<Vec> out;
        for (std::size_t i = 0; i < sites.size(); ++i)
            out.emplace_back(channel[layout.slots[i]], channel[layout.stride + layout.slots[i]],
                             channel[2 * layout.stride + layout.slots[i]]);
        return out;
    }

    void fill() {
        const std::size_t n = layout.stride;
        constants.assign(layout.segments(), {});
        boxes.assign(layout.segments(), {});
        traits.assign(layout.segments(), thin | pulled);
        face_lanes.assign(layout.segments(), {});
        pair_weight.assign(n, 0);
        volume_channel.assign(n, -1);
        mass_channel.assign(n, 0);
        rotation.assign(4 * n, 0);
        skinned_rotation.assign(4 * n, 0);
        for (std::size_t i = 0; i < sites.size(); ++i) {
            SegmentConstants& c = constants[layout.lane_of[i] / 8];
            SegmentBox& box = boxes[layout.lane_of[i] / 8];
            const int lane = layout.lane_of[i] % 8;
            double region_mass = 0;
            Vec c0 = Vec::Zero();
            int neighbours = 0;
            for_box(int(i), [&](int j, int dx, int dy, int dz) {
                region_mass += mass[j];
                c0 += mass[j] * Vec(dx, dy, dz);
                neighbours += j != int(i);
            });
            c0 /= region_mass;
            c.stretch[lane] = float(neighbours ? stretch_stiffness[i] / neighbours : 0);
            c.match[lane] = float(match[i] / regions[i]);
            c.matched[lane] = float(match[i]);
            c.limit[lane] = float(limit[i]);
            box.mass[lane] = float(region_mass);
            box.inverse_mass[lane] = float(1 / region_mass);
            for (int axis = 0; axis < 3; ++axis) box.center[axis][lane] = float(c0[axis]);
            box.bone_pull[lane] = float(pull[i]);
            c.soft[lane] = bone[i] ? 0.f : 1.f;
            const std::size_t slot = layout.slots[i];
            pair_weight[slot] = bone[i] ? 1.f : 0.5f;
            volume_channel[slot] = float(volume_weight[i]);
            mass_channel[slot] = float(mass[i]);
            const double q[4] = {driven_rotation[i].w(), driven_rotation[i].x(), driven_rotation[i].y(),
                                 driven_rotation[i].z()};
            for (int k = 0; k < 4; ++k) skinned_rotation[k * n + slot] = float(q[k]);
            rotation[slot] = 1;
        }
        put(position, p);
        put(driven, a);
        put(velocity, v);
        other.assign(3 * n, 0);
        driven_velocity.assign(3 * n, 0);
        plane_sums.assign(9 * n, 0);
        fits.assign(fit_channels * n, 0);
        irregular_first.assign(layout.segments() + 1, 0);
        set_volume_constants(layout, volume_channel, irregular_first, {}, constants, boxes, traits, face_lanes);
        box_of = share_boxes(boxes);
        step = {.stride = n,
                .rows = layout.rows.data(),
                .plane_rows = layout.plane_rows.data(),
                .live = layout.live.data(),
                .traits = traits.data(),
                .constants = constants.data(),
                .boxes = boxes.data(),
                .box_of = box_of.data(),
                .joint_first = nullptr,
                .joints = nullptr,
                .joint_weights = nullptr,
                .pair_weight = pair_weight.data(),
                .mass_share = mass_channel.data(),
                .irregular_first = irregular_first.data(),
                .irregular = nullptr,
                .differences = nullptr,
                .duals = nullptr,
                .force = nullptr,
                .inverse_dt = 240,
                .felt = {0, 0, 0},
                .volume_relaxation = 0.3f,
                .position = position.data(),
                .velocity = velocity.data(),
                .driven = driven.data(),
                .driven_velocity = driven_velocity.data(),
                .rotation = rotation.data(),
                .other = other.data(),
                .fits = fits.data(),
                .plane_sums = plane_sums.data(),
                .skinned_rotation = skinned_rotation.data()};
    }
};

double largest_difference(const std::vector<Vec>& a, const std::vector<Vec>& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, (a[i] - b[i]).norm());
    return worst;
}

std::vector<Vec> plain_stretch(const Body& b, const std::vector<Vec>& p) {
    std::vector<Vec> out = p;
    for (std::size_t i = 0; i < p.size(); ++i) {
        Vec sum = Vec::Zero();
        int neighbours = 0;
        b.for_box(int(i), [&](int j, int dx, int dy, int dz) {
            if (j == int(i)) return;
            ++neighbours;
            const double wi = b.bone[i] ? 0 : 1, wj = b.bone[j] ? 0 : 1;
            if (wi + wj == 0) return;
            const Vec d = p[i] - p[j];
            sum += -wi / (wi + wj) * (d.norm() - Vec(dx, dy, dz).norm()) * d.normalized();
        });
        if (neighbours) out[i] += b.stretch_stiffness[i] * sum / neighbours;
    }
    return out;
}

void stretch_all(const Body& b) {
    FASCIA_DISPATCH(pull_forward)(b.step, 0, b.layout.segments());
    FASCIA_DISPATCH(stretch)(b.step, 0, b.layout.segments());
}

TEST(SegmentStep, StretchEqualsPairwiseCorrections) {
    Body b(13);
    stretch_all(b);
    EXPECT_LT(largest_difference(b.get(b.other), plain_stretch(b, b.p)), 2e-6);
}

/// Octant sum with missing neighbours mirrored; corrections by finite differences of the volume.
double mirrored_volume(const Body& b, const std::vector<Vec>& p, int i) {
    Mat axes;
    for (int axis = 0; axis < 3; ++axis) {
        int d[3] = {0, 0, 0};
        d[axis] = 1;
        const Site& s = b.sites[i];
        const int up = b.find(s.x + d[0], s.y + d[1], s.z + d[2]), down = b.find(s.x - d[0], s.y - d[1], s.z - d[2]);
        Vec plus = up >= 0 ? Vec((p[up] - p[i]) / 2) : Vec::Zero(),
            minus = down >= 0 ? Vec((p[down] - p[i]) / 2) : Vec::Zero();
        if (up < 0) plus = -minus;
        if (down < 0) minus = -plus;
        axes.col(axis) = plus - minus;
        if (up < 0 && down < 0) axes.col(axis) = b.driven_rotation[i] * Vec::Unit(axis);
    }
    return axes.determinant();
}

std::vector<Vec> plain_volume(const Body& b, const std::vector<Vec>& p) {
    std::vector<Vec> out = p, moved = p;
    for (std::size_t i = 0; i < p.size(); ++i) {
        std::vector<std::pair<int, Vec>> gradients;
        double denominator = 0;
        b.for_box(int(i), [&](int j, int dx, int dy, int dz) {
            if (std::abs(dx) + std::abs(dy) + std::abs(dz) > 1) return;
            Vec g;
            for (int axis = 0; axis < 3; ++axis) {
                const double e = 1e-4;
                moved[j][axis] = p[j][axis] + e;
                const double above = mirrored_volume(b, moved, int(i));
                moved[j][axis] = p[j][axis] - e;
                g[axis] = (above - mirrored_volume(b, moved, int(i))) / (2 * e);
                moved[j][axis] = p[j][axis];
            }
            gradients.emplace_back(j, g);
            denominator += b.volume_weight[j] * g.squaredNorm();
        });
        if (denominator < 1e-3) continue;
        const double volume = mirrored_volume(b, p, int(i));
        const double firmness = std::clamp(volume * double(crushed_rate), 0.0, 1.0);  // crushed voxels yield
        const double lambda = (volume - 1) * firmness / denominator;
        for (const auto& [j, g] : gradients) out[j] -= 0.3 * b.volume_weight[j] * lambda * g;
    }
    return out;
}

TEST(SegmentStep, VolumeEqualsProjectionByFiniteDifferences) {
    Body b(11);
    FASCIA_DISPATCH(volume_gradients)(b.step, b.position.data(), 0, b.layout.segments());
    FASCIA_DISPATCH(volume_apply)(b.step, b.position.data(), b.other.data(), 0, b.layout.segments());
    EXPECT_LT(largest_difference(b.get(b.other), plain_volume(b, b.p)), 2e-5);
}

TEST(SegmentStep, CrushedVoxelsYield) {
    // Scaled along one axis all voxels have the same volume, and corrections scale with what they ask for.
    const auto correction = [](float scale) {
        Body b(11);
        Floats flat(b.position.begin(), b.position.end()), out(flat.size());
        for (std::size_t k = 0; k < flat.size(); ++k) flat[k] = 0;
        for (std::size_t i = 0; i < b.sites.size(); ++i) {
            const double at[3] = {double(b.sites[i].x) * scale, double(b.sites[i].y), double(b.sites[i].z)};
            for (std::size_t c = 0; c < 3; ++c) flat[c * b.step.stride + b.layout.slots[i]] = float(at[c]);
        }
        FASCIA_DISPATCH(volume_gradients)(b.step, flat.data(), 0, b.layout.segments());
        FASCIA_DISPATCH(volume_apply)(b.step, flat.data(), out.data(), 0, b.layout.segments());
        // A voxel without a neighbour along an axis has an edge of its own there, which is not flattened.
        const auto is_thin = [&](int x, int y, int z) {
            const bool along[3] = {b.find(x - 1, y, z) >= 0 || b.find(x + 1, y, z) >= 0,
                                   b.find(x, y - 1, z) >= 0 || b.find(x, y + 1, z) >= 0,
                                   b.find(x, y, z - 1) >= 0 || b.find(x, y, z + 1) >= 0};
            return b.find(x, y, z) >= 0 && !(along[0] && along[1] && along[2]);
        };
        float most = 0;
        for (std::size_t i = 0; i < b.sites.size(); ++i) {
            const int x = b.sites[i].x, y = b.sites[i].y, z = b.sites[i].z;
            const bool beside_thin = is_thin(x, y, z) || is_thin(x - 1, y, z) || is_thin(x + 1, y, z) ||
                                     is_thin(x, y - 1, z) || is_thin(x, y + 1, z) || is_thin(x, y, z - 1) ||
                                     is_thin(x, y, z + 1);
            const std::uint32_t slot = b.layout.slots[i];
            if (!beside_thin) most = std::max(most, std::abs(out[slot] - flat[slot]));
        }
        return most;
    };
    const float firm = correction(0.1001f), half = correction(0.05f);
    EXPECT_GT(firm, 0.05f);
    // Half as firm at half of the least volume. Both ask for nearly all of it, and gradients along x do not depend on
    // x.
    EXPECT_NEAR(half / firm, 0.5 * 0.95 / 0.9, 0.01);
    EXPECT_EQ(correction(0), 0);
    EXPECT_EQ(correction(-1), 0);
}

Mat polar(const Mat& a) {
    const Eigen::JacobiSVD<Mat> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat sign = Mat::Identity();
    sign(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
    return svd.matrixU() * sign * svd.matrixV().transpose();
}

std::vector<Vec> plain_match(const Body& b, const std::vector<Vec>& p, std::vector<Mat>& rotations) {
    std::vector<Vec> sum(p.size(), Vec::Zero());
    rotations.clear();
    for (std::size_t r = 0; r < p.size(); ++r) {
        double m = 0;
        Vec c = Vec::Zero(), c0 = Vec::Zero();
        b.for_box(int(r), [&](int j, int dx, int dy, int dz) {
            m += b.mass[j];
            c += b.mass[j] * p[j];
            c0 += b.mass[j] * Vec(dx, dy, dz);
        });
        c /= m;
        c0 /= m;
        Mat a = b.pull[r] * b.driven_rotation[r].toRotationMatrix();
        b.for_box(int(r), [&](int j, int dx, int dy, int dz) {
            a += b.mass[j] * (p[j] - c) * (Vec(dx, dy, dz) - c0).transpose();
        });
        rotations.push_back(polar(a));
        b.for_box(int(r),
                  [&](int j, int dx, int dy, int dz) { sum[j] += rotations.back() * (Vec(dx, dy, dz) - c0) + c; });
    }
    std::vector<Vec> out = p;
    for (std::size_t i = 0; i < p.size(); ++i) out[i] += b.match[i] * (sum[i] / b.regions[i] - p[i]);
    return out;
}

/// `fits`: how often the rotations are refined; a step does it once, starting from the result of the last step.
void match(Body& b, int fits = 1) {
    FASCIA_DISPATCH(plane_moments)(b.step, b.other.data(), 0, b.layout.plane_segments());
    for (int k = 0; k < fits; ++k) FASCIA_DISPATCH(fit_regions)(b.step, b.other.data(), 0, b.layout.segments());
    FASCIA_DISPATCH(plane_goals)(b.step, 0, b.layout.plane_segments());
    RangeMotion motion;
    FASCIA_DISPATCH(goals_and_update)(b.step, b.other.data(), 0, b.layout.segments(), motion);
}

TEST(SegmentStep, MatchingEqualsRegionFitsBySvd) {
    Body b(13);
    b.other = b.position;
    b.step.other = b.other.data();
    std::vector<Mat> rotations;
    const std::vector<Vec> expected = plain_match(b, b.p, rotations);
    match(b, 4);
    double worst = 0;
    for (std::size_t i = 0; i < b.sites.size(); ++i) {
        const std::size_t n = b.layout.stride, slot = b.layout.slots[i];
        const Eigen::Quaterniond q(b.rotation[slot], b.rotation[n + slot], b.rotation[2 * n + slot],
                                   b.rotation[3 * n + slot]);
        worst = std::max(worst, ((b.driven_rotation[i] * q).toRotationMatrix() - rotations[i]).norm());
    }
    EXPECT_LT(worst, 2e-4);
    EXPECT_LT(largest_difference(b.get(b.position), expected), 5e-5);
}

TEST(SegmentStep, DragSlowsWhatIsFlungAndNothingElse) {
    const Drag drag{.free_way = 0.1f, .half_way = 0.05f, .most = 0.5f};
    Body plain(13), held(13);
    held.step.drag = drag;
    for (Body* b : {&plain, &held}) {
        b->other = b->position;
        b->step.other = b->other.data();
        match(*b, 4);
    }
    EXPECT_EQ(plain.position, held.position);
    int calm = 0, flung = 0;
    const std::vector<Vec> before = plain.get(plain.velocity), after = held.get(held.velocity);
    for (std::size_t i = 0; i < before.size(); ++i) {
        const double way = before[i].norm() / 240, excess = std::max(0.0, way - drag.free_way);
        EXPECT_LT((after[i] * (1 + drag.most * excess / (excess + drag.half_way)) - before[i]).norm(),
                  1e-4 * (1 + before[i].norm()));
        ++(excess > 0 ? flung : calm);
    }
    EXPECT_GT(calm, 10);
    EXPECT_GT(flung, 10);
}

TEST(SegmentStep, BonesAreNeverMovedByAnyPass) {
    Body b(11);
    stretch_all(b);
    FASCIA_DISPATCH(volume_gradients)(b.step, b.other.data(), 0, b.layout.segments());
    FASCIA_DISPATCH(volume_apply)(b.step, b.other.data(), b.position.data(), 0, b.layout.segments());
    b.other = b.position;
    b.step.other = b.other.data();
    match(b);
    const auto p = b.get(b.position);
    int bones = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        if (b.bone[i]) {
            ++bones;
            for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(float(p[i][axis]), float(b.a[i][axis]));
        }
    EXPECT_GT(bones, 20);
}

TEST(SegmentStep, RestIsAFixedPointOfEveryPass) {
    Body b(13);
    for (std::size_t i = 0; i < b.sites.size(); ++i) {
        b.p[i] = b.a[i] = b.driven_rotation[0] * Vec(b.sites[i].x, b.sites[i].y, b.sites[i].z);
        b.driven_rotation[i] = b.driven_rotation[0];
        b.v[i] = Vec::Zero();
    }
    b.fill();
    stretch_all(b);
    EXPECT_LT(largest_difference(b.get(b.other), b.p), 1e-5);
    FASCIA_DISPATCH(volume_gradients)(b.step, b.other.data(), 0, b.layout.segments());
    FASCIA_DISPATCH(volume_apply)(b.step, b.other.data(), b.position.data(), 0, b.layout.segments());
    EXPECT_LT(largest_difference(b.get(b.position), b.p), 1e-5);
    b.other = b.position;
    b.step.other = b.other.data();
    match(b);
    EXPECT_LT(largest_difference(b.get(b.position), b.p), 2e-5);
}

/// Positions and rotations after some steps with scratch memory in this ring.
std::vector<float> after_steps(const SliceRing& ring, int threads) {
    Body b(26);
    const std::size_t segments = b.layout.segments();
    std::vector<std::uint32_t> joint_first(segments + 1), joints(segments, 0);
    std::vector<float> weights(8 * segments, 0.0f);
    const std::vector<float> stay = {1, 0, 0, 0, 0, 0, 0, 0};
    for (std::size_t k = 0; k <= segments; ++k) joint_first[k] = std::uint32_t(k);
    for (std::size_t i = 0; i < b.sites.size(); ++i) {
        const std::uint32_t lane = b.layout.lane_of[i];
        weights[lane] = 1;
        SegmentConstants& c = b.constants[lane / 8];
        if (lane % 8 == 0)
            for (int axis = 0; axis < 3; ++axis) c.first[axis] = float(b.a[i][axis]);
        c.alpha[lane % 8] = 0.9f;
        c.beta[lane % 8] = 0.003f;
    }
    b.step.joint_first = joint_first.data();
    b.step.joints = joints.data();
    b.step.joint_weights = weights.data();
    b.step.duals = stay.data();
    b.step.slice_first = b.layout.slice_first.data();
    b.step.plane_slice_first = b.layout.plane_slice_first.data();
    b.step.slices = b.layout.slice_first.size() - 1;
    b.step.ring_stride = ring.stride;
    b.step.ring_shift = ring.shared() ? ring.shift.data() : nullptr;
    ThreadPool pool(threads);
    StageSeconds seconds;
    for (int step = 0; step < 5; ++step)
        run_segments(b.step, nullptr, {b.layout.slice_first, b.layout.plane_slice_first, &ring}, {}, pool, seconds);
    b.position.insert(b.position.end(), b.rotation.begin(), b.rotation.end());
    return b.position;
}

TEST(SegmentStep, WholeStepsInARingOfSlicesGiveTheSameBits) {
    const SegmentLayout layout = build_segments(lump(26));
    const SliceRing all = build_ring(layout, int(layout.slice_places.size())),
                    few = build_ring(layout, slices_in_flight(2) + 1);
    ASSERT_FALSE(all.shared());
    ASSERT_TRUE(few.shared());
    EXPECT_LT(few.stride, all.stride * 3 / 4);
    const std::vector<float> expected = after_steps(all, 1);
    EXPECT_EQ(expected, after_steps(few, 1));
    EXPECT_EQ(expected, after_steps(few, 2));
    EXPECT_EQ(expected, after_steps(build_ring(layout, slices_in_flight(2) + 4), 2));
}

TEST(SegmentStep, PlacesWithoutAPointStayZero) {
    const SegmentLayout layout = build_segments(lump(26));
    std::vector<bool> point(layout.stride, false);
    for (const std::uint32_t slot : layout.slots) point[slot] = true;
    for (const int slices : {int(layout.slice_places.size()), slices_in_flight(2) + 1}) {
        const std::vector<float> channels = after_steps(build_ring(layout, slices), 1);
        for (std::size_t at = 0; at < channels.size(); ++at)
            if (!point[at % layout.stride]) {
                ASSERT_EQ(channels[at], 0) << "channel " << at / layout.stride;
            }
    }
}

TEST(SegmentConstants, BoxesThatAreAlikeAreStoredOnce) {
    BoxArray boxes(5);
    boxes[1].mass[3] = boxes[4].mass[3] = 2;
    boxes[2].lean[2][7] = -1;
    const BoxArray all = boxes;
    const std::vector<std::uint32_t> kinds = share_boxes(boxes);
    EXPECT_EQ(boxes.size(), 3u);
    EXPECT_EQ(kinds, (std::vector<std::uint32_t>{0, 1, 2, 0, 1}));
    for (std::size_t k = 0; k < all.size(); ++k)
        EXPECT_EQ(std::memcmp(&boxes[kinds[k]], &all[k], sizeof all[k]), 0) << k;
}

TEST(SegmentStep, EveryVectorLevelGivesTheSameBits) {
#if defined(FASCIA_MULTI_ISA)
    const auto run = [](auto stretch_pass, auto gradients, auto apply, auto moments, auto fit, auto goals,
                        auto update) {
        Body b(13);
        stretch_pass(b.step, 0, b.layout.segments());
        gradients(b.step, b.other.data(), 0, b.layout.segments());
        apply(b.step, b.other.data(), b.position.data(), 0, b.layout.segments());
        b.other = b.position;
        b.step.other = b.other.data();
        moments(b.step, b.other.data(), 0, b.layout.plane_segments());
        fit(b.step, b.other.data(), 0, b.layout.segments());
        goals(b.step, 0, b.layout.plane_segments());
        RangeMotion motion;
        update(b.step, b.other.data(), 0, b.layout.segments(), motion);
        return b.position;
    };
    const auto v2 = run(isa_v2::stretch, isa_v2::volume_gradients, isa_v2::volume_apply, isa_v2::plane_moments,
                        isa_v2::fit_regions, isa_v2::plane_goals, isa_v2::goals_and_update);
    if (best_isa() >= Isa::v3) {
        EXPECT_EQ(v2, run(isa_v3::stretch, isa_v3::volume_gradients, isa_v3::volume_apply, isa_v3::plane_moments,
                          isa_v3::fit_regions, isa_v3::plane_goals, isa_v3::goals_and_update));
    }
    if (best_isa() >= Isa::v4) {
        EXPECT_EQ(v2, run(isa_v4::stretch, isa_v4::volume_gradients, isa_v4::volume_apply, isa_v4::plane_moments,
                          isa_v4::fit_regions, isa_v4::plane_goals, isa_v4::goals_and_update));
    }
#else
    GTEST_SKIP() << "one vector level in this build";
#endif
}

}  // namespace
}  // namespace fascia::sim
