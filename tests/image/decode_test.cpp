#include "image/decode.h"

#include <gtest/gtest.h>
#include <webp/encode.h>

namespace fascia::image {
namespace {

/// Red, green, blue and a half transparent grey.
const std::vector<std::uint8_t> four = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 100, 100, 100, 128};

std::vector<std::uint8_t> webp_of(const std::vector<std::uint8_t>& rgba, int width, int height) {
    std::uint8_t* made = nullptr;
    const std::size_t size = WebPEncodeLosslessRGBA(rgba.data(), width, height, 4 * width, &made);
    std::vector<std::uint8_t> out(made, made + size);
    WebPFree(made);
    return out;
}

TEST(Decode, WebpComesBackAsItWas) {
    Pixels pixels;
    ASSERT_EQ(decode(webp_of(four, 2, 2), Channels::rgba, pixels), Outcome::decoded);
    EXPECT_EQ(pixels.width, 2);
    EXPECT_EQ(pixels.height, 2);
    EXPECT_EQ(pixels.bytes, four);
}

TEST(Decode, BrightnessIsThatOfEverySort) {
    Pixels pixels;
    ASSERT_EQ(decode(webp_of(four, 4, 1), Channels::grey, pixels), Outcome::decoded);
    EXPECT_EQ(pixels.width, 4);
    EXPECT_EQ(pixels.bytes, (std::vector<std::uint8_t>{76, 149, 28, 100}));
}

TEST(Decode, DamagedAndHugePicturesAreTold) {
    Pixels pixels{1, 1, {7}};
    EXPECT_EQ(decode({}, Channels::rgba, pixels), Outcome::damaged);
    EXPECT_TRUE(pixels.bytes.empty());
    const std::vector<std::uint8_t> whole = webp_of(four, 2, 2);
    for (std::size_t n = 0; n < whole.size() - 1; ++n)
        EXPECT_EQ(decode(std::span(whole).first(n), Channels::rgba, pixels), Outcome::damaged) << n;
    const std::vector<std::uint8_t> wide(4 * 9000 * 9000, 0);
    EXPECT_EQ(decode(webp_of(wide, 9000, 9000), Channels::rgba, pixels), Outcome::too_large);
    EXPECT_TRUE(pixels.bytes.empty());
}

}  // namespace
}  // namespace fascia::image
