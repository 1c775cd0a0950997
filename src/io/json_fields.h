// Reading optional JSON fields of the right type, and nothing else.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

namespace fascia::io {

inline std::string string_field(const nlohmann::json& object, const char* key) {
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

/// A whole number that fits, else `fallback`.
inline std::int64_t integer_field(const nlohmann::json& object, const char* key, std::int64_t fallback) {
    const auto it = object.find(key);
    if (it == object.end() || !it->is_number()) return fallback;
    if (it->is_number_unsigned()) {
        const auto value = it->get<std::uint64_t>();
        return value <= INT64_MAX ? static_cast<std::int64_t>(value) : fallback;
    }
    if (it->is_number_integer()) return it->get<std::int64_t>();
    const double value = it->get<double>();
    return value >= -9e15 && value <= 9e15 ? static_cast<std::int64_t>(value) : fallback;
}

/// The array under `key`, or an empty one.
inline const nlohmann::json& array_field(const nlohmann::json& object, const char* key) {
    static const nlohmann::json empty = nlohmann::json::array();
    const auto it = object.find(key);
    return it != object.end() && it->is_array() ? *it : empty;
}

}  // namespace fascia::io
