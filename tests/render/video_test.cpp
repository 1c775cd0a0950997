#include <gtest/gtest.h>

#include "shapes.h"

namespace fascia {
namespace {

Image frame_of(int width, int height, int step) {
    Image image{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (const int v : {x * 4, y * 4, step * 20}) image.rgb.push_back(static_cast<std::uint8_t>(v));
    return image;
}

bool has_program(const std::string& name) {
    return std::system(("command -v " + name + " > /dev/null 2>&1").c_str()) == 0;
}

std::string output_of(const std::string& command) {
    std::string text;
    std::FILE* pipe = popen(command.c_str(), "r");
    if (!pipe) return text;
    char buffer[256];
    while (std::fgets(buffer, sizeof buffer, pipe)) text += buffer;
    pclose(pipe);
    return text;
}

#define NEEDS_FFMPEG() \
    if (!has_program("ffmpeg") || !has_program("ffprobe")) GTEST_SKIP() << "ffmpeg is not installed"

Status write_video(const std::string& path, int width, int height, int frames) {
    auto writer = VideoWriter::open(path, width, height, 25);
    if (!writer) return writer.error();
    for (int k = 0; k < frames; ++k) {
        const Status status = (*writer)->frame(frame_of(width, height, k));
        if (!status) return status;
    }
    return (*writer)->finish();
}

TEST(Video, Mp4IsWhatPlayersExpect) {
    NEEDS_FFMPEG();
    test::TemporaryFolder folder;
    const std::string path = folder.file("it's a $clip.mp4");  // no shell is involved
    const Status status = write_video(path, 61, 45, 9);
    ASSERT_TRUE(status.ok()) << status.error().message;
    EXPECT_EQ(folder.count(), 1u);
    std::filesystem::rename(path, folder.file("x.mp4"));
    const std::string probe = output_of(
        "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
        "stream=codec_name,pix_fmt,width,height,nb_read_frames,r_frame_rate -of default=noprint_wrappers=1 " +
        folder.file("x.mp4"));
    for (const char* expected :
         {"codec_name=h264", "width=62", "height=46", "pix_fmt=yuv420p", "r_frame_rate=25/1", "nb_read_frames=9"})
        EXPECT_NE(probe.find(expected), std::string::npos) << expected << " in\n" << probe;
    // The index comes before the pictures.
    const auto bytes = test::bytes_of(folder.file("x.mp4"));
    const std::string text(bytes.begin(), bytes.end());
    EXPECT_LT(text.find("moov"), text.find("mdat"));
}

TEST(Video, Mp4KeepsTheColors) {
    NEEDS_FFMPEG();
    test::TemporaryFolder folder;
    auto writer = VideoWriter::open(folder.file("x.mp4"), 64, 64, 10);
    ASSERT_TRUE(writer.ok());
    Image flat{64, 64, {}};
    for (int i = 0; i < 64 * 64; ++i)
        for (const int v : {200, 60, 120}) flat.rgb.push_back(static_cast<std::uint8_t>(v));
    for (int k = 0; k < 5; ++k) ASSERT_TRUE((*writer)->frame(flat).ok());
    ASSERT_TRUE((*writer)->finish().ok());
    output_of("ffmpeg -v error -y -i " + folder.file("x.mp4") + " -frames:v 1 -f rawvideo -pix_fmt rgb24 " +
              folder.file("x.rgb"));
    const auto bytes = test::bytes_of(folder.file("x.rgb"));
    ASSERT_EQ(bytes.size(), 64u * 64 * 3);
    EXPECT_NEAR(bytes[6000], 200, 6);
    EXPECT_NEAR(bytes[6001], 60, 6);
    EXPECT_NEAR(bytes[6002], 120, 6);
}

TEST(Video, WebpIsAnimated) {
    NEEDS_FFMPEG();
    test::TemporaryFolder folder;
    const Status status = write_video(folder.file("x.webp"), 33, 21, 6);
    ASSERT_TRUE(status.ok()) << status.error().message;
    const auto bytes = test::bytes_of(folder.file("x.webp"));
    const std::string text(bytes.begin(), bytes.end());
    ASSERT_GT(text.size(), 40u);
    EXPECT_EQ(text.substr(0, 4), "RIFF");
    EXPECT_EQ(text.substr(8, 8), "WEBPVP8X");
    int frames = 0;
    for (std::size_t at = text.find("ANMF"); at != std::string::npos; at = text.find("ANMF", at + 4)) ++frames;
    EXPECT_EQ(frames, 6);
}

TEST(Video, AnUnfinishedOneLeavesTheOldFile) {
    NEEDS_FFMPEG();
    test::TemporaryFolder folder;
    std::ofstream(folder.file("x.mp4")) << "old";
    {
        auto writer = VideoWriter::open(folder.file("x.mp4"), 32, 32, 30);
        ASSERT_TRUE(writer.ok());
        ASSERT_TRUE((*writer)->frame(frame_of(32, 32, 0)).ok());
    }
    EXPECT_EQ(folder.count(), 1u);
    EXPECT_EQ(test::bytes_of(folder.file("x.mp4")).size(), 3u);
}

TEST(Video, FramesOfAnotherSizeAndNoFramesAreRefused) {
    NEEDS_FFMPEG();
    test::TemporaryFolder folder;
    {
        auto writer = VideoWriter::open(folder.file("x.mp4"), 32, 32, 30);
        ASSERT_TRUE(writer.ok());
        const Status wrong = (*writer)->frame(frame_of(32, 30, 0));
        ASSERT_FALSE(wrong.ok());
        EXPECT_NE(wrong.error().message.find("32 x 30"), std::string::npos);
        EXPECT_FALSE((*writer)->finish().ok());
    }
    EXPECT_EQ(folder.count(), 0u);
}

TEST(Video, SaysWhatIsWrongBeforeTheFirstFrame) {
    test::TemporaryFolder folder;
    const auto kind_of = [](const Result<std::unique_ptr<VideoWriter>>& r) { return r.error().kind; };
    const auto gif = VideoWriter::open(folder.file("x.gif"), 32, 32, 30);
    ASSERT_FALSE(gif.ok());
    EXPECT_EQ(kind_of(gif), Error::Kind::usage);
    EXPECT_FALSE(VideoWriter::open(folder.file("x.mp4"), 0, 32, 30).ok());
    EXPECT_FALSE(VideoWriter::open(folder.file("x.mp4"), 32, 32, std::nan("")).ok());
    const auto nowhere = VideoWriter::open(folder.file("no/such/x.mp4"), 32, 32, 30);
    ASSERT_FALSE(nowhere.ok());
    EXPECT_EQ(kind_of(nowhere), Error::Kind::output);
    EXPECT_EQ(folder.count(), 0u);
}

/// Sets PATH for one test.
class PathOf {
public:
    explicit PathOf(const std::string& path) : old_(std::getenv("PATH") ? std::getenv("PATH") : "") {
        setenv("PATH", path.c_str(), 1);
    }
    ~PathOf() { setenv("PATH", old_.c_str(), 1); }

private:
    std::string old_;
};

TEST(Video, MissingFfmpegIsNamedWithWhatToInstall) {
    test::TemporaryFolder folder;
    const PathOf path(folder.file("empty"));
    const auto writer = VideoWriter::open(folder.file("x.webp"), 32, 32, 30);
    ASSERT_FALSE(writer.ok());
    EXPECT_NE(writer.error().message.find("install"), std::string::npos);
    EXPECT_NE(writer.error().message.find("ffmpeg"), std::string::npos);
    EXPECT_EQ(folder.count(), 0u);
}

TEST(Video, AnEncoderThatDiesIsReportedAndDoesNotKillUs) {
    test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("bin"));
    std::ofstream(folder.file("bin/ffmpeg")) << "#!/bin/sh\necho 'Unknown encoder libx264' >&2\nexit 1\n";
    std::filesystem::permissions(folder.file("bin/ffmpeg"), std::filesystem::perms::owner_all);
    const PathOf path(folder.file("bin"));
    auto writer = VideoWriter::open(folder.file("x.mp4"), 256, 256, 30);
    ASSERT_TRUE(writer.ok()) << writer.error().message;
    Status status = ok_status();
    for (int k = 0; k < 50 && status.ok(); ++k) status = (*writer)->frame(frame_of(256, 256, k));
    if (status.ok()) status = (*writer)->finish();
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message.find("Unknown encoder libx264"), std::string::npos) << status.error().message;
    EXPECT_FALSE((*writer)->finish().ok());
    writer = input_error("closed");
    EXPECT_EQ(folder.count(), 1u);  // bin
}

TEST(Video, AnEncoderThatSucceedsWithHalfAFilmIsNotBelieved) {
    NEEDS_FFMPEG();
    test::TemporaryFolder folder;
    ASSERT_TRUE(write_video(folder.file("whole.mp4"), 64, 64, 8).ok());
    ASSERT_TRUE(write_video(folder.file("whole.webp"), 64, 64, 8).ok());
    std::filesystem::create_directory(folder.file("bin"));
    // Writes a film made earlier, cut by one byte, or of other frames, to its last argument, and says that all is well.
    std::ofstream(folder.file("bin/ffmpeg")) << "#!/bin/sh\ncat > /dev/null\nfor last; do :; done\nout=${last#file:}\n"
                                                "head -c -$CUT \"$FILM\" > \"$out\"\n";
    std::filesystem::permissions(folder.file("bin/ffmpeg"), std::filesystem::perms::owner_all);
    const PathOf path(folder.file("bin") + ":" + std::getenv("PATH"));
    const auto works = [&](const std::string& extension, const char* cut, int frames) {
        setenv("FILM", folder.file("whole" + extension).c_str(), 1);
        setenv("CUT", cut, 1);
        return write_video(folder.file("x" + extension), 64, 64, frames).ok();
    };
    EXPECT_TRUE(works(".mp4", "0", 8));
    EXPECT_FALSE(works(".mp4", "1", 8));
    EXPECT_FALSE(works(".mp4", "0", 9));
    EXPECT_TRUE(works(".webp", "0", 8));
    EXPECT_FALSE(works(".webp", "1", 8));
}

}  // namespace
}  // namespace fascia
