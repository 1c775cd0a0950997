#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "fascia/settings.h"

namespace fascia {
namespace {

std::string lower_case(const std::string& text) {
    std::string out = text;
    for (char& c : out) c = ascii::lower(c);
    return out;
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (optimal string alignment).
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            now[j] = std::min({last[j] + 1, now[j - 1] + 1, replace});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, now);
    }
    return last[b.size()];
}

/// A whole word inside a longer name ("jump" in "FrogArmature|Frog_Jump") is near, however long the rest is.
std::size_t distance(const std::string& wanted, const std::string& name) {
    constexpr std::size_t kContained = 2, kShortestWord = 3;
    const std::size_t edits = edit_distance(wanted, name);
    const bool contained = std::min(wanted.size(), name.size()) >= kShortestWord &&
                           (name.find(wanted) != std::string::npos || wanted.find(name) != std::string::npos);
    return contained ? std::min(edits, kContained) : edits;
}

}  // namespace

std::string nearest_name(const std::string& wanted, const std::vector<std::string>& known) {
    // Names come from files and may be huge; nobody mistypes longer ones.
    constexpr std::size_t kLongest = 200;
    const std::string target = lower_case(wanted.substr(0, kLongest));
    const std::string* best = nullptr;
    std::size_t best_distance = 0;
    for (const std::string& name : known) {
        const std::size_t d = distance(target, lower_case(name.substr(0, kLongest)));
        if (!best || d < best_distance) {
            best = &name;
            best_distance = d;
        }
    }
    return best ? *best : std::string();
}

}  // namespace fascia
