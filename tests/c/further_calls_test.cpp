// What C offers besides the frame: motions, weights, handles, texts about methods; each compared with what C++ says.
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "c/small_arrays.h"
#include "fascia/fascia.h"

namespace {

using fascia::test::SmallArrays;

class FurtherCalls : public ::testing::Test {
protected:
    FurtherCalls() { EXPECT_NE(character_, nullptr); }
    ~FurtherCalls() override {
        fascia_instance_free(instance_);
        fascia_rig_free(rig_);
        fascia_character_free(character_);
    }
    void bind(const char* method) {
        rig_ = fascia_bind(character_, method, R"({"resolution": 6, "influence": "file"})", nullptr, 0);
        ASSERT_NE(rig_, nullptr) << fascia_last_error();
        instance_ = fascia_instance_new(rig_, 1);
        rest_.resize(12 * fascia_rig_joint_count(rig_));
        fascia_rest_pose(character_, rest_.data());
        EXPECT_EQ(fascia_reset(instance_, rest_.data()), FASCIA_OK);
    }
    std::vector<float> surface() {
        std::vector<float> out(3 * fascia_rig_vertex_count(rig_));
        EXPECT_EQ(fascia_embed(instance_, out.data(), nullptr), FASCIA_OK);
        return out;
    }

    const SmallArrays source_;
    fascia_character* character_ = fascia_character_make(&source_.arrays, nullptr, 0);
    fascia_rig* rig_ = nullptr;
    fascia_instance* instance_ = nullptr;
    std::vector<double> rest_;
};

TEST_F(FurtherCalls, AnAnatomyIsGivenToACopy) {
    const std::string text = R"({"bodies": [
        {"name": "stem", "joint": "lower", "capsule": {"from": [0, 0.2, 0], "to": [0, 0.9, 0], "radius": 0.1}},
        {"name": "bob", "joint": "upper", "free": true, "capsule": {"from": [0, 1.1, 0], "to": [0, 1.8, 0], "radius": 0.1}}],
      "joints": [{"a": "stem", "b": "bob", "at": [0, 1, 0], "limit": 40}], "skin": {"reach": 0.3}})";
    fascia_character* with = fascia_character_with_anatomy(character_, text.data(), text.size(), "own", nullptr, 0);
    ASSERT_NE(with, nullptr) << fascia_last_error();
    rig_ = fascia_bind(with, "neck", nullptr, nullptr, 0);
    ASSERT_NE(rig_, nullptr) << fascia_last_error();
    fascia_rig* without = fascia_bind(character_, "neck", nullptr, nullptr, 0);
    ASSERT_NE(without, nullptr) << fascia_last_error();
    EXPECT_GT(fascia_point_count(rig_), fascia_point_count(without)) << "the other one has none";
    fascia_rig_free(without);
    fascia_character_free(with);

    char error[300];
    std::string wrong = text;
    wrong.replace(wrong.find("\"upper\""), 7, "\"uper\"");
    EXPECT_EQ(fascia_character_with_anatomy(character_, wrong.data(), wrong.size(), "own", error, sizeof error),
              nullptr);
    EXPECT_NE(std::string(error).find("did you mean 'upper'"), std::string::npos) << error;
    EXPECT_EQ(fascia_character_with_anatomy(character_, nullptr, 0, nullptr, error, sizeof error), nullptr);
    EXPECT_EQ(fascia_character_with_anatomy(nullptr, text.data(), text.size(), "own", error, sizeof error), nullptr);
}

TEST_F(FurtherCalls, AMotionBecomesTheLastClipOfACopy) {
    std::size_t motions = 0;
    while (fascia_bundled_motion(motions) != nullptr) ++motions;
    EXPECT_EQ(motions, fascia::bundled_motion_names().size());
    ASSERT_STREQ(fascia_bundled_character(0), fascia::bundled_names()[0].c_str());

    const std::size_t before = fascia_clip_count(character_);
    fascia_character* swaying = fascia_character_with_motion(character_, "bundled:sway", nullptr, 0);
    ASSERT_NE(swaying, nullptr) << fascia_last_error();
    EXPECT_EQ(fascia_clip_count(character_), before);
    ASSERT_EQ(fascia_clip_count(swaying), before + 1);
    EXPECT_GT(fascia_clip_duration(swaying, before), 0);
    std::vector<double> here(24), there(24);
    EXPECT_EQ(fascia_pose(swaying, int(before), 0.25 * fascia_clip_duration(swaying, before), here.data()), FASCIA_OK);
    fascia_rest_pose(swaying, there.data());
    EXPECT_NE(here, there);
    fascia_character_free(swaying);

    const std::string bvh =
        "HIERARCHY\nROOT lower\n{\nOFFSET 0 0 0\n"
        "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
        "JOINT upper\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
        "End Site\n{\nOFFSET 0 1 0\n}\n}\n}\n"
        "MOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 30 0 0\n";
    fascia_character* bending = fascia_character_with_bvh(character_, bvh.data(), bvh.size(), "bend", nullptr, 0);
    ASSERT_NE(bending, nullptr) << fascia_last_error();
    EXPECT_EQ(fascia_find_clip(bending, "bend"), int(before));
    fascia_character_free(bending);

    char error[200];
    EXPECT_EQ(fascia_character_with_motion(character_, "bundled:swim", error, sizeof error), nullptr);
    EXPECT_NE(std::strlen(error), 0u);
    EXPECT_EQ(fascia_character_with_motion(character_, "nowhere.bvh", nullptr, 0), nullptr);
    EXPECT_EQ(fascia_character_with_bvh(character_, nullptr, 9, nullptr, nullptr, 0), nullptr);
    EXPECT_EQ(fascia_character_with_motion(nullptr, "bundled:sway", nullptr, 0), nullptr);
}

TEST_F(FurtherCalls, WeightsAndNamesOfCharacterAndRig) {
    bind("layers");
    ASSERT_EQ(fascia_influences(character_), 4);
    const std::size_t slots = 4 * fascia_vertex_count(character_);
    std::vector<std::uint16_t> joints(slots), rig_joints(slots);
    std::vector<float> weights(slots), rig_weights(slots);
    EXPECT_EQ(fascia_skin_weights(character_, joints.data(), weights.data()), FASCIA_OK);
    EXPECT_EQ(joints, source_.like.weights.joints);
    EXPECT_EQ(weights, source_.like.weights.weights);
    ASSERT_EQ(fascia_rig_influences(rig_), 4);
    EXPECT_EQ(fascia_rig_skin_weights(rig_, rig_joints.data(), rig_weights.data()), FASCIA_OK);
    EXPECT_EQ(rig_weights, weights);
    EXPECT_STREQ(fascia_rig_joint_name(rig_, 1), "upper");
    EXPECT_EQ(fascia_rig_joint_name(rig_, 2), nullptr);
    EXPECT_EQ(fascia_rig_has_normals(rig_), 1);
    EXPECT_EQ(fascia_rig_has_tangents(rig_), 0);
    EXPECT_EQ(fascia_rig_has_normals(nullptr), 0);
    EXPECT_EQ(fascia_skin_weights(nullptr, nullptr, nullptr), FASCIA_FOREIGN);

    const std::size_t parts = fascia_rig_anatomy(rig_, nullptr, 0);
    ASSERT_GT(parts, 0u);
    std::vector<fascia_anatomy_part> found(parts);
    EXPECT_EQ(fascia_rig_anatomy(rig_, found.data(), found.size()), parts);
    for (const fascia_anatomy_part& part : found) {
        EXPECT_LT(part.joint, 2u);
        EXPECT_GT(part.vertices, 0u);
    }

    fascia_workspace* work = fascia_workspace_new(1);
    fascia_instance_work_in(instance_, work);
    EXPECT_EQ(fascia_workspace_seconds(work, "embed"), 0);
    surface();
    EXPECT_GT(fascia_workspace_seconds(work, "embed"), 0);
    EXPECT_EQ(fascia_workspace_seconds(work, nullptr), 0);
    fascia_workspace_free(work);
}

TEST_F(FurtherCalls, HandlesHoldAndTurn) {
    bind("handles");
    rest_[3] += 0.1;  // drags the lower one aside
    EXPECT_EQ(fascia_advance(instance_, rest_.data(), 0.1), FASCIA_OK);
    const std::vector<float> held = surface();
    EXPECT_EQ(fascia_is_handle_enabled(instance_, 0), 1);
    EXPECT_EQ(fascia_enable_handles(instance_, "low*", 0, nullptr, 0), FASCIA_OK);
    EXPECT_EQ(fascia_is_handle_enabled(instance_, 0), 0);
    EXPECT_EQ(fascia_advance(instance_, rest_.data(), 0.1), FASCIA_OK);
    const std::vector<float> released = surface();
    EXPECT_NE(released, held);
    const double turn[4] = {0.8, 0, 0.6, 0};
    EXPECT_EQ(fascia_turn_handles(instance_, "upper", turn, nullptr, 0), FASCIA_OK);
    EXPECT_EQ(fascia_advance(instance_, rest_.data(), 0.1), FASCIA_OK);
    EXPECT_NE(surface(), released);
    char error[200];
    EXPECT_NE(fascia_enable_handles(instance_, "tail", 1, error, sizeof error), FASCIA_OK);
    EXPECT_NE(std::strlen(error), 0u);
    EXPECT_EQ(fascia_turn_handles(instance_, "upper", nullptr, nullptr, 0), FASCIA_REFUSED);
    // Where the handles are: the lower one is disabled, and goes with the other, which nobody has dragged.
    std::vector<double> carried(rest_.size());
    EXPECT_EQ(fascia_handle_pose(instance_, carried.data()), FASCIA_OK);
    EXPECT_NEAR(carried[3], rest_[3] - 0.1, 1e-9);
    EXPECT_EQ(fascia_handle_pose(instance_, nullptr), FASCIA_REFUSED);
    EXPECT_EQ(fascia_handle_pose(nullptr, carried.data()), FASCIA_FOREIGN);
    EXPECT_EQ(fascia_enable_handles(nullptr, "*", 1, nullptr, 0), FASCIA_FOREIGN);
}

/// All texts of a list that ends with NULL.
template <class At>
std::vector<std::string> texts(At&& at) {
    std::vector<std::string> out;
    while (const char* text = at(out.size())) out.push_back(text);
    return out;
}

TEST(FurtherTexts, AreThoseOfCpp) {
    for (const fascia::MethodInfo& info : fascia::methods()) {
        const char* method = info.name.c_str();
        EXPECT_EQ(fascia_method_summary(method), info.summary);
        EXPECT_EQ(fascia_method_from(method), info.from);
        EXPECT_EQ(texts([&](std::size_t k) { return fascia_method_stage(method, k); }), info.stages);
        EXPECT_EQ(texts([&](std::size_t k) { return fascia_method_embedding(method, k); }), info.abilities.embeddings);
        EXPECT_EQ(texts([&](std::size_t k) { return fascia_method_own_weights(method, k); }),
                  info.abilities.own_weights);
        fascia_abilities can{};
        EXPECT_EQ(fascia_method_abilities(method, &can), FASCIA_OK);
        EXPECT_EQ(can.blends_clips != 0, info.abilities.blends_clips);
        for (std::size_t f = 0; f < info.fields.size(); ++f) {
            const fascia::FieldInfo& field = info.fields[f];
            EXPECT_EQ(texts([&](std::size_t k) { return fascia_setting_choice(method, f, k); }), field.choices);
            char usual[200] = "";
            const std::size_t size = fascia_setting_usual(method, f, usual, sizeof usual);
            EXPECT_EQ(size > 0, field.usual.has_value()) << field.key;
            if (field.usual) {
                EXPECT_EQ(usual, fascia::to_text(*field.usual)) << field.key;
            }
        }
    }
    EXPECT_EQ(texts(fascia_weight_method), fascia::weight_methods());
    EXPECT_EQ(texts(fascia_preset), fascia::preset_names());
    EXPECT_EQ(fascia_method_summary("none"), nullptr);
    EXPECT_EQ(fascia_setting_choice("layers", 999, 0), nullptr);
}

TEST(FurtherTexts, APresetIsAFleshFile) {
    std::vector<char> text(fascia_preset_flesh("jelly", nullptr, 0));
    ASSERT_EQ(fascia_preset_flesh("jelly", text.data(), text.size()), text.size());
    const auto flesh = fascia::parse_flesh(text.data(), "jelly", *fascia::preset("default"));
    ASSERT_TRUE(flesh.ok());
    const fascia::Settings read = *fascia::settings_for("layers", *flesh),
                           meant = *fascia::settings_for("layers", *fascia::preset("jelly"));
    for (const char* key : {"tone", "layers.fat.frequency", "layers.fat.damping"})
        EXPECT_EQ(*fascia::get_field(read, key), *fascia::get_field(meant, key)) << key;
    EXPECT_EQ(fascia_preset_flesh("granite", nullptr, 0), 0u);
}

}  // namespace
