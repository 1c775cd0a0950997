// Reading optional JSON fields of the right type, and nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace fascia::io {

/// The member `key`; null if there is none or `object` is not an object.
inline const nlohmann::json& member(const nlohmann::json& object, const char* key) {
    static const nlohmann::json none;
    const auto it = object.find(key);
    return it != object.end() ? *it : none;
}

inline std::string string_field(const nlohmann::json& object, const char* key) {
    const nlohmann::json& value = member(object, key);
    return value.is_string() ? value.get<std::string>() : std::string();
}

/// An integer that fits, else `fallback`.
inline std::int64_t integer_field(const nlohmann::json& object, const char* key, std::int64_t fallback) {
    const nlohmann::json& number = member(object, key);
    if (!number.is_number()) return fallback;
    if (number.is_number_unsigned()) {
        const auto value = number.get<std::uint64_t>();
        return value <= INT64_MAX ? static_cast<std::int64_t>(value) : fallback;
    }
    if (number.is_number_integer()) return number.get<std::int64_t>();
    const double value = number.get<double>();
    return value >= -9e15 && value <= 9e15 ? static_cast<std::int64_t>(value) : fallback;
}

/// An index into a list, -1 if there is none. One that does not fit becomes the largest int, which is beyond any list.
inline int index_of(const nlohmann::json& value) {
    if (value.is_number_unsigned())
        return static_cast<int>(std::min<std::uint64_t>(value.get<std::uint64_t>(), INT32_MAX));
    return value.is_number_integer()
               ? static_cast<int>(std::clamp<std::int64_t>(value.get<std::int64_t>(), INT32_MIN, INT32_MAX))
               : -1;
}
inline int index_field(const nlohmann::json& object, const char* key) {
    return index_of(member(object, key));
}

/// A count or byte offset; empty if it is missing, negative or not an integer.
inline std::optional<std::size_t> size_field(const nlohmann::json& object, const char* key) {
    const nlohmann::json& value = member(object, key);
    if (!value.is_number_unsigned()) return std::nullopt;
    return static_cast<std::size_t>(std::min<std::uint64_t>(value.get<std::uint64_t>(), SIZE_MAX));
}

/// The array under `key`, or an empty one.
inline const nlohmann::json& array_field(const nlohmann::json& object, const char* key) {
    static const nlohmann::json empty = nlohmann::json::array();
    const nlohmann::json& value = member(object, key);
    return value.is_array() ? value : empty;
}

/// A list of numbers; empty if it is not a list or holds anything else.
inline std::vector<double> numbers_of(const nlohmann::json& list) {
    std::vector<double> out;
    if (!list.is_array()) return out;
    for (const nlohmann::json& value : list) {
        if (!value.is_number()) return {};
        out.push_back(value.get<double>());
    }
    return out;
}
inline std::vector<double> numbers_field(const nlohmann::json& object, const char* key) {
    return numbers_of(member(object, key));
}

}  // namespace fascia::io
