// What --camera, --close and --size do to pictures, and the close-ups of compare.
#include <cstdint>
#include <cstdlib>

#include "run_fascia.h"

namespace fascia::test {
namespace {

constexpr int done = 0, wrong_usage = 2;

class Pictures : public CliTest {
protected:
    /// Width and height from the PNG's header.
    std::pair<int, int> size_of(const std::string& name) const {
        const std::string png = read(name);
        EXPECT_EQ(png.substr(1, 3), "PNG") << name;
        const auto number = [&](std::size_t at) {
            int value = 0;
            for (std::size_t i = at; i < at + 4; ++i) value = value * 256 + static_cast<std::uint8_t>(png[i]);
            return value;
        };
        return {number(16), number(20)};
    }
    std::string picture(const std::vector<std::string>& options) {
        std::vector<std::string> words{"bake", "tube", "--method", "lbs",    "--motion", "bend",      "--from", "1.3",
                                       "--to", "1.3",  "--quiet",  "--size", "96",       "--preview", "x.png"};
        words.insert(words.end(), options.begin(), options.end());
        const Answer run = fascia(words);
        EXPECT_EQ(run.status, done) << run.err;
        return read("x.png");
    }
};

TEST_F(Pictures, SizeIsThatOfACell) {
    const auto sheet_of = [&](const char* size) {
        const Answer run = fascia({"bake", "tube", "--method", "lbs", "--motion", "bend", "--to", "0.1", "--size", size,
                                   "--preview", "a.png"});
        EXPECT_EQ(run.status, done) << run.err;
        return size_of("a.png");
    };
    // Six cells side by side; seven frames take two rows.
    const auto [small_width, small_height] = sheet_of("64x80");
    const auto [wide_width, wide_height] = sheet_of("100x80");
    const auto [square_width, square_height] = sheet_of("100");
    EXPECT_EQ(wide_width - small_width, 6 * 36);
    EXPECT_EQ(wide_height, small_height);
    EXPECT_EQ(square_width, wide_width);
    EXPECT_EQ(square_height - wide_height, 2 * 20);
}

TEST_F(Pictures, FilmsHaveTheSizeThatWasAskedFor) {
    if (std::system("command -v ffmpeg ffprobe > /dev/null 2>&1") != 0) GTEST_SKIP() << "ffmpeg is not installed";
    const Answer run = fascia({"bake", "tube", "--method", "lbs", "--motion", "bend", "--to", "0.1", "--size", "128x96",
                               "--preview", "a.mp4"});
    ASSERT_EQ(run.status, done) << run.err;
    const std::string probe = "ffprobe -v error -select_streams v -show_entries stream=width,height -of csv=p=0 " +
                              at("a.mp4").string() + " > " + at("size.txt").string();
    ASSERT_EQ(std::system(probe.c_str()), 0);
    EXPECT_EQ(read("size.txt").substr(0, 6), "128,96");
}

TEST_F(Pictures, TheCameraGoesRound) {
    const std::string usual = picture({}), front = picture({"--camera", "front"});
    EXPECT_NE(front, usual);
    EXPECT_EQ(picture({"--camera", "three-quarter"}), usual);
    EXPECT_EQ(picture({"--camera", "0"}), front);
    EXPECT_EQ(picture({"--camera", "side"}), picture({"--camera", "90"}));
    EXPECT_EQ(picture({"--camera", "back"}), picture({"--camera", "180"}));
    EXPECT_NE(picture({"--camera", "90"}), picture({"--camera", "-90"}));
    EXPECT_NE(picture({"--close", "sec*"}), usual);
    EXPECT_EQ(picture({"--close", "sec*"}), picture({"--close", "SEC*"}));
    EXPECT_EQ(picture({"--close", "*"}), usual);
}

TEST_F(Pictures, MistakesAreAnsweredWithTheNearestWord) {
    const auto expect = [&](const std::string& option, const std::string& value, const std::vector<std::string>& said) {
        expect_error({"bake", "tube", "--method", "lbs", "--preview", "x.png", option, value}, wrong_usage, said);
    };
    expect("--camera", "frnt", {"'frnt'", "'front'", "degrees"});
    expect("--camera", "400", {"--camera", "360"});
    expect("--close", "secnd", {"--close", "'secnd'", "'second'"});
    for (const char* size : {"20", "9000", "640x", "x480", "640*480", "64.5", "big"})
        expect("--size", size, {"--size", "640x360"});
    expect_error({"compare", "tube", "--methods", "lbs", "--close", "secnd", "-o", "c"}, wrong_usage, {"'second'"});
    EXPECT_TRUE(names().empty());
}

TEST_F(Pictures, CompareShowsWhereMethodsDiffer) {
    const auto sheet_of = [&](const char* methods, const char* motion) {
        const Answer run = fascia({"compare", "tube", "--methods", methods, "--motion", motion, "--from", "1", "--to",
                                   "1.5", "--size", "64", "-o", "c", "--quiet"});
        EXPECT_EQ(run.status, done) << run.err;
        return size_of("c/sheet.png").second;
    };
    const int one = sheet_of("lbs", "twist"), row = 64 + 26 + 22;
    EXPECT_EQ(sheet_of("lbs,dqs", "rest"), one + row);       // they agree: no close-ups
    EXPECT_EQ(sheet_of("lbs,dqs", "twist"), one + 2 * row);  // one row more
}

}  // namespace
}  // namespace fascia::test
