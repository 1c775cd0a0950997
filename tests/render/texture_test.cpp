#include "render/texture.h"

#include <gtest/gtest.h>

#include "fascia/io.h"
#include "render/appearance.h"
#include "render/color.h"
#include "shapes.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

using picture::Pixels;
using picture::TextureImage;
using test::pixel;
using test::Rgb;

/// Red and green above blue and white, so that no two orientations look the same.
Image four_colors() {
    return {2, 2, {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255}};
}

std::vector<std::uint8_t> png_of(const Image& image) {
    test::TemporaryFolder folder;
    EXPECT_TRUE(write_png(folder.file("x.png"), image).ok());
    return test::bytes_of(folder.file("x.png"));
}

/// A square that faces +z with the texture upright on it: glTF puts (0, 0) at the image's top left.
Character textured_square(std::vector<std::uint8_t> bytes) {
    const test::Shape shape = test::square(0.8f, 0, {1, 1, 1, 1});
    Character character;
    character.mesh.positions = shape.positions;
    character.mesh.normals = shape.normals;
    character.mesh.triangles = shape.triangles;
    character.mesh.uvs = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    Part part;
    part.material = 0;
    part.vertex_count = 4;
    part.triangle_count = 2;
    character.mesh.parts = {part};
    Material material;
    material.base_color = {1, 1, 1, 1};
    material.texture = 0;
    character.materials = {material};
    character.textures = {{"t", "image/png", std::move(bytes)}};
    return character;
}

Image picture_of(const Character& character) {
    const Appearance looks(character);
    return render(looks.shot(character.mesh.positions, character.mesh.normals), test::front_view(1), 120, 120);
}

TEST(Texture, StandsUprightOnTheSurface) {
    const Image image = picture_of(textured_square(png_of(four_colors())));
    const Rgb top_left = pixel(image, 42, 42), top_right = pixel(image, 78, 42);
    const Rgb bottom_left = pixel(image, 42, 78), bottom_right = pixel(image, 78, 78);
    EXPECT_GT(top_left.r, 2 * top_left.g);
    EXPECT_GT(top_right.g, 2 * top_right.r);
    EXPECT_GT(bottom_left.b, 2 * bottom_left.r);
    EXPECT_GT(std::min({bottom_right.r, bottom_right.g, bottom_right.b}), 150);
}

TEST(Texture, RepeatsAndIsSmoothBetweenTexels) {
    const TextureImage texture(picture::decode_image(png_of(four_colors())));
    ASSERT_FALSE(texture.empty());
    const Vec4 red = texture.sample({0.25f, 0.25f}, 0);
    EXPECT_NEAR(red.x, 1, 1e-6);
    EXPECT_NEAR(red.y, 0, 1e-6);
    for (const Vec2 uv : {Vec2{1.25f, 0.25f}, Vec2{-0.75f, 5.25f}, Vec2{0.25f, -3.75f}}) {
        EXPECT_NEAR(texture.sample(uv, 0).x, red.x, 1e-5);
        EXPECT_NEAR(texture.sample(uv, 0).z, red.z, 1e-5);
    }
    const Vec4 between = texture.sample({0.5f, 0.25f}, 0);  // half red, half green
    EXPECT_NEAR(between.x, 0.5, 1e-5);
    EXPECT_NEAR(between.y, 0.5, 1e-5);
    for (const float bad : {std::nanf(""), INFINITY, 1e30f}) EXPECT_GE(texture.sample({bad, 0.5f}, bad).w, 0);
}

TEST(Texture, ShrinksInLinearLight) {
    // A fine checkerboard of black and white is half the light from afar, not byte 128.
    Pixels board{64, 64, {}};
    for (int i = 0; i < 64 * 64; ++i) {
        const std::uint8_t v = (i % 64 + i / 64) % 2 ? 255 : 0;
        board.rgba.insert(board.rgba.end(), {v, v, v, 255});
    }
    const TextureImage texture(std::move(board));
    EXPECT_NEAR(texture.sample({0.3f, 0.7f}, 0.25f).x, 0.5, 0.01);
    EXPECT_NEAR(texture.sample({0.3f, 0.7f}, 100).y, 0.5, 0.01);
}

TEST(Texture, CutOutsKeepTheirColorWhenShrunk) {
    // Opaque green beside transparent black: the average must not turn dark.
    Pixels leaf{2, 1, {0, 255, 0, 255, 0, 0, 0, 0}};
    const TextureImage texture(std::move(leaf));
    const Vec4 far = texture.sample({0.5f, 0.5f}, 1.0f * 2);
    EXPECT_NEAR(far.y, 1, 0.01);
    EXPECT_NEAR(far.w, 0.5, 0.01);
}

TEST(Texture, WhatCannotBeDecodedIsLeftOut) {
    EXPECT_EQ(picture::decode_image({}).width, 0);
    const std::vector<std::uint8_t> junk = {'R', 'I', 'F', 'F', 4, 0, 0, 0, 'W', 'E', 'B', 'P'};
    EXPECT_EQ(picture::decode_image(junk).width, 0);
    auto cut = png_of(four_colors());
    cut.resize(cut.size() / 2);
    EXPECT_EQ(picture::decode_image(cut).width, 0);
    Character character = textured_square(junk);
    character.materials[0].base_color = {0.02f, 0.6f, 0.02f, 1};
    const Rgb middle = pixel(picture_of(character), 60, 60);
    EXPECT_GT(middle.g, 2 * middle.r);
}

TEST(Texture, ColorsMultiply) {
    Character character = textured_square(png_of(four_colors()));
    character.materials[0].base_color = {0.5f, 1, 1, 1};
    character.mesh.colors.assign(4, {0.5f, 0.25f, 1, 1});
    character.mesh.uvs = {{0.25f, 0.25f}, {0.75f, 0.25f}, {0.25f, 0.75f}, {0.75f, 0.75f}};
    const std::vector<Vec4> colors = vertex_colors(character, character.mesh);
    ASSERT_EQ(colors.size(), 4u);
    EXPECT_NEAR(colors[0].x, 0.25, 1e-5);
    EXPECT_NEAR(colors[0].y, 0, 1e-5);
    EXPECT_NEAR(colors[1].y, 0.25, 1e-5);
    EXPECT_NEAR(colors[3].x, 0.25, 1e-5);
    EXPECT_NEAR(colors[3].z, 1, 1e-5);
    // The picture of a textured square agrees: its white quarter is tinted.
    const Rgb tinted = pixel(picture_of(character), 85, 85);
    EXPECT_GT(tinted.b, tinted.r + 40);
}

TEST(Texture, MasksCutHolesAndOpaqueMaterialsIgnoreAlpha) {
    Character character = textured_square({});
    character.mesh.colors = {{1, 0, 0, 1}, {1, 0, 0, 0}, {1, 0, 0, 1}, {1, 0, 0, 0}};  // alpha falls to the right
    const Image empty = render({}, test::front_view(1), 120, 120);
    const Image opaque = picture_of(character);
    EXPECT_FALSE(pixel(opaque, 85, 60) == pixel(empty, 85, 60));
    character.materials[0].alpha_cutoff = 0.5f;
    const Image masked = picture_of(character);
    EXPECT_EQ(pixel(masked, 85, 60), pixel(empty, 85, 60));
    EXPECT_FALSE(pixel(masked, 35, 60) == pixel(empty, 35, 60));
}

TEST(Appearance, CountsRigidPartsOnAfterTheSkin) {
    Character character = textured_square({});
    character.rigid = character.mesh;
    character.rigid.parts[0].material = -1;
    const Appearance looks(character);
    ASSERT_EQ(looks.triangles().size(), 12u);
    EXPECT_EQ(looks.triangles()[6], 4u + character.rigid.triangles[0]);
    EXPECT_EQ(looks.data().colors.size(), 8u);
    EXPECT_EQ(looks.data().uvs.size(), 8u);
    EXPECT_NEAR(looks.data().colors[4].x, Material{}.base_color.x, 1e-6);
    // A shot of the skin alone works with the same appearance.
    Shot skin = looks.shot(character.mesh.positions, character.mesh.normals);
    EXPECT_EQ(render(skin, test::front_view(1), 50, 50).rgb.size(), 7500u);
}

TEST(Appearance, PartsThatReachTooFarAreCut) {
    Character character = textured_square(png_of(four_colors()));
    character.mesh.parts[0].vertex_count = 1000;
    character.mesh.parts[0].triangle_count = 1000;
    character.mesh.parts.push_back(character.mesh.parts[0]);
    character.mesh.parts[1].material = 77;
    character.mesh.parts[1].first_triangle = -5;
    EXPECT_EQ(vertex_colors(character, character.mesh).size(), 4u);
    EXPECT_EQ(picture_of(character).rgb.size(), 120u * 120 * 3);
}

TEST(Appearance, OverriddenByColorsOfTheShot) {
    const Character character = textured_square(png_of(four_colors()));
    const Appearance looks(character);
    Shot shot = looks.shot(character.mesh.positions, character.mesh.normals);
    const std::vector<Vec4> blue(4, {0.02f, 0.02f, 0.8f, 1});
    shot.colors = blue;
    const Rgb top_left = pixel(render(shot, test::front_view(1), 120, 120), 35, 35);  // red in the texture
    EXPECT_GT(top_left.b, 2 * top_left.r);
}

TEST(Appearance, OfSharedCharactersShowsTheirTextures) {
    FASCIA_NEEDS_SHARED_DATA();
    const auto fox = load_character(test::shared_data("characters/Fox.glb"));
    ASSERT_TRUE(fox.ok()) << fox.error().message;
    const std::vector<Vec4> colors = vertex_colors(*fox, fox->mesh);
    ASSERT_EQ(colors.size(), fox->mesh.vertex_count());
    // Most of a fox is orange, including its highest parts; its feet are dark.
    float highest = -1e9f, lowest = 1e9f;
    for (const Vec3 p : fox->mesh.positions) highest = std::max(highest, p.y), lowest = std::min(lowest, p.y);
    std::size_t orange = 0;
    double feet = 0, feet_count = 0;
    for (std::size_t v = 0; v < colors.size(); ++v) {
        orange += colors[v].x > 2 * colors[v].z;
        if (fox->mesh.positions[v].y > lowest + 0.1f * (highest - lowest)) continue;
        feet += colors[v].x;
        ++feet_count;
    }
    EXPECT_GT(orange, colors.size() / 2);
    EXPECT_LT(feet / feet_count, 0.15);
}

}  // namespace
}  // namespace fascia
