// A method that exists only in this folder is available everywhere.
#include <cmath>
#include <cstring>

#include <nlohmann/json.hpp>

#include "cli/run_fascia.h"
#include "fascia/fascia.h"
#include "fascia/fascia_c.h"
#include "support/flesh.h"

namespace fascia {
namespace {

using nlohmann::json;
using test::Answer;

class ToyProgram : public test::CliTest {};

TEST_F(ToyProgram, BakesByItsName) {
    const Answer run = fascia({"bake", "bunny", "--method", "toy", "--motion", "dance", "--to", "0.5", "--set",
                               "hertz=6", "--report", "r.json", "-o", "toy.pc2"});
    ASSERT_EQ(run.status, 0) << run.err;
    const json report = json::parse(read("r.json"));
    EXPECT_EQ(report["method"], "toy");
    EXPECT_GT(report["time"]["steps"], 0);
    EXPECT_GT(report["time"]["stages_us"]["swing"], 0.0) << "its stage, by name";
    EXPECT_GT(report["quality"]["max_offset"], 1e-4);
    EXPECT_NE(fascia({"bake", "--help"}).out.find("toy"), std::string::npos);
}

TEST_F(ToyProgram, ItsSettingsAreCheckedNamedAndRefusedElsewhere) {
    expect_error({"bake", "tube", "--method", "toy", "--set", "hertz=60", "-o", "x.pc2"}, 2,
                 {"hertz must be a number from 0.5 to 20, not '60'"});
    expect_error({"bake", "tube", "--method", "toy", "--set", "herz=6", "-o", "x.pc2"}, 2, {"did you mean 'hertz'?"});
    expect_error({"bake", "tube", "--method", "toy", "--set", "along=upp", "-o", "x.pc2"}, 2,
                 {"along must be all or up", "did you mean 'up'?"});
    expect_error({"bake", "tube", "--method", "layers", "--set", "hertz=6", "-o", "x.pc2"}, 2,
                 {"layers has no setting 'hertz'; it is one of toy"});
}

TEST_F(ToyProgram, ReadsItsKeysFromAFleshFile) {
    write("toy.flesh.json", R"({"hertz": 7, "along": "up", "resolution": 24})");
    const auto bake = [&](const std::string& method) {
        return fascia({"bake", "tube", "--method", method, "--motion", "bend", "--to", "0.1", "--flesh",
                       "toy.flesh.json", "-o", "toy.pc2"});
    };
    const Answer toy = bake("toy"), layers = bake("layers");
    EXPECT_EQ(toy.status, 0) << toy.err;
    EXPECT_NE(toy.err.find("'resolution' belongs to layers and lattice: toy does not read it"), std::string::npos);
    EXPECT_EQ(layers.status, 0) << layers.err;
    EXPECT_NE(layers.err.find("'hertz' belongs to toy: layers does not read it"), std::string::npos) << layers.err;
}

TEST_F(ToyProgram, IsInInfoCompareAndBench) {
    const json info = json::parse(fascia({"info", "tube", "--json"}).out);
    const json& toy = info["methods"].back();
    EXPECT_EQ(toy["name"], "toy");
    EXPECT_EQ(toy["abilities"]["simulates"], true);
    EXPECT_EQ(toy["stages"], json({"pose", "swing", "embed"}));
    EXPECT_EQ(toy["settings"][0]["key"], "hertz");
    EXPECT_EQ(toy["settings"][0]["range"], json({0.5, 20.0}));
    EXPECT_EQ(toy["settings"][1]["choices"], json({"all", "up"}));
    const Answer compared = fascia({"compare", "tube", "--methods", "lbs,toy", "--motion", "bend", "--to", "0.1",
                                    "--set", "hertz=5", "-o", "both"});
    EXPECT_EQ(compared.status, 0) << compared.err;
    EXPECT_EQ(json::parse(read("both/toy.report.json"))["method"], "toy");
    std::size_t rows = 0;
    const json bench = json::parse(fascia({"bench", "--json", "--quiet", "--seconds", "0.01"}).out);
    for (const json& row : bench["results"]) rows += row["method"] == "toy";
    EXPECT_EQ(rows, bundled_names().size());
}

TEST_F(ToyProgram, ClosesALoop) {
    ASSERT_EQ(fascia({"bake", "bunny", "--method", "toy", "--motion", "dance", "--from", "0.3", "--to", "1.4", "--loop",
                      "-o", "loop.pc2"})
                  .status,
              0);
    // A header of 32 bytes, then the frames.
    const std::string file = read("loop.pc2");
    std::int32_t points = 0, frames = 0;
    std::memcpy(&points, file.data() + 16, 4);
    std::memcpy(&frames, file.data() + 28, 4);
    ASSERT_EQ(file.size(), 32 + 12 * std::size_t(points) * std::size_t(frames));
    std::vector<float> values(3 * std::size_t(points) * std::size_t(frames));
    std::memcpy(values.data(), file.data() + 32, 4 * values.size());
    float most = 0;
    for (std::size_t k = 0; k < 3 * std::size_t(points); ++k)
        most = std::max(most, std::abs(values[k] - values[values.size() - 3 * std::size_t(points) + k]));
    EXPECT_LT(most, 1e-3 * bundled_character("bunny")->size());
}

// ---- library -----------------------------------------------------------------------------------------------------
const Character& bunny() {
    static const Character character = *bundled_character("bunny");
    return character;
}

void play(const Rig& rig, State& state, int from, int frames) {
    Workspace work;
    Pose pose;
    for (int k = from; k < from + frames; ++k) {
        evaluate(bunny(), *find_clip(bunny(), "dance"), k / 60.0, pose);
        advance(rig, pose.joints, 1 / 60.0, state, work);
    }
}

TEST(Toy, SavedRigsAndStatesGoOnTheSame) {
    const RigPtr rig = *bind(bunny(), "toy", test::flesh_with("default", {{"hertz", 7}}));
    const RigPtr loaded = *load_rig(*save_rig(*rig));
    EXPECT_EQ(*get_field(loaded->settings(), "hertz"), "7");
    State a = make_state(*rig), b = make_state(*loaded);
    play(*rig, a, 0, 20);
    play(*loaded, b, 0, 20);
    EXPECT_EQ(hash(a), hash(b));
    State restored = *load_state(*loaded, save_state(*rig, a));
    play(*rig, a, 20, 20);
    play(*loaded, restored, 20, 20);
    EXPECT_EQ(hash(a), hash(restored));
    a.memory.pop_back();
    EXPECT_FALSE(load_state(*rig, save_state(*rig, a)).ok());
}

TEST(Toy, RetuneChangesWhatIsLiveOnly) {
    const RigPtr rig = *bind(bunny(), "toy", *preset("default"));
    const Result<RigPtr> stiffer = retune(rig, "hertz", "9");
    ASSERT_TRUE(stiffer.ok());
    EXPECT_EQ(*get_field((*stiffer)->settings(), "hertz"), "9");
    EXPECT_EQ(retune(rig, "along", "up").error().message, "along is built in: bind again to change it");
    EXPECT_EQ(retune(rig, LbsSettings{}).error().message, "another method needs a bind");
    State state = make_state(*rig);
    play(*rig, state, 0, 10);
    const State before = state;
    play(**stiffer, state, 10, 10);
    State softer = before;
    play(*rig, softer, 10, 10);
    EXPECT_NE(hash(state), hash(softer));
}

TEST(Toy, ThroughC) {
    char text[200] = "";
    bool listed = false;
    for (size_t k = 0; k < fascia_method_count(); ++k) listed |= std::string(fascia_method_name(k)) == "toy";
    EXPECT_TRUE(listed);
    ASSERT_EQ(fascia_setting_count("toy"), 2u);
    fascia_setting setting;
    ASSERT_EQ(fascia_setting_info("toy", 0, &setting), 0);
    EXPECT_STREQ(setting.key, "hertz");
    EXPECT_STREQ(setting.kind, "number");
    EXPECT_EQ(setting.live, 1);
    EXPECT_EQ(setting.max, 20);
    EXPECT_NE(fascia_setting_info("toy", 2, &setting), 0);

    fascia_character* character = fascia_character_load("tube", text, sizeof text);
    ASSERT_NE(character, nullptr) << text;
    fascia_rig* rig = fascia_bind(character, "toy", "{\"hertz\": 3}", text, sizeof text);
    ASSERT_NE(rig, nullptr) << text;
    EXPECT_EQ(fascia_rig_get(rig, "hertz", text, sizeof text), 2u);
    EXPECT_STREQ(text, "3");
    EXPECT_EQ(fascia_rig_get(rig, "herz", text, sizeof text), 0u);
    fascia_rig* other = fascia_rig_set(rig, "hertz", "5", text, sizeof text);
    ASSERT_NE(other, nullptr) << text;
    EXPECT_EQ(fascia_rig_set(rig, "along", "up", text, sizeof text), nullptr);
    EXPECT_NE(std::string(text).find("built in"), std::string::npos);
    fascia_instance* instance = fascia_instance_new(other, 1);
    std::vector<double> joints(12 * fascia_joint_count(character));
    std::vector<float> positions(3 * fascia_vertex_count(character));
    for (int k = 0; k < 20; ++k) {
        fascia_pose(character, 0, k / 60.0, joints.data());
        fascia_advance(instance, joints.data(), 1 / 60.0);
    }
    fascia_embed(instance, positions.data(), nullptr);
    EXPECT_TRUE(std::isfinite(positions[0]));
    EXPECT_NE(fascia_points(instance, positions.data()), 0) << "no points inside";
    fascia_instance_free(instance);
    fascia_rig_free(other);
    fascia_rig_free(rig);
    fascia_character_free(character);
}

}  // namespace
}  // namespace fascia
