#include "base/glob.h"

#include "base/ascii.h"

namespace fascia {

namespace {

using ascii::lower;

/// Matches one character against the set that starts at pattern[at] == '['; moves `at` past the set. A bracket that is
/// never closed is taken literally.
bool match_set(std::string_view pattern, std::size_t& at, char c) {
    const std::size_t first = at + 1;
    const bool negated = first < pattern.size() && (pattern[first] == '!' || pattern[first] == '^');
    const std::size_t begin = first + (negated ? 1 : 0);
    const std::size_t end = begin < pattern.size() ? pattern.find(']', begin + 1) : std::string_view::npos;
    if (end == std::string_view::npos) {
        ++at;
        return c == '[';
    }
    at = end + 1;
    bool found = false;
    for (std::size_t i = begin; i < end; ++i) {
        if (i + 2 < end && pattern[i + 1] == '-') {
            found = found || (lower(pattern[i]) <= lower(c) && lower(c) <= lower(pattern[i + 2]));
            i += 2;
        } else {
            found = found || lower(pattern[i]) == lower(c);
        }
    }
    return found != negated;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view name) {
    // After a mismatch only the last star needs another try, one character further on: linear memory, no recursion.
    std::size_t p = 0, n = 0;
    std::size_t after_star = std::string_view::npos, star_name = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            after_star = ++p;
            star_name = n;
            continue;
        }
        bool fits = false;
        if (p < pattern.size()) {
            if (pattern[p] == '[') {
                fits = match_set(pattern, p, name[n]);
            } else {
                fits = pattern[p] == '?' || lower(pattern[p]) == lower(name[n]);
                ++p;
            }
        }
        if (fits) {
            ++n;
        } else if (after_star != std::string_view::npos) {
            p = after_star;
            n = ++star_name;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

bool is_glob(std::string_view pattern) {
    return pattern.find_first_of("*?[") != std::string_view::npos;
}

}  // namespace fascia
