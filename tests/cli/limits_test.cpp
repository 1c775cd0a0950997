// Where threads cannot start, as in a container with limits: fewer of them, a note, and the same result.
#include "cli/run_fascia.h"
#include "support/sanitized.h"

namespace fascia::test {
namespace {

class Limits : public CliTest {
protected:
    static constexpr const char* note = "threads could be started";

    Answer bake(const std::string& out, const std::vector<std::string>& more) const {
        std::vector<std::string> words{"bake", "tube", "-o", out, "--motion", "bend", "--to", "0.1"};
        words.insert(words.end(), more.begin(), more.end());
        return fascia(words);
    }
    /// Bakes with and without the limit.
    void expect_same_result(const std::vector<std::string>& started_by, const std::string& method = "layers") {
        started_by_.clear();
        const Answer free = bake("free.pc2", {"--threads", "2", "--method", method});
        ASSERT_EQ(free.status, 0) << free.err;
        started_by_ = started_by;
        const Answer limited = bake("limited.pc2", {"--threads", "64", "--method", method});
        EXPECT_EQ(limited.status, 0) << method << limited.err;
        EXPECT_NE(limited.err.find(note), std::string::npos) << method << limited.err;
        EXPECT_EQ(read("limited.pc2"), read("free.pc2")) << method;
    }
};

TEST_F(Limits, OfAddressSpace) {
    if (sanitized) GTEST_SKIP() << "limits of memory do not go with sanitizers";
    expect_same_result({"sh", "-c", "ulimit -v 300000; exec \"$0\" \"$@\""});
}

TEST_F(Limits, OfAddressSpaceForEveryMethodWithThreads) {
    if (sanitized) GTEST_SKIP() << "limits of memory do not go with sanitizers";
    for (const char* method : {"lattice", "particles", "volumetric-dqs", "volumetric-arap", "handles"})
        expect_same_result({"sh", "-c", "ulimit -v 300000; exec \"$0\" \"$@\""}, method);
}

TEST_F(Limits, OfAddressSpaceWithPicturesAndSolvedWeights) {
    if (sanitized) GTEST_SKIP() << "limits of memory do not go with sanitizers";
    started_by_ = {"sh", "-c", "ulimit -v 300000; exec \"$0\" \"$@\""};
    const Answer limited = bake("limited.pc2", {"--threads", "64", "--preview", "limited.png", "--method", "lattice",
                                                "--weights", "diffusion"});
    EXPECT_EQ(limited.status, 0) << limited.err;
    EXPECT_TRUE(exists("limited.png"));
}

// Root may start as many as it likes; somebody else may not.
TEST_F(Limits, OfProcesses) {
    std::vector<std::string> started_by{"prlimit", "--nproc=4"};
    if (geteuid() == 0) {
        started_by.insert(started_by.begin(), {"setpriv", "--reuid", "54321", "--clear-groups"});
        std::filesystem::permissions(folder_, std::filesystem::perms::all);
        started_by_ = started_by;
        if (fascia({"--version"}).status != 0) GTEST_SKIP() << "another user may not run the program here";
        started_by_.clear();
    }
    expect_same_result(started_by);
}

}  // namespace
}  // namespace fascia::test
