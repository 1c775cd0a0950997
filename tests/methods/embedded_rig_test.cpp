// Methods with points inside the body, their surfaces carried in every way (BindInputs::embed).
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/live.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "support/tube.h"

namespace fascia {
namespace {

constexpr const char* with_cells[] = {"volumetric-dqs", "volumetric-arap", "layers", "lattice"};

struct Bound {
    Character character;
    RigPtr rig;
};

Bound bound(const char* name, const std::string& method, const std::string& how, const char* resolution = "20") {
    Bound out;
    out.character = *bundled_character(name);
    Flesh flesh = *preset("default");
    EXPECT_TRUE(set_field(flesh, "resolution", resolution));
    BindInputs inputs;
    inputs.embed.how = how;
    const Result<RigPtr> rig = fascia::bind(out.character, method, flesh, inputs);
    EXPECT_TRUE(rig) << method << " " << how << ": " << (rig ? "" : rig.error().message);
    if (rig) out.rig = *rig;
    return out;
}

struct Shown {
    std::vector<Vec3> positions, normals;
};

Shown shown(const Rig& rig, const State& state) {
    Shown out;
    out.positions.resize(rig.vertex_count());
    out.normals.resize(rig.vertex_count());
    Workspace work(1);
    EXPECT_EQ(embed(rig, state, {.positions = out.positions, .normals = out.normals, .tangents = {}}, work),
              Verdict::fine);
    return out;
}

State posed(const Rig& rig, const Pose& pose) {
    State state = make_state(rig);
    Workspace work(1);
    reset(rig, pose.joints, state, work);
    return state;
}

double furthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double out = 0;
    for (std::size_t v = 0; v < a.size(); ++v) out = std::max(out, length(to_double(a[v]) - to_double(b[v])));
    return out;
}

TEST(EmbeddedRig, ABodyThatMovesRigidlyStaysRigid) {
    for (const std::string method : {"volumetric-dqs", "volumetric-arap", "layers", "lattice", "particles"})
        for (const char* how : {"trilinear", "blend", "dq", "rbf", "domains"}) {
            if (method == "particles" && std::string(how) != "domains") continue;
            // One system of all points takes the cube of their number to solve.
            const Bound b = bound("bunny", method, how, how == std::string("rbf") ? "10" : "20");
            ASSERT_NE(b.rig, nullptr);
            Affine turn;
            // By 100 degrees about y, and away.
            turn.m[0][0] = -0.17364817766693033, turn.m[0][2] = 0.984807753012208, turn.m[0][3] = 2;
            turn.m[2][0] = -0.984807753012208, turn.m[2][2] = -0.17364817766693033, turn.m[2][3] = -1;
            Pose pose;
            for (const Joint& joint : b.character.joints) pose.joints.push_back(turn * joint.rest);
            const Shown at = shown(*b.rig, posed(*b.rig, pose));
            std::vector<Vec3> wanted;
            for (const Vec3 p : b.character.mesh.positions)
                wanted.push_back(to_float(transform_point(turn, to_double(p))));
            EXPECT_LT(furthest(at.positions, wanted), 1e-5 * b.character.size()) << method << " " << how;
        }
}

TEST(EmbeddedRig, EveryWayShowsTheSamePose) {
    for (const std::string method : with_cells) {
        const Bound own = bound("tube", method, "auto");
        const auto clip = find_clip(own.character, "bend");
        ASSERT_TRUE(clip);
        Pose pose;
        evaluate(own.character, *clip, 0.3 * (*clip)->duration, pose);
        const Shown before = shown(*own.rig, posed(*own.rig, pose));
        for (const char* how : {"trilinear", "blend", "dq", "domains"}) {
            const Bound b = bound("tube", method, how);
            const Shown after = shown(*b.rig, posed(*b.rig, pose));
            EXPECT_LT(furthest(before.positions, after.positions), 0.04 * own.character.size()) << method << " " << how;
            for (const Vec3 n : after.normals) ASSERT_NEAR(length(n), 1, 1e-4) << method << " " << how;
        }
    }
}

TEST(EmbeddedRig, IsSavedAndLoaded) {
    for (const std::string method : {"volumetric-dqs", "volumetric-arap", "layers", "lattice", "particles"}) {
        const Bound b = bound("bunny", method, "domains", "10");
        const auto bytes = save_rig(*b.rig);
        ASSERT_TRUE(bytes) << method;
        const auto again = load_rig(*bytes);
        ASSERT_TRUE(again) << method << ": " << again.error().message;
        ASSERT_NE((*again)->embedding(), nullptr) << method;
        EXPECT_EQ((*again)->embedding()->how, "domains");
        const auto clip = find_clip(b.character, "dance");
        Pose pose;
        evaluate(b.character, *clip, 0.3, pose);
        EXPECT_EQ(shown(*b.rig, posed(*b.rig, pose)).positions, shown(**again, posed(**again, pose)).positions)
            << method;
        // Cut off within what the embedding has added.
        std::vector<std::uint8_t> cut(bytes->begin(), bytes->end() - 3);
        EXPECT_FALSE(load_rig(cut)) << method;
    }
}

TEST(EmbeddedRig, AutoIsTheMethodsOwn) {
    const Bound b = bound("tube", "volumetric-arap", "auto");
    EXPECT_EQ(b.rig->embedding(), nullptr);
    EXPECT_EQ(&b.rig->plain(), b.rig.get());
}

TEST(EmbeddedRig, WrongWishesAreAnsweredInASentence) {
    const Character tube = *bundled_character("tube");
    const auto answer = [&](const char* method, EmbedOptions embed) {
        BindInputs inputs;
        inputs.embed = std::move(embed);
        const Result<RigPtr> rig = fascia::bind(tube, method, *preset("default"), inputs);
        return rig ? std::string() : rig.error().message;
    };
    EXPECT_NE(answer("dqs", {"rbf", "gauss", 300}).find("no points"), std::string::npos);
    EXPECT_NE(answer("lattice", {"cubic", "gauss", 300}).find("domains"), std::string::npos);
    EXPECT_NE(answer("particles", {"blend", "gauss", 300}).find("domains"), std::string::npos);
    EXPECT_NE(answer("lattice", {"rbf", "sinc", 300}).find("wendland"), std::string::npos);
    EXPECT_NE(answer("lattice", {"domains", "gauss", 3}).find("samples"), std::string::npos);
}

TEST(EmbeddedRig, OneTriangleIsCarriedToo) {
    Character character = *bundled_character("tube");
    Mesh& mesh = character.mesh;
    const std::uint32_t corner[3] = {mesh.triangles[0], mesh.triangles[1], mesh.triangles[2]};
    mesh.triangles.assign(corner, corner + 3);
    for (const char* how : {"trilinear", "blend", "dq", "rbf", "domains"}) {
        BindInputs inputs;
        inputs.embed.how = how;
        const Result<RigPtr> rig = fascia::bind(character, "volumetric-dqs", *preset("default"), inputs);
        if (!rig) {
            EXPECT_FALSE(rig.error().message.empty());
            continue;
        }
        Pose pose;
        for (const Joint& joint : character.joints) pose.joints.push_back(joint.rest);
        for (const Vec3 p : shown(**rig, posed(**rig, pose)).positions) ASSERT_TRUE(std::isfinite(p.x + p.y + p.z));
    }
}

TEST(EmbeddedRig, FadesShowTheSkinnedSurface) {
    const Bound b = bound("bunny", "layers", "domains");
    const auto clip = find_clip(b.character, "dance");
    ASSERT_TRUE(clip);
    State state = make_state(*b.rig);
    Workspace work(1);
    Pose pose;
    for (int frame = 0; frame < 12; ++frame) {
        evaluate(b.character, *clip, frame / 30.0, pose);
        advance(*b.rig, pose.joints, 1 / 30.0, state, work);
    }
    Shown skinned = shown(*b.rig, state);
    embed_skinned(*b.rig, state, {skinned.positions, skinned.normals, {}}, work);
    const Shown whole = shown(*b.rig, state);
    EXPECT_GT(furthest(whole.positions, skinned.positions), 1e-3 * b.character.size());
    ASSERT_TRUE(fade(*b.rig, "*", 0, 0, state));
    const Shown faded = shown(*b.rig, state);
    EXPECT_LT(furthest(faded.positions, skinned.positions), 1e-6 * b.character.size());
    EXPECT_LT(furthest(faded.normals, skinned.normals), 1e-5);
    ASSERT_TRUE(fade(*b.rig, "*", 0.5, 0, state));
    const Shown half = shown(*b.rig, state);
    for (std::size_t v = 0; v < half.positions.size(); ++v)
        EXPECT_LT(length(half.positions[v] * 2.0f - whole.positions[v] - skinned.positions[v]),
                  1e-5f * float(b.character.size()));
}

TEST(EmbeddedRig, DomainsTakeOverWhereOneSystemIsTooLarge) {
    const auto bind_at = [](const char* resolution) {
        Flesh flesh = *preset("default");
        EXPECT_TRUE(set_field(flesh, "resolution", resolution));
        BindInputs inputs;
        inputs.embed.how = "rbf";
        return *fascia::bind(*bundled_character("bunny"), "volumetric-dqs", flesh, inputs);
    };
    const auto warned = [](const Rig& rig) {
        for (const std::string& text : rig.warnings())
            if (text.find("too many for one system") != text.npos) return true;
        return false;
    };
    EXPECT_FALSE(warned(*bind_at("10")));
    EXPECT_TRUE(warned(*bind_at("40")));
}

/// Each is bent, and carried in every way: it works, or a sentence says why not.
void expect_grace(const Character& character, const char* what) {
    Pose pose;
    for (const Joint& joint : character.joints) pose.joints.push_back(joint.rest);
    pose.joints.back() = pose.joints.back() * compose({}, quat_from_axis_angle({0, 0, 1}, 1.5), {1, 1, 1});
    for (const char* method : {"volumetric-dqs", "volumetric-arap"})
        for (const char* how : {"auto", "trilinear", "blend", "dq", "rbf", "domains"}) {
            Flesh flesh = *preset("default");
            EXPECT_TRUE(set_field(flesh, "resolution", "16"));
            BindInputs inputs;
            inputs.embed.how = how;
            const Result<RigPtr> rig = fascia::bind(character, method, flesh, inputs);
            if (!rig) {
                EXPECT_GT(rig.error().message.size(), 20u) << what << " " << method << " " << how;
                continue;
            }
            for (const Vec3 p : shown(**rig, posed(**rig, pose)).positions)
                ASSERT_LT(length(p), 100) << what << " " << method << " " << how;
        }
}

TEST(EmbeddedRig, JointsInOneVoxel) {
    Character c = test::tube_character({20, 8, 1});
    // A third joint where the second is, and a fourth beside them, each with vertices of its own.
    for (int k = 2; k < 4; ++k) {
        c.nodes.push_back(c.nodes[1]);
        c.joints.push_back(c.joints[1]);
        c.joints.back().node = k;
        c.joints.back().name = "twin" + std::to_string(k);
    }
    c.joints[3].rest.m[0][3] += 0.01;
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v)
        if (c.mesh.positions[v].x > 0.5f) c.weights.joints[4 * v] = std::uint16_t(1 + v % 3);
    expect_grace(c, "joints in one voxel");
}

TEST(EmbeddedRig, FlatSheets) {
    Character c = test::tube_character({20, 8, 1});
    for (Vec3& p : c.mesh.positions) p.z = 0;
    expect_grace(c, "a tube without thickness");
    // One layer of triangles.
    Mesh& mesh = c.mesh;
    mesh = {};
    c.weights.joints.clear(), c.weights.weights.clear();
    for (int x = 0; x <= 8; ++x)
        for (int y = 0; y <= 2; ++y) {
            mesh.positions.push_back({float(x) - 4, 0, float(y)});
            mesh.normals.push_back({0, 1, 0});
            c.weights.joints.insert(c.weights.joints.end(), {std::uint16_t(x > 4), 0, 0, 0});
            c.weights.weights.insert(c.weights.weights.end(), {1, 0, 0, 0});
        }
    for (std::uint32_t x = 0; x < 8; ++x)
        for (std::uint32_t y = 0; y < 2; ++y) {
            const std::uint32_t a = 3 * x + y;
            mesh.triangles.insert(mesh.triangles.end(), {a, a + 1, a + 3, a + 3, a + 1, a + 4});
        }
    expect_grace(c, "a sheet");
}

TEST(EmbeddedRig, PiecesWithoutABone) {
    Character c = test::tube_character({20, 8, 1});
    const Mesh one = c.mesh;
    const auto count = std::uint32_t(one.positions.size());
    for (const Vec3 p : one.positions) c.mesh.positions.push_back({p.x, p.y + 5, p.z});
    c.mesh.normals.insert(c.mesh.normals.end(), one.normals.begin(), one.normals.end());
    c.mesh.tangents.insert(c.mesh.tangents.end(), one.tangents.begin(), one.tangents.end());
    for (const std::uint32_t v : one.triangles) c.mesh.triangles.push_back(v + count);
    c.weights.joints.resize(8 * std::size_t(count), 0);
    c.weights.weights.resize(8 * std::size_t(count), 0.0f);
    expect_grace(c, "a piece that no joint holds");
}

/// Joints that hold a single vertex each have no sample of their own: they join a neighbour.
TEST(EmbeddedRig, DomainsWithoutSamples) {
    Character c = test::tube_character({20, 8, 1});
    for (int k = 2; k < 6; ++k) {
        c.nodes.push_back(c.nodes[1]);
        c.joints.push_back(c.joints[1]);
        c.joints.back().node = k;
        c.joints.back().name = "lone" + std::to_string(k);
        const std::size_t v = std::size_t(20 * k);
        c.weights.joints[4 * v] = std::uint16_t(k);
        for (std::size_t e = 0; e < 4; ++e) c.weights.weights[4 * v + e] = e == 0 ? 1.0f : 0.0f;
    }
    expect_grace(c, "domains of one vertex");
}

}  // namespace
}  // namespace fascia
