// abandon_outputs ends a process's output for good, so each test tries it in a process of its own.
#include <fstream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "support/temporary_folder.h"

namespace fascia {
namespace {

using test::TemporaryFolder;

/// Runs `work` in a child process; true if it returned true.
template <class Work>
bool in_a_child(Work work) {
    const pid_t child = fork();
    if (child == 0) _exit(work() ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Abandoned, TemporariesAreRemovedAndNothingIsPutInPlaceAnyMore) {
    const TemporaryFolder folder;
    test::write_text(folder / "a", "old");
    EXPECT_TRUE(in_a_child([&] {
        auto file = AtomicFile::create(folder / "a");
        auto frames = AtomicFolder::create(folder / "b.obj", ".obj");
        auto inner = AtomicFile::create((*frames)->inside("0.obj"));
        const bool begun = folder.names().size() == 3 && (*inner)->write("x", 1) && (*inner)->publish();
        abandon_outputs();
        return begun && folder.names().size() == 1 && !(*file)->publish() && !(*frames)->publish() &&
               !AtomicFile::create(folder / "c");
    }));
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a"});
    EXPECT_EQ(test::read_text(folder / "a"), "old");
}

TEST(Abandoned, WhatIsInPlaceStays) {
    const TemporaryFolder folder;
    EXPECT_TRUE(in_a_child([&] {
        auto file = stage_file(folder / "a", std::vector<std::uint8_t>{'n', 'e', 'w'});
        const bool published = file.ok() && (*file)->publish();
        abandon_outputs();
        return published;
    }));
    EXPECT_EQ(test::read_text(folder / "a"), "new");
}

TEST(Abandoned, TheLastBegunIsUndoneFirst) {
    EXPECT_TRUE(in_a_child([] {
        std::string order;
        const Unfinished first([&] { order += 'a'; });
        {
            const Unfinished gone([&] { order += 'x'; });
        }
        const Unfinished second([&] { order += 'b'; });
        abandon_outputs();
        return order == "ba";
    }));
}

TEST(PublishedTogether, OneThatCannotBeSealedHoldsBackAll) {
    struct Failing : Output {
        std::vector<std::string> names() const override { return {"z"}; }
        Status seal() override { return output_error("full"); }
        Status publish() override { return ok_status(); }
    };
    const TemporaryFolder folder;
    test::write_text(folder / "a", "old");
    Outputs outputs;
    outputs.push_back(std::move(*stage_file(folder / "a", std::vector<std::uint8_t>{'n'})));
    outputs.push_back(std::make_unique<Failing>());
    EXPECT_FALSE(publish_together(outputs));
    outputs.clear();
    EXPECT_EQ(test::read_text(folder / "a"), "old");
    EXPECT_EQ(folder.names().size(), 1u);
}

}  // namespace
}  // namespace fascia
