// lbs and dqs through the public interface: what holds for any character.
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>

#include <gtest/gtest.h>

#include "fascia/method.h"
#include "methods/allocation_count.h"
#include "support/tube.h"

namespace fascia {
namespace {

const Settings both_methods[] = {LbsSettings{}, DqsSettings{}};

struct Result3 {
    std::vector<Vec3> positions, normals;
    std::vector<Vec4> tangents;
};

Result3 deform(const Character& c, const Settings& settings, std::span<const Affine> pose, int threads = 1) {
    const auto rig = bind(c, settings);
    EXPECT_TRUE(rig.ok()) << rig.error().message;
    State state = make_state(**rig);
    Workspace work(threads);
    reset(**rig, pose, state, work);
    const std::size_t n = c.mesh.vertex_count();
    Result3 out{std::vector<Vec3>(n), std::vector<Vec3>(n), std::vector<Vec4>(n)};
    embed(**rig, state, {out.positions, out.normals, out.tangents}, work);
    return out;
}

std::vector<Affine> rest_of(const Character& c) {
    std::vector<Affine> pose;
    for (const Joint& j : c.joints) pose.push_back(j.rest);
    return pose;
}

/// A cloud of vertices on eight joints with random weights: no two vertices are alike.
Character random_character(std::size_t vertices, int influences, unsigned seed = 5) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    Character c;
    c.name = "cloud";
    c.joints.resize(8);
    for (std::size_t j = 0; j < c.joints.size(); ++j) {
        const Quat q = normalized(Quat{unit(random), unit(random), unit(random), unit(random)});
        c.joints[j].rest = compose({unit(random), unit(random), unit(random)}, q, {1, 1, 1});
        c.joints[j].parent = static_cast<int>(j) - 1;
        c.joints[j].name = std::to_string(j);
    }
    c.weights.influences = influences;
    for (std::size_t v = 0; v < vertices; ++v) {
        c.mesh.positions.push_back(to_float(Vec3d{unit(random), unit(random), unit(random)}));
        const Vec3d n = normalized(Vec3d{unit(random), unit(random), unit(random)});
        const Vec3d t = normalized(cross(n, Vec3d{unit(random), unit(random), unit(random)}));
        c.mesh.normals.push_back(to_float(n));
        c.mesh.tangents.push_back({float(t.x), float(t.y), float(t.z), v % 2 == 0 ? 1.0f : -1.0f});
        double sum = 0;
        std::vector<double> w;
        for (int k = 0; k < influences; ++k) sum += w.emplace_back(k == 0 ? 1.5 : std::max(0.0, unit(random)));
        for (int k = 0; k < influences; ++k) {
            c.weights.joints.push_back(static_cast<std::uint16_t>((v * 3 + static_cast<std::size_t>(k)) % 8));
            c.weights.weights.push_back(static_cast<float>(w[k] / sum));
        }
    }
    return c;
}

std::vector<Affine> random_pose(const Character& c, unsigned seed, double angle = 1) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    std::vector<Affine> pose;
    for (const Joint& j : c.joints) {
        const Vec3d axis = normalized(Vec3d{unit(random), unit(random), unit(random)});
        pose.push_back(compose({unit(random), unit(random), unit(random)},
                               quat_from_axis_angle(axis, angle * unit(random)), {1, 1, 1}) *
                       j.rest);
    }
    return pose;
}

Vec3d blended_in_double(const Character& c, std::span<const Affine> pose, std::size_t v) {
    Vec3d sum;
    double weights = 0;
    const auto k_max = static_cast<std::size_t>(c.weights.influences);
    for (std::size_t k = 0; k < k_max; ++k) {
        const std::size_t j = c.weights.joints[v * k_max + k];
        const double w = c.weights.weights[v * k_max + k];
        sum += transform_point(pose[j] * inverse(c.joints[j].rest), to_double(c.mesh.positions[v])) * w;
        weights += w;
    }
    return sum * (1 / weights);
}

TEST(Skinning, RestPoseGivesTheRestShape) {
    for (const Settings& settings : both_methods) {
        const Character c = random_character(101, 4);
        const Result3 out = deform(c, settings, rest_of(c));
        for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
            EXPECT_LT(length(out.positions[v] - c.mesh.positions[v]), 1e-6);
            EXPECT_LT(length(out.normals[v] - c.mesh.normals[v]), 1e-6);
            EXPECT_NEAR(out.tangents[v].x, c.mesh.tangents[v].x, 1e-6);
            EXPECT_EQ(out.tangents[v].w, c.mesh.tangents[v].w);
        }
    }
}

TEST(Skinning, LbsEqualsTheSumInDouble) {
    for (const int influences : {1, 4, 8}) {
        const Character c = random_character(777, influences);
        const auto pose = random_pose(c, 9);
        const Result3 out = deform(c, LbsSettings{}, pose);
        for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v)
            EXPECT_LT(length(to_double(out.positions[v]) - blended_in_double(c, pose, v)), 2e-6);
    }
}

TEST(Skinning, FarFromTheOriginOnlyTheLastDigitIsLost) {
    const Character c = random_character(200, 4);
    const Affine far = compose({10000, -3000, 8000}, {}, {1, 1, 1});
    auto pose = random_pose(c, 9);
    const Result3 near_dqs = deform(c, DqsSettings{}, pose);
    for (Affine& p : pose) p = far * p;
    const Result3 out = deform(c, LbsSettings{}, pose), far_dqs = deform(c, DqsSettings{}, pose);
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
        const Vec3d exact = blended_in_double(c, pose, v);
        EXPECT_NEAR(out.positions[v].x, exact.x, 0.00049);  // half the distance between floats there: 2^-11
        EXPECT_NEAR(far_dqs.positions[v].x, near_dqs.positions[v].x + 10000, 0.00049);
    }
}

TEST(Skinning, RigidMotionIsRigid) {
    const Affine motion = compose({1, -2, 0.5}, quat_from_axis_angle(normalized(Vec3d{1, 2, 3}), 2.5), {1, 1, 1});
    for (const Settings& settings : both_methods) {
        const Character c = random_character(300, 4);
        auto pose = rest_of(c);
        for (Affine& p : pose) p = motion * p;
        const Result3 out = deform(c, settings, pose);
        for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
            EXPECT_LT(length(to_double(out.positions[v]) - transform_point(motion, to_double(c.mesh.positions[v]))),
                      2e-6);
            EXPECT_LT(length(to_double(out.normals[v]) - transform_vector(motion, to_double(c.mesh.normals[v]))), 1e-6);
            const Vec4 t = c.mesh.tangents[v];
            const Vec3d turned = transform_vector(motion, {t.x, t.y, t.z});
            EXPECT_NEAR(out.tangents[v].y, turned.y, 1e-6);
        }
    }
}

TEST(Skinning, AScaledArmatureScalesTheResult) {
    for (const Settings& settings : both_methods) {
        for (const double s : {0.1, 100.0}) {
            const Character c = random_character(300, 4);
            auto pose = random_pose(c, 4);
            const Result3 plain = deform(c, settings, pose);
            for (Affine& p : pose) p = compose({}, {}, {s, s, s}) * p;
            const Result3 scaled = deform(c, settings, pose);
            for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
                EXPECT_LT(length(scaled.positions[v] * float(1 / s) - plain.positions[v]), 3e-6);
                EXPECT_LT(length(scaled.normals[v] - plain.normals[v]), 2e-6);
            }
        }
    }
}

TEST(Skinning, ABoneScaleIsExactOnVerticesOfThatBone) {
    for (const Settings& settings : both_methods) {
        const Character c = random_character(300, 1);  // one joint per vertex
        auto pose = random_pose(c, 4);
        pose[2] = pose[2] * compose({}, {}, {1.5, 1.5, 1.5});
        pose[3] = pose[3] * compose({}, {}, {2, 0.5, 1});
        const Result3 out = deform(c, settings, pose);
        for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
            EXPECT_LT(length(to_double(out.positions[v]) - blended_in_double(c, pose, v)), 3e-6);
            // Normals stay orthogonal to carried tangents, and unit.
            const std::size_t j = c.weights.joints[v];
            const Vec4 t = c.mesh.tangents[v];
            const Vec3d carried = transform_vector(pose[j] * inverse(c.joints[j].rest), {t.x, t.y, t.z});
            EXPECT_NEAR(dot(to_double(out.normals[v]), normalized(carried)), 0, 3e-6);
            EXPECT_NEAR(length(out.normals[v]), 1, 1e-6);
            EXPECT_NEAR(dot(Vec3d{out.tangents[v].x, out.tangents[v].y, out.tangents[v].z}, normalized(carried)), 1,
                        1e-5);
        }
    }
}

TEST(Skinning, DqsKeepsTheShapeOfAScaledBoneBetweenJoints) {
    // Scaling every joint of the tube by the same factor about itself is the plainest case of two-phase skinning.
    Character c = test::tube_character({32, 16, 1});
    auto pose = rest_of(c);
    pose[1] = pose[1] * compose({}, quat_from_axis_angle({1, 0, 0}, 3.14159265), {1, 1.5, 1.5});
    const Result3 out = deform(c, DqsSettings{}, pose);
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
        const Vec3 p = c.mesh.positions[v];
        if (std::hypot(p.y, p.z) < 0.5f) continue;
        const double w = std::clamp((p.x + 1.0) / 2, 0.0, 1.0);
        EXPECT_NEAR(std::hypot(out.positions[v].y, out.positions[v].z), 1 + 0.5 * w, 2e-6);  // no collapse in the twist
    }
}

TEST(Skinning, AnyNumberOfThreadsGivesTheSameBits) {
    for (const Settings& settings : both_methods) {
        const Character c = random_character(5003, 4);
        auto pose = random_pose(c, 8);
        for (const bool scaled : {false, true}) {
            if (scaled) pose[1] = pose[1] * compose({}, {}, {1, 2, 1});
            const Result3 one = deform(c, settings, pose, 1);
            for (const int threads : {2, 3, 4}) {
                const Result3 many = deform(c, settings, pose, threads);
                EXPECT_EQ(std::memcmp(one.positions.data(), many.positions.data(), 5003 * sizeof(Vec3)), 0);
                EXPECT_EQ(std::memcmp(one.normals.data(), many.normals.data(), 5003 * sizeof(Vec3)), 0);
                EXPECT_EQ(std::memcmp(one.tangents.data(), many.tangents.data(), 5003 * sizeof(Vec4)), 0);
            }
        }
    }
}

TEST(Skinning, FramesAllocateNothing) {
    for (const Settings& settings : both_methods) {
        const Character c = random_character(1000, 4);
        std::vector<std::vector<Affine>> poses;
        for (unsigned i = 0; i < 4; ++i) {
            poses.push_back(random_pose(c, i));
            poses.back()[3] = poses.back()[3] * compose({}, {}, {1, 1.5, 1});  // every path, including uneven scale
            poses.push_back(random_pose(c, i));
        }
        poses.back()[2].m[0][0] = std::nan("");
        const auto rig = bind(c, settings);
        State state = make_state(**rig);
        Workspace work(2);
        Result3 out{std::vector<Vec3>(1000), std::vector<Vec3>(1000), std::vector<Vec4>(1000)};
        const Surface surface{out.positions, out.normals, out.tangents};
        advance(**rig, poses[0], 1.0 / 60, state, work);
        embed(**rig, state, surface, work);
        const std::size_t before = test::allocation_count();
        for (const auto& pose : poses) {
            advance(**rig, pose, 1.0 / 60, state, work);
            embed(**rig, state, surface, work);
        }
        EXPECT_EQ(test::allocation_count() - before, 0u) << (*rig)->method();
    }
}

TEST(Skinning, WritesOnlyWhatIsAskedFor) {
    for (const Settings& settings : both_methods) {
        const std::size_t n = 37;  // not a multiple of the block size
        const Character c = random_character(n, 4);
        const auto rig = bind(c, settings);
        State state = make_state(**rig);
        Workspace work;
        const Vec3 mark{-7, -7, -7};
        std::vector<Vec3> positions(n + 8, mark), normals(n + 8, mark), expected(n);
        embed(**rig, state, {std::span(expected), {}, {}}, work);
        embed(**rig, state, {std::span(positions).first(n), std::span(normals).first(n), {}}, work);
        for (std::size_t i = n; i < n + 8; ++i) {
            EXPECT_EQ(positions[i], mark);
            EXPECT_EQ(normals[i], mark);
        }
        EXPECT_EQ(positions[n - 1], expected[n - 1]);
        std::vector<Vec3> only_normals(n, mark), short_span(n - 1, mark);
        (*rig)->embed(state, {short_span, only_normals, {}}, work);
        EXPECT_EQ(short_span[0], mark);  // too short: left alone
        EXPECT_EQ(only_normals[n - 1], normals[n - 1]);
        State never_made;
        std::vector<Vec3> untouched(n, mark);
        (*rig)->embed(never_made, {untouched, {}, {}}, work);
        EXPECT_EQ(untouched[0], mark);
    }
}

TEST(Skinning, CharactersWithoutNormalsOrTangentsAreFine) {
    for (const Settings& settings : both_methods) {
        Character c = random_character(50, 4);
        c.mesh.normals.clear();
        c.mesh.tangents.clear();
        const Result3 out = deform(c, settings, random_pose(c, 2));
        EXPECT_EQ(out.normals[3], (Vec3{}));
        EXPECT_NE(out.positions[3], (Vec3{}));
    }
}

TEST(Skinning, ABadFrameKeepsTheLastGoodOne) {
    for (const Settings& settings : both_methods) {
        const Character c = random_character(64, 4);
        const auto rig = bind(c, settings);
        State state = make_state(**rig);
        Workspace work;
        const auto pose = random_pose(c, 1);
        auto bad = pose;
        for (Affine& p : bad) p.m[0][0] = std::nan("");
        std::vector<Vec3> good(64), after(64);
        advance(**rig, pose, 1.0 / 60, state, work);
        embed(**rig, state, {good, {}, {}}, work);
        advance(**rig, bad, 1.0 / 60, state, work);
        embed(**rig, state, {after, {}, {}}, work);
        EXPECT_EQ(state.counters.refused_poses, 8u);
        for (std::size_t v = 0; v < 64; ++v) EXPECT_LT(length(good[v] - after[v]), 1e-6);
    }
}

TEST(Bind, SaysWhatIsWrong) {
    const auto message = [](const Character& c) {
        const auto rig = bind(c, LbsSettings{});
        EXPECT_FALSE(rig.ok());
        return rig.ok() ? std::string() : rig.error().message;
    };
    EXPECT_NE(message(Character{}).find("no skinned vertices"), std::string::npos);
    Character c = random_character(20, 4);
    c.joints.clear();
    EXPECT_NE(message(c).find("no joints"), std::string::npos);
    c = random_character(20, 4);
    c.weights.joints[7] = 200;
    EXPECT_NE(message(c).find("vertex 1 to joint 200"), std::string::npos);
    c = random_character(20, 4);
    c.weights.weights[9] = std::nanf("");
    EXPECT_NE(message(c).find("vertex 2"), std::string::npos);
    c = random_character(20, 4);
    c.mesh.positions[5].y = INFINITY;
    EXPECT_NE(message(c).find("vertex 5"), std::string::npos);
    c = random_character(20, 4);
    c.joints[3].rest = compose({}, {}, {1, 0, 1});
    EXPECT_NE(message(c).find("singular"), std::string::npos);
    c = random_character(20, 4);
    c.weights.influences = 9;
    EXPECT_NE(message(c).find("influences"), std::string::npos);
    c = random_character(20, 4);
    c.weights.weights.pop_back();
    EXPECT_NE(message(c).find("wrong length"), std::string::npos);
    c = random_character(20, 4);
    c.mesh.normals.pop_back();
    EXPECT_NE(message(c).find("normals"), std::string::npos);
}

TEST(Bind, WarnsOfVerticesWithoutWeight) {
    Character c = random_character(20, 4);
    for (std::size_t k = 0; k < 8; ++k) c.weights.weights[k] = 0;
    const auto rig = bind(c, DqsSettings{});
    ASSERT_TRUE(rig.ok());
    ASSERT_EQ((*rig)->warnings().size(), 1u);
    EXPECT_NE((*rig)->warnings()[0].find("2 vertices"), std::string::npos);
}

TEST(StateHash, FollowsEveryPart) {
    const Character c = random_character(20, 4);
    const auto rig = bind(c, LbsSettings{});
    const State state = make_state(**rig);
    const std::uint64_t plain = hash(state);
    EXPECT_EQ(plain, hash(State(state)));
    State changed = state;
    changed.joints[7].m[2][3] += 1e-12;
    EXPECT_NE(hash(changed), plain);
    changed = state;
    changed.accumulator = 1e-9;
    EXPECT_NE(hash(changed), plain);
    changed = state;
    changed.frame.m[0][3] = 1;
    EXPECT_NE(hash(changed), plain);
    for (Floats State::*part : {&State::positions, &State::velocities, &State::rotations, &State::memory}) {
        changed = state;
        (changed.*part).push_back(0);
        EXPECT_NE(hash(changed), plain);
    }
    // The same numbers in another array are a different state.
    State a = state, b = state;
    a.positions.assign(4, 1.0f);
    b.velocities.assign(4, 1.0f);
    EXPECT_NE(hash(a), hash(b));
}

}  // namespace
}  // namespace fascia
