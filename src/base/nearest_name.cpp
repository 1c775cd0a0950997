#include <algorithm>
#include <cctype>
#include <cstddef>

#include "fascia/settings.h"

namespace fascia {

namespace {

std::string lower_case(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// Levenshtein distance: insertions, deletions and replacements that turn one word into the other.
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string nearest_name(const std::string& wanted, const std::vector<std::string>& known) {
    const std::string word = lower_case(wanted);
    std::string best;
    std::size_t best_distance = static_cast<std::size_t>(-1);
    for (const std::string& name : known) {
        const std::size_t distance = edit_distance(word, lower_case(name));
        if (distance < best_distance) {
            best_distance = distance;
            best = name;
        }
    }
    return best;
}

}  // namespace fascia
