#include "interrupt.h"

#include <csignal>

namespace fascia::cli {

namespace {

// A global, because a signal handler has nowhere else to leave its message.
volatile std::sig_atomic_t stop_asked = 0;

void ask_to_stop(int) {
    stop_asked = 1;
}

}  // namespace

void watch_for_interrupt() {
    struct sigaction action {};
    action.sa_handler = ask_to_stop;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // pressing it twice ends the process
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
    return stop_asked != 0;
}

}  // namespace fascia::cli
