// Settings: presets, keys, ranges, and the sentences for what is not so.
#include "fascia/settings.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/glob.h"

namespace fascia {
namespace {

const LayerSettings& layer(const Flesh& flesh, const std::string& name) {
    for (const LayerSettings& l : flesh.layers)
        if (l.name == name) return l;
    ADD_FAILURE() << "no layer " << name;
    return flesh.layers.front();
}

Flesh default_flesh() {
    return *preset("default");
}

std::string error_of(const Status& status) {
    return status ? "" : status.error().message;
}

Character character_with_joints(const std::vector<std::string>& names) {
    Character character;
    character.name = "puppet";
    for (const std::string& name : names) {
        Joint joint;
        joint.name = name;
        character.joints.push_back(joint);
    }
    return character;
}

// ---- glob ----------------------------------------------------------------------------------------
TEST(Glob, MatchesWholeNames) {
    EXPECT_TRUE(glob_match("belly", "belly"));
    EXPECT_FALSE(glob_match("belly", "belly2"));
    EXPECT_FALSE(glob_match("belly2", "belly"));
    EXPECT_TRUE(glob_match("belly*", "belly"));
    EXPECT_TRUE(glob_match("belly*", "belly_lower"));
    EXPECT_TRUE(glob_match("*", ""));
    EXPECT_TRUE(glob_match("", ""));
    EXPECT_FALSE(glob_match("", "a"));
    EXPECT_FALSE(glob_match("?", ""));
    EXPECT_TRUE(glob_match("ear_?", "ear_l"));
    EXPECT_FALSE(glob_match("ear_?", "ear_"));
    EXPECT_TRUE(glob_match("*head*", "mixamorig:HeadTop"));
    EXPECT_TRUE(glob_match("BELLY", "belly"));
}

TEST(Glob, SetsOfCharacters) {
    EXPECT_TRUE(glob_match("arm.[LR]", "arm.L"));
    EXPECT_TRUE(glob_match("arm.[LR]", "arm.r"));
    EXPECT_FALSE(glob_match("arm.[LR]", "arm.x"));
    EXPECT_TRUE(glob_match("spine[0-9]", "spine7"));
    EXPECT_FALSE(glob_match("spine[0-9]", "spinex"));
    EXPECT_TRUE(glob_match("spine[!0-9]", "spinex"));
    EXPECT_FALSE(glob_match("spine[!0-9]", "spine3"));
    EXPECT_TRUE(glob_match("a]b", "a]b"));
    EXPECT_TRUE(glob_match("a[b", "a[b"));  // never closed: stands for itself
    EXPECT_TRUE(glob_match("[]]", "]"));
    EXPECT_TRUE(glob_match("a[", "a["));
}

TEST(Glob, StarsTryAgain) {
    EXPECT_TRUE(glob_match("*ab*cd", "abxabcabxcd"));
    EXPECT_FALSE(glob_match("*ab*cd", "abxabcabxce"));
    EXPECT_TRUE(glob_match("a*[xy]z", "a[xz yz xz"));
    // Exponential in a naive matcher.
    EXPECT_FALSE(glob_match("*a*a*a*a*a*a*a*a*a*a*a*b", std::string(400, 'a')));
}

// A recursive twin, over every pattern and name of a small alphabet.
bool slow_match(const std::string& pattern, const std::string& name) {
    if (pattern.empty()) return name.empty();
    const std::string rest = pattern.substr(1);
    if (pattern[0] == '*') return slow_match(rest, name) || (!name.empty() && slow_match(pattern, name.substr(1)));
    if (name.empty()) return false;
    return (pattern[0] == '?' || pattern[0] == name[0]) && slow_match(rest, name.substr(1));
}

std::vector<std::string> words(const std::string& letters, int longest) {
    std::vector<std::string> all{""};
    for (std::size_t first = 0, length = 0; length < static_cast<std::size_t>(longest); ++length) {
        const std::size_t end = all.size();
        for (; first < end; ++first)
            for (char c : letters) all.push_back(all[first] + c);
    }
    return all;
}

TEST(Glob, EqualsARecursiveTwin) {
    for (const std::string& pattern : words("ab*?", 5))
        for (const std::string& name : words("ab", 5))
            ASSERT_EQ(glob_match(pattern, name), slow_match(pattern, name)) << pattern << " " << name;
}

// ---- nearest name --------------------------------------------------------------------------------
TEST(NearestName, FewestEdits) {
    EXPECT_EQ(nearest_name("frequncy", {"damping", "frequency", "amount"}), "frequency");
    EXPECT_EQ(nearest_name("LAYERS", {"lattice", "layers"}), "layers");
    EXPECT_EQ(nearest_name("x", {}), "");
}

// ---- presets -------------------------------------------------------------------------------------
TEST(Presets, AllNamesGiveValidFlesh) {
    ASSERT_EQ(preset_names().size(), 8u);
    for (const std::string& name : preset_names()) {
        const Result<Flesh> flesh = preset(name);
        ASSERT_TRUE(flesh.ok()) << name;
        EXPECT_EQ(flesh->preset, name);
        EXPECT_EQ(error_of(check(*flesh, nullptr)), "") << name;
        ASSERT_EQ(flesh->layers.size(), 3u);
        EXPECT_EQ(flesh->layers[0].name, "muscle");  // from the bone outwards
        EXPECT_EQ(flesh->layers[1].name, "fat");
        EXPECT_EQ(flesh->layers[2].name, "skin");
    }
}

struct PresetFigures {
    const char* name;
    double frequency[3], damping[3];
};

TEST(Presets, PhysicalFigures) {
    const PresetFigures figures[] = {{"default", {8, 4, 4.5}, {.20, .15, .15}},
                                     {"soft", {6, 3, 3.5}, {.20, .15, .15}},
                                     {"firm", {12, 7, 8}, {.20, .15, .15}},
                                     {"jelly", {4, 2, 2.2}, {.07, .07, .07}}};
    for (const PresetFigures& expected : figures) {
        const Flesh flesh = *preset(expected.name);
        EXPECT_EQ(flesh.mode, Mode::physical);
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(flesh.layers[i].frequency, expected.frequency[i]) << expected.name;
            EXPECT_EQ(flesh.layers[i].damping, expected.damping[i]) << expected.name;
            EXPECT_EQ(flesh.layers[i].amount, 1) << expected.name;
        }
        EXPECT_EQ(flesh_at(flesh, "Head").amount, 0.3) << expected.name;
        EXPECT_EQ(flesh_at(flesh, "neck_1").amount, 0.3) << expected.name;
        EXPECT_EQ(flesh_at(flesh, "belly").amount, 1) << expected.name;
    }
}

TEST(Presets, PaperFigures) {
    const Flesh smurf = *preset("paper-smurf");
    EXPECT_EQ(smurf.mode, Mode::paper);
    EXPECT_EQ(smurf.resolution, 64);
    EXPECT_EQ(layer(smurf, "muscle").k_s, 3.2);
    EXPECT_EQ(layer(smurf, "fat").k_s, 1.2);
    EXPECT_EQ(layer(smurf, "skin").k_s, 2.8);
    EXPECT_EQ(layer(smurf, "muscle").k_d, .4);
    EXPECT_EQ(layer(smurf, "skin").k_d, .7);
    const Flesh bunny = *preset("paper-bunny"), bloat = *preset("paper-bloat");
    EXPECT_EQ(layer(bunny, "fat").k_s, .5);
    EXPECT_EQ(layer(bloat, "skin").k_s, 3.0);
    EXPECT_EQ(layer(bloat, "fat").k_d, .5);
}

TEST(Presets, MisspeltNameSuggests) {
    const Result<Flesh> flesh = preset("jely");
    ASSERT_FALSE(flesh.ok());
    EXPECT_EQ(flesh.error().kind, Error::Kind::usage);
    EXPECT_NE(flesh.error().message.find("'jelly'"), std::string::npos);
}

// ---- set_field -----------------------------------------------------------------------------------
TEST(SetField, EveryKindOfKey) {
    Flesh flesh = default_flesh();
    EXPECT_EQ(error_of(set_field(flesh, "resolution", "48")), "");
    EXPECT_EQ(error_of(set_field(flesh, "region_width", "5")), "");
    EXPECT_EQ(error_of(set_field(flesh, "region_radius", "3")), "");
    EXPECT_EQ(error_of(set_field(flesh, "delta", "0.25")), "");
    EXPECT_EQ(error_of(set_field(flesh, "step", "0.005")), "");
    EXPECT_EQ(error_of(set_field(flesh, "gravity", "9.81")), "");
    EXPECT_EQ(flesh.resolution, 48);
    EXPECT_EQ(flesh.region_width, 5);
    EXPECT_EQ(flesh.region_radius, 3);
    EXPECT_EQ(flesh.delta, 0.25);
    EXPECT_EQ(flesh.step, 0.005);
    EXPECT_EQ(flesh.gravity.y, -9.81);
    EXPECT_EQ(error_of(set_field(flesh, "gravity", "1,-2,3e1")), "");
    EXPECT_EQ(flesh.gravity.x, 1);
    EXPECT_EQ(flesh.gravity.y, -2);
    EXPECT_EQ(flesh.gravity.z, 30);
    EXPECT_EQ(error_of(set_field(flesh, "layers.fat.frequency", "3.5")), "");
    EXPECT_EQ(error_of(set_field(flesh, "layers.skin.damping", "1")), "");
    EXPECT_EQ(layer(flesh, "fat").frequency, 3.5);
    EXPECT_EQ(layer(flesh, "skin").damping, 1);
    EXPECT_EQ(error_of(set_field(flesh, "joints.elbow.L.t_min", "-0.2")), "");
    ASSERT_EQ(flesh.joints.size(), 1u);
    EXPECT_EQ(flesh.joints[0].joint, "elbow.L");
    EXPECT_EQ(flesh.joints[0].t_min, -0.2);
    EXPECT_FALSE(flesh.joints[0].t_max.has_value());
    EXPECT_EQ(error_of(set_field(flesh, "mask", "COLOR_1.r")), "");
    EXPECT_EQ(flesh.mask, "COLOR_1.r");
}

TEST(SetField, JointNamesMayHoldDots) {
    Flesh flesh = default_flesh();
    EXPECT_EQ(error_of(set_field(flesh, "parts.upper.arm.L.muscle", "0.9")), "");
    EXPECT_EQ(flesh.parts.back().joint, "upper.arm.L");
    EXPECT_EQ(flesh.parts.back().muscle, 0.9);
}

TEST(SetField, LaterWinsOverEarlierParts) {
    Flesh flesh = default_flesh();
    EXPECT_EQ(error_of(set_field(flesh, "parts.belly.amount", "2")), "");
    EXPECT_EQ(error_of(set_field(flesh, "parts.*.amount", "0.5")), "");
    EXPECT_EQ(flesh_at(flesh, "belly").amount, 0.5);
    EXPECT_EQ(error_of(set_field(flesh, "parts.belly.amount", "1.5")), "");
    EXPECT_EQ(flesh_at(flesh, "belly").amount, 1.5);
    EXPECT_EQ(flesh_at(flesh, "arm").amount, 0.5);
}

TEST(SetField, PartsCombineFieldByField) {
    Flesh flesh = default_flesh();
    EXPECT_EQ(error_of(set_field(flesh, "parts.belly*.muscle", "0.2")), "");
    EXPECT_EQ(error_of(set_field(flesh, "parts.belly.amount", "1.2")), "");
    const JointFlesh belly = flesh_at(flesh, "belly");
    EXPECT_EQ(belly.muscle, 0.2);
    EXPECT_EQ(belly.amount, 1.2);
    EXPECT_EQ(belly.bone_width, 0.03);
    EXPECT_EQ(flesh_at(flesh, "belly2").amount, 1);
}

struct BadSetting {
    const char *key, *value, *expected;
};

TEST(SetField, ErrorsNameTheKeyAndTheNearest) {
    const BadSetting cases[] = {
        {"resoluton", "32", "'resolution'"},
        {"layers.fat.frequncy", "3", "'layers.fat.frequency'"},
        {"layers.fst.frequency", "3", "'layers.fat.frequency'"},
        {"layer.fat.frequency", "3", "'layers.fat.frequency'"},
        {"parts.belly.amout", "1", "'parts.belly.amount'"},
        {"part.belly.amount", "1", "'parts.belly.amount'"},
        {"joints.knee.tmin", "1", "'joints.knee.t_min'"},
        {"parts..amount", "1", "there is no setting 'parts..amount'"},
        {"", "1", "there is no setting ''"},
        {"preset", "soft", "--preset soft"},
        {"resolution", "3", "resolution must be a whole number from 4 to 512, not '3'"},
        {"resolution", "513", "from 4 to 512"},
        {"resolution", "32.5", "whole number"},
        {"resolution", "many", "not 'many'"},
        {"resolution", "", "not ''"},
        {"resolution", "0x20", "not '0x20'"},
        {"delta", "nan", "not 'nan'"},
        {"delta", "1e999", "not '1e999'"},
        {"delta", "0.5 ", "not '0.5 '"},
        {"layers.fat.amount", "2.1", "layers.fat.amount must be a number from 0 to 2"},
        {"layers.fat.damping", "-0.1", "layers.fat.damping"},
        {"parts.belly.muscle", "1.1", "parts.belly.muscle"},
        {"gravity", "-9.81", "0,-9.81,0"},
        {"gravity", "1,2", "gravity"},
        {"gravity", "1,,2", "gravity"},
        {"mode", "papr", "'paper'"},
        {"mask", "COLOR_1.q", "COLOR_1.r"},
    };
    for (const BadSetting& bad : cases) {
        Flesh flesh = default_flesh();
        const Status status = set_field(flesh, bad.key, bad.value);
        ASSERT_FALSE(status.ok()) << bad.key << "=" << bad.value;
        EXPECT_EQ(status.error().kind, Error::Kind::usage);
        EXPECT_NE(status.error().message.find(bad.expected), std::string::npos) << status.error().message;
    }
}

TEST(SetField, LimitsAreInside) {
    Flesh flesh = default_flesh();
    for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{{"resolution", "4"},
                                                                                     {"resolution", "512"},
                                                                                     {"region_width", "2"},
                                                                                     {"layers.fat.amount", "0"},
                                                                                     {"layers.fat.amount", "2"},
                                                                                     {"parts.x.muscle", "1"}})
        EXPECT_EQ(error_of(set_field(flesh, key, value)), "");
}

TEST(SetField, AFailureChangesNothing) {
    Flesh flesh = default_flesh();
    EXPECT_FALSE(set_field(flesh, "parts.belly.amount", "7").ok());
    EXPECT_FALSE(set_field(flesh, "parts.belly.amout", "1").ok());
    EXPECT_EQ(flesh.parts.size(), default_flesh().parts.size());
}

TEST(SetField, ModeBringsItsUnits) {
    Flesh flesh = default_flesh();
    EXPECT_EQ(error_of(set_field(flesh, "mode", "paper")), "");
    EXPECT_EQ(flesh.bone_width, 1);  // voxels
    EXPECT_EQ(error_of(check(flesh, nullptr)), "");
    EXPECT_EQ(error_of(set_field(flesh, "mode", "physical")), "");
    EXPECT_EQ(flesh.bone_width, 0.03);
    EXPECT_EQ(error_of(check(flesh, nullptr)), "");
}

// ---- check ---------------------------------------------------------------------------------------
TEST(Check, RangesOfEveryPlace) {
    Flesh flesh = default_flesh();
    flesh.resolution = 2;
    EXPECT_NE(error_of(check(flesh, nullptr)).find("resolution"), std::string::npos);
    flesh = default_flesh();
    flesh.layers[1].frequency = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(error_of(check(flesh, nullptr)).find("layers.fat.frequency"), std::string::npos);
    flesh = default_flesh();
    flesh.parts[1].muscle = 3;
    EXPECT_NE(error_of(check(flesh, nullptr)).find("parts.*neck*.muscle"), std::string::npos);
    flesh = default_flesh();
    flesh.bone_width = 1;  // a share of the size in physical mode
    EXPECT_NE(error_of(check(flesh, nullptr)).find("bone_width must be a number from 0 to 0.5"), std::string::npos);
    flesh = default_flesh();
    flesh.gravity.x = std::numeric_limits<double>::infinity();
    EXPECT_NE(error_of(check(flesh, nullptr)).find("gravity"), std::string::npos);
}

TEST(Check, LayersNeedNamesAndShares) {
    Flesh flesh = default_flesh();
    flesh.layers[2].name = "fat";
    EXPECT_NE(error_of(check(flesh, nullptr)).find("twice"), std::string::npos);
    flesh = default_flesh();
    flesh.layers[1].name = "blubber";
    EXPECT_NE(error_of(check(flesh, nullptr)).find("layers.blubber.share"), std::string::npos);
    flesh.layers[1].share = 2;
    EXPECT_EQ(error_of(check(flesh, nullptr)), "");
}

TEST(Check, JointsMustExist) {
    const Character puppet = character_with_joints({"hips", "belly", "arm.L"});
    Flesh flesh = default_flesh();  // *head* and *neck* match nothing here: fine
    EXPECT_EQ(error_of(check(flesh, &puppet)), "");
    flesh.parts.push_back({"bely", {}, {}, 1.0, {}});
    EXPECT_NE(error_of(check(flesh, &puppet)).find("did you mean 'belly'"), std::string::npos);
    flesh.parts.back().joint = "Belly";
    EXPECT_EQ(error_of(check(flesh, &puppet)), "");
    flesh.joints.push_back({"am.L", 0.0, 1.0, {}});
    EXPECT_NE(error_of(check(flesh, &puppet)).find("'arm.L'"), std::string::npos);
}

TEST(Check, MaskNeedsItsColours) {
    Character puppet = character_with_joints({"hips"});
    Flesh flesh = default_flesh();
    flesh.mask = "COLOR_1.r";
    EXPECT_NE(error_of(check(flesh, &puppet)).find("COLOR_1.r"), std::string::npos);
    puppet.mesh.mask_colors.resize(1);
    EXPECT_EQ(error_of(check(flesh, &puppet)), "");
    flesh.mask = "mask.png";
    EXPECT_EQ(error_of(check(flesh, &puppet)), "");
}

// ---- methods -------------------------------------------------------------------------------------
TEST(Methods, SettingsByName) {
    const Flesh flesh = *preset("soft");
    EXPECT_TRUE(std::holds_alternative<LbsSettings>(*settings_for("lbs", flesh)));
    EXPECT_TRUE(std::holds_alternative<DqsSettings>(*settings_for("dqs", flesh)));
    const Result<Settings> layers = settings_for("layers", flesh);
    ASSERT_TRUE(layers.ok());
    EXPECT_EQ(std::get<LayersSettings>(*layers).flesh.preset, "soft");
}

TEST(Methods, EveryListedOneAnswers) {
    ASSERT_EQ(methods().size(), 10u);
    for (const MethodInfo& info : methods()) {
        const Result<Settings> settings = settings_for(info.name, default_flesh());
        const std::string message = settings ? "" : settings.error().message;
        EXPECT_TRUE(settings || message.find("not yet") != std::string::npos) << info.name << ": " << message;
    }
    const Result<Settings> wrong = settings_for("layer", default_flesh());
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.error().kind, Error::Kind::usage);
    EXPECT_NE(wrong.error().message.find("'layers'"), std::string::npos);
}

}  // namespace
}  // namespace fascia
