#include <fstream>

#include <gtest/gtest.h>

#include "fascia/io.h"
#include "support/temporary_folder.h"

namespace fascia {
namespace {

/// Two pixels, black and white, as a PNG.
constexpr unsigned char black_and_white[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00,
    0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0xd1, 0x49, 0x20, 0x56, 0x00,
    0x00, 0x00, 0x0b, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0xf8, 0x0f, 0x00, 0x01, 0x02, 0x01,
    0x00, 0x42, 0xbe, 0xbc, 0x68, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

Character sheet() {
    Character out;
    out.name = "sheet";
    out.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    out.mesh.uvs = {{0.25f, 0.5f}, {0.5f, 0.5f}, {1.75f, -3.0f}};
    return out;
}

std::string write(const test::TemporaryFolder& folder, const std::string& name, const void* data, std::size_t size) {
    const std::string path = folder / name;
    std::ofstream(path, std::ios::binary).write(static_cast<const char*>(data), std::streamsize(size));
    return path;
}

TEST(MaskFile, AnImageIsLookedUpAtTheTextureCoordinates) {
    const test::TemporaryFolder folder;
    const auto mask = load_mask(write(folder, "m.png", black_and_white, sizeof black_and_white), sheet());
    ASSERT_TRUE(mask.ok()) << mask.error().message;
    ASSERT_EQ(mask->size(), 3u);
    EXPECT_NEAR((*mask)[0], 0, 1e-6);
    EXPECT_NEAR((*mask)[1], 0.5, 1e-6);
    EXPECT_NEAR((*mask)[2], 1, 1e-6);
}

/// Two pixels, black above white.
constexpr unsigned char black_above_white[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
    0x00, 0x01, 0x00, 0x00, 0x00, 0x02, 0x08, 0x00, 0x00, 0x00, 0x00, 0xbc, 0xea, 0xe9, 0xfb, 0x00, 0x00, 0x00,
    0x0c, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0x60, 0xf8, 0x0f, 0x00, 0x01, 0x03, 0x01, 0x00, 0x08,
    0x89, 0xc2, 0xec, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

TEST(MaskFile, TheFirstRowOfAnImageIsAtTheTop) {
    const test::TemporaryFolder folder;
    Character character = sheet();
    character.mesh.uvs = {{0.5f, 0.25f}, {0.5f, 0.5f}, {0.5f, 0.75f}};  // glTF counts v from the top
    const auto mask = load_mask(write(folder, "m.png", black_above_white, sizeof black_above_white), character);
    ASSERT_TRUE(mask.ok()) << mask.error().message;
    EXPECT_NEAR((*mask)[0], 0, 1e-6);
    EXPECT_NEAR((*mask)[1], 0.5, 1e-6);
    EXPECT_NEAR((*mask)[2], 1, 1e-6);
}

TEST(MaskFile, AColourChannelIsTakenAsItIs) {
    Character character = sheet();
    character.mesh.colors = {{0.1f, 0.2f, 0.3f, 0.4f}, {0, 0, 0, 0}, {1, 1, 1, 1}};
    EXPECT_EQ(load_mask("COLOR_0.b", character)->at(0), 0.3f);
    EXPECT_EQ(load_mask("COLOR_0.a", character)->at(0), 0.4f);
    EXPECT_FALSE(load_mask("COLOR_1.r", character).ok());
}

TEST(MaskFile, WhatIsWrongIsNamed) {
    const test::TemporaryFolder folder;
    EXPECT_NE(load_mask(folder / "none.png", sheet()).error().message.find("none.png"), std::string::npos);
    const auto cut = load_mask(write(folder, "cut.png", black_and_white, 40), sheet());
    ASSERT_FALSE(cut.ok());
    EXPECT_NE(cut.error().message.find("cut.png"), std::string::npos);
    Character bare = sheet();
    bare.mesh.uvs.clear();
    EXPECT_NE(load_mask("m.png", bare).error().message.find("texture coordinates"), std::string::npos);
}

}  // namespace
}  // namespace fascia
