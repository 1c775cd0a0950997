#include "errors.h"

#include <algorithm>
#include <cstring>

namespace fascia_c {

namespace {

constexpr size_t longest_sentence = 512;
thread_local char last_error[longest_sentence] = "";

}  // namespace

void copy_text(const char* from, char* to, size_t size) noexcept {
    if (to == nullptr || size == 0) return;
    const size_t length = std::min(std::strlen(from), size - 1);
    std::memcpy(to, from, length);
    to[length] = 0;
}

void keep_error(const char* sentence, ErrorText also) noexcept {
    copy_text(sentence, last_error, sizeof last_error);
    copy_text(sentence, also.text, also.size);
}

void keep_error(const char* before, const char* after, ErrorText also) noexcept {
    char whole[longest_sentence];
    copy_text(before, whole, sizeof whole);
    const size_t length = std::strlen(whole);
    copy_text(after, whole + length, sizeof whole - length);
    keep_error(whole, also);
}

int fail(int status, const char* sentence, ErrorText also) noexcept {
    keep_error(sentence, also);
    return status;
}

int fail(const fascia::Error& error, ErrorText also) noexcept {
    return fail(FASCIA_REFUSED, error.message.c_str(), also);
}

int told(fascia::Verdict verdict) noexcept {
    switch (verdict) {
        case fascia::Verdict::fine: return FASCIA_OK;
        case fascia::Verdict::foreign: return fail(FASCIA_FOREIGN, explain(verdict));
        case fascia::Verdict::transposed: return fail(FASCIA_TRANSPOSED, explain(verdict));
        case fascia::Verdict::refused_pose: return fail(FASCIA_BAD_POSE, explain(verdict));
        default: return fail(FASCIA_REFUSED, explain(verdict));
    }
}

}  // namespace fascia_c

extern "C" const char* fascia_last_error(void) {
    return fascia_c::last_error;
}
