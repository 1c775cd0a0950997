#include "interrupt.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "command.h"
#include "fascia/output.h"

namespace fascia::cli {

namespace {

constexpr int patience_ms = 250;  ///< for the command to end by itself

// Globals, because a signal handler has nowhere else to leave its message.
volatile std::sig_atomic_t stop_asked = 0;
int signals_in = -1, signals_out = -1;  ///< a pipe: one byte for each signal

void ask_to_stop(int) {
    const int kept = errno;
    stop_asked = 1;
    if (signals_in >= 0) [[maybe_unused]]
        const ssize_t written = ::write(signals_in, "", 1);
    errno = kept;
}

/// Waits for a signal, then for a moment or a second signal, and then ends the process.
void* wait_for_signals(void*) {
    char byte = 0;
    ssize_t got = 0;
    while ((got = ::read(signals_out, &byte, 1)) < 0 && errno == EINTR) {
    }
    if (got != 1) return nullptr;
    pollfd second{signals_out, POLLIN, 0};
    while (::poll(&second, 1, patience_ms) < 0 && errno == EINTR) {
    }
    abandon_outputs();
    constexpr char clear_line[] = "\r\033[K";  // where a progress bar was
    if (isatty(STDERR_FILENO) == 1) [[maybe_unused]]
        const ssize_t written = ::write(STDERR_FILENO, clear_line, sizeof clear_line - 1);
    _exit(exit_interrupted);
}

/// False if the system grants no pipe or thread.
bool start_watching() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    signals_out = ends[0];
    signals_in = ends[1];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 1 << 18);
    pthread_t thread;
    const bool started = pthread_create(&thread, &attributes, wait_for_signals, nullptr) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

}  // namespace

void watch_for_interrupt() {
    const bool watched = start_watching();
    struct sigaction action {};
    action.sa_handler = ask_to_stop;
    // Without the watching thread, a second signal ends the process.
    action.sa_flags = watched ? SA_RESTART : static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    // Under nohup it is ignored and stays ignored.
    struct sigaction old {};
    if (sigaction(SIGHUP, nullptr, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

bool interrupted() {
    return stop_asked != 0;
}

}  // namespace fascia::cli
