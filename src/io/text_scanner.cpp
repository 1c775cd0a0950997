#include "io/text_scanner.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace fascia::io {

namespace {

bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0';
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

}  // namespace

void TextScanner::skip_spaces(bool across_lines) {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (is_line_end(c)) {
            if (!across_lines) return;
            // A lone carriage return ends a line too (old Mac files).
            const bool pair = c == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n';
            if (!pair) ++line_;
        } else if (!is_space(c)) {
            return;
        }
        ++at_;
    }
}

std::string_view TextScanner::take_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && !is_line_end(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
}

bool TextScanner::at_end() {
    skip_spaces(true);
    return at_ == text_.size();
}

std::string_view TextScanner::word() {
    skip_spaces(true);
    return take_word();
}

std::string_view TextScanner::peek() {
    skip_spaces(true);
    const std::size_t begin = at_;
    const std::string_view found = take_word();
    at_ = begin;
    return found;
}

std::string_view TextScanner::word_in_line() {
    skip_spaces(false);
    return take_word();
}

std::string_view TextScanner::rest_of_line() {
    skip_spaces(false);
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_line_end(text_[at_])) ++at_;
    std::string_view out = text_.substr(begin, at_ - begin);
    while (!out.empty() && is_space(out.back())) out.remove_suffix(1);
    if (at_ < text_.size()) {
        at_ += text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n' ? 2 : 1;
        ++line_;
    }
    return out;
}

bool TextScanner::number(double& out) {
    if (!parse_number(peek(), out)) return false;
    take_word();
    return true;
}

namespace {

#if defined(__cpp_lib_to_chars)
std::from_chars_result read_double(std::string_view word, double& value) {
    return std::from_chars(word.data(), word.data() + word.size(), value);
}
#else
/// libc++ 13 (emscripten) has no from_chars for doubles; strtod accepts more than it does: hexadecimals, signs, spaces.
std::from_chars_result read_double(std::string_view word, double& value) {
    const std::string copy(word);
    const bool foreign = copy.empty() || copy[0] == '+' || copy.find_first_of("xXpP ") != std::string::npos;
    if (foreign) return {word.data(), std::errc::invalid_argument};
    char* end = nullptr;
    errno = 0;
    value = std::strtod(copy.c_str(), &end);
    return {word.data() + (end - copy.c_str()), errno == ERANGE ? std::errc::result_out_of_range : std::errc()};
}
#endif

}  // namespace

bool parse_number(std::string_view word, double& out) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    double value = 0;
    const auto [end, error] = read_double(word, value);
    if (end != word.data() + word.size() || word.empty()) return false;
    // An underflow is zero; an overflow is refused.
    if (error == std::errc::result_out_of_range) {
        const bool tiny = word.find("e-") != std::string_view::npos || word.find("E-") != std::string_view::npos ||
                          word.find('.') < 2;
        if (!tiny) return false;
        value = 0;
    } else if (error != std::errc() || !std::isfinite(value)) {
        return false;
    }
    out = value;
    return true;
}

bool parse_integer(std::string_view word, std::int64_t& out) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
    return !word.empty() && error == std::errc() && end == word.data() + word.size();
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace fascia::io
