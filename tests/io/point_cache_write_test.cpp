// PC2 and MDD byte by byte.
#include <cstring>

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

Status bake(const std::string& path, const Character& character, const BakeInfo& info) {
    auto writer = open_writer(path, character, info);
    if (!writer) return writer.error();
    for (std::size_t k = 0; k < info.frames; ++k) {
        const Frame frame = test::skinned_frame(character, &character.clips[0], static_cast<double>(k) / info.fps);
        if (Status s = (*writer)->frame({frame.positions, frame.normals}, frame.pose); !s) return s;
    }
    return (*writer)->finish();
}

BakeInfo frames(std::size_t count, double fps = 2) {
    BakeInfo info;
    info.fps = fps;
    info.frames = count;
    return info;
}

std::uint32_t little(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}
std::uint32_t big(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}
float as_float(std::uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}

TEST(WritePc2, HeaderAndSizeAreExact) {
    TemporaryFolder folder;
    const Character character = small_character();
    ASSERT_TRUE(bake(folder / "x.pc2", character, frames(3)));
    const std::string bytes = read_text(folder / "x.pc2");
    ASSERT_EQ(bytes.size(), 32u + 3 * 24 * 12);
    EXPECT_EQ(bytes.substr(0, 12), std::string("POINTCACHE2\0", 12));
    EXPECT_EQ(little(bytes, 12), 1u);
    EXPECT_EQ(little(bytes, 16), 24u);  // 20 skinned and 4 rigid vertices
    EXPECT_EQ(as_float(little(bytes, 20)), 0.0f);
    EXPECT_EQ(as_float(little(bytes, 24)), 1.0f);
    EXPECT_EQ(little(bytes, 28), 3u);
}

TEST(WritePc2, HoldsSkinnedThenRigidVerticesOfEveryFrame) {
    TemporaryFolder folder;
    const Character character = small_character();
    ASSERT_TRUE(bake(folder / "x.pc2", character, frames(3)));
    const std::string bytes = read_text(folder / "x.pc2");
    const auto vertex = [&](std::size_t frame, std::size_t v) {
        const std::size_t at = 32 + (frame * 24 + v) * 12;
        return Vec3{as_float(little(bytes, at)), as_float(little(bytes, at + 4)), as_float(little(bytes, at + 8))};
    };
    EXPECT_EQ(vertex(0, 16), (Vec3{-0.2f, 2, -0.2f}));
    // After a quarter turn about (0, 1, 0) the top corner (-0.2, 2) lies at (-1, 0.8), the hat's tip (0, 2.4) at (-1.4,
    // 1).
    EXPECT_NEAR(vertex(2, 16).x, -1, 1e-6);
    EXPECT_NEAR(vertex(2, 16).y, 0.8, 1e-6);
    EXPECT_NEAR(vertex(2, 23).x, -1.4, 1e-6);
    EXPECT_NEAR(vertex(2, 23).y, 1, 1e-6);
}

TEST(WriteMdd, HeaderIsBigEndianWithTimes) {
    TemporaryFolder folder;
    const Character character = small_character();
    ASSERT_TRUE(bake(folder / "x.mdd", character, frames(3)));
    const std::string bytes = read_text(folder / "x.mdd");
    ASSERT_EQ(bytes.size(), 8u + 3 * 4 + 3 * 24 * 12);
    EXPECT_EQ(big(bytes, 0), 3u);
    EXPECT_EQ(big(bytes, 4), 24u);
    EXPECT_EQ(as_float(big(bytes, 8)), 0.0f);
    EXPECT_EQ(as_float(big(bytes, 12)), 0.5f);
    EXPECT_EQ(as_float(big(bytes, 16)), 1.0f);
    EXPECT_EQ(as_float(big(bytes, 20)), -0.2f);  // x of the first vertex
}

TEST(WritePc2, BlenderAxesAreXMinusZY) {
    TemporaryFolder folder;
    const Character character = small_character();
    BakeInfo info = frames(1);
    info.blender_axes = true;
    ASSERT_TRUE(bake(folder / "x.pc2", character, info));
    const std::string bytes = read_text(folder / "x.pc2");
    const std::size_t at = 32 + 17 * 12;  // (-0.2, 2, 0.2)
    EXPECT_EQ(as_float(little(bytes, at)), -0.2f);
    EXPECT_EQ(as_float(little(bytes, at + 4)), -0.2f);
    EXPECT_EQ(as_float(little(bytes, at + 8)), 2.0f);
}

TEST(WritePc2, SplitGivesOneFilePerMeshNode) {
    TemporaryFolder folder;
    Character character = small_character();
    character.nodes[3].name = "top/hat";  // must not become a folder
    BakeInfo info = frames(2);
    ASSERT_TRUE(bake(folder / "whole.pc2", character, info));
    info.split = true;
    ASSERT_TRUE(bake(folder / "x.pc2", character, info));
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"whole.pc2", "x.column.pc2", "x.top_hat.pc2"}));
    const std::string whole = read_text(folder / "whole.pc2"), column = read_text(folder / "x.column.pc2"),
                      hat = read_text(folder / "x.top_hat.pc2");
    EXPECT_EQ(little(column, 16), 20u);
    EXPECT_EQ(little(hat, 16), 4u);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(whole.substr(32 + k * 24 * 12, 20 * 12), column.substr(32 + k * 20 * 12, 20 * 12));
        EXPECT_EQ(whole.substr(32 + (k * 24 + 20) * 12, 4 * 12), hat.substr(32 + k * 4 * 12, 4 * 12));
    }
}

TEST(WritePc2, SplitKeepsNodesOfTheSameNameApart) {
    TemporaryFolder folder;
    Character character = small_character();
    character.nodes[0].name = character.nodes[3].name = "body";
    BakeInfo info = frames(1);
    info.split = true;
    ASSERT_TRUE(bake(folder / "x.mdd", character, info));
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"x.body.mdd", "x.body_2.mdd"}));
}

}  // namespace
}  // namespace fascia
