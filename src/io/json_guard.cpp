#include "io/json_guard.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fascia::io {

namespace {

/// tinygltf copies `extras` by recursion; no exporter comes near this depth.
constexpr int deepest = 128;
/// One small value in the JSON tree plus its copy in tinygltf's.
constexpr std::uint64_t bytes_per_value = 240;

class Counter final : public nlohmann::json_sax<nlohmann::json> {
public:
    std::uint64_t values = 0;
    bool too_deep = false;
    std::size_t error_at = 0;

    bool null() override { return count(); }
    bool boolean(bool) override { return count(); }
    bool number_integer(number_integer_t) override { return count(); }
    bool number_unsigned(number_unsigned_t) override { return count(); }
    bool number_float(number_float_t, const string_t&) override { return count(); }
    bool string(string_t&) override { return count(); }
    bool binary(binary_t&) override { return count(); }
    bool key(string_t&) override { return true; }
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

    bool count() {
        ++values;
        return true;
    }
    bool open() {
        too_deep = ++depth_ > deepest;
        return count() && !too_deep;
    }
    bool close() {
        --depth_;
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
    return budget.take(counter.values, bytes_per_value, name + ": the JSON");
}

}  // namespace fascia::io
