// Complete or not at all: whatever goes wrong, an existing file stays and nothing else is left behind.
#include <csignal>
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "fascia/io.h"
#include "support/small_character.h"
#include "support/temporary_folder.h"

namespace fascia {
namespace {

using test::Frame;
using test::read_text;
using test::small_character;
using test::TemporaryFolder;
using test::write_text;
using Names = std::vector<std::string>;

BakeInfo frames(std::size_t count) {
    BakeInfo info;
    info.fps = 30;
    info.frames = count;
    return info;
}

Frame frame_of(const Character& character) {
    return test::skinned_frame(character, nullptr, 0);
}

/// Opens, writes all frames and finishes; returns the first failure.
Status bake(const std::string& path, const Character& character, std::size_t count) {
    auto writer = open_writer(path, character, frames(count));
    if (!writer) return writer.error();
    const Frame frame = frame_of(character);
    for (std::size_t k = 0; k < count; ++k)
        if (Status s = (*writer)->frame({frame.positions, frame.normals}, frame.pose); !s) return s;
    return (*writer)->finish();
}

/// While this object lives, no file of this process may grow beyond `bytes`, as on a full disk.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &old_);
        rlimit tight = old_;
        tight.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &tight);
    }
    ~FullDisk() {
        ::setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, old_handler_);
    }

private:
    rlimit old_{};
    void (*old_handler_)(int);
};

class EveryFormat : public ::testing::TestWithParam<const char*> {
protected:
    std::string name() const { return std::string("x") + GetParam(); }
    std::string path() const { return folder_ / name(); }
    bool is_folder() const { return std::string(GetParam()) == ".obj"; }
    TemporaryFolder folder_;
    Character character_ = small_character();
};

INSTANTIATE_TEST_SUITE_P(Write, EveryFormat, ::testing::Values(".glb", ".pc2", ".mdd", ".usda", ".obj"),
                         [](const auto& info) { return std::string(info.param).substr(1); });

TEST_P(EveryFormat, AppearsOnlyWhenFinished) {
    {
        auto writer = open_writer(path(), character_, frames(1));
        ASSERT_TRUE(writer) << writer.error().message;
        const Frame frame = frame_of(character_);
        ASSERT_TRUE((*writer)->frame({frame.positions, frame.normals}, frame.pose));
        EXPECT_FALSE(std::filesystem::exists(path()));
        ASSERT_TRUE((*writer)->finish());
        EXPECT_TRUE(std::filesystem::exists(path()));
    }
    EXPECT_EQ(folder_.names(), Names{name()});
}

TEST_P(EveryFormat, AbandonedBakeLeavesTheOldOne) {
    ASSERT_TRUE(bake(path(), character_, 1));
    const std::string inside = is_folder() ? path() + "/00000.obj" : path();
    const std::string before = read_text(inside);
    {
        auto writer = open_writer(path(), character_, frames(3));
        ASSERT_TRUE(writer);
        const Frame frame = frame_of(character_);
        ASSERT_TRUE((*writer)->frame({frame.positions, frame.normals}, frame.pose));
    }
    EXPECT_EQ(folder_.names(), Names{name()});
    EXPECT_EQ(read_text(inside), before);
}

TEST_P(EveryFormat, ReplacesTheOldOne) {
    ASSERT_TRUE(bake(path(), character_, 3));
    const auto old_size = is_folder() ? 3 : std::filesystem::file_size(path());
    ASSERT_TRUE(bake(path(), character_, 1));
    EXPECT_EQ(folder_.names(), Names{name()});
    if (is_folder())
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path()), std::filesystem::directory_iterator()), 1);
    else
        EXPECT_LT(std::filesystem::file_size(path()), old_size);
}

TEST_P(EveryFormat, TooFewFramesAreNotAFile) {
    auto writer = open_writer(path(), character_, frames(2));
    ASSERT_TRUE(writer);
    const Frame frame = frame_of(character_);
    ASSERT_TRUE((*writer)->frame({frame.positions, frame.normals}, frame.pose));
    EXPECT_FALSE((*writer)->finish());
    writer = usage_error("closed");
    EXPECT_EQ(folder_.names(), Names{});
}

TEST_P(EveryFormat, FullDiskIsAnOutputErrorAndLeavesTheOldOne) {
    ASSERT_TRUE(bake(path(), character_, 1));
    const std::string inside = is_folder() ? path() + "/00000.obj" : path();
    const std::string before = read_text(inside);
    Status status = ok_status();
    {
        FullDisk disk(1000);
        status = bake(path(), character_, 400);
    }
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, Error::Kind::output);
    EXPECT_EQ(status.error().message.rfind("could not write " + path(), 0), 0u) << status.error().message;
    EXPECT_NE(status.error().message.find("File too large"), std::string::npos) << status.error().message;
    EXPECT_EQ(folder_.names(), Names{name()});
    EXPECT_EQ(read_text(inside), before);
}

TEST_P(EveryFormat, MissingFolderIsAnOutputError) {
    const std::string nowhere = folder_ / ("no/such/" + name());
    const Status status = bake(nowhere, character_, 1);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, Error::Kind::output);
    EXPECT_EQ(status.error().message, "could not write " + nowhere + ": No such file or directory");
    EXPECT_EQ(folder_.names(), Names{});
}

TEST_P(EveryFormat, FileInPlaceOfTheFolderIsAnOutputError) {
    write_text(folder_ / "file", "text");
    const Status status = bake(folder_ / ("file/" + name()), character_, 1);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, Error::Kind::output);
    EXPECT_EQ(folder_.names(), Names{"file"});
}

TEST_P(EveryFormat, NotANumberIsRefusedAndNothingIsWritten) {
    auto writer = open_writer(path(), character_, frames(1));
    ASSERT_TRUE(writer);
    Frame frame = frame_of(character_);
    frame.positions[7].y = std::numeric_limits<float>::quiet_NaN();
    const Status status = (*writer)->frame({frame.positions, frame.normals}, frame.pose);
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("vertex 7 of frame 0"), std::string::npos) << status.error().message;
    EXPECT_EQ(status.error().kind, Error::Kind::input) << "the disk is not to blame";
    EXPECT_FALSE((*writer)->finish());
    writer = usage_error("closed");
    EXPECT_EQ(folder_.names(), Names{});
}

TEST_P(EveryFormat, WrongSizesAreRefused) {
    const Frame frame = frame_of(character_);
    const std::span<const Vec3> all(frame.positions);
    auto writer = open_writer(path(), character_, frames(1));
    ASSERT_TRUE(writer);
    EXPECT_FALSE((*writer)->frame({all.first(all.size() - 1), frame.normals}, frame.pose));
    writer = open_writer(path(), character_, frames(1));
    EXPECT_FALSE((*writer)->frame({all, frame.normals}, Pose{}));
    writer = open_writer(path(), character_, frames(1));
    EXPECT_TRUE((*writer)->frame({all, frame.normals}, frame.pose));
    EXPECT_FALSE((*writer)->frame({all, frame.normals}, frame.pose)) << "one more than announced";
}

TEST(WriteFile, FullDeviceIsAnOutputErrorAndTheDeviceStays) {
    TemporaryFolder folder;
    const Character character = small_character();
    for (const char* extension : {".glb", ".pc2", ".mdd", ".usda"}) {
        const std::string path = folder / (std::string("full") + extension);
        std::filesystem::create_symlink("/dev/full", path);
        const Status status = bake(path, character, 2);
        ASSERT_FALSE(status) << extension;
        EXPECT_EQ(status.error().kind, Error::Kind::output);
        EXPECT_EQ(status.error().message, "could not write " + path + ": No space left on device");
        EXPECT_TRUE(std::filesystem::is_character_file(path));
    }
    EXPECT_EQ(folder.names().size(), 4u);
}

TEST(WriteFile, FollowsALinkInsteadOfReplacingIt) {
    TemporaryFolder folder;
    write_text(folder / "real.bin", "old");
    std::filesystem::create_symlink(folder / "real.bin", folder / "link.bin");
    const std::uint8_t bytes[] = {1, 2, 3};
    ASSERT_TRUE(write_file_atomically(folder / "link.bin", bytes));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.bin"));
    EXPECT_EQ(read_text(folder / "real.bin"), "\x01\x02\x03");
}

TEST(WriteFile, KeepsPermissions) {
    TemporaryFolder folder;
    write_text(folder / "x.bin", "old");
    using std::filesystem::perms;
    std::filesystem::permissions(folder / "x.bin", perms::owner_read | perms::owner_write);
    ASSERT_TRUE(write_file_atomically(folder / "x.bin", {}));
    EXPECT_EQ(std::filesystem::status(folder / "x.bin").permissions(), perms::owner_read | perms::owner_write);
    EXPECT_EQ(read_text(folder / "x.bin"), "");
}

TEST(WriteFile, AFolderOfThatNameIsAnError) {
    TemporaryFolder folder;
    std::filesystem::create_directory(folder / "x.pc2");
    const Status status = bake(folder / "x.pc2", small_character(), 1);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, Error::Kind::output);
    EXPECT_EQ(folder.names(), Names{"x.pc2"});
}

TEST(WriteObj, RefusesAFolderThatHoldsSomethingElse) {
    TemporaryFolder folder;
    std::filesystem::create_directory(folder / "x.obj");
    write_text(folder / "x.obj/thesis.txt", "years of work");
    const Status status = bake(folder / "x.obj", small_character(), 1);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, Error::Kind::output);
    EXPECT_NE(status.error().message.find("thesis.txt"), std::string::npos);
    EXPECT_EQ(read_text(folder / "x.obj/thesis.txt"), "years of work");
    EXPECT_EQ(folder.names(), Names{"x.obj"});
}

TEST(WriteObj, NameMayEndInASlash) {
    TemporaryFolder folder;
    ASSERT_TRUE(bake(folder / "x.obj/", small_character(), 1));
    ASSERT_TRUE(bake(folder / "x.obj/", small_character(), 1));
    EXPECT_TRUE(std::filesystem::is_regular_file(folder / "x.obj/00000.obj"));
    EXPECT_EQ(folder.names(), Names{"x.obj"});
}

TEST(WriteFile, UnknownFormatIsAUsageError) {
    const auto writer = open_writer("x.fbx", small_character(), frames(1));
    ASSERT_FALSE(writer);
    EXPECT_EQ(writer.error().kind, Error::Kind::usage);
    EXPECT_NE(writer.error().message.find(".glb"), std::string::npos);
}

}  // namespace
}  // namespace fascia
