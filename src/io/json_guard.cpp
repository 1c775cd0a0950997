#include "io/json_guard.h"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/json_text.h"

namespace fascia::io {

namespace {

using nlohmann::json;

/// Trees are also walked recursively; no exporter comes near this depth.
constexpr std::size_t deepest = 128;
/// Of one value, key or list in the tree, including what a growing list holds in reserve.
constexpr std::uint64_t bytes_per_item = 64;
/// Items are charged in batches: often enough to stop in time, rarely enough to cost nothing.
constexpr std::uint64_t lot = 4096;

class TreeBuilder final : public nlohmann::json_sax<json> {
public:
    TreeBuilder(std::string what, MemoryBudget& budget) : what_(std::move(what)), budget_(budget) {}

    KeptJson root;
    bool too_deep = false;
    std::size_t error_at = 0;
    Status paid = ok_status();

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t& value) override { return add(std::move(value)); }
    bool key(string_t& name) override {
        member_ = &(*open_.back())[std::move(name)];
        return charge(1);
    }
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
        error_at = position;
        return false;
    }
    /// Charges what has not been charged yet.
    bool settle() {
        paid = budget_.take(std::exchange(owed_, 0), bytes_per_item, what_);
        return static_cast<bool>(paid);
    }

private:
    std::string what_;
    MemoryBudget& budget_;
    std::vector<json*>
        open_;  ///< objects and lists that have not ended; a list cannot grow while one of its own is open
    json* member_ = nullptr;  ///< where the value after the last key goes
    std::uint64_t owed_ = 0;

    bool charge(std::uint64_t items) {
        owed_ += items;
        return owed_ < lot || settle();
    }
    json* place(json&& value) {
        if (open_.empty()) return &(*root = std::move(value));
        if (open_.back()->is_object()) {
            dismantle(*member_);  // a duplicate key's earlier value
            return &(*member_ = std::move(value));
        }
        return &open_.back()->emplace_back(std::move(value));
    }
    bool add(json&& value) {
        place(std::move(value));
        return charge(1);
    }
    bool open(json&& value) {
        too_deep = open_.size() == deepest;
        if (too_deep) return false;
        open_.push_back(place(std::move(value)));
        return charge(2);
    }
    bool close() {
        open_.pop_back();
        return true;
    }
};

}  // namespace

Result<KeptJson> parse_json(std::string_view text, const std::string& name, MemoryBudget& budget) {
    TreeBuilder builder(name + ": the JSON", budget);
    const bool good = parse_text(text, builder);
    if (builder.too_deep) {
        return input_error(
            fmt::format("{}: the JSON nests more than {} levels deep; this is not a glTF.", name, deepest));
    }
    if (!builder.paid) return builder.paid.error();
    if (!good) {
        return input_error(fmt::format("{}: not valid JSON (at byte {} of {}); the file is damaged or not a glTF.",
                                       name, builder.error_at, text.size()));
    }
    if (!builder.settle()) return builder.paid.error();
    return std::move(builder.root);
}

}  // namespace fascia::io
