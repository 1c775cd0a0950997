// Pieces of sentences.
#pragma once

#include <string>
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

}  // namespace fascia
