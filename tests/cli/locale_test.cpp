// The program under a host's locale with commas: it reads and writes the same numbers.
#include <nlohmann/json.hpp>

#include "cli/run_fascia.h"
#include "support/comma_locale.h"
#include "support/sanitized.h"

namespace fascia::test {
namespace {

class UnderCommas : public CliTest {
protected:
    void choose_commas() {
        started_by_ = {"env", std::string("LD_PRELOAD=") + COMMA_LOCALE, "LOCPATH=" + german_locale_folder(),
                       "LC_ALL=de_DE.UTF-8", "FASCIA_LOCALE_MARK=mark"};
    }
    /// What the program writes, to files and to the console, as one text.
    std::string everything(const std::string& name) {
        std::string all;
        const Answer rig = fascia({"rig", "ball.obj", "--skeleton", "bones.tgf", "-o", name + "_rigged.glb"});
        const Answer bake = fascia({"bake", name + "_rigged.glb", "--motion", "turn.bvh", "--flesh", "soft.json",
                                    "--set", "step=0.0041", "--fps", "12.5", "-o", name + ".glb", "-o", name + ".usda",
                                    "-o", name + ".pc2", "--report", name + ".json"});
        EXPECT_EQ(rig.status, 0) << rig.err;
        EXPECT_EQ(bake.status, 0) << bake.err;
        const Answer handles =
            fascia({"handles", "ball.ply", "--points", "bones.tgf", "--add", "-o", name + "_handles.tgf"});
        const Answer posed =
            fascia({"bake", name + "_rigged.glb", "--method", "handles", "--motion", "other.bvh", "--map", "map.json",
                    "--set", "proximal=0.75", "--attach", "ball.ply", "-o", "frames.obj"});
        EXPECT_EQ(handles.status, 0) << handles.err;
        EXPECT_EQ(posed.status, 0) << posed.err;
        const Answer pressed = fascia({"bake", name + "_rigged.glb", "--motion", "turn.bvh", "--collider", "world.json",
                                       "--set", "resolution=12", "-o", name + "_pressed.pc2"});
        const Answer boned = fascia(
            {"bake", name + "_rigged.glb", "--method", "neck", "--motion", "turn.bvh", "-o", name + "_boned.pc2"});
        EXPECT_EQ(pressed.status, 0) << pressed.err;
        EXPECT_EQ(boned.status, 0) << boned.err;
        for (const char* ending :
             {"_rigged.glb", ".glb", ".usda", ".pc2", "_handles.tgf", "_pressed.pc2", "_boned.pc2"})
            all += read(name + ending);
        all += read("frames.obj/00000.obj") + posed.err;
        auto report = nlohmann::json::parse(read(name + ".json"));
        for (const char* part : {"character", "frames", "quality", "settings"})
            if (report.contains(part)) all += report[part].dump();
        return all + fascia({"info", name + "_rigged.glb", "--json"}).out;
    }
};

TEST_F(UnderCommas, TheProgramReadsAndWritesTheSame) {
    if (sanitized) GTEST_SKIP() << "nothing can be loaded before a sanitizer";
    if (german_locale_folder().empty()) GTEST_SKIP() << "this system cannot make a locale with commas";
    // An octahedron, stretched along its one bone.
    write("ball.obj",
          "v 0.25 0.5 0\nv -0.25 0.5 0\nv 0 1.25 0\nv 0 -0.25 0\nv 0 0.5 0.25\nv 0 0.5 -0.25\n"
          "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n");
    write("bones.tgf", "1 0 0.125 0 hip\n2 0 0.625 0 chest\n3 0 1.125 0 top\n#\n1 2\n2 3\n");
    write(
        "turn.bvh",
        "HIERARCHY\nROOT hip\n{\nOFFSET 0 0.125 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT chest\n{\nOFFSET 0 "
        "0.5 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 0.5 0\n}\n}\n}\nMOTION\nFrames: 2\n"
        "Frame Time: 0.24\n0 0 0 0 0 0\n0 10.5 0 20.25 0 0\n");
    const std::string turn = read("turn.bvh");
    write("other.bvh", std::string(turn).replace(turn.find("ROOT hip"), 8, "ROOT Low"));
    write("map.json", R"({"Low": "hip", "chest": "chest"})");
    write("ball.ply",
          "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n"
          "element face 8\nproperty list uchar int vertex_indices\nend_header\n"
          "0.25 0.5 0\n-0.25 0.5 0\n0 1.25 0\n0 -0.25 0\n0 0.5 0.25\n0 0.5 -0.25\n"
          "3 0 2 4\n3 2 1 4\n3 1 3 4\n3 3 0 4\n3 2 0 5\n3 1 2 5\n3 3 1 5\n3 0 3 5\n");
    write("plain_rigged.anatomy.json",
          R"({"unit": 0.5, "bodies": [{"name": "h", "joint": "hip",
              "capsule": {"from": [0, 0.125, 0], "to": [0, 0.5, 0], "radius": 0.0625}},
                         {"name": "c", "joint": "chest", "free": true, "mass": 0.5,
              "ellipsoid": {"centre": [0, 0.875, 0], "radii": [0.125, 0.125, 0.0625]}}],
              "joints": [{"a": "h", "b": "c", "at": [0, 0.625, 0], "limit": 12.5}], "skin": {"reach": 0.375}})");
    write("world.json",
          R"({"colliders": [{"shape": "sphere", "radius": 0.125, "place": [0.25, 0.5, 0.0625], "friction": 0.5}],
              "wind": {"push": [1.5, 0, -2.5e-1], "turbulence": 0.5, "eddy": 0.75}})");
    write("soft.json", R"({"gravity": [0.5, -9.81, 0], "resolution": 12})");
    const std::string usual = everything("plain");
    choose_commas();
    EXPECT_EQ(everything("plain"), usual);
    EXPECT_EQ(read("mark"), "1,5") << "the program had no commas: the test shows nothing";
}

}  // namespace
}  // namespace fascia::test
