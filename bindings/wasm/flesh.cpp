// Methods, presets and flesh files, as JSON.
#include <nlohmann/json.hpp>

#include "handles.h"

using nlohmann::json;

namespace {

json value_json(const fascia::FieldValue& value) {
    if (const bool* truth = std::get_if<bool>(&value)) return *truth;
    if (const double* number = std::get_if<double>(&value)) return *number;
    if (const fascia::Vec3d* v = std::get_if<fascia::Vec3d>(&value)) return {v->x, v->y, v->z};
    return std::get<std::string>(value);
}

json field_json(const fascia::FieldInfo& field) {
    return {{"key", field.key},
            {"scope", fascia::scope_name(field.scope)},
            {"kind", fascia::kind_name(field.kind)},
            {"min", field.min},
            {"max", field.max},
            {"choices", field.choices},
            {"live", field.live},
            {"unit", field.unit},
            {"meaning", field.meaning},
            {"usual", field.usual ? value_json(*field.usual) : json(nullptr)}};
}

json abilities_json(const fascia::Abilities& a) {
    return {{"simulates", a.simulates}, {"layers", a.has_layers},     {"cells", a.has_cells},
            {"parts", a.has_parts},     {"clothes", a.takes_clothes}, {"mask", a.takes_mask},
            {"hand", a.takes_hand},     {"gravity", a.feels_gravity}};
}

}  // namespace

/// Every method with its abilities, stages and settings.
FASCIA_WASM const char* fascia_methods() {
    json list = json::array();
    for (const fascia::MethodInfo& method : fascia::methods()) {
        json fields = json::array();
        for (const fascia::FieldInfo& field : method.fields) fields.push_back(field_json(field));
        list.push_back({{"name", method.name},
                        {"from", method.from},
                        {"summary", method.summary},
                        {"abilities", abilities_json(method.abilities)},
                        {"stages", method.stages},
                        {"fields", fields}});
    }
    return fascia_wasm::text(list.dump());
}

FASCIA_WASM const char* fascia_preset_names() {
    return fascia_wasm::text(json(fascia::preset_names()).dump());
}

/// A preset as a flesh file; null if there is none of this name.
FASCIA_WASM const char* fascia_preset(const char* name) {
    return fascia_wasm::guarded<const char*>(nullptr, [&]() -> const char* {
        const auto flesh = fascia::preset(name);
        if (!flesh) return fascia_wasm::fail(flesh.error().message);
        return fascia_wasm::text(fascia::flesh_to_json(*flesh));
    });
}

/// Reads a flesh file, checks it against the character (may be null) and writes it out complete.
FASCIA_WASM const char* fascia_flesh_read(const CharacterHandle* character, const char* name, const char* flesh_json) {
    return fascia_wasm::guarded<const char*>(nullptr, [&]() -> const char* {
        const auto base = fascia::preset("default");
        const auto flesh = fascia::parse_flesh(flesh_json, name, *base);
        if (!flesh) return fascia_wasm::fail(flesh.error().message);
        const fascia::Status checked = fascia::check(*flesh, character == nullptr ? nullptr : &character->value);
        if (!checked) return fascia_wasm::fail(checked.error().message);
        return fascia_wasm::text(fascia::flesh_to_json(*flesh));
    });
}

/// The values at one joint for the part fields of a method: that of the last part that matches, otherwise that of the
/// whole body, otherwise 1 (a factor).
FASCIA_WASM const char* fascia_flesh_at(const char* method, const char* flesh_json, const char* joint) {
    return fascia_wasm::guarded<const char*>(nullptr, [&]() -> const char* {
        const auto base = fascia::preset("default");
        const auto flesh = fascia::parse_flesh(flesh_json, "flesh", *base);
        if (!flesh) return fascia_wasm::fail(flesh.error().message);
        const auto settings = fascia::settings_for(method, *flesh);
        if (!settings) return fascia_wasm::fail(settings.error().message);
        json out = json::object();
        for (const fascia::FieldInfo& field : fascia::find_method_info(method)->fields)
            if (field.scope == fascia::FieldScope::part) out[field.key] = fascia::value_at(*settings, field.key, joint);
        return fascia_wasm::text(out.dump());
    });
}
