// Numbers are read and written the same whatever locale the host has chosen, in C and in C++.
#include <sstream>

#include <gtest/gtest.h>

#include "fascia/fascia.h"
#include "io/mesh_readers.h"
#include "support/comma_locale.h"
#include "support/small_character.h"
#include "support/temporary_folder.h"

namespace fascia {
namespace {

using test::CommaLocale;

/// What is made under both locales, as text.
std::string read_and_write() {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out.precision(17);
    const auto put = [&](const auto& mesh) {
        if (!mesh) {
            out << mesh.error().message << "\n";
            return;
        }
        for (const Vec3& p : mesh->positions) out << p.x << " " << p.y << " " << p.z << "\n";
    };
    put(io::parse_obj("v 0.5 1e-2 -2.25\nv 1234.5 0 0\nv 0 1.5 0\nf 1 2 3\n", "a.obj"));
    put(io::parse_off("OFF\n3 1 0\n0.5 0 0\n1.25 0 0\n0 1.5 0\n3 0 1 2\n", "a.off"));
    put(
        io::parse_ply("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                      "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                      "0.5 0 0\n1.25 0 0\n0 1.5 0\n3 0 1 2\n",
                      "a.ply"));
    const auto skeleton = parse_tgf("1 0.5 1.25 -3.75 hip\n2 1234.5 0 0\n#\n1 2\n", "a.tgf");
    if (!skeleton) return skeleton.error().message;
    for (const SkeletonJoint& joint : *skeleton)
        out << joint.name << joint.position.x << " " << joint.position.y << " " << joint.position.z << "\n";
    const auto motion = parse_bvh(
        "HIERARCHY\nROOT hip\n{\nOFFSET 0.5 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 "
        "1.5 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.0333\n10.5 20.25 0\n",
        "a.bvh");
    if (!motion) return motion.error().message;
    out << motion->frame_time << " " << motion->rotations[0].x << "\n";

    Flesh flesh = *preset("default");
    for (const char* set : {"layers.fat.frequency=2.75", "gravity=0.5,-9.81,0", "step=0.0041666"}) {
        const std::string text = set;
        const std::size_t equals = text.find('=');
        const Status done = set_field(flesh, text.substr(0, equals), text.substr(equals + 1));
        if (!done) out << done.error().message << "\n";
    }
    out << flesh_to_json(flesh);
    const auto again = parse_flesh(R"({"step": 0.0041, "layers": [{"name": "fat", "damping": 0.125}]})", "f", flesh);
    out << (again ? flesh_to_json(*again) : again.error().message);
    out << set_field(flesh, "step", "7.5").error().message << set_field(flesh, "step", "0,002").error().message;

    const test::TemporaryFolder folder;
    const Character character = test::small_character();
    const test::Frame frame = test::skinned_frame(character, nullptr, 0);
    for (const char* name : {"a.glb", "a.usda", "a.obj"}) {
        BakeInfo info;
        info.fps = 29.97;
        info.frames = 1;
        auto writer = open_writer(folder / name, character, info);
        if (!writer || !(*writer)->frame({frame.positions, frame.normals}, frame.pose) || !(*writer)->finish())
            return "could not write";
        out << test::read_text(folder / (name == std::string("a.obj") ? "a.obj/00000.obj" : name));
    }
    return out.str();
}

TEST(AnyLocale, NumbersAreReadAndWrittenTheSame) {
    const std::string usual = read_and_write();
    ASSERT_NE(usual.find("2.75"), std::string::npos) << usual;
    const CommaLocale commas;
    std::ostringstream check;
    check << 1234.5;
    ASSERT_EQ(check.str(), "1.234,5") << "the C++ locale has no effect here: the test shows nothing";
    EXPECT_EQ(read_and_write(), usual);
    EXPECT_EQ(parse_number("1.5"), 1.5);
    EXPECT_FALSE(parse_number("1,5"));
}

TEST(AnyLocale, AlsoThatOfC) {
    const std::string usual = read_and_write();
    const CommaLocale commas;
    if (!commas.in_c()) GTEST_SKIP() << "this system has no locale with commas and cannot make one";
    EXPECT_EQ(read_and_write(), usual);
}

}  // namespace
}  // namespace fascia
