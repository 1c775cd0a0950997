// Rigs, states and attached meshes know what belongs together, and verbs say what is wrong with what they are given.
#include <cmath>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/live.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "support/small_character.h"

namespace fascia {
namespace {

RigPtr rig_of(const Character& character, const std::string& method, int resolution) {
    Flesh flesh = *preset("default");
    if (method == "layers" || method == "lattice") {
        EXPECT_TRUE(set_field(flesh, "resolution", std::to_string(resolution)).ok());
    }
    // A mesh this small is its own surface at any resolution.
    if (method == "particles") {
        EXPECT_TRUE(set_field(flesh, "region_rings", std::to_string(1 + resolution % 4)).ok());
    }
    const auto rig = fascia::bind(character, method, flesh);
    EXPECT_TRUE(rig.ok()) << method;
    return *rig;
}

const std::vector<std::string>& all_methods() {
    static const std::vector<std::string> names{"lbs",     "dqs",       "bones-blending", "layers",
                                                "lattice", "particles", "volumetric-dqs", "volumetric-arap",
                                                "handles"};
    return names;
}

// Faults of the caller are assertions in debug builds.
#ifdef NDEBUG
#define EXPECT_VERDICT(call, verdict) EXPECT_EQ(call, verdict)
#else
#define EXPECT_VERDICT(call, verdict) EXPECT_DEATH((void)(call), "is_fault_of_caller")
#endif

TEST(Fingerprint, TellsBodiesApartAndRecognisesOneThatWasLoadedOrRetuned) {
    const Character small = test::small_character();
    Character other = small;
    other.mesh.positions[3].x += 0.01f;
    Character moved = small;
    moved.joints[1].rest.m[1][3] += 0.01;
    for (const std::string& method : all_methods()) {
        const RigPtr rig = rig_of(small, method, 10);
        EXPECT_NE(rig->fingerprint(), 0u);
        EXPECT_EQ(rig->fingerprint(), rig_of(small, method, 10)->fingerprint()) << method;
        EXPECT_EQ(rig->fingerprint(), (*load_rig(*save_rig(*rig)))->fingerprint()) << method;
        EXPECT_NE(rig->fingerprint(), rig_of(other, method, 10)->fingerprint()) << method;
        EXPECT_NE(rig->fingerprint(), rig_of(moved, method, 10)->fingerprint()) << method;
        if (rig->live() == nullptr) continue;
        EXPECT_NE(rig->fingerprint(), rig_of(small, method, 11)->fingerprint()) << method;
        EXPECT_EQ(rig->fingerprint(), (*retune(rig, "gravity", "0,-1,0"))->fingerprint()) << method;
    }
    EXPECT_NE(rig_of(small, "lbs", 0)->fingerprint(), rig_of(small, "dqs", 0)->fingerprint());
}

/// Bodies whose States have the same sizes, so that only the fingerprint tells them apart.
TEST(Identity, AStateOfAnotherRigIsNoticedByEveryVerb) {
    const Character small = test::small_character();
    Character other = small;
    for (Vec3& p : other.mesh.positions) p = p + Vec3{0.001f, 0, 0};
    for (const std::string& method : all_methods()) {
        const RigPtr rig = rig_of(small, method, 8), foreign = rig_of(other, method, 8);
        State state = make_state(*foreign);
        ASSERT_EQ(state.positions.size(), make_state(*rig).positions.size());
        Workspace work;
        const std::vector<Affine> joints = make_state(*rig).joints;
        std::vector<Vec3> positions(rig->vertex_count(), Vec3{7, 7, 7});
        EXPECT_FALSE(rig->accepts(state)) << method;
        EXPECT_VERDICT(embed(*rig, state, {.positions = positions}, work), Verdict::foreign) << method;
        EXPECT_EQ(positions[0], (Vec3{7, 7, 7})) << method;
        EXPECT_FALSE(load_state(*rig, save_state(*foreign, state)).ok()) << method;
        if (rig->live() != nullptr) {
            EXPECT_FALSE(fade(*rig, "*", 0.5, 1, state).ok()) << method;
        }
        EXPECT_VERDICT(advance(*rig, joints, 1 / 60.0, state, work), Verdict::foreign) << method;
#ifdef NDEBUG
        EXPECT_TRUE(save_state(*rig, make_state(*foreign)).empty()) << method;
        EXPECT_EQ(state.counters.foreign_states, 1u) << method;
        EXPECT_EQ(advance(*rig, joints, 1 / 60.0, state, work), Verdict::fine) << method;
        EXPECT_EQ(embed(*rig, state, {.positions = positions}, work), Verdict::fine) << method;
#endif
    }
}

TEST(Identity, AnAttachedMeshKnowsItsRig) {
    const Character small = test::small_character();
    Character other = small;
    other.mesh.positions[0].x -= 0.001f;
    Mesh patch;
    patch.positions = {{0.25f, 1, 0}, {0.25f, 1.2f, 0}, {0.25f, 1, 0.1f}};
    for (const std::string& method : all_methods()) {
        const RigPtr rig = rig_of(small, method, 8), foreign = rig_of(other, method, 8);
        const AttachedMesh mesh = *attach(rig, patch);
        const State own = make_state(*rig), strange = make_state(*foreign);
        Workspace work;
        std::vector<Vec3> out(3, Vec3{7, 7, 7});
        EXPECT_VERDICT(embed(mesh, strange, {.positions = out}, work), Verdict::foreign) << method;
        EXPECT_EQ(out[1], (Vec3{7, 7, 7}));
        EXPECT_EQ(embed(mesh, own, {.positions = out}, work), Verdict::fine) << method;
        EXPECT_NE(out[1], (Vec3{7, 7, 7}));
        std::vector<Vec3> normals(3);
        EXPECT_EQ(embed(mesh, own, {.normals = normals}, work), Verdict::absent_array) << method;
    }
}

TEST(Told, ShortSpansMissingArraysAndBadMatrices) {
    const Character small = test::small_character();
    for (const std::string& method : all_methods()) {
        const RigPtr rig = rig_of(small, method, 8);
        State state = make_state(*rig);
        Workspace work;
        std::vector<Affine> joints = state.joints;
        std::vector<Vec3> positions(rig->vertex_count()), few(3, Vec3{7, 7, 7});
        std::vector<Vec4> tangents(rig->vertex_count(), Vec4{7, 7, 7, 7});
        EXPECT_VERDICT(reset(*rig, std::span(joints).first(1), state, work), Verdict::short_pose) << method;
        EXPECT_VERDICT(embed(*rig, state, {.positions = few}, work), Verdict::short_output) << method;
        EXPECT_EQ(few[0], (Vec3{7, 7, 7}));
        EXPECT_EQ(embed(*rig, state, {.positions = positions, .tangents = tangents}, work), Verdict::absent_array);
        EXPECT_EQ(tangents[0].x, 7) << method;
        EXPECT_NE(positions[0], Vec3{}) << method;
        joints[1].m[0][0] = std::nan("");
        EXPECT_EQ(advance(*rig, joints, 1 / 60.0, state, work), Verdict::refused_pose) << method;
        joints[1] = compose({0, 1, 0}, {}, {-1, 1, 1});
        EXPECT_EQ(advance(*rig, joints, 1 / 60.0, state, work), Verdict::refused_pose) << method;
        EXPECT_GE(state.counters.refused_poses, 2u) << method;
    }
    for (int v = 0; v <= int(Verdict::transposed); ++v) EXPECT_GT(std::string(explain(Verdict(v))).size(), 10u);
}

// ---- transposed matrices -------------------------------------------------------------------------------------------
std::vector<Affine> transposed(std::vector<Affine> pose, bool with_translation) {
    for (Affine& a : pose) {
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < r; ++c) std::swap(a.m[r][c], a.m[c][r]);
        if (with_translation) a.m[0][3] = a.m[1][3] = a.m[2][3] = 0;
    }
    return pose;
}

TEST(Told, TransposedMatricesAreRecognisedAndNothingElseIs) {
    for (const std::string& name : bundled_names()) {
        const Character character = *bundled_character(name);
        const RigPtr rig = rig_of(character, "lbs", 0);
        Workspace work;
        int recognised = 0, poses = 0;
        for (const Clip& clip : character.clips)
            for (double t = 0.2; t < clip.duration; t += 0.5) {
                Pose pose;
                evaluate(character, &clip, t, pose);
                State state = make_state(*rig);
                EXPECT_EQ(reset(*rig, pose.joints, state, work), Verdict::fine) << name << " " << clip.name << " " << t;
                recognised += reset(*rig, transposed(pose.joints, false), state, work) == Verdict::transposed;
                EXPECT_EQ(reset(*rig, transposed(pose.joints, true), state, work), Verdict::transposed);
                ++poses;
            }
        // Only joints with children reveal it; of the tube's two joints, the one with a child never turns.
        EXPECT_GT(recognised, name == "tube" ? -1 : poses / 2)
            << name << ": poses whose joints hardly turn do not tell";
    }
}

// ---- states --------------------------------------------------------------------------------------------------------
TEST(StateCheck, FadesOutOfRangeAreRefused) {
    const RigPtr rig = rig_of(test::small_character(), "layers", 8);
    State state = make_state(*rig);
    ASSERT_TRUE(fade(*rig, "*", 0.5, 1, state).ok());
    ASSERT_TRUE(rig->accepts(state));
    const float nan = std::nanf("");
    for (const Fade bad :
         {Fade{2, 1, 0, 1}, Fade{1, -0.1f, 0, 1}, Fade{1, 1, -1, 1}, Fade{1, 1, 2, 1}, Fade{1, 1, 0, -1},
          Fade{nan, 1, 0, 1}, Fade{1, nan, 0, 1}, Fade{1, 1, nan, 1}, Fade{1, 1, 0, nan}}) {
        State spoilt = state;
        spoilt.fades[1] = bad;
        EXPECT_FALSE(rig->accepts(spoilt)) << bad.from << " " << bad.to << " " << bad.elapsed << " " << bad.seconds;
    }
}

TEST(StillFrames, CountFramesInWhichTheSurfaceIsExactlyTheSame) {
    const Character small = test::small_character();
    for (const std::string& method : all_methods()) {
        const RigPtr rig = rig_of(small, method, 8);
        State state = make_state(*rig);
        Workspace work;
        Pose pose;
        std::vector<Vec3> before(rig->vertex_count()), now(rig->vertex_count());
        int unmoved = 0;
        const auto frame = [&](double t) {
            evaluate(small, &small.clips[0], t, pose);
            advance(*rig, pose.joints, 1 / 60.0, state, work);
            embed(*rig, state, {.positions = now}, work);
            if (state.still_frames > 0) {
                EXPECT_EQ(before, now) << method << " " << t;
                ++unmoved;
            }
            before = now;
        };
        evaluate(small, &small.clips[0], 0, pose);
        reset(*rig, pose.joints, state, work);
        embed(*rig, state, {.positions = before}, work);
        for (int k = 0; k < 20; ++k) frame(k / 60.0);
        EXPECT_LE(unmoved, 1) << method << ": only a first frame in the same pose";
        for (int k = 0; k < 600; ++k) frame(0.5);
        EXPECT_GT(unmoved, 60) << method;
        EXPECT_GT(state.still_frames, 60u) << method;
        if (rig->live() != nullptr) {
            ASSERT_TRUE(fade(*rig, "*", 0, 0, state).ok());
            frame(0.5);
            ASSERT_TRUE(fade(*rig, "*", 1, 0.2, state).ok());
            for (int k = 0; k < 30; ++k) frame(0.5);
        }
        frame(0.6);
        EXPECT_EQ(state.still_frames, 0u) << method;
        reset(*rig, pose.joints, state, work);
        EXPECT_EQ(state.still_frames, 0u) << method;
    }
}

}  // namespace
}  // namespace fascia
