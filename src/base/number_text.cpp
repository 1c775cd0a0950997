#include "base/number_text.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace fascia {

std::string number_text(double value, int digits) {
    char buffer[64];
    const int length = std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    // Anything that is not a digit, sign or letter is the locale's decimal point, of one byte or several.
    std::string out;
    bool in_point = false;
    for (const char c : std::string_view(buffer, static_cast<std::size_t>(length))) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '+' || c == '-';
        if (plain)
            out += c;
        else if (!in_point)
            out += '.';
        in_point = !plain;
    }
    return out;
}

#if defined(__cpp_lib_to_chars)
NumberRead read_number(std::string_view word, double& value) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return {static_cast<std::size_t>(end - word.data()), error};
}
#else
/// libc++ 13 (emscripten) has no from_chars for doubles. Its strtod ignores locales, but accepts hexadecimal numbers,
/// signs and spaces.
NumberRead read_number(std::string_view word, double& value) {
    const std::string copy(word);
    const bool foreign = copy.empty() || copy[0] == '+' || copy.find_first_of("xXpP ") != std::string::npos;
    if (foreign) return {0, std::errc::invalid_argument};
    char* end = nullptr;
    errno = 0;
    value = std::strtod(copy.c_str(), &end);
    return {static_cast<std::size_t>(end - copy.c_str()),
            errno == ERANGE ? std::errc::result_out_of_range : std::errc()};
}
#endif

bool parse_decimal(std::string_view word, double& out) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    double value = 0;
    const auto [length, error] = read_number(word, value);
    if (length != word.size() || word.empty()) return false;
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

}  // namespace fascia
