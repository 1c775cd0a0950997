#include "render/encoder_process.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace fascia::picture {

namespace {

/// Waits until the child has ended, without reaping it: its process number stays valid.
void wait_for_end(pid_t pid) {
    siginfo_t ended;
    while (waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
}

}  // namespace

EncoderProcess::~EncoderProcess() {
    close_input();
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        wait();
    }
    if (complaints_) std::fclose(complaints_);
}

int EncoderProcess::start(const std::vector<std::string>& arguments) {
    // A socket instead of a pipe, because send() can be told not to raise SIGPIPE when the child has died.
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    complaints_ = std::tmpfile();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (complaints_) posix_spawn_file_actions_adddup2(&actions, fileno(complaints_), STDERR_FILENO);
    std::vector<char*> argv;
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    const Unfinished::Lock held = Unfinished::lock();
    const int failure =
        Unfinished::too_late() ? EINTR : posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    input_ = ends[0];
    if (failure) pid_ = -1;
    if (!failure)
        running_ = Unfinished([pid = pid_] {
            kill(pid, SIGKILL);
            wait_for_end(pid);  // after this it creates no more files
        });
    return failure;
}

bool EncoderProcess::write(const std::uint8_t* data, std::size_t size) {
    while (size > 0) {
        const ssize_t sent = send(input_, data, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        data += sent;
        size -= static_cast<std::size_t>(sent);
    }
    return true;
}

bool EncoderProcess::finish() {
    close_input();
    return wait() && complaint().empty();
}

std::string EncoderProcess::complaint() {
    if (!complaints_) return {};
    std::rewind(complaints_);
    char line[300];
    if (!std::fgets(line, sizeof line, complaints_)) return {};
    line[std::strcspn(line, "\r\n")] = 0;
    return line;
}

void EncoderProcess::close_input() {
    if (input_ >= 0) close(input_);
    input_ = -1;
}

bool EncoderProcess::wait() {
    if (pid_ <= 0) return false;
    wait_for_end(pid_);
    running_.done();  // before another process can get its number
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace fascia::picture
