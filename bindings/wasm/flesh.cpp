// Methods, presets and flesh files, as JSON.
#include <nlohmann/json.hpp>

#include "handles.h"

using nlohmann::json;

FASCIA_WASM const char* fascia_methods() {
    json list = json::array();
    for (const fascia::MethodInfo& method : fascia::methods())
        list.push_back({{"name", method.name}, {"from", method.from}, {"summary", method.summary}});
    return fascia_wasm::text(list.dump());
}

FASCIA_WASM const char* fascia_preset_names() {
    return fascia_wasm::text(json(fascia::preset_names()).dump());
}

/// A preset as a flesh file; null when there is none of this name.
FASCIA_WASM const char* fascia_preset(const char* name) {
    return fascia_wasm::guarded<const char*>(nullptr, [&]() -> const char* {
        const auto flesh = fascia::preset(name);
        if (!flesh) return fascia_wasm::fail(flesh.error().message);
        return fascia_wasm::text(fascia::flesh_to_json(*flesh));
    });
}

/// A flesh file read, checked against the character (may be null) and written out whole.
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

/// What holds around one joint: bone_width, muscle, amount, delta.
FASCIA_WASM const char* fascia_flesh_at(const char* flesh_json, const char* joint) {
    return fascia_wasm::guarded<const char*>(nullptr, [&]() -> const char* {
        const auto base = fascia::preset("default");
        const auto flesh = fascia::parse_flesh(flesh_json, "flesh", *base);
        if (!flesh) return fascia_wasm::fail(flesh.error().message);
        const fascia::JointFlesh at = fascia::flesh_at(*flesh, joint);
        return fascia_wasm::text(json{
            {"bone_width", at.bone_width},
            {"muscle", at.muscle},
            {"amount", at.amount},
            {"delta", at.delta}}.dump());
    });
}
