// Small sets as sorted lists.
#pragma once

#include <algorithm>
#include <vector>

namespace fascia {

template <class T>
void keep_distinct(std::vector<T>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// Of two ascending lists.
template <class A, class B>
bool have_common(const A& a, const B& b) {
    for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
        if (*i == *j) return true;
        *i < *j ? ++i : ++j;
    }
    return false;
}

}  // namespace fascia
