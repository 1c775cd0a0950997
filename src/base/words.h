// Pieces of sentences.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace fascia {

/// "a, b and c" with `word` = "and".
inline std::string listed(const std::vector<std::string>& names, const char* word) {
    std::string out;
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (k > 0) out += k + 1 == names.size() ? std::string(" ").append(word).append(" ") : std::string(", ");
        out += names[k];
    }
    return out;
}

/// A name cut to 200 bytes, not in the middle of a UTF-8 character: one long name must fill neither the memory nor a
/// message.
inline std::string short_name(std::string_view name) {
    std::size_t size = std::min<std::size_t>(name.size(), 200);
    while (size > 0 && size < name.size() && (name[size] & 0xC0) == 0x80) --size;
    return std::string(name.substr(0, size));
}

}  // namespace fascia
