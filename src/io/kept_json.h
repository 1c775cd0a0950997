// A JSON tree that can be destroyed when there is no memory left: the library's own destructor allocates, and ends the
// program if it cannot.
#pragma once

#include <nlohmann/json.hpp>

namespace fascia::io {

struct KeptJson {
    nlohmann::json value;

    KeptJson() = default;
    KeptJson(const KeptJson&) = delete;
    KeptJson& operator=(const KeptJson&) = delete;
    ~KeptJson() { dismantle(value, 64); }

private:
    /// From the leaves up; what nests deeper than any real file is left to the library.
    static void dismantle(nlohmann::json& tree, int depth) {
        if (!tree.is_structured() || depth == 0) return;
        for (nlohmann::json& child : tree) dismantle(child, depth - 1);
        tree.clear();
    }
};

}  // namespace fascia::io
