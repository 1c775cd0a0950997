// Characters from a program's own arrays: every layout gives the same character, and nothing broken gets in.
#include "fascia/make_character.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "character/bone_tails.h"
#include "character/number_reader.h"
#include "fascia/method.h"
#include "support/small_character.h"

namespace fascia {
namespace {

/// An engine's own data: the column of small_character, in one place where each test can spoil something.
struct Engine {
    Character like = test::small_character();
    std::vector<float> positions;
    std::vector<std::uint32_t> triangles;
    std::vector<std::uint16_t> indices;
    std::vector<float> weights;
    std::vector<std::int32_t> parents{-1, 0};
    std::vector<double> rests;
    CharacterArrays arrays;

    Engine() {
        for (const Vec3 p : like.mesh.positions) positions.insert(positions.end(), {p.x, p.y, p.z});
        triangles = like.mesh.triangles;
        indices = like.weights.joints;
        weights = like.weights.weights;
        for (const Joint& joint : like.joints) rests.insert(rests.end(), &joint.rest.m[0][0], &joint.rest.m[0][0] + 12);
        describe();
    }
    void describe() {
        arrays.name = "engine";
        arrays.positions = {positions.data(), positions.size() / 3, 0, NumberType::f32};
        arrays.triangles = {triangles.data(), triangles.size(), 0, NumberType::u32};
        arrays.influences = 4;
        arrays.joint_indices = {indices.data(), indices.size() / 4, 0, NumberType::u16};
        arrays.joint_weights = {weights.data(), weights.size() / 4, 0, NumberType::f32};
        arrays.joint_names = {"lower", "upper"};
        arrays.joint_parents = parents;
        arrays.joint_rests = {rests.data(), rests.size() / 12, 0, NumberType::f64};
    }
};

void expect_same(const Character& made, const Character& like, float tolerance) {
    ASSERT_EQ(made.mesh.vertex_count(), like.mesh.vertex_count());
    for (std::size_t v = 0; v < made.mesh.vertex_count(); ++v)
        EXPECT_LE(length(made.mesh.positions[v] - like.mesh.positions[v]), tolerance);
    EXPECT_EQ(made.mesh.triangles, like.mesh.triangles);
    EXPECT_EQ(made.weights.influences, like.weights.influences);
    EXPECT_EQ(made.weights.joints, like.weights.joints);
    ASSERT_EQ(made.weights.weights.size(), like.weights.weights.size());
    for (std::size_t k = 0; k < made.weights.weights.size(); ++k)
        EXPECT_NEAR(made.weights.weights[k], like.weights.weights[k], 0.005);
    ASSERT_EQ(made.joints.size(), like.joints.size());
    for (std::size_t j = 0; j < made.joints.size(); ++j) {
        EXPECT_EQ(made.joints[j].name, like.joints[j].name);
        EXPECT_EQ(made.joints[j].parent, like.joints[j].parent);
        for (int k = 0; k < 12; ++k)
            EXPECT_NEAR((&made.joints[j].rest.m[0][0])[k], (&like.joints[j].rest.m[0][0])[k], 1e-6);
    }
}

TEST(MakeCharacter, PackedFloatsAndRowsOfDoubles) {
    const Engine engine;
    const auto made = make_character(engine.arrays);
    ASSERT_TRUE(made.ok()) << made.error().message;
    expect_same(*made, engine.like, 0);
    EXPECT_EQ(made->mesh.normals.size(), made->mesh.vertex_count()) << "normals are made";
    // Ends of bones as the readers guess them.
    std::vector<Joint> guessed = made->joints;
    guess_tails(made->mesh, made->weights, guessed);
    for (std::size_t j = 0; j < guessed.size(); ++j) EXPECT_EQ(made->joints[j].tail, guessed[j].tail);
    EXPECT_EQ(made->joints[0].tail, (Vec3d{0, 1, 0}));
    EXPECT_EQ(made->joints[1].tail, (Vec3d{0, 2, 0}));
    // Its default pose is the rest pose.
    Pose pose;
    evaluate(*made, nullptr, 0, pose);
    for (std::size_t j = 0; j < 2; ++j)
        EXPECT_LT(length(translation_of(pose.joints[j]) - translation_of(made->joints[j].rest)), 1e-12);
    for (const Settings& settings : {Settings(LbsSettings{}), Settings(DqsSettings{})})
        EXPECT_TRUE(fascia::bind(*made, settings).ok());
}

/// The interleaved vertex of an engine: half positions, byte indices, weights in 8 bits, 16-bit triangles, matrices as
/// columns of floats, inverse binds.
TEST(MakeCharacter, InterleavedHalvesBytesAndInverseBindColumns) {
    Engine engine;
    struct Vertex {
        std::uint16_t position[3];
        std::int16_t normal[3];
        std::uint8_t padding;
        std::uint8_t joints[4], weights[4];
    };
    const auto half = [](float v) {
        // Every coordinate of the column is a multiple of 1/2 or near 0.2: rounded down in its tenth bit.
        std::uint32_t bits;
        std::memcpy(&bits, &v, sizeof bits);
        if (v == 0) return std::uint16_t{0};
        return std::uint16_t((bits >> 16 & 0x8000) | ((bits >> 23 & 0xff) - 112) << 10 | (bits >> 13 & 0x3ff));
    };
    std::vector<Vertex> vertices(engine.like.mesh.vertex_count());
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        for (std::size_t k = 0; k < 3; ++k) vertices[v].position[k] = half(engine.positions[3 * v + k]);
        vertices[v].normal[0] = -32768, vertices[v].normal[1] = 0, vertices[v].normal[2] = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            vertices[v].joints[k] = std::uint8_t(engine.indices[4 * v + k]);
            vertices[v].weights[k] = std::uint8_t(std::lround(255 * engine.weights[4 * v + k]));
        }
        if (vertices[v].weights[0] == 128) vertices[v].weights[1] = 127;
    }
    const std::vector<std::uint16_t> triangles(engine.triangles.begin(), engine.triangles.end());
    std::vector<float> columns;
    for (const Joint& joint : engine.like.joints) {
        const Affine inverted = inverse(joint.rest);
        for (int c = 0; c < 4; ++c) {
            for (int r = 0; r < 3; ++r) columns.push_back(float(inverted.m[r][c]));
            columns.push_back(c == 3 ? 1.0f : 0.0f);
        }
    }
    const std::size_t n = vertices.size(), stride = sizeof(Vertex);
    engine.arrays.positions = {&vertices[0].position, n, stride, NumberType::f16};
    engine.arrays.normals = {&vertices[0].normal, n, stride, NumberType::snorm16};
    engine.arrays.joint_indices = {&vertices[0].joints, n, stride, NumberType::u8};
    engine.arrays.joint_weights = {&vertices[0].weights, n, stride, NumberType::unorm8};
    engine.arrays.triangles = {triangles.data(), triangles.size(), 0, NumberType::u16};
    engine.arrays.joint_rests = {columns.data(), 2, 0, NumberType::f32};
    engine.arrays.form = MatrixForm::columns_4x4;
    engine.arrays.inverse_binds = true;
    const auto made = make_character(engine.arrays);
    ASSERT_TRUE(made.ok()) << made.error().message;
    expect_same(*made, engine.like, 3e-4f);
    EXPECT_EQ(made->mesh.normals[7], (Vec3{-1, 0, 0}));
}

TEST(MakeCharacter, HalvesAreWhatTheyAre) {
    EXPECT_EQ(half_to_float(0x3c00), 1.0f);
    EXPECT_EQ(half_to_float(0xc000), -2.0f);
    EXPECT_EQ(half_to_float(0x3555), 0.333251953125f);
    EXPECT_EQ(half_to_float(0x7bff), 65504.0f);
    EXPECT_EQ(half_to_float(0x0001), std::ldexp(1.0f, -24));
    EXPECT_EQ(half_to_float(0x83ff), -std::ldexp(1023.0f, -24));
    EXPECT_EQ(half_to_float(0x0400), std::ldexp(1.0f, -14));
    EXPECT_TRUE(std::signbit(half_to_float(0x8000)));
    EXPECT_TRUE(std::isinf(half_to_float(0x7c00)));
    EXPECT_TRUE(std::isnan(half_to_float(0x7e00)));
}

TEST(MakeCharacter, EveryFormOfAMatrix) {
    const Affine wanted{{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}};
    const double rows_4x4[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 1};
    const float columns_4x4[16] = {1, 5, 9, 0, 2, 6, 10, 0, 3, 7, 11, 0, 4, 8, 12, 1};
    const float columns_4x3[12] = {1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12};
    const auto expect = [&](const ArrayView& view, MatrixForm form) {
        Affine out;
        ASSERT_TRUE(read_matrices(view, form, {&out, 1}).ok());
        EXPECT_TRUE(std::equal(&out.m[0][0], &out.m[0][0] + 12, &wanted.m[0][0]));
    };
    expect({&wanted, 1, 0, NumberType::f64}, MatrixForm::rows_3x4);
    expect({rows_4x4, 1, 0, NumberType::f64}, MatrixForm::rows_4x4);
    expect({columns_4x4, 1, 64, NumberType::f32}, MatrixForm::columns_4x4);
    expect({columns_4x3, 1, 0, NumberType::f32}, MatrixForm::columns_4x3);
    Affine out;
    EXPECT_FALSE(read_matrices({rows_4x4, 1, 0, NumberType::u8}, MatrixForm::rows_4x4, {&out, 1}).ok());
    EXPECT_FALSE(read_matrices({rows_4x4, 1, 8, NumberType::f64}, MatrixForm::rows_4x4, {&out, 1}).ok());
    EXPECT_FALSE(read_matrices({rows_4x4, 1, 0, NumberType::f64}, MatrixForm(7), {&out, 1}).ok());
    EXPECT_FALSE(read_matrices({rows_4x4, 2, 0, NumberType::f64}, MatrixForm::rows_4x4, {&out, 1}).ok());
}

template <class Spoil>
void expect_refused(Spoil&& spoil, const std::string& word) {
    Engine engine;
    spoil(engine);
    const auto made = make_character(engine.arrays);
    ASSERT_FALSE(made.ok()) << word;
    EXPECT_NE(made.error().message.find("'engine'"), std::string::npos) << made.error().message;
    EXPECT_NE(made.error().message.find(word), std::string::npos) << made.error().message;
}

TEST(MakeCharacter, WhatIsBrokenIsRefusedWithASentence) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    expect_refused([](Engine& e) { e.triangles[5] = 999999; }, "999999");
    expect_refused([](Engine& e) { e.triangles.pop_back(), e.describe(); }, "triangles");
    expect_refused([](Engine& e) { e.arrays.triangles.type = NumberType::f32; }, "triangles");
    expect_refused([](Engine& e) { e.parents = {-1, 1}; }, "does not come before it");
    expect_refused([](Engine& e) { e.parents = {1, 0}; }, "does not come before it");
    expect_refused([](Engine& e) { e.parents = {-1, 7}; }, "does not come before it");
    expect_refused([](Engine& e) { e.parents = {-1, -2}; }, "does not come before it");
    expect_refused([](Engine& e) { e.parents.pop_back(), e.describe(); }, "parent");
    expect_refused([](Engine& e) { e.positions[4] = std::nanf(""); }, "vertex 1");
    expect_refused([](Engine& e) { e.positions.clear(), e.describe(); }, "vertices");
    expect_refused([](Engine& e) { e.arrays.positions.data = nullptr; }, "positions");
    expect_refused([](Engine& e) { e.arrays.positions.stride = 8; }, "positions");
    expect_refused([](Engine& e) { e.arrays.positions.type = NumberType(77); }, "positions");
    expect_refused([](Engine& e) { e.arrays.uvs = {e.positions.data(), 3, 0, NumberType::f32}; }, "uvs");
    expect_refused([](Engine& e) { e.weights[8] = 0.7f; }, "add up to 0.7");
    expect_refused([](Engine& e) { e.weights[8] = 0; }, "add up to 0");
    expect_refused([](Engine& e) { e.weights[8] = -1; }, "negative");
    expect_refused([](Engine& e) { e.weights[8] = std::nanf(""); }, "non-finite weight");
    expect_refused([](Engine& e) { e.indices[8] = 2; }, "joint 2");
    expect_refused([](Engine& e) { e.arrays.influences = 9; }, "influences");
    expect_refused([](Engine& e) { e.arrays.joint_weights.count = 3; }, "each of its");
    expect_refused([=](Engine& e) { e.rests[0] = nan; }, "'lower'");
    expect_refused([](Engine& e) { e.rests[12] = e.rests[17] = e.rests[22] = 0; }, "'upper'");
    expect_refused([](Engine& e) { e.arrays.joint_rests.type = NumberType::u16; }, "floats or doubles");
    expect_refused([](Engine& e) { e.arrays.joint_rests.count = 0; }, "no joints");
    expect_refused([](Engine& e) { e.arrays.joint_names = {"one"}; }, "names");
    expect_refused([](Engine& e) { e.arrays.joint_tails = {e.rests.data(), 1, 0, NumberType::f64}; }, "tail");
    static const double tails[6] = {0, 1, 0, nan, 0, 0};
    expect_refused([](Engine& e) { e.arrays.joint_tails = {tails, 2, 0, NumberType::f64}; }, "tail");
}

TEST(MakeCharacter, SlotsWithoutWeightMayNameAnything) {
    Engine engine;
    engine.indices[3] = 999;
    engine.arrays.joint_names = {"bone", "bone"};
    static const float tails[6] = {0, 3, 0, 0, 4, 0};
    engine.arrays.joint_tails = {tails, 2, 0, NumberType::f32};
    const auto made = make_character(engine.arrays);
    ASSERT_TRUE(made.ok()) << made.error().message;
    EXPECT_EQ(made->weights.joints[3], 0);
    EXPECT_EQ(made->joints[1].name, "bone_2");
    EXPECT_EQ(made->joints[1].tail, (Vec3d{0, 4, 0}));
}

TEST(MakeCharacter, SlotsOfOneJointAddUpAndWeightsAreNormalised) {
    Engine engine;
    const std::uint16_t indices[4] = {1, 0, 1, 1};
    const float weights[4] = {0.25f, 0.375f, 0.255f, 0.125f};  // 1.005 in total: within what rounding does
    std::copy_n(indices, 4, &engine.indices[4]);
    std::copy_n(weights, 4, &engine.weights[4]);
    const auto made = make_character(engine.arrays);
    ASSERT_TRUE(made.ok()) << made.error().message;
    EXPECT_EQ(made->weights.joints[4], 1);
    EXPECT_EQ(made->weights.joints[5], 0);
    EXPECT_NEAR(made->weights.weights[4], 0.63 / 1.005, 1e-6);
    EXPECT_NEAR(made->weights.weights[5], 0.375 / 1.005, 1e-6);
    EXPECT_EQ(made->weights.weights[6], 0);
}

/// A Character is open data: bind checks it, too.
TEST(CheckCharacter, BindRefusesWhatCodeHasPutTogetherWrongly) {
    const auto expect_word = [](Character character, const std::string& word) {
        const auto rig = fascia::bind(character, LbsSettings{});
        ASSERT_FALSE(rig.ok()) << word;
        EXPECT_NE(rig.error().message.find(word), std::string::npos) << rig.error().message;
    };
    Character broken = test::small_character();
    broken.mesh.triangles[7] = 999999;
    expect_word(broken, "999999");
    broken = test::small_character();
    broken.joints[1].parent = 1;
    expect_word(broken, "does not come before it");
    broken.joints[1].parent = 5;
    expect_word(broken, "does not come before it");
    broken = test::small_character();
    broken.nodes[2].parent = 3;
    expect_word(broken, "list parents first");
    broken = test::small_character();
    broken.joints[0].node = 44;
    expect_word(broken, "node");
    broken = test::small_character();
    broken.joints[1].tail.y = std::numeric_limits<double>::infinity();
    expect_word(broken, "tail");
    EXPECT_TRUE(fascia::bind(test::small_character(), LbsSettings{}).ok());
}

}  // namespace
}  // namespace fascia
