// The flesh file: what it may contain, and the messages for what it may not.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "fascia/io.h"

namespace fascia {
namespace {

Flesh base() {
    return *preset("default");
}

LayersSettings layers_of(const Flesh& flesh) {
    return *settings_from<LayersSettings>(flesh);
}

double value_at(const Flesh& flesh, const char* key, const char* joint) {
    return fascia::value_at(layers_of(flesh), key, joint);
}

Result<Flesh> parse(const std::string& text) {
    return parse_flesh(text, "x.flesh.json", base());
}

TEST(FleshFile, ReadsEveryField) {
    const Result<Flesh> flesh = parse(R"({
        "preset": "soft", "resolution": 48, "region_width": 5, "region_radius": 3, "delta": 0.5, "bone_width": 0.02,
        "muscle": 0.4, "gravity": [0, -9.81, 0], "step": 0.004, "mask": "COLOR_1.r",
        "preserve_volume": false, "pivoted": 1,
        "layers": [{"name": "fat", "frequency": 2.5, "damping": 0.1, "amount": 1.5}],
        "parts": [{"joint": "belly*", "bone_width": 0.02, "muscle": 0.2, "amount": 1.2}, {"joint": "hand.L"}],
        "joints": [{"joint": "knee", "t_min": -0.1, "t_max": 0.3}]})");
    ASSERT_TRUE(flesh.ok()) << flesh.error().message;
    EXPECT_EQ(flesh->preset, "soft");
    const LayersSettings layers = layers_of(*flesh);
    const LatticeSettings lattice = *settings_from<LatticeSettings>(*flesh);
    EXPECT_EQ(layers.resolution, 48);
    EXPECT_EQ(layers.region_width, 5);
    EXPECT_EQ(lattice.region_radius, 3);
    EXPECT_EQ(lattice.delta, 0.5);
    EXPECT_EQ(layers.bone_width, 0.02);
    EXPECT_EQ(layers.muscle, 0.4);
    EXPECT_EQ(layers.gravity.y, -9.81);
    EXPECT_EQ(layers.step, 0.004);
    EXPECT_EQ(layers.mask, "COLOR_1.r");
    EXPECT_FALSE(lattice.preserve_volume);
    EXPECT_TRUE(lattice.pivoted);
    ASSERT_EQ(layers.layers.size(), 3u);
    EXPECT_EQ(layers.layers[0].frequency, automatic);
    EXPECT_EQ(layers.tone, 0.7);  // from the preset soft
    EXPECT_EQ(layers.layers[1].frequency, 2.5);
    EXPECT_EQ(layers.layers[1].damping, 0.1);
    EXPECT_EQ(layers.layers[1].amount, 1.5);
    EXPECT_EQ(value_at(*flesh, "bone_width", "belly_front"), 0.02);
    EXPECT_EQ(value_at(*flesh, "muscle", "belly_front"), 0.2);
    EXPECT_EQ(value_at(*flesh, "amount", "belly_front"), 1.2);
    const BonesBlendingSettings blending = *settings_from<BonesBlendingSettings>(*flesh);
    ASSERT_EQ(blending.joints.size(), 1u);
    EXPECT_EQ(blending.joints[0].t_max, 0.3);
}

TEST(FleshFile, EmptyObjectKeepsTheBase) {
    Flesh start = *preset("jelly");
    ASSERT_TRUE(set_field(start, "resolution", "40").ok());
    const Result<Flesh> flesh = parse_flesh("{}", "x", start);
    ASSERT_TRUE(flesh.ok());
    EXPECT_EQ(flesh_to_json(*flesh), flesh_to_json(start));
}

TEST(FleshFile, ThePresetComesFirstWhereverItStands) {
    const Result<Flesh> flesh =
        parse(R"({"resolution": 20, "layers": [{"name":"fat","frequency":9}], "preset":"jelly"})");
    ASSERT_TRUE(flesh.ok()) << flesh.error().message;
    EXPECT_EQ(layers_of(*flesh).resolution, 20);
    EXPECT_EQ(layers_of(*flesh).layers[1].frequency, 9);
    EXPECT_EQ(layers_of(*flesh).tone, 0.5);
}

TEST(FleshFile, LastPartWins) {
    const Result<Flesh> flesh =
        parse(R"({"parts": [{"joint":"belly","amount":1.5},{"joint":"b*","amount":0.1},{"joint":"*","muscle":0.9}]})");
    ASSERT_TRUE(flesh.ok()) << flesh.error().message;
    EXPECT_EQ(value_at(*flesh, "amount", "belly"), 0.1);
    EXPECT_EQ(value_at(*flesh, "muscle", "belly"), 0.9);
    EXPECT_EQ(value_at(*flesh, "amount", "head"), 0.3);  // the preset's part still applies
}

TEST(FleshFile, NewLayersReplaceTheList) {
    const Result<Flesh> flesh = parse(R"({"layers": [{"name":"muscle"},{"name":"blubber","share":2,"frequency":2},
        {"name":"skin","frequency":5}]})");
    ASSERT_TRUE(flesh.ok()) << flesh.error().message;
    ASSERT_EQ(flesh->layers.size(), 3u);
    const LayersSettings layers = layers_of(*flesh);
    EXPECT_EQ(layers.layers[0].frequency, automatic);
    EXPECT_EQ(layers.layers[1].name, "blubber");
    EXPECT_EQ(layers.layers[1].share, 2);
    EXPECT_EQ(layers.layers[2].frequency, 5);
}

TEST(FleshFile, PartsThatWereTakenAwayStayAway) {
    Flesh flesh = *preset("default");
    flesh.parts = {{"belly", {{"muscle", 0.2}}}};
    const Result<Flesh> again = parse_flesh(flesh_to_json(flesh), "again", *preset("soft"));
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(value_at(*again, "amount", "head"), 1);
    EXPECT_EQ(value_at(*again, "muscle", "belly"), 0.2);
}

TEST(FleshFile, RoundTrip) {
    for (const std::string& name : preset_names()) {
        Flesh flesh = *preset(name);
        ASSERT_TRUE(set_field(flesh, "parts.upper.arm.amount", "0.7").ok());
        ASSERT_TRUE(set_field(flesh, "joints.knee.t_max", "0.25").ok());
        ASSERT_TRUE(set_field(flesh, "gravity", "9.81").ok());
        const std::string text = flesh_to_json(flesh);
        Flesh empty;
        empty.preset = name;
        const Result<Flesh> again = parse_flesh(text, "again", empty);
        ASSERT_TRUE(again.ok()) << again.error().message;
        EXPECT_EQ(nlohmann::json::parse(flesh_to_json(*again))["layers"], nlohmann::json::parse(text)["layers"]);
        const LayersSettings now = layers_of(*again), before = layers_of(flesh);
        EXPECT_EQ(now.gravity.y, -9.81);
        EXPECT_EQ(now.mode, before.mode);
        EXPECT_EQ(now.bone_width, before.bone_width);
        EXPECT_EQ(now.step, before.step);
        EXPECT_EQ(value_at(*again, "amount", "upper.arm"), 0.7);
        EXPECT_EQ(value_at(*again, "amount", "head"), value_at(flesh, "amount", "head"));
        EXPECT_EQ(settings_from<BonesBlendingSettings>(*again)->joints.at(0).t_max, 0.25);
        EXPECT_EQ(again->parts.size(), flesh.parts.size()) << "the preset's own parts must not come twice";
        EXPECT_EQ(flesh_to_json(*again), text);
    }
}

struct BadFile {
    const char *text, *expected;
};

TEST(FleshFile, ErrorsNameTheKeyAndTheNearest) {
    const BadFile cases[] = {
        {R"({"resolutoin": 3})", "'resolution'"},
        {R"({"resolution": 3})", "resolution must be auto or a whole number from 4 to 512, not '3'"},
        {R"({"resolution": 32.5})", "whole"},
        {R"({"resolution": "32"})", "resolution must be auto or a number, not string"},
        {R"({"resolution": true})", "not boolean"},
        {R"({"resolution": null})", "not null"},
        {R"({"resolution": [32]})", "not array"},
        {R"({"resolution": 1e400})", "too large"},
        {R"({"preset": "jely"})", "'jelly'"},
        {R"({"preset": 3})", "preset must be text"},
        {R"({"mode": "papr"})", "'paper'"},
        {R"({"mode": 1})", "mode must be text"},
        {R"({"mask": 1})", "mask must be text"},
        {R"({"pivoted": "yes"})", "pivoted must be true or false, not string"},
        {R"({"pivoted": 2})", "pivoted must be true or false, not '2'"},
        {R"({"gravity": [1, 2]})", "gravity"},
        {R"({"gravity": "down"})", "gravity"},
        {R"({"layers": {}})", "layers must be a list"},
        {R"({"layers": [3]})", "layers must hold objects"},
        {R"({"layers": [{"frequency": 3}]})", "has no \"name\""},
        {R"({"layers": [{"name": "fat", "frequncy": 3}]})", "'layers.fat.frequency'"},
        {R"({"layers": [{"name": "fat", "frequency": -3}]})", "layers.fat.frequency must be"},
        {R"({"layers": [{"name": "fat"}, {"name": "fat"}]})", "twice"},
        {R"({"layers": [{"name": "fst", "frequency": 3}]})", "'fat'"},
        {R"({"parts": [{"amount": 1}]})", "has no \"joint\""},
        {R"({"parts": [{"joint": "belly", "amout": 1}]})", "'parts.belly.amount'"},
        {R"({"parts": [{"joint": "belly", "amount": 3}]})", "parts.belly.amount must be"},
        {R"({"parts": [{"joint": "belly", "x.amount": 1}]})", "x.amount"},
        {R"({"joints": [{"joint": "knee", "tmin": 1}]})", "'joints.knee.t_min'"},
        {R"({"bone_width": 3})", "bone_width"},
        {"", "not valid JSON at line 1"},
        {"[]", "is an object"},
        {"3", "is an object"},
        {"{\n  \"resolution\": 32,\n}", "line 3"},
        {"{\"a\": \"\xff\"}", "not valid JSON"},
    };
    for (const BadFile& bad : cases) {
        const Result<Flesh> flesh = parse(bad.text);
        ASSERT_FALSE(flesh.ok()) << bad.text;
        EXPECT_EQ(flesh.error().kind, Error::Kind::input);
        EXPECT_NE(flesh.error().message.find(bad.expected), std::string::npos) << flesh.error().message;
        EXPECT_EQ(flesh.error().message.rfind("x.flesh.json: ", 0), 0u) << flesh.error().message;
        EXPECT_EQ(flesh.error().message.find('\n'), std::string::npos);
    }
}

TEST(FleshFile, DeepNestingIsRefusedNotCrashed) {
    EXPECT_FALSE(parse(std::string(200000, '[')).ok());
    EXPECT_FALSE(parse("{\"parts\":" + std::string(100000, '[') + std::string(100000, ']') + "}").ok());
}

class FleshOnDisk : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / ("fascia_flesh_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string write(const std::string& name, const std::string& text) {
        const std::string path = (folder_ / name).string();
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    std::filesystem::path folder_;
};

TEST_F(FleshOnDisk, LoadsAndFindsItsImage) {
    const Result<Flesh> flesh = load_flesh(write("a.flesh.json", R"({"mask": "grey.png"})"), base());
    ASSERT_TRUE(flesh.ok()) << flesh.error().message;
    EXPECT_EQ(layers_of(*flesh).mask, (folder_ / "grey.png").string());
}

TEST_F(FleshOnDisk, BadPaths) {
    EXPECT_NE(load_flesh((folder_ / "none.json").string(), base()).error().message.find("no such file"),
              std::string::npos);
    EXPECT_NE(load_flesh(folder_.string(), base()).error().message.find("is a folder"), std::string::npos);
    EXPECT_NE(load_flesh(write("empty.json", ""), base()).error().message.find("not valid JSON"), std::string::npos);
    EXPECT_NE(load_flesh("/dev/zero", base()).error().message.find("larger than"), std::string::npos);
}

TEST(SurfaceParts, AreReadAndWrittenByFleshFiles) {
    const Result<Flesh> flesh = parse_flesh(
        R"({"parts": [{"material": "Beard", "amount": 1.5}, {"mesh": "hat*", "amount": 0}]})", "x", *preset("default"));
    ASSERT_TRUE(flesh.ok()) << flesh.error().message;
    EXPECT_EQ(std::get<double>(*get_field(*flesh, "parts.material:Beard.amount")), 1.5);
    EXPECT_EQ(std::get<double>(*get_field(*flesh, "parts.mesh:hat*.amount")), 0);
    const std::string text = flesh_to_json(*flesh);
    EXPECT_NE(text.find("\"material\": \"Beard\""), std::string::npos) << text;
    const Result<Flesh> again = parse_flesh(text, "y", *preset("default"));
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(again->parts, flesh->parts);
}

}  // namespace
}  // namespace fascia
