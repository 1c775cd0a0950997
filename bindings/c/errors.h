// How a failure reaches C: one sentence, kept per thread, and a status. No exception leaves this folder, and nothing
// here allocates: the sentence must get through even when no memory is left.
#pragma once

#include <cstddef>
#include <exception>
#include <new>

#include "fascia/fascia_c.h"
#include "fascia/method.h"

namespace fascia_c {

/// Where the caller wants the sentence besides fascia_last_error; `text` may be null.
struct ErrorText {
    char* text = nullptr;
    size_t size = 0;
};

/// Copies a text, cut to fit, with its final zero.
void copy_text(const char* from, char* to, size_t size) noexcept;

void keep_error(const char* sentence, ErrorText also = {}) noexcept;
void keep_error(const char* before, const char* after, ErrorText also = {}) noexcept;

/// Keeps the sentence and returns the status, so that `return fail(...)` reads well.
int fail(int status, const char* sentence, ErrorText also = {}) noexcept;
int fail(const fascia::Error& error, ErrorText also = {}) noexcept;
/// 0 if a verb found nothing wrong; otherwise keeps the sentence about it and returns the status.
int told(fascia::Verdict verdict) noexcept;

/// Runs `body`; if it throws, keeps a sentence and returns `failed`.
template <class Value, class Body>
Value guarded(Value failed, ErrorText also, Body&& body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        keep_error("there is no memory left", also);
    } catch (const std::exception& problem) {
        keep_error("fascia ran out of resources: ", problem.what(), also);
    } catch (...) {
        keep_error("fascia ran out of resources", also);
    }
    return failed;
}

/// For functions that return a status.
template <class Body>
int checked(ErrorText also, Body&& body) noexcept {
    return guarded(int(FASCIA_NO_MEMORY), also, static_cast<Body&&>(body));
}

}  // namespace fascia_c
