// JSON trees that can be destroyed when there is no memory left: the library's own destructor allocates, and ends the
// program if it cannot.
#pragma once

#include <utility>

#include <nlohmann/json.hpp>

namespace fascia::io {

/// Takes a tree apart from the leaves up, without allocating: the library can destroy empty values. Values nested
/// deeper than in any real file (json_guard.h refuses half of this) are left to the library, which does not recurse.
inline void dismantle(nlohmann::json& tree, int levels = 256) {
    if (!tree.is_structured() || levels == 0) return;
    for (nlohmann::json& child : tree) dismantle(child, levels - 1);
    tree.clear();
}

/// A JSON tree with an owner. It is passed on as json; whatever is moved out of it needs an owner again.
class KeptJson {
public:
    KeptJson() = default;
    explicit KeptJson(nlohmann::json&& tree) noexcept : tree_(std::move(tree)) {}
    KeptJson(KeptJson&& other) noexcept = default;
    KeptJson& operator=(KeptJson&& other) noexcept {
        std::swap(tree_, other.tree_);  // the old tree is taken apart by its new owner
        return *this;
    }
    ~KeptJson() { dismantle(tree_); }

    operator const nlohmann::json&() const { return tree_; }
    nlohmann::json& operator*() { return tree_; }
    const nlohmann::json& operator*() const { return tree_; }
    nlohmann::json* operator->() { return &tree_; }
    const nlohmann::json* operator->() const { return &tree_; }

private:
    nlohmann::json tree_;
};

/// Removes a member, whatever it holds.
inline void erase_member(nlohmann::json& object, const char* key) {
    const auto it = object.find(key);
    if (it == object.end()) return;
    dismantle(*it);
    object.erase(it);
}

}  // namespace fascia::io
