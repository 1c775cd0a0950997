// The program's answer to words it does not know: one sentence, the nearest valid word, the right exit status.
#include <algorithm>

#include "cli/run_fascia.h"

namespace fascia::test {
namespace {

using Usage = CliTest;

constexpr int wrong_usage = 2, bad_input = 3, cannot_write = 4;

TEST_F(Usage, HelpOfEveryCommandHasAnExample) {
    const Answer all = fascia({"--help"});
    EXPECT_EQ(all.status, 0);
    EXPECT_EQ(all.err, "");
    for (const char* command : {"info", "bake", "compare", "bench", "demo", "characters"}) {
        EXPECT_NE(all.out.find(command), std::string::npos);
        const Answer help = fascia({command, "--help"});
        EXPECT_EQ(help.status, 0) << command;
        EXPECT_NE(help.out.find(std::string("Usage: fascia ") + command), std::string::npos) << help.out;
        EXPECT_NE(help.out.find(std::string("Examples:\n  fascia ") + command), std::string::npos) << help.out;
    }
    EXPECT_EQ(fascia({"rig", "--help"}).status, 0);
}

TEST_F(Usage, HelpNamesTheCharacterOnce) {
    for (const char* command : {"info", "bake", "compare"}) {
        const std::string help = fascia({command, "--help"}).out;
        const std::size_t line = help.find("Usage: ");
        const std::string usage = help.substr(line, help.find('\n', line) - line);
        EXPECT_NE(usage.find("[CHARACTER]"), std::string::npos) << usage;
        EXPECT_EQ(usage.find("[CHARACTER]"), usage.rfind("[CHARACTER]")) << usage;
    }
}

TEST_F(Usage, HelpNamesEveryOptionOfBake) {
    const std::string help = fascia({"bake", "--help"}).out;
    for (const char* option :
         {"--method", "--motion",   "--fps",     "--from",   "--to",         "--loop",   "--settle",    "--flesh",
          "--preset", "--mode",     "--set",     "--embed",  "--weights",    "--attach", "--subdivide", "--rectify",
          "--map",    "--bvh-rest", "--threads", "--report", "--preview",    "--color",  "--split",     "--axes",
          "--quiet",  "--camera",   "--close",   "--size",   "--raw-motion", "--clear",  "-o"})
        EXPECT_NE(help.find(std::string(option)), std::string::npos) << option;
}

TEST_F(Usage, Version) {
    const Answer run = fascia({"--version"});
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.out, "fascia 0.1.0\n");
}

TEST_F(Usage, UnknownWordsSuggestTheNearest) {
    expect_error({}, wrong_usage, {"bake"});
    expect_error({"bakke"}, wrong_usage, {"'bakke'", "'bake'"});
    expect_error({"--verzion"}, wrong_usage, {"'--verzion'", "'--version'"});
    expect_error({"bake", "tube", "--metod", "dqs", "-o", "x.glb"}, wrong_usage, {"'--metod'", "'--method'"});
    expect_error({"bake", "--metod=dqs", "bunny", "-o", "x.glb"}, wrong_usage, {"'--metod'", "'--method'"});
    expect_error({"info", "tube", "--jsn"}, wrong_usage, {"'--json'"});
    expect_error({"info", "tube", "gnome"}, wrong_usage, {"'gnome'"});
    expect_error({"info", "buny"}, wrong_usage, {"'buny'", "'bunny'"});
    expect_error({"demo", "buny"}, wrong_usage, {"bunny"});
    expect_error({"bake", "buny", "--method", "dqs", "-o", "x.glb"}, wrong_usage, {"'bunny'"});
    expect_error({"bake", "tube", "--method", "dq", "-o", "x.glb"}, wrong_usage, {"'dq'", "'dqs'"});
    expect_error({"compare", "tube", "--methods", "lbs,dq", "-o", "c"}, wrong_usage, {"'dq'", "'dqs'"});
    expect_error({"bake", "tube", "--method", "dqs", "--motion", "twst", "-o", "x.glb"}, wrong_usage,
                 {"twst", "twist"});
    expect_error({"bake", "tube", "--method", "dqs", "--motion", "77", "-o", "x.glb"}, wrong_usage, {"77"});
    expect_error({"bake", "tube", "--method", "dqs", "--preset", "jely", "-o", "x.glb"}, wrong_usage,
                 {"'jely'", "'jelly'"});
    expect_error({"bake", "tube", "--method", "dqs", "--mode", "papr", "-o", "x.glb"}, wrong_usage, {"'paper'"});
    expect_error({"bake", "tube", "--method", "dqs", "--color", "strian", "-o", "x.glb"}, wrong_usage, {"'strain'"});
    expect_error({"bake", "tube", "--method", "layers", "--set", "layers.fat.frequncy=3", "-o", "x.glb"}, wrong_usage,
                 {"'layers.fat.frequency'"});
    expect_error({"bake", "tube", "--method", "dqs", "--set", "resolution=24", "-o", "x.glb"}, wrong_usage,
                 {"dqs has no setting 'resolution'; it is one of layers, lattice, particles, volumetric-dqs and "
                  "volumetric-arap"});
    expect_error({"bake", "tube", "--method", "dqs", "--set", "layers.fat.frequncy=3", "-o", "x.glb"}, wrong_usage,
                 {"'layers.fat.frequency'"});
    expect_error({"bake", "tube", "--method", "dqs", "--set", "resolution", "-o", "x.glb"}, wrong_usage, {"key=value"});
    expect_error({"bake", "tube", "--method", "layers", "--set", "resolution=3", "-o", "x.glb"}, wrong_usage,
                 {"resolution", "from 4 to 512"});
    expect_error({"bake", "tube", "--method", "layers", "--set", "parts.frst.amount=1", "-o", "x.glb"}, wrong_usage,
                 {"'frst'", "'first'"});
}

TEST_F(Usage, ValuesOutOfRange) {
    expect_error({"bake", "tube", "--fps", "abc", "-o", "x.glb"}, wrong_usage, {"--fps", "'abc'"});
    expect_error({"bake", "tube", "--fps", "0", "-o", "x.glb"}, wrong_usage, {"--fps", "from 1"});
    expect_error({"bake", "tube", "--fps", "nan", "-o", "x.glb"}, wrong_usage, {"--fps"});
    expect_error({"bake", "tube", "--fps"}, wrong_usage, {"--fps", "value"});
    expect_error({"bake", "tube", "--fps", "3", "--fps", "4", "-o", "x.glb"}, wrong_usage, {"--fps", "once"});
    expect_error({"bake", "tube", "--threads", "1.5", "-o", "x.glb"}, wrong_usage, {"--threads", "whole"});
    expect_error({"bake", "tube", "--from", "-1", "-o", "x.glb"}, wrong_usage, {"--from"});
    expect_error({"bake", "tube", "--method", "dqs", "--from", "1", "--to", "0.5", "-o", "x.glb"}, wrong_usage,
                 {"--to 0.5", "--from 1"});
    expect_error({"bake", "tube", "--method", "dqs", "--from", "100", "-o", "x.glb"}, wrong_usage, {"--from 100"});
    expect_error({"bake", "tube", "--method", "dqs", "--to", "3600", "--fps", "1000", "-o", "x.glb"}, wrong_usage,
                 {"too many"});
}

TEST_F(Usage, NotYet) {
    expect_error({"rig", "mesh.obj", "-o", "x.glb"}, wrong_usage, {"--skeleton"});
    expect_error({"bake", "tube", "--method", "lattice", "--embed", "x", "-o", "x.glb"}, wrong_usage,
                 {"--embed", "rbf"});
    expect_error({"bake", "tube", "--method", "dqs", "--embed", "rbf", "-o", "x.glb"}, wrong_usage,
                 {"embed", "no points"});
    expect_error({"bake", "tube", "--method", "particles", "--embed", "rbf", "-o", "x.glb"}, wrong_usage,
                 {"embed", "domains"});
    expect_error({"bake", "tube", "--method", "dqs", "--subdivide", "x", "-o", "x.glb"}, wrong_usage, {"1:3"});
    expect_error({"bake", "tube", "--method", "dqs", "--subdivide", "x=1:4", "-o", "x.glb"}, wrong_usage, {"no joint"});
    expect_error({"bake", "tube", "--method", "layers", "--rectify", "-o", "x.glb"}, wrong_usage, {"--rectify", "lbs"});
    for (const char* method : {"muscles", "trachea"}) {
        expect_error({"bake", "tube", "--method", method, "-o", "x.glb"}, wrong_usage,
                     {"there is no method", method, "did you mean"});
        EXPECT_EQ(fascia({"bake", "--help"}).out.find(method), std::string::npos) << "what is not built is not offered";
    }
}

TEST_F(Usage, OutputsAreCheckedFirst) {
    expect_error({"bake", "tube", "--method", "dqs"}, wrong_usage, {"-o"});
    expect_error({"bake", "--method", "dqs", "-o", "x.glb"}, wrong_usage, {"bunny"});
    expect_error({"bake", "tube", "--method", "dqs", "-o", "x.gbl"}, wrong_usage, {".glb .pc2 .mdd .usda .obj"});
    expect_error({"bake", "tube", "--method", "dqs", "-o", "x"}, wrong_usage, {".glb .pc2 .mdd .usda .obj"});
    expect_error({"bake", "tube", "--method", "dqs", "--preview", "x.jpg"}, wrong_usage, {".png .mp4 .webp"});
    expect_error({"bake", "tube", "--method", "dqs", "-o", "none/x.glb"}, cannot_write, {"none/x.glb", "folder"});
    expect_error({"bake", "tube", "--method", "dqs", "-o", "x.glb", "--report", "none/x.json"}, cannot_write,
                 {"none/x.json"});
    expect_error({"bake", "tube", "--method", "dqs", "-o", "x.glb", "-o", "./x.glb"}, wrong_usage, {"twice"});
    expect_error({"compare", "tube", "--methods", "lbs,dqs"}, wrong_usage, {"-o"});
    expect_error({"compare", "tube", "--methods", ",", "-o", "c"}, wrong_usage, {"--methods"});
    expect_error({"compare", "tube", "--methods", "lbs,lbs", "-o", "c"}, wrong_usage, {"twice"});
    expect_error({"compare", "tube", "--methods", "lbs,dqs", "-o", "none/c"}, cannot_write, {"none"});
    expect_error({"characters", "-o", "none/c"}, cannot_write, {"none"});
    std::filesystem::create_directory(at("taken.glb"));
    expect_error({"bake", "tube", "--method", "dqs", "-o", "taken.glb"}, cannot_write, {"taken.glb", "folder"});
    write("file", "x");
    expect_error({"compare", "tube", "--methods", "lbs", "-o", "file"}, cannot_write, {"file"});
    // The wrong name is reported before the character is looked for: nothing has been read or computed.
    expect_error({"bake", "no/such.glb", "--method", "dqs", "-o", "x.gbl"}, wrong_usage, {"x.gbl"});
}

TEST_F(Usage, BadInputFiles) {
    write("empty.glb", "");
    write("text.glb", "this is not a glTF file at all");
    write("bad.bvh", "HIERARCHY\nROOT");
    write("bad.flesh.json", "{\"resolution\": 3}");
    write("map.json", "[]");
    std::filesystem::create_directory(at("folder.glb"));
    for (const char* file : {"none.glb", "empty.glb", "text.glb", "folder.glb", "no/where.vrm"}) {
        expect_error({"info", file}, bad_input, {file});
        expect_error({"bake", file, "--method", "lbs", "-o", "x.pc2"}, bad_input, {file});
    }
    expect_error({"info", "none.obj"}, bad_input, {"none.obj"});
    expect_error({"bake", "tube", "--method", "lbs", "--motion", "none.bvh", "-o", "x.pc2"}, bad_input, {"none.bvh"});
    expect_error({"bake", "tube", "--method", "lbs", "--motion", "bad.bvh", "-o", "x.pc2"}, bad_input, {"bad.bvh"});
    expect_error({"bake", "tube", "--method", "lbs", "--flesh", "none.json", "-o", "x.pc2"}, bad_input, {"none.json"});
    expect_error({"bake", "tube", "--method", "lbs", "--flesh", "bad.flesh.json", "-o", "x.pc2"}, bad_input,
                 {"bad.flesh.json", "resolution"});
    expect_error({"bake", "tube", "--method", "lbs", "--map", "map.json", "-o", "x.pc2"}, wrong_usage, {"--map"});
}

TEST_F(Usage, BundledMotions) {
    write("map.json", "{\"hips\": \"no such joint\"}");
    const std::vector<std::string> bake{"bake", "tube", "--method", "lbs", "--fps", "10", "-o", "x.pc2", "--motion"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), bake.begin(), bake.end());
        return more;
    };
    EXPECT_EQ(fascia(with({"bundled:sway"})).status, 0);
    expect_error(with({"bundled:swya"}), wrong_usage, {"swya", "sway"});
    expect_error(with({"bundled:walk"}), bad_input, {"too few joints", "--map"});
    expect_error(with({"bundled:walk", "--map", "map.json"}), wrong_usage, {"no such joint"});
    expect_error(with({"bundled:sway", "--bvh-rest", "zero"}), wrong_usage, {"--bvh-rest"});
}

TEST_F(Usage, ABvhIsNoCharacter) {
    write("walk.bvh", "HIERARCHY\n");
    expect_error({"info", "walk.bvh"}, wrong_usage, {"--motion"});
}

TEST_F(Usage, ControlCharactersDoNotReachTheTerminal) {
    const Answer run = fascia({"info", "a\033[31m\nb"});
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1);
    EXPECT_EQ(run.err.find('\033'), std::string::npos);
}

TEST_F(Usage, AFullStandardOutputIsAFailure) {
    const Answer run = finish(start({"info", "tube"}, RLIM_INFINITY, "/dev/full"));
    EXPECT_EQ(run.status, cannot_write);
    EXPECT_NE(run.err.find("standard output"), std::string::npos);
}

}  // namespace
}  // namespace fascia::test
