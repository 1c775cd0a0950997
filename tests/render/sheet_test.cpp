#include <csignal>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "render/glyphs.h"
#include "render/text.h"
#include "render/texture.h"
#include "shapes.h"

namespace fascia {
namespace {

using picture::TextStyle;
using test::pixel;
using test::Rgb;

Image solid(int width, int height, Rgb color) {
    Image image{width, height, {}};
    for (int i = 0; i < width * height; ++i)
        for (const int c : {color.r, color.g, color.b}) image.rgb.push_back(static_cast<std::uint8_t>(c));
    return image;
}

int count_of(const Image& image, Rgb color) {
    int count = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) count += pixel(image, x, y) == color;
    return count;
}

constexpr Rgb green{10, 200, 30};

TEST(ContactSheet, ShowsEveryCellWhole) {
    ContactSheet sheet(3, 40, 50);
    sheet.title("walk");
    sheet.begin_row("lbs");
    for (int i = 0; i < 3; ++i) sheet.cell(solid(40, 50, green), std::to_string(i) + " s");
    sheet.begin_row("dqs");
    for (int i = 0; i < 2; ++i) sheet.cell(solid(40, 50, green), "t");
    const Image image = sheet.finish();
    EXPECT_EQ(image.rgb.size(), static_cast<std::size_t>(image.width * image.height * 3));
    EXPECT_EQ(count_of(image, green), 5 * 40 * 50);
}

TEST(ContactSheet, GrowsByWholeCells) {
    const auto size_of = [](int columns, int rows, int cells, const char* label, const char* title) {
        ContactSheet sheet(columns, 40, 50);
        sheet.title(title);
        for (int r = 0; r < rows; ++r) {
            sheet.begin_row(label);
            for (int c = 0; c < cells; ++c) sheet.cell(solid(40, 50, green), "");
        }
        return sheet.finish();
    };
    const Image base = size_of(2, 1, 2, "", ""), wider = size_of(3, 1, 3, "", ""), taller = size_of(2, 2, 2, "", "");
    EXPECT_EQ(wider.width - base.width, 40 + 10);
    EXPECT_EQ(wider.height, base.height);
    EXPECT_EQ(taller.width, base.width);
    EXPECT_EQ(taller.height - base.height, 50 + 26 + 22);
    // More cells than columns wrap onto further lines.
    EXPECT_EQ(size_of(2, 1, 5, "", "").height - base.height, 2 * (50 + 26));
    EXPECT_GT(size_of(2, 1, 2, "label", "").width, base.width);
    EXPECT_GT(size_of(2, 1, 2, "", "title").height, base.height);
    EXPECT_LT(size_of(2, 1, 2, std::string(500, 'w').c_str(), "").width, base.width + 260);
}

TEST(ContactSheet, TakesImagesOfOtherSizesAndNone) {
    ContactSheet sheet(2, 40, 50);
    sheet.cell(solid(100, 10, green), "wide");
    sheet.cell(Image{}, "none");
    EXPECT_EQ(count_of(sheet.finish(), green), 40 * 10);
    EXPECT_GT(ContactSheet(0, -3, 0).finish().width, 0);
}

TEST(ContactSheet, WritesItsLabels) {
    const auto ink = [](const char* title, const char* label, const char* caption) {
        ContactSheet sheet(1, 120, 50);
        sheet.title(title);
        sheet.begin_row(label);
        sheet.cell({}, caption);
        const Image image = sheet.finish();
        int dark = 0;
        for (std::size_t i = 0; i < image.rgb.size(); i += 3) dark += image.rgb[i] < 180;
        return dark;
    };
    EXPECT_EQ(ink("", "", ""), 0);
    EXPECT_GT(ink("Title", "", ""), 60);
    EXPECT_GT(ink("", "label", ""), 40);
    EXPECT_GT(ink("", "", "1.25 s"), 40);
    EXPECT_GT(ink("mm", "", ""), ink("i", "", ""));
}

TEST(Text, EveryGlyphIsDrawnWithinItsCell) {
    const TextStyle style{20, 2, {0, 0, 0, 1}};
    for (unsigned c = picture::first_glyph; c <= picture::last_glyph; ++c) {
        Image image = solid(60, 60, {255, 255, 255});
        const std::string text(1, static_cast<char>(c));
        picture::draw_text(image, 15, 40, text, style);
        int left = 60, right = -1, top = 60, bottom = -1;
        for (int y = 0; y < 60; ++y) {
            for (int x = 0; x < 60; ++x) {
                if (pixel(image, x, y).r > 200) continue;
                left = std::min(left, x), right = std::max(right, x);
                top = std::min(top, y), bottom = std::max(bottom, y);
            }
        }
        if (c == ' ') {
            EXPECT_EQ(right, -1);
            continue;
        }
        ASSERT_GE(right, 0) << text;
        EXPECT_GE(left, 12) << text;
        EXPECT_LE(right, 15 + picture::text_width(text, style) + 3) << text;
        EXPECT_GE(top, 40 - 24) << text;
        EXPECT_LE(bottom, 40 + 7) << text;
    }
}

TEST(Text, SurvivesDamagedUtf8AndTheEdgesOfTheImage) {
    const TextStyle style;
    Image image = solid(30, 12, {255, 255, 255});
    for (const char* text : {"\xff\xfe", "\xe3\x81", "\xf0\x9f\x98\x80", "\xc3", "a\x80z", ""}) {
        EXPECT_GE(picture::text_width(text, style), 0);
        picture::draw_text(image, -20, 3, text, style);
        picture::draw_text(image, 25, 500, text, style);
    }
    // A character that the typeface lacks is drawn as one box, however many bytes it has.
    EXPECT_EQ(picture::text_width("\xe3\x81\x82", style), picture::text_width("\xc3\xa9", style));
}

TEST(Text, IsShortenedToFit) {
    const TextStyle style;
    EXPECT_EQ(picture::shortened("walk", 500, style), "walk");
    const std::string cut = picture::shortened("a very long caption", 60, style);
    EXPECT_LE(picture::text_width(cut, style), 60);
    EXPECT_EQ(cut.substr(0, 3), "a v");
    EXPECT_EQ(cut.substr(cut.size() - 3), "...");
}

TEST(Png, ComesBackPixelForPixel) {
    test::TemporaryFolder folder;
    Image image{37, 23, {}};
    for (int i = 0; i < 37 * 23 * 3; ++i) image.rgb.push_back(static_cast<std::uint8_t>(i * 7 + i * i / 11));
    ASSERT_TRUE(write_png(folder.file("x.png"), image).ok());
    const picture::Pixels back = picture::decode_image(test::bytes_of(folder.file("x.png")));
    ASSERT_EQ(back.width, 37);
    ASSERT_EQ(back.height, 23);
    for (std::size_t i = 0; i < 37 * 23; ++i)
        for (std::size_t c = 0; c < 3; ++c) ASSERT_EQ(back.rgba[4 * i + c], image.rgb[3 * i + c]);
    EXPECT_EQ(folder.count(), 1u);
}

TEST(Png, FailsInOneSentenceAndLeavesNothing) {
    test::TemporaryFolder folder;
    const Image image = solid(4, 4, green);
    const Status missing = write_png(folder.file("no/such/x.png"), image);
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().kind, Error::Kind::output);
    EXPECT_NE(missing.error().message.find("x.png"), std::string::npos);
    std::filesystem::create_directories(folder.file("taken.png/inside"));
    EXPECT_FALSE(write_png(folder.file("taken.png"), image).ok());
    EXPECT_EQ(folder.count(), 1u);
    EXPECT_FALSE(write_png(folder.file("empty.png"), {}).ok());
    EXPECT_FALSE(write_png(folder.file("short.png"), {9, 9, {1, 2, 3}}).ok());
    EXPECT_EQ(folder.count(), 1u);
}

TEST(Png, AFullDiskKeepsTheOldFile) {
    test::TemporaryFolder folder;
    std::ofstream(folder.file("x.png")) << "old";
    Image noise{64, 64, {}};
    for (unsigned i = 0, state = 1; i < 64 * 64 * 3; ++i) {
        state = state * 1664525u + 1013904223u;
        noise.rgb.push_back(static_cast<std::uint8_t>(state >> 24));
    }
    // Stands in for a full disk: no file may grow beyond 1000 bytes.
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit tight{1000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &tight);
    const Status status = write_png(folder.file("x.png"), noise);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, old_handler);
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(folder.count(), 1u);
    EXPECT_EQ(test::bytes_of(folder.file("x.png")).size(), 3u);
}

}  // namespace
}  // namespace fascia
