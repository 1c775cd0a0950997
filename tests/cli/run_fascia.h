// Runs the real program and captures its output.
#pragma once

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/places.h"

namespace fascia::test {

struct Answer {
    int status = -1;  ///< exit status, or 128 + the signal that ended it
    std::string out, err;
};

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A separate folder for each test, in which the program runs.
class CliTest : public ::testing::Test {
protected:
    void SetUp() override {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  ("fascia_cli_" + std::string(test->name()) + "_" + std::to_string(getpid()));
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path at(const std::string& name) const { return folder_ / name; }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(at(name), std::ios::binary) << text;
    }
    std::string read(const std::string& name) const { return read_text(at(name)); }
    bool exists(const std::string& name) const { return std::filesystem::exists(at(name)); }
    /// Names in the folder, except files of the harness itself.
    std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
            const std::string name = entry.path().filename().string();
            if (name != ".out" && name != ".err") out.push_back(name);
        }
        return out;
    }

    /// Starts the program; `file_limit` in bytes simulates a full disk.
    pid_t start(const std::vector<std::string>& words, rlim_t file_limit = RLIM_INFINITY,
                const std::string& out = ".out") const {
        const char* other = std::getenv("FASCIA_PROGRAM");  // scripts/sabotage.sh tries a faulty one
        std::vector<std::string> arguments = started_by_;
        arguments.push_back(other ? other : tested_program());
        arguments.insert(arguments.end(), words.begin(), words.end());
        std::vector<char*> argv;
        for (std::string& word : arguments) argv.push_back(word.data());
        argv.push_back(nullptr);
        const pid_t child = fork();
        if (child != 0) return child;
        if (chdir(folder_.c_str()) != 0) _exit(126);
        const int out_file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        const int err_file = open(".err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(out_file, STDOUT_FILENO);
        dup2(err_file, STDERR_FILENO);
        if (file_limit != RLIM_INFINITY) {
            const rlimit limit{file_limit, file_limit};
            setrlimit(RLIMIT_FSIZE, &limit);
        }
        execvp(argv[0], argv.data());
        _exit(127);
    }
    Answer finish(pid_t child) const {
        int status = 0;
        waitpid(child, &status, 0);
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        return {code, read(".out"), read(".err")};
    }
    /// The same for a program that should be about to end: one that goes on is killed, which its status shows.
    Answer finish_soon(pid_t child) const {
        siginfo_t ended{};
        const auto running = [&] {
            return waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT | WNOHANG) == 0 &&
                   ended.si_pid == 0;
        };
        for (int i = 0; i < 2000 && running(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        kill(child, SIGKILL);
        return finish(child);
    }
    Answer fascia(const std::vector<std::string>& words, rlim_t file_limit = RLIM_INFINITY) const {
        return finish(start(words, file_limit));
    }

    /// Expects failure with this status, one line on stderr that contains all `parts`, and no files left behind.
    void expect_error(const std::vector<std::string>& words, int status, const std::vector<std::string>& parts) const {
        const std::vector<std::string> before = names();
        const Answer run = fascia(words);
        std::string line = "fascia";
        for (const std::string& word : words) line += " " + word;
        EXPECT_EQ(run.status, status) << line << "\n" << run.err;
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << line << "\n" << run.err;
        EXPECT_EQ(run.err.rfind("fascia: ", 0), 0u) << run.err;
        EXPECT_EQ(run.out, "") << line;
        for (const std::string& part : parts)
            EXPECT_NE(run.err.find(part), std::string::npos) << line << "\n" << run.err;
        EXPECT_EQ(names().size(), before.size()) << line;
    }

    std::filesystem::path folder_;
    std::vector<std::string> started_by_;  ///< a command that starts the program, such as one that sets limits
};

}  // namespace fascia::test
