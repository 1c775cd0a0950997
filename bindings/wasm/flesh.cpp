// Methods, presets and flesh files, as JSON.
#include <nlohmann/json.hpp>

#include "handles.h"

using nlohmann::json;

/// Every method with its abilities, stages and settings.
FASCIA_WASM const char* fascia_methods() {
    return fascia_wasm::text(fascia::methods_to_json());
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
