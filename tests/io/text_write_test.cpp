// OBJ frames and USD text.
#include <sstream>

#include <gtest/gtest.h>

#include "fascia/io.h"
#include "support/small_character.h"
#include "support/temporary_folder.h"

namespace fascia {
namespace {

using test::Frame;
using test::read_text;
using test::small_character;
using test::TemporaryFolder;

void bake(const std::string& path, const Character& character, const BakeInfo& info) {
    auto writer = open_writer(path, character, info);
    ASSERT_TRUE(writer) << writer.error().message;
    for (std::size_t k = 0; k < info.frames; ++k) {
        const Frame frame = test::skinned_frame(character, &character.clips[0], static_cast<double>(k) / info.fps);
        ASSERT_TRUE((*writer)->frame({frame.positions, frame.normals}, frame.pose));
    }
    ASSERT_TRUE((*writer)->finish());
}

BakeInfo frames(std::size_t count) {
    BakeInfo info;
    info.fps = 2;
    info.frames = count;
    return info;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

TEST(WriteObj, EveryFrameIsAWholeFile) {
    TemporaryFolder folder;
    bake(folder / "x.obj", small_character(), frames(3));
    for (const char* name : {"00000.obj", "00001.obj", "00002.obj"}) {
        const std::string path = std::string("x.obj/").append(name);
        const std::string text = std::string("\n").append(read_text(folder / path));
        EXPECT_EQ(count(text, "\nv "), 24u);
        EXPECT_EQ(count(text, "\nvn "), 24u);
        EXPECT_EQ(count(text, "\nvt "), 24u);
        EXPECT_EQ(count(text, "\nf "), 40u);
        EXPECT_EQ(count(text, "\no "), 2u);
        EXPECT_NE(text.find("\nusemtl felt\n"), std::string::npos);
        EXPECT_NE(text.find("\nf 21/21/21 22/22/22 24/24/24\n"), std::string::npos) << "first face of the hat";
    }
}

TEST(WriteObj, ReadsBackExactly) {
    TemporaryFolder folder;
    const Character character = small_character();
    bake(folder / "x.obj", character, frames(3));
    const auto mesh = load_mesh(folder / "x.obj/00002.obj");
    ASSERT_TRUE(mesh) << mesh.error().message;
    const Frame frame = test::skinned_frame(character, &character.clips[0], 1);
    ASSERT_EQ(mesh->vertex_count(), 24u);
    EXPECT_EQ(mesh->triangle_count(), 40u);
    for (std::size_t v = 0; v < 24; ++v) EXPECT_EQ(mesh->positions[v], frame.positions[v]);
}

TEST(WriteUsd, HasOneMeshPerPartWithAllFrames) {
    TemporaryFolder folder;
    bake(folder / "x.usda", small_character(), frames(3));
    const std::string text = read_text(folder / "x.usda");
    EXPECT_EQ(text.rfind("#usda 1.0\n", 0), 0u);
    for (const char* line : {"upAxis = \"Y\"", "metersPerUnit = 1", "timeCodesPerSecond = 2", "endTimeCode = 2",
                             "defaultPrim = \"small\"", "def Mesh \"column\"", "def Mesh \"hat\"",
                             "subdivisionScheme = \"none\"", "primvars:st", "interpolation = \"vertex\""})
        EXPECT_NE(text.find(line), std::string::npos) << line;
    EXPECT_EQ(count(text, "point3f[] points.timeSamples"), 2u);
    EXPECT_EQ(count(text, "            2: [("), 6u) << "points, normals and extents of two meshes";
    EXPECT_EQ(count(text, "{"), count(text, "}"));
    EXPECT_EQ(count(text, "["), count(text, "]"));
    EXPECT_EQ(count(text, "("), count(text, ")"));
}

/// glTF counts v from the top, OBJ and USD from the bottom.
TEST(WriteText, PicturesStandTheRightWayUp) {
    TemporaryFolder folder;
    Character character = small_character();
    character.mesh.uvs[0] = {0.25f, 0.125f};
    bake(folder / "x.obj", character, frames(1));
    bake(folder / "x.usda", character, frames(1));
    EXPECT_EQ(count(read_text(folder / "x.obj/00000.obj"), "\nvt 0.25 0.875\n"), 1u);
    EXPECT_EQ(count(read_text(folder / "x.usda"), "(0.25, 0.875)"), 1u);
}

TEST(WriteUsd, SamplesAreThePositions) {
    TemporaryFolder folder;
    const Character character = small_character();
    bake(folder / "x.usda", character, frames(2));
    const std::string text = read_text(folder / "x.usda");
    std::size_t at = text.find("points.timeSamples", text.find("def Mesh \"hat\""));
    at = text.find("1: [", at) + 4;
    std::istringstream numbers(text.substr(at, text.find(']', at) - at));
    const Frame frame = test::skinned_frame(character, &character.clips[0], 0.5);
    for (std::size_t v = 20; v < 24; ++v) {
        char mark;
        Vec3 p;
        numbers >> mark >> p.x >> mark >> p.y >> mark >> p.z >> mark;
        EXPECT_EQ(p, frame.positions[v]);
        numbers >> mark;
    }
}

TEST(WriteUsd, BlenderAxesStandOnZ) {
    TemporaryFolder folder;
    BakeInfo info = frames(1);
    info.blender_axes = true;
    bake(folder / "x.usda", small_character(), info);
    EXPECT_NE(read_text(folder / "x.usda").find("upAxis = \"Z\""), std::string::npos);
}

}  // namespace
}  // namespace fascia
