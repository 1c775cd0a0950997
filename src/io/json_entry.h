// Objects of JSON files that people write: every field is checked, and an error gives its place and the nearest valid
// name.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/words.h"
#include "fascia/math.h"
#include "fascia/result.h"

namespace fascia::io {

inline constexpr double largest_place = 1e9;

/// One object of a file. Keeps the first error in it or in anything read on its behalf.
class Entry {
public:
    Entry(const nlohmann::json& object, std::string place, std::optional<Error>& error)
        : object_(object), place_(std::move(place)), error_(error) {
        if (!object.is_object()) fail("must be an object, not " + std::string(object.type_name()));
    }

    bool has(const char* key) {
        known_.push_back(key);
        return object_.is_object() && object_.contains(key);
    }
    const nlohmann::json& at(const char* key) const { return object_.at(key); }
    std::string place_of(const char* key) const { return place_.empty() ? key : place_ + "." + key; }
    void fail(const std::string& message) {
        if (!error_) error_ = input_error(place_.empty() ? message : place_ + " " + message);
    }
    void fail_at(const char* key, const std::string& message) {
        if (!error_) error_ = input_error(place_of(key) + " " + message);
    }

    void number(const char* key, double& out, double least, double most) {
        if (!has(key)) return;
        const nlohmann::json& value = at(key);
        const double asked = value.is_number() ? value.get<double>() : NAN;
        if (asked >= least && asked <= most)
            out = asked;
        else
            fail_at(key, fmt::format("must be a number from {} to {}, not {}", least, most, shown(value)));
    }
    void truth(const char* key, bool& out) {
        if (!has(key)) return;
        if (at(key).is_boolean())
            out = at(key).get<bool>();
        else
            fail_at(key, "must be true or false, not " + shown(at(key)));
    }
    void text(const char* key, std::string& out) {
        if (!has(key)) return;
        if (at(key).is_string())
            out = at(key).get<std::string>();
        else
            fail_at(key, "must be text, not " + shown(at(key)));
    }
    void needed_text(const char* key, std::string& out) {
        text(key, out);
        if (out.empty()) fail(fmt::format("needs a '{}'", key));
    }
    void place(const char* key, Vec3d& out) {
        if (has(key)) out = vector(at(key), key);
    }
    void needed_place(const char* key, Vec3d& out) {
        place(key, out);
        if (object_.is_object() && !object_.contains(key)) fail(fmt::format("needs '{}', a place [x, y, z]", key));
    }
    void places(const char* key, std::vector<Vec3d>& out) {
        if (!has(key)) return;
        if (!at(key).is_array()) return fail_at(key, "must be a list of places [x, y, z]");
        for (const nlohmann::json& each : at(key)) out.push_back(vector(each, key));
    }
    void numbers(const char* key, std::vector<double>& out, double least, double most) {
        if (!has(key)) return;
        if (!at(key).is_array()) return fail_at(key, "must be a list of numbers");
        for (const nlohmann::json& each : at(key)) {
            const double value = each.is_number() ? each.get<double>() : NAN;
            if (!(value >= least && value <= most))
                return fail_at(key, fmt::format("must hold numbers from {} to {}, not {}", least, most, shown(each)));
            out.push_back(value);
        }
    }
    /// Indices of points, in groups of `each`.
    void indices(const char* key, std::size_t each, std::size_t points, std::vector<std::uint32_t>& out) {
        if (!has(key)) return;
        if (!at(key).is_array()) return fail_at(key, "must be a list of numbers of points");
        for (const nlohmann::json& value : at(key)) {
            const bool good = value.is_number_unsigned() && value.get<std::uint64_t>() < points;
            if (!good)
                return fail_at(key, fmt::format("must be numbers of its {} points, not {}", points, shown(value)));
            out.push_back(value.get<std::uint32_t>());
        }
        if (out.size() % each != 0) fail_at(key, fmt::format("must have {} numbers to each", each));
    }
    template <class Read>
    void list(const char* key, Read read) {
        if (!has(key)) return;
        if (!at(key).is_array()) return fail_at(key, "must be a list, not " + std::string(at(key).type_name()));
        std::size_t k = 0;
        for (const nlohmann::json& each : at(key)) {
            if (error_) return;
            Entry entry(each, fmt::format("{}[{}]", place_of(key), k++), error_);
            if (each.is_object()) read(entry);
            entry.finish();
        }
    }
    template <class Read>
    void inner(const char* key, Read read) {
        if (!has(key)) return;
        Entry entry(at(key), place_of(key), error_);
        if (at(key).is_object()) read(entry);
        entry.finish();
    }
    /// Refuses every key that was not read.
    void finish() {
        if (error_ || !object_.is_object()) return;
        for (const auto& [key, value] : object_.items())
            if (std::find(known_.begin(), known_.end(), key) == known_.end())
                fail(fmt::format("has no field '{}'; did you mean '{}'?", short_name(key), nearest_name(key, known_)));
    }

private:
    /// The value for a message: not all of it where it is long.
    static std::string shown(const nlohmann::json& value) {
        const std::string whole = value.dump(), cut = short_name(whole);
        return cut.size() < whole.size() ? cut + " ..." : whole;
    }
    Vec3d vector(const nlohmann::json& value, const char* key) {
        const auto good = [](const nlohmann::json& n) {
            return n.is_number() && std::abs(n.get<double>()) <= largest_place;
        };
        if (value.is_array() && value.size() == 3 && good(value[0]) && good(value[1]) && good(value[2]))
            return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
        fail_at(key, "must be a place [x, y, z], not " + shown(value));
        return {};
    }

    const nlohmann::json& object_;
    std::string place_;
    std::optional<Error>& error_;
    std::vector<std::string> known_;
};

}  // namespace fascia::io
