// A process in which address space is short. Not for sanitizers, which reserve more than any limit.
#pragma once

#include <fstream>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/sanitized.h"

namespace fascia::test {

/// Runs `body` in a process of its own that has room for `megabytes` more; returns what it returns.
template <class Body>
int with_room_for(std::size_t megabytes, Body&& body) {
    const pid_t child = fork();
    if (child == 0) {
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        const rlim_t limit = pages * std::size_t(sysconf(_SC_PAGESIZE)) + (megabytes << 20);
        const rlimit both{limit, limit};
        _exit(setrlimit(RLIMIT_AS, &both) == 0 ? body() : 99);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace fascia::test
