// Settings: presets, keys, ranges, and the messages for what is wrong.
#include "fascia/settings.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/glob.h"
#include "fascia/method.h"
#include "settings/field_table.h"
#include "settings/settings_access.h"

namespace fascia {
namespace {

LayersSettings layers_of(const Flesh& flesh) {
    return *settings_from<LayersSettings>(flesh);
}

LayerSettings layer(const Flesh& flesh, const std::string& name) {
    for (const LayerSettings& l : layers_of(flesh).layers)
        if (l.name == name) return l;
    ADD_FAILURE() << "no layer " << name;
    return {};
}

double amount_at(const Flesh& flesh, const std::string& joint) {
    return value_at(layers_of(flesh), "amount", joint);
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
    EXPECT_TRUE(glob_match("a[b", "a[b"));  // never closed: taken literally
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
    ASSERT_EQ(preset_names().size(), 11u);
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

TEST(Presets, SuitTheMethodsWhoseNumbersTheyAre) {
    const std::vector<std::string> general{"default", "soft", "firm", "jelly"};
    const auto with = [&](std::initializer_list<const char*> own) {
        std::vector<std::string> out = general;
        out.insert(out.end(), own.begin(), own.end());
        return out;
    };
    EXPECT_EQ(preset_names("layers"), with({"paper-bunny", "paper-smurf", "paper-bloat"}));
    EXPECT_EQ(preset_names("lattice"), with({"paper-lattice"}));
    EXPECT_EQ(preset_names("particles"), with({"paper-arm", "paper-hand", "paper-big-man"}));
    EXPECT_TRUE(preset_names("lbs").empty());
    EXPECT_TRUE(preset_names("nothing").empty());
    for (const MethodInfo& method : methods())
        for (const std::string& name : preset_names()) {
            const std::vector<std::string> own = preset_names(method.name);
            const bool suits = own.empty() || std::find(own.begin(), own.end(), name) != own.end();
            if (suits) continue;
            const auto refused = fascia::bind(Character{}, method.name, *preset(name));
            ASSERT_FALSE(refused.ok()) << method.name << " " << name;
            EXPECT_NE(refused.error().message.find("'" + name + "' is not for " + method.name), std::string::npos);
        }
}

struct PresetFigures {
    const char* name;
    double tone, damping[3];
};

TEST(Presets, PhysicalFigures) {
    const PresetFigures figures[] = {{"default", 1, {.20, .15, .15}},
                                     {"soft", 0.7, {.20, .15, .15}},
                                     {"firm", 1.7, {.20, .15, .15}},
                                     {"jelly", 0.5, {.07, .07, .07}}};
    for (const PresetFigures& expected : figures) {
        const LayersSettings settings = layers_of(*preset(expected.name));
        EXPECT_EQ(settings.mode, Mode::physical);
        EXPECT_EQ(settings.tone, expected.tone) << expected.name;
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(settings.layers[i].frequency, automatic) << expected.name;
            EXPECT_EQ(settings.layers[i].damping, expected.damping[i]) << expected.name;
            EXPECT_EQ(settings.layers[i].amount, 1) << expected.name;
        }
        EXPECT_EQ(amount_at(*preset(expected.name), "Head"), 0.3) << expected.name;
        EXPECT_EQ(amount_at(*preset(expected.name), "neck_1"), 0.3) << expected.name;
        EXPECT_EQ(amount_at(*preset(expected.name), "belly"), 1) << expected.name;
    }
}

TEST(Presets, PaperFigures) {
    const Flesh smurf = *preset("paper-smurf");
    EXPECT_EQ(layers_of(smurf).mode, Mode::paper);
    EXPECT_EQ(layers_of(smurf).resolution, 64);
    EXPECT_EQ(layers_of(smurf).bone_width, 1);  // voxels in this mode
    EXPECT_EQ(layers_of(smurf).step, 1.0 / 60);
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
    EXPECT_EQ(layers_of(flesh).resolution, 48);
    EXPECT_EQ(layers_of(flesh).region_width, 5);
    const LatticeSettings lattice = *settings_from<LatticeSettings>(flesh);
    EXPECT_EQ(lattice.resolution, 48);
    EXPECT_EQ(lattice.region_radius, 3);
    EXPECT_EQ(lattice.delta, 0.25);
    EXPECT_EQ(lattice.step, 0.005);
    EXPECT_EQ(lattice.gravity.y, -9.81);
    EXPECT_EQ(error_of(set_field(flesh, "gravity", "1,-2,3e1")), "");
    EXPECT_EQ(layers_of(flesh).gravity, (Vec3d{1, -2, 30}));
    EXPECT_EQ(error_of(set_field(flesh, "layers.fat.frequency", "3.5")), "");
    EXPECT_EQ(error_of(set_field(flesh, "layers.skin.damping", "1")), "");
    EXPECT_EQ(layer(flesh, "fat").frequency, 3.5);
    EXPECT_EQ(layer(flesh, "skin").damping, 1);
    EXPECT_EQ(error_of(set_field(flesh, "joints.elbow.L.t_min", "-0.2")), "");
    const BonesBlendingSettings blending = *settings_from<BonesBlendingSettings>(flesh);
    ASSERT_EQ(blending.joints.size(), 1u);
    EXPECT_EQ(blending.joints[0].joint, "elbow.L");
    EXPECT_EQ(blending.joints[0].t_min, -0.2);
    EXPECT_FALSE(blending.joints[0].t_max.has_value());
    EXPECT_EQ(error_of(set_field(flesh, "mask", "COLOR_1.r")), "");
    EXPECT_EQ(layers_of(flesh).mask, "COLOR_1.r");
    for (const char* yes : {"true", "1"}) {
        EXPECT_EQ(error_of(set_field(flesh, "pivoted", yes)), "");
        EXPECT_TRUE(settings_from<LatticeSettings>(flesh)->pivoted);
        EXPECT_EQ(get_field(flesh, "pivoted"), FieldValue(true));
        EXPECT_EQ(error_of(set_field(flesh, "pivoted", "false")), "");
    }
}

TEST(SetField, JointNamesMayHoldDots) {
    Flesh flesh = default_flesh();
    EXPECT_EQ(error_of(set_field(flesh, "parts.upper.arm.L.muscle", "0.9")), "");
    EXPECT_EQ(layers_of(flesh).parts.back().joint, "upper.arm.L");
    EXPECT_EQ(layers_of(flesh).parts.back().muscle, 0.9);
}

TEST(SetField, LaterWinsOverEarlierParts) {
    Flesh flesh = default_flesh();
    EXPECT_EQ(error_of(set_field(flesh, "parts.belly.amount", "2")), "");
    EXPECT_EQ(error_of(set_field(flesh, "parts.*.amount", "0.5")), "");
    EXPECT_EQ(amount_at(flesh, "belly"), 0.5);
    EXPECT_EQ(error_of(set_field(flesh, "parts.belly.amount", "1.5")), "");
    EXPECT_EQ(amount_at(flesh, "belly"), 1.5);
    EXPECT_EQ(amount_at(flesh, "arm"), 0.5);
}

TEST(SetField, PartsCombineFieldByField) {
    Flesh flesh = default_flesh();
    EXPECT_EQ(error_of(set_field(flesh, "parts.belly*.muscle", "0.2")), "");
    EXPECT_EQ(error_of(set_field(flesh, "parts.belly.amount", "1.2")), "");
    EXPECT_EQ(value_at(layers_of(flesh), "muscle", "belly"), 0.2);
    EXPECT_EQ(value_at(layers_of(flesh), "amount", "belly"), 1.2);
    EXPECT_EQ(value_at(layers_of(flesh), "bone_width", "belly"), 0.03);
    EXPECT_EQ(amount_at(flesh, "belly2"), 1);
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
        {"resolution", "3", "resolution must be auto or a whole number from 4 to 512, not '3'"},
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
        {"pivoted", "yes", "pivoted must be true or false, not 'yes'"},
        {"primary", "dqz", "primary must be auto, dqs or lbs, not 'dqz'; did you mean 'dqs'?"},
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
    EXPECT_EQ(layers_of(flesh).bone_width, 1);  // voxels
    EXPECT_EQ(error_of(check(flesh, nullptr)), "");
    EXPECT_EQ(error_of(set_field(flesh, "mode", "physical")), "");
    EXPECT_EQ(layers_of(flesh).bone_width, 0.03);
    EXPECT_EQ(error_of(check(flesh, nullptr)), "");
}

// ---- check ---------------------------------------------------------------------------------------
TEST(Check, RangesOfEveryPlace) {
    const LayersSettings usual = layers_of(default_flesh());
    const auto error_with = [&](auto&& change) {
        LayersSettings settings = usual;
        change(settings);
        return error_of(check(settings, nullptr));
    };
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    const auto has = [](const std::string& text, const char* word) { return text.find(word) != std::string::npos; };
    EXPECT_EQ(error_with([](LayersSettings&) {}), "");
    EXPECT_TRUE(has(error_with([](LayersSettings& s) { s.resolution = 2; }), "resolution"));
    EXPECT_TRUE(has(error_with([&](LayersSettings& s) { s.layers[1].frequency = nan; }), "layers.fat.frequency"));
    EXPECT_TRUE(has(error_with([](LayersSettings& s) { s.parts[1].muscle = 3; }), "parts.*neck*.muscle"));
    EXPECT_TRUE(has(error_with([&](LayersSettings& s) { s.gravity.x = infinity; }), "gravity"));
    // A share of the size in physical mode.
    EXPECT_TRUE(has(error_with([](LayersSettings& s) { s.bone_width = 1; }),
                    "bone_width must be a number from 0 to 0.5, not '1'"));
    EXPECT_TRUE(has(error_with([](LayersSettings& s) { s.parts[0].bone_width = 1; }), "parts.*head*.bone_width"));
}

TEST(Check, LayersNeedNamesAndShares) {
    Flesh flesh = default_flesh();
    flesh.layers[2].name = "fat";
    EXPECT_NE(error_of(check(flesh, nullptr)).find("twice"), std::string::npos);
    flesh = default_flesh();
    flesh.layers[1].name = "blubber";
    EXPECT_NE(error_of(check(flesh, nullptr)).find("layers.blubber.share"), std::string::npos);
    EXPECT_EQ(error_of(set_field(flesh, "layers.blubber.share", "2")), "");
    EXPECT_EQ(error_of(check(flesh, nullptr)), "");
}

TEST(Check, JointsMustExist) {
    const Character puppet = character_with_joints({"hips", "belly", "arm.L"});
    Flesh flesh = default_flesh();  // *head* and *neck* match nothing here, which is fine
    EXPECT_EQ(error_of(check(flesh, &puppet)), "");
    flesh.parts.push_back({"bely", {{"amount", 1.0}}});
    EXPECT_NE(error_of(check(flesh, &puppet)).find("did you mean 'belly'"), std::string::npos);
    flesh.parts.back().name = "Belly";
    EXPECT_EQ(error_of(check(flesh, &puppet)), "");
    flesh.joints.push_back({"am.L", {{"t_min", 0.0}, {"t_max", 1.0}}});
    EXPECT_NE(error_of(check(flesh, &puppet)).find("'arm.L'"), std::string::npos);
}

TEST(Check, MaskNeedsItsColours) {
    Character puppet = character_with_joints({"hips"});
    Flesh flesh = default_flesh();
    ASSERT_EQ(error_of(set_field(flesh, "mask", "COLOR_1.r")), "");
    EXPECT_NE(error_of(check(flesh, &puppet)).find("COLOR_1.r"), std::string::npos);
    puppet.mesh.mask_colors.resize(1);
    EXPECT_EQ(error_of(check(flesh, &puppet)), "");
    ASSERT_EQ(error_of(set_field(flesh, "mask", "mask.png")), "");
    EXPECT_EQ(error_of(check(flesh, &puppet)), "");
}

// ---- methods -------------------------------------------------------------------------------------
TEST(Methods, SettingsByName) {
    const Flesh flesh = *preset("soft");
    EXPECT_NE(settings_for("lbs", flesh)->as<LbsSettings>(), nullptr);
    EXPECT_EQ(settings_for("lbs", flesh)->as<DqsSettings>(), nullptr);
    const Result<Settings> layers = settings_for("layers", flesh);
    ASSERT_TRUE(layers.ok());
    EXPECT_EQ(layers->as<LayersSettings>()->tone, 0.7);
    Settings copy = *layers;
    copy.as<LayersSettings>()->resolution = 7;
    EXPECT_EQ(layers->as<LayersSettings>()->resolution, automatic) << "a Settings is a value";
}

TEST(Methods, EveryListedOneAnswers) {
    for (const MethodInfo& info : methods()) {
        EXPECT_TRUE(settings_for(info.name, default_flesh()).ok()) << info.name;
        EXPECT_FALSE(info.stages.empty()) << info.name;
        EXPECT_EQ(find_method_info(info.name)->summary, info.summary);
    }
    const Result<Settings> wrong = settings_for("layer", default_flesh());
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.error().kind, Error::Kind::usage);
    EXPECT_NE(wrong.error().message.find("'layers'"), std::string::npos);
}

TEST(Methods, AKeyMeansTheSameInAllThatHaveIt) {
    for (const MethodInfo& a : methods())
        for (const MethodInfo& b : methods())
            for (const FieldInfo& f : a.fields)
                for (const FieldInfo& g : b.fields) {
                    if (f.key != g.key || f.scope != g.scope) continue;
                    SCOPED_TRACE(a.name + " and " + b.name + ": " + full_key(f));
                    EXPECT_EQ(f.kind, g.kind);
                    EXPECT_EQ(f.min, g.min);
                    EXPECT_EQ(f.max, g.max);
                    EXPECT_EQ(f.choices, g.choices);
                    EXPECT_EQ(f.unit, g.unit);
                    EXPECT_EQ(f.meaning, g.meaning);
                    EXPECT_EQ(f.usual, g.usual);
                }
}

TEST(Methods, EveryFieldHasAMeaningAndADefaultInItsRange) {
    for (const MethodInfo& method : methods())
        for (const FieldInfo& field : method.fields) {
            SCOPED_TRACE(method.name + ": " + full_key(field));
            EXPECT_FALSE(field.meaning.empty());
            EXPECT_EQ(field.choices.empty(), field.kind != FieldKind::choice);
            if (field.scope == FieldScope::whole || field.scope == FieldScope::layer) {
                EXPECT_TRUE(field.usual.has_value());
            } else {
                EXPECT_FALSE(field.usual.has_value()) << "as for the whole body";
            }
            if (const double* number = field.usual ? std::get_if<double>(&*field.usual) : nullptr) {
                EXPECT_GE(*number, field.min);
                EXPECT_LE(*number, field.max);
            }
        }
}

struct HalfAutomatic {
    int cells = automatic;
    double pitch = 4;
};

TEST(Fields, ANumberMayBeLeftToTheBody) {
    FieldsOf<HalfAutomatic> stated;
    stated.number_or_auto("cells", &HalfAutomatic::cells, {4, 64}, Use::built_in, "", "How fine")
        .number_or_auto("pitch", &HalfAutomatic::pitch, {0.5, 9}, Use::live, "Hz", "How fast");
    const FieldTable table = stated.table();
    EXPECT_EQ(table.fields[0].info.usual, FieldValue(std::string("auto")));
    EXPECT_EQ(table.fields[1].info.usual, FieldValue(4.0));

    HalfAutomatic own;
    ASSERT_TRUE(set_by_key(table, &own, "cells", "12"));
    EXPECT_EQ(own.cells, 12);
    ASSERT_TRUE(set_by_key(table, &own, "cells", "auto"));
    EXPECT_EQ(own.cells, automatic);
    EXPECT_EQ(*get_by_key(table, &own, "cells"), "auto");
    ASSERT_TRUE(set_by_key(table, &own, "pitch", "auto"));
    EXPECT_EQ(own.pitch, 0);
    EXPECT_TRUE(check_ranges(table, &own)) << "0 is out of range for a number, but here it is none";
    EXPECT_EQ(error_of(set_by_key(table, &own, "cells", "0")),
              "cells must be auto or a whole number from 4 to 64, not '0'");
    EXPECT_EQ(error_of(set_by_key(table, &own, "cells", "automatic")),
              "cells must be auto or a whole number from 4 to 64, not 'automatic'");
}

TEST(Methods, AKeyOfAnotherMethodIsRefusedWithThoseThatHaveIt) {
    Flesh flesh = default_flesh();
    EXPECT_EQ(error_of(set_field(flesh, "delta", "0.5", {"layers"})),
              "layers has no setting 'delta'; it is one of lattice");
    EXPECT_EQ(error_of(set_field(flesh, "resolution", "24", {"lbs", "dqs"})),
              "lbs and dqs have no setting 'resolution'; it is one of layers, lattice, particles, volumetric-dqs "
              "and volumetric-arap");
    EXPECT_EQ(flesh, default_flesh());
    EXPECT_EQ(error_of(set_field(flesh, "delta", "0.5", {"layers", "lattice"})), "");
}

TEST(Methods, WhatNobodyReadsIsNamed) {
    const Character puppet = character_with_joints({"hips", "head"});
    Flesh flesh = default_flesh();
    EXPECT_TRUE(idle_settings(flesh, puppet, {"lbs"}).empty()) << "a preset's own values are not worth a word";
    ASSERT_TRUE(set_field(flesh, "delta", "0.8").ok());
    EXPECT_TRUE(idle_settings(flesh, puppet, {"layers"}).empty()) << "nor are defaults";
    ASSERT_TRUE(set_field(flesh, "delta", "0.5").ok());
    ASSERT_TRUE(set_field(flesh, "layers.fat.share", "2").ok());
    ASSERT_TRUE(set_field(flesh, "parts.tail*.amount", "2").ok());
    EXPECT_EQ(idle_settings(flesh, puppet, {"layers"}),
              (std::vector<std::string>{"the setting 'delta' belongs to lattice: layers does not read it",
                                        "no joint matches the part 'tail*'"}));
    EXPECT_EQ(idle_settings(flesh, puppet, {"lattice"}).front(),
              "the setting 'layers.fat.share' belongs to layers and particles: lattice does not read it");
}

// ---- settings by key -----------------------------------------------------------------------------
TEST(SettingsByKey, GetWhatWasSet) {
    Settings settings = *settings_for("layers", default_flesh());
    EXPECT_EQ(error_of(set_field(settings, "layers.fat.frequency", "3.25")), "");
    EXPECT_EQ(error_of(set_field(settings, "gravity", "9.81")), "");
    EXPECT_EQ(error_of(set_field(settings, "parts.belly.muscle", "0.1")), "");
    EXPECT_EQ(*get_field(settings, "layers.fat.frequency"), "3.25");
    EXPECT_EQ(*get_field(settings, "gravity"), "0,-9.81,0");
    EXPECT_EQ(*get_field(settings, "parts.belly.muscle"), "0.1");
    EXPECT_EQ(*get_field(settings, "parts.belly.amount"), "") << "as for the whole body";
    EXPECT_EQ(settings.as<LayersSettings>()->parts.back().joint, "belly");
    EXPECT_NE(get_field(settings, "layers.fat.frequncy").error().message.find("'layers.fat.frequency'"),
              std::string::npos);
    EXPECT_FALSE(set_field(settings, "delta", "1").ok());
    EXPECT_FALSE(set_field(settings, "layers.fat.frequency", "1000").ok());
}

TEST(SettingsByKey, AFleshOfSettingsGivesThemBack) {
    Settings settings = *settings_for("lattice", *preset("paper-lattice"));
    settings.as<LatticeSettings>()->pivoted = true;
    const LatticeSettings again = *settings_from<LatticeSettings>(flesh_of(settings));
    EXPECT_TRUE(again.pivoted);
    EXPECT_EQ(again.mode, Mode::paper);
    EXPECT_EQ(again.step, 0.016);
    EXPECT_EQ(again.delta, 0.7);
    EXPECT_EQ(again.layers.size(), 3u);
    EXPECT_EQ(flesh_of(again), flesh_of(settings));
}

}  // namespace
}  // namespace fascia
