// Values in a flesh by key.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fascia/settings.h"

namespace fascia {

inline const FieldValue* find_value(const std::vector<Flesh::Value>& values, const std::string& key) {
    for (const Flesh::Value& each : values)
        if (each.key == key) return &each.value;
    return nullptr;
}

inline void put_value(std::vector<Flesh::Value>& values, const std::string& key, FieldValue value) {
    for (Flesh::Value& each : values)
        if (each.key == key) {
            each.value = std::move(value);
            return;
        }
    values.push_back({key, std::move(value)});
}

inline void erase_value(std::vector<Flesh::Value>& values, const std::string& key) {
    std::erase_if(values, [&](const Flesh::Value& each) { return each.key == key; });
}

/// The list of a flesh that holds the entries of a scope.
inline std::vector<Flesh::Entry>& entries_of(Flesh& flesh, FieldScope scope) {
    return scope == FieldScope::layer ? flesh.layers : scope == FieldScope::part ? flesh.parts : flesh.joints;
}
inline const std::vector<Flesh::Entry>& entries_of(const Flesh& flesh, FieldScope scope) {
    return entries_of(const_cast<Flesh&>(flesh), scope);
}

}  // namespace fascia
