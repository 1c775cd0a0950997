#include "io/json_guard.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tiny_gltf.h>

namespace fascia::io {

namespace {

/// tinygltf copies `extras` by recursion; no exporter comes near this depth.
constexpr int deepest = 128;
/// One value in the tree, with what a growing list holds back; a key comes with a node of its map.
constexpr std::uint64_t bytes_per_value = 64, bytes_per_key = 64, bytes_per_container = 64;
/// tinygltf copies what stands under "extras" and "extensions" value by value.
constexpr std::uint64_t bytes_per_copied_value = 3 * sizeof(tinygltf::Value);

class Counter final : public nlohmann::json_sax<nlohmann::json> {
public:
    std::uint64_t values = 0, keys = 0, containers = 0, copied = 0;
    bool too_deep = false;
    std::size_t error_at = 0;

    bool null() override { return count(); }
    bool boolean(bool) override { return count(); }
    bool number_integer(number_integer_t) override { return count(); }
    bool number_unsigned(number_unsigned_t) override { return count(); }
    bool number_float(number_float_t, const string_t&) override { return count(); }
    bool string(string_t&) override { return count(); }
    bool binary(binary_t&) override { return count(); }
    bool key(string_t& name) override {
        ++keys;
        if (copied_from_ == 0 && (name == "extras" || name == "extensions")) copied_from_ = depth_;
        return true;
    }
    bool start_object(std::size_t) override { return open(); }
    bool start_array(std::size_t) override { return open(); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        error_at = position;
        return false;
    }

private:
    int depth_ = 0;
    int copied_from_ = 0;  ///< depth of the object whose "extras" or "extensions" we are in, 0 for none

    /// A value is over when we are back at the depth of its key.
    void leave() {
        if (copied_from_ == depth_) copied_from_ = 0;
    }
    bool count() {
        ++values;
        copied += copied_from_ != 0;
        leave();
        return true;
    }
    bool open() {
        ++values;
        ++containers;
        copied += copied_from_ != 0;
        too_deep = ++depth_ > deepest;
        return !too_deep;
    }
    bool close() {
        --depth_;
        leave();
        return true;
    }
};

}  // namespace

Status guard_json(std::string_view text, const std::string& name, MemoryBudget& budget) {
    Counter counter;
    const bool good = nlohmann::json::sax_parse(text.begin(), text.end(), &counter);
    if (counter.too_deep) {
        return input_error(fmt::format("{}: the JSON nests more than {} levels deep; this is no glTF.", name, deepest));
    }
    if (!good) {
        return input_error(fmt::format("{}: not valid JSON (at byte {} of {}); the file is damaged or not a glTF.",
                                       name, counter.error_at, text.size()));
    }
    const std::string what = name + ": the JSON";
    if (auto status = budget.take(counter.values, bytes_per_value, what); !status) return status;
    if (auto status = budget.take(counter.containers, bytes_per_container, what); !status) return status;
    if (auto status = budget.take(counter.keys, bytes_per_key, what); !status) return status;
    return budget.take(counter.copied, bytes_per_copied_value, what);
}

}  // namespace fascia::io
