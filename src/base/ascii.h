// Letters and digits of ASCII, the same under any locale of the host (in a Turkish one, tolower leaves I alone).
#pragma once

namespace fascia::ascii {

constexpr bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}
constexpr bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}
constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
    return is_upper(c) || is_lower(c);
}
constexpr char lower(char c) {
    return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace fascia::ascii
