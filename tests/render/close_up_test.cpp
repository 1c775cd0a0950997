#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "shapes.h"

namespace fascia {
namespace {

using test::pixel;

TEST(VerticesAround, FollowTheJointMost) {
    const Character tube = *bundled_character("tube");
    const auto second = vertices_around(tube, "SEC*");
    ASSERT_TRUE(second.ok());
    ASSERT_FALSE(second->empty());
    const auto slots = static_cast<std::size_t>(tube.weights.influences);
    std::size_t expected = 0;
    for (std::size_t v = 0; v < tube.mesh.vertex_count(); ++v) {
        float share = 0;
        for (std::size_t k = v * slots; k < (v + 1) * slots; ++k)
            if (tube.joints[tube.weights.joints[k]].name.rfind("second", 0) == 0) share += tube.weights.weights[k];
        if (share >= 0.5f) ++expected;
    }
    EXPECT_EQ(second->size(), expected);
    EXPECT_LT(second->size(), tube.mesh.vertex_count());
    EXPECT_EQ(vertices_around(tube, "*")->size(), tube.mesh.vertex_count());
}

TEST(VerticesAround, SuggestsTheNearestJoint) {
    Character tube = *bundled_character("tube");
    const auto misspelt = vertices_around(tube, "secnd");
    ASSERT_FALSE(misspelt.ok());
    EXPECT_EQ(misspelt.error().kind, Error::Kind::usage);
    EXPECT_NE(misspelt.error().message.find("'second'"), std::string::npos) << misspelt.error().message;
    // A joint that carries nothing.
    tube.joints.push_back(tube.joints[0]);
    tube.joints.back().name = "empty";
    const auto bare = vertices_around(tube, "empty");
    ASSERT_FALSE(bare.ok());
    EXPECT_NE(bare.error().message.find("follows"), std::string::npos) << bare.error().message;
}

struct Ink {
    int left = 0, right = 0, below = 0;
};

Ink ink_of(const Image& image) {
    Ink ink;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            if (pixel(image, x, y).r < 90)
                (y > image.height / 4 ? ink.below : x < image.width / 2 ? ink.left : ink.right) += 1;
    return ink;
}

Image grey(int width, int height, int value = 128) {
    return {width, height,
            std::vector<std::uint8_t>(static_cast<std::size_t>(width * height * 3), static_cast<std::uint8_t>(value))};
}

TEST(LabelCorners, WritesIntoTheUpperCorners) {
    for (const auto& [width, height] : {std::pair{720, 720}, std::pair{320, 240}, std::pair{200, 600}}) {
        Image both = grey(width, height), one = grey(width, height);
        label_corners(both, "layers", "1.25 s");
        label_corners(one, "layers", "");
        EXPECT_GT(ink_of(both).left, 60);
        EXPECT_GT(ink_of(both).right, 60);
        EXPECT_EQ(ink_of(both).below, 0);
        EXPECT_EQ(ink_of(one).right, 0);
    }
}

TEST(LabelCorners, CanBeReadOnBlackAndFitsSmallPictures) {
    Image black = grey(320, 240, 0);
    label_corners(black, "layers", "1.25 s");
    int light = 0;
    for (const std::uint8_t value : black.rgb) light += value > 200;
    EXPECT_GT(light, 300);
    Image tiny = grey(64, 64);
    label_corners(tiny, "a method with a very long name", "10.25 s");
    Image time_only = grey(64, 64);
    label_corners(time_only, "", "10.25 s");
    EXPECT_EQ(ink_of(tiny).right, ink_of(time_only).right);  // the time stays whole
    Image none;
    label_corners(none, "a", "b");
}

}  // namespace
}  // namespace fascia
