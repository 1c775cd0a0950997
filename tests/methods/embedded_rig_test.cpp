// Methods with points inside the body, their surfaces carried in every way (BindInputs::embed).
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/method.h"
#include "fascia/pose.h"

namespace fascia {
namespace {

constexpr const char* with_cells[] = {"volumetric-dqs", "volumetric-arap", "layers", "lattice"};

struct Bound {
    Character character;
    RigPtr rig;
};

Bound bound(const char* name, const std::string& method, const std::string& how) {
    Bound out;
    out.character = *bundled_character(name);
    Flesh flesh = *preset("default");
    EXPECT_TRUE(set_field(flesh, "resolution", "20"));
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
            const Bound b = bound("bunny", method, how);
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
        const Bound b = bound("bunny", method, "domains");
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

}  // namespace
}  // namespace fascia
