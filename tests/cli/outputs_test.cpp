// What is written: all of it or none, nothing in the place of an input, links kept, and nothing left after a signal.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include <nlohmann/json.hpp>

#include "cli/run_fascia.h"
#include "io/gltf_builder.h"

namespace fascia::test {
namespace {

namespace fs = std::filesystem;

constexpr int done = 0, wrong_usage = 2, cannot_write = 4, interrupted = 130;

bool has_ffmpeg() {
    return std::system("command -v ffmpeg > /dev/null 2>&1") == 0;
}

class OutputsTest : public CliTest {
protected:
    /// tube.gltf with its buffer in body.bin and a picture in skin.png.
    void write_gltf() const {
        ASSERT_EQ(fascia({"characters", "-o", "."}).status, done);
        const std::string glb = read("tube.glb");
        for (const std::string& name : names()) fs::remove(at(name));
        std::uint32_t length = 0;
        std::memcpy(&length, glb.data() + 12, 4);
        json root = json::parse(glb.substr(20, length));
        root["buffers"][0]["uri"] = "body%2Ebin";
        root["images"] = json::array({{{"uri", "skin.png"}}});
        write("tube.gltf", root.dump());
        write("body.bin", glb.substr(20 + length + 8));
        write("skin.png", "\x89PNG, more or less");
    }
    /// Every file with its content.
    std::map<std::string, std::string> contents() const {
        std::map<std::string, std::string> out;
        for (const auto& entry : fs::recursive_directory_iterator(folder_))
            if (entry.is_regular_file() && entry.path().filename().string()[0] != '.')
                out[entry.path().string()] = read_text(entry.path());
        return out;
    }
    void expect_kept(std::vector<std::string> words, const std::string& input) const {
        const auto before = contents();
        expect_error(words, wrong_usage, {"read from", input});
        EXPECT_EQ(contents(), before) << input;
    }
};

TEST_F(OutputsTest, NoInputIsOverwritten) {
    write_gltf();
    write("tube.flesh.json", R"({"mask": "mask.png"})");
    write("tube.anatomy.json", "{}");
    write("soft.json", "{}");
    write("mask.png", "not read so far");
    write("map.json", "{}");
    write("walk.bvh", "HIERARCHY");
    write("hat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    fs::create_directory(at("frames.obj"));
    write("frames.obj/shirt.obj", read("hat.obj"));
    const std::vector<std::string> bake{"bake",      "tube.gltf", "--method", "layers",   "--flesh",
                                        "soft.json", "--attach",  "hat.obj",  "--attach", "frames.obj/shirt.obj"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), bake.begin(), bake.end());
        return more;
    };
    for (const char* input : {"tube.gltf", "body.bin", "tube.flesh.json", "tube.anatomy.json", "soft.json", "hat.obj"})
        expect_kept(with({"--report", input}), input);
    expect_kept(with({"--preview", "skin.png"}), "skin.png");
    expect_kept(with({"--preview", "mask.png", "--motion", "bend"}), "mask.png");
    expect_kept(with({"-o", "frames.obj"}), "shirt.obj");
    expect_kept(with({"--motion", "walk.bvh", "--map", "map.json", "--report", "walk.bvh"}), "walk.bvh");
    expect_kept(with({"--motion", "walk.bvh", "--map", "map.json", "--report", "map.json"}), "map.json");
    fs::create_directory_symlink(".", at("here"));
    fs::create_symlink("body.bin", at("link.json"));
    fs::create_hard_link(at("hat.obj"), at("twin.json"));
    expect_kept(with({"--report", "here/body.bin"}), "body.bin");
    expect_kept(with({"--report", "link.json"}), "body.bin");
    expect_kept(with({"--report", "twin.json"}), "hat.obj");
}

TEST_F(OutputsTest, NorAreWorldsAndTheirMeshes) {
    write_gltf();
    fs::create_directory(at("things"));
    write("things/box.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write("things/world.json",
          R"({"colliders": [{"shape": "mesh", "file": "box.obj"}, {"shape": "mesh", "file": "../tube.gltf"}]})");
    for (const char* input : {"things/world.json", "things/box.obj", "body.bin"})
        expect_kept({"bake", "tube.gltf", "--collider", "things/world.json", "--report", input}, input);
    // A file that names itself is one file.
    write("round.json", R"({"colliders": [{"shape": "mesh", "file": "round.json"}]})");
    expect_kept({"bake", "tube.gltf", "--collider", "round.json", "--report", "round.json"}, "round.json");
}

TEST_F(OutputsTest, NamesThatAreMadeFromOthersAreNoInputsEither) {
    write_gltf();
    fs::create_directory(at("c"));
    write("c/table.txt", "{}");
    write("c/lbs.report.json", "{}");
    for (const char* input : {"c/table.txt", "c/lbs.report.json"})
        expect_kept({"compare", "tube.gltf", "--methods", "lbs", "--flesh", input, "-o", "c"}, input);
    write("x.bend.json", "{}");
    expect_kept(
        {"bake", "tube.gltf", "--method", "lbs", "--motion", "all", "--flesh", "x.bend.json", "--report", "x.json"},
        "x.bend.json");
    // --split names files after nodes.
    ASSERT_EQ(fascia({"bake", "tube.gltf", "--method", "lbs", "--to", "0", "-o", "a.pc2", "--split"}).status, done);
    std::string split;
    for (const std::string& name : names())
        if (name.rfind("a.", 0) == 0) split = name;
    write(split, "{}");
    expect_kept({"bake", "tube.gltf", "--method", "lbs", "--flesh", split, "-o", "a.pc2", "--split"}, split);
    write("hat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write("points.tgf", "1 0.2 0.2 0\n");
    expect_kept({"handles", "hat.obj", "--points", "points.tgf", "-o", "points.tgf"}, "points.tgf");
    fs::create_symlink("body.bin", at("rigged.glb"));
    expect_kept({"rig", "hat.obj", "--skeleton", "tube.gltf", "-o", "rigged.glb"}, "body.bin");
}

TEST_F(OutputsTest, NoneIsReplacedUnlessAllCouldBeWritten) {
    for (const char* name : {"a.mdd", "a.json", "a.png", "a.bend.mdd"}) write(name, "old");
    const std::vector<std::string> words{"bake", "tube",  "--method", "lbs",    "--motion",  "bend",  "--to",   "0",
                                         "-o",   "a.mdd", "--report", "a.json", "--preview", "a.png", "--size", "1200"};
    // One frame of positions is shorter than the picture.
    const Answer full = fascia(words, 140000);
    EXPECT_EQ(full.status, cannot_write) << full.err;
    EXPECT_NE(full.err.find("a.png"), std::string::npos) << full.err;
    for (const char* name : {"a.mdd", "a.json", "a.png"}) EXPECT_TRUE(read(name) == "old") << name;
    EXPECT_EQ(names().size(), 4u);
    EXPECT_EQ(fascia(words).status, done);
    for (const char* name : {"a.mdd", "a.json", "a.png"}) EXPECT_TRUE(read(name) != "old") << name;

    write("ball.tgf", "old");
    write("ball.obj",
          "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\nf 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\n"
          "f 2 3 6\nf 4 2 6\nf 1 4 6\n");

    const Answer cut = fascia({"handles", "ball.obj", "-o", "ball.tgf"}, 10);
    EXPECT_EQ(cut.status, cannot_write) << cut.err;
    EXPECT_EQ(read("ball.tgf"), "old");
    for (const char* name : {"ball.obj", "ball.tgf"}) fs::remove(at(name));

    // All motions of one bake count: 'bend' is done before the longest fails.
    const Answer all = fascia({"bake", "tube", "--method", "lbs", "--motion", "all", "-o", "a.mdd"}, 2000000);
    ASSERT_EQ(all.status, cannot_write) << all.err;
    EXPECT_EQ(read("a.bend.mdd"), "old");
    EXPECT_EQ(names().size(), 4u);
}

TEST_F(OutputsTest, ACutShortComparisonLeavesTheOldOne) {
    const std::vector<std::string> words{"compare", "tube", "--methods", "lbs", "--motion", "bend",
                                         "--to",    "0",    "-o",        "c",   "--size",   "256"};
    EXPECT_EQ(fascia(words, 20000).status, cannot_write);
    EXPECT_FALSE(exists("c"));
    fs::create_directory(at("c"));
    write("c/table.txt", "old");
    EXPECT_EQ(fascia(words, 20000).status, cannot_write);
    EXPECT_EQ(read("c/table.txt"), "old");
    EXPECT_EQ(std::distance(fs::directory_iterator(at("c")), fs::directory_iterator()), 1);
}

TEST_F(OutputsTest, AFilmThatCouldNotBeFinishedIsNoFilm) {
    if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
    for (const char* name : {"a.mp4", "a.webp"}) {
        write(name, "old");
        const Answer run = fascia({"bake", "tube", "--method", "lbs", "--motion", "bend", "--to", "0.3", "--size",
                                   "512", "--preview", name, "-o", "a.mdd"},
                                  15000);
        EXPECT_EQ(run.status, cannot_write) << run.err;
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
        EXPECT_EQ(read(name), "old");
        EXPECT_EQ(names(), std::vector<std::string>{name});
        fs::remove(at(name));
    }
}

TEST_F(OutputsTest, LinksToPicturesAndFilmsAreKept) {
    fs::create_directory(at("far"));
    write("far/real.png", "old");
    fs::create_symlink("far/real.png", at("a.png"));
    const std::vector<std::string> bake{"bake", "tube", "--method", "lbs", "--to", "0.05", "--size", "64", "--preview"};
    auto words = bake;
    words.push_back("a.png");
    EXPECT_EQ(fascia(words).status, done);
    EXPECT_TRUE(fs::is_symlink(at("a.png")));
    EXPECT_EQ(read("far/real.png").substr(1, 3), "PNG");
    if (!has_ffmpeg()) return;
    fs::create_symlink("far/real.mp4", at("a.mp4"));  // which does not exist yet
    words.back() = "a.mp4";
    EXPECT_EQ(fascia(words).status, done);
    EXPECT_TRUE(fs::is_symlink(at("a.mp4")));
    EXPECT_EQ(read("far/real.mp4").substr(4, 4), "ftyp");
    EXPECT_EQ(std::distance(fs::directory_iterator(at("far")), fs::directory_iterator()), 2);
}

/// Work that takes minutes in one of its stages, and how many temporary files there are by then.
struct LongWork {
    std::vector<std::string> words;
    std::size_t temporaries;  ///< interrupted when there are this many; 0: after a moment
};

TEST_F(OutputsTest, SignalsEndEveryStageAndLeaveNothing) {
    write("a.pc2", "old");
    ASSERT_EQ(fascia({"characters", "-o", "models"}).status, done);
    const std::string fine = "resolution=400";
    const std::vector<std::pair<int, LongWork>> all{
        {SIGTERM, {{"bake", "bloat", "--set", fine, "-o", "a.pc2"}, 0}},                               // bind
        {SIGHUP, {{"bake", "tube", "--method", "dqs", "--to", "900", "-o", "a.pc2"}, 1}},              // frames
        {SIGTERM, {{"bake", "tube", "--settle", "3600", "-o", "a.pc2", "-o", "frames.obj"}, 2}},       // before frames
        {SIGINT, {{"compare", "bloat", "--methods", "layers,lattice", "--set", fine, "-o", "c"}, 0}},  // bind
        {SIGHUP,
         {{"rig", "models/bloat.glb", "--skeleton", "models/bloat.glb", "--resolution", "256", "--weights",
           "biharmonic", "-o", "b.glb"},
          0}},
        {SIGINT, {{"bake", "bloat", "--method", "handles", "-o", "a.pc2"}, 0}},  // bind: weights of points
        {SIGTERM, {{"handles", "models/bloat.glb", "--count", "60", "-o", "h.tgf"}, 0}},
        {SIGTERM, {{"bench"}, 0}},
    };
    const std::size_t before = names().size();
    for (const auto& [signal, work] : all) {
        const pid_t child = start(work.words);
        const std::size_t expected = before + work.temporaries;
        if (work.temporaries == 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
        for (int i = 0; i < 3000 && names().size() < expected; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        EXPECT_EQ(names().size(), expected) << work.words[0];
        kill(child, signal);
        const Answer run = finish_soon(child);
        EXPECT_EQ(run.status, interrupted) << work.words[0] << work.words.back() << run.err;
        EXPECT_EQ(names().size(), before) << work.words[0];
        EXPECT_EQ(run.err, "");
    }
    EXPECT_EQ(read("a.pc2"), "old");
}

TEST_F(OutputsTest, AnInterruptedFilmTakesItsEncoderAlong) {
    if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
    const pid_t child = start({"bake", "tube", "--method", "dqs", "--to", "900", "--preview", "a.mp4"});
    for (int i = 0; i < 3000 && names().empty(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    kill(child, SIGTERM);
    EXPECT_EQ(finish_soon(child).status, interrupted);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_TRUE(names().empty());
}

TEST_F(OutputsTest, NohupKeepsGoing) {
    ::signal(SIGHUP, SIG_IGN);
    const pid_t child = start({"bake", "tube", "--method", "dqs", "--to", "20", "-o", "a.pc2"});
    ::signal(SIGHUP, SIG_DFL);
    for (int i = 0; i < 3000 && names().empty(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kill(child, SIGHUP);
    EXPECT_EQ(finish(child).status, done);
}

TEST_F(OutputsTest, ASurfaceThatIsNotFiniteIsBadInput) {
    // A rigid part that a clip carries away, further than floats reach.
    StripFile file;
    const int positions = file.floats({3e38f, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
    file.push("meshes", {{"primitives", json::array({{{"attributes", {{"POSITION", positions}}}}})}});
    file.push("nodes", {{"name", "hat"}, {"mesh", 1}});
    file.root["scenes"][0]["nodes"].push_back(3);
    file.push("animations",
              {{"name", "away"},
               {"samplers", json::array({{{"input", file.floats({0, 1}, "SCALAR")},
                                          {"output", file.floats({0, 0, 0, 3e38f, 0, 0}, "VEC3")}}})},
               {"channels", json::array({{{"sampler", 0}, {"target", {{"node", 3}, {"path", "translation"}}}}})}});
    const std::vector<std::uint8_t> bytes = file.glb();
    write("strip.glb", {bytes.begin(), bytes.end()});
    for (const std::vector<std::string>& output :
         {std::vector<std::string>{"-o", "a.pc2"}, {"--preview", "a.png"}, {"--report", "a.json"}}) {
        std::vector<std::string> words{"bake", "strip.glb", "--method", "lbs", "--fps", "1"};
        words.insert(words.end(), output.begin(), output.end());
        expect_error(words, 3, {"frame 1", "finite", "away"});
    }
}

TEST_F(OutputsTest, EndlessNamesAreCut) {
    const std::string name(10000, 'n');
    const Answer run = fascia({"bake", "tube", "--method", name, "-o", "x.glb"});
    EXPECT_EQ(run.status, wrong_usage);
    EXPECT_LT(run.err.size(), 2000u);
    EXPECT_NE(run.err.find("nnn ... "), std::string::npos);
}

}  // namespace
}  // namespace fascia::test
