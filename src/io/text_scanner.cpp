#include "io/text_scanner.h"

#include <algorithm>
#include <charconv>

#include "base/number_text.h"

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

bool parse_number(std::string_view word, double& out) {
    return parse_decimal(word, out);
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
