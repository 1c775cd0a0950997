// Methods and their settings by key.
#include "objects.h"

namespace {

using namespace fascia_c;

const fascia::MethodInfo* method_of(const char* method) {
    const fascia::MethodInfo* info = fascia::find_method_info(text_or(method, ""));
    if (info == nullptr) keep_error("there is no method of this name: ", text_or(method, "NULL"));
    return info;
}

/// What `text` says about a method; null if there is none of this name.
template <class Text>
const char* about(const char* method, Text&& text) {
    return guarded<const char*>(nullptr, {}, [&]() -> const char* {
        const fascia::MethodInfo* info = method_of(method);
        return info != nullptr ? text(*info) : nullptr;
    });
}

const fascia::FieldInfo* field_of(const char* method, size_t index) {
    const fascia::MethodInfo* info = method_of(method);
    if (info != nullptr && index < info->fields.size()) return &info->fields[index];
    keep_error("there is no such setting");
    return nullptr;
}

}  // namespace

extern "C" {

size_t fascia_method_count(void) {
    return guarded(size_t{0}, {}, [] { return fascia::methods().size(); });
}

const char* fascia_method_name(size_t index) {
    return guarded<const char*>(nullptr, {}, [&]() -> const char* {
        return index < fascia::methods().size() ? fascia::methods()[index].name.c_str() : nullptr;
    });
}

const char* fascia_method_summary(const char* method) {
    return about(method, [](const fascia::MethodInfo& info) { return info.summary.c_str(); });
}
const char* fascia_method_from(const char* method) {
    return about(method, [](const fascia::MethodInfo& info) { return info.from.c_str(); });
}
const char* fascia_method_stage(const char* method, size_t index) {
    return about(method, [&](const fascia::MethodInfo& info) { return text_at(info.stages, index); });
}
const char* fascia_method_embedding(const char* method, size_t index) {
    return about(method, [&](const fascia::MethodInfo& info) { return text_at(info.abilities.embeddings, index); });
}
const char* fascia_method_own_weights(const char* method, size_t index) {
    return about(method, [&](const fascia::MethodInfo& info) { return text_at(info.abilities.own_weights, index); });
}
const char* fascia_weight_method(size_t index) {
    return guarded<const char*>(nullptr, {}, [&] { return text_at(fascia::weight_methods(), index); });
}

int fascia_method_abilities(const char* method, fascia_abilities* out) {
    return checked({}, [&] {
        const fascia::MethodInfo* info = method_of(method);
        if (info == nullptr || out == nullptr) return int(FASCIA_NONE);
        const fascia::Abilities& a = info->abilities;
        *out = {a.simulates,  a.has_layers, a.has_cells,     a.has_parts,        a.takes_clothes,
                a.takes_mask, a.takes_hand, a.feels_gravity, a.can_be_rectified, a.blends_clips};
        return int(FASCIA_OK);
    });
}

size_t fascia_setting_count(const char* method) {
    return guarded(size_t{0}, {}, [&] {
        const fascia::MethodInfo* info = method_of(method);
        return info != nullptr ? info->fields.size() : size_t{0};
    });
}

int fascia_setting_info(const char* method, size_t index, fascia_setting* out) {
    return checked({}, [&] {
        const fascia::FieldInfo* field = field_of(method, index);
        if (field == nullptr || out == nullptr) return int(FASCIA_NONE);
        *out = {field->key.c_str(),
                fascia::scope_name(field->scope),
                fascia::kind_name(field->kind),
                field->min,
                field->max,
                field->automatic ? 1 : 0,
                field->live ? 1 : 0,
                field->unit.c_str(),
                field->meaning.c_str()};
        return int(FASCIA_OK);
    });
}

const char* fascia_setting_choice(const char* method, size_t index, size_t choice) {
    return guarded<const char*>(nullptr, {}, [&]() -> const char* {
        const fascia::FieldInfo* field = field_of(method, index);
        return field != nullptr ? text_at(field->choices, choice) : nullptr;
    });
}

size_t fascia_setting_usual(const char* method, size_t index, char* value, size_t value_size) {
    return guarded(size_t{0}, {}, [&]() -> size_t {
        const fascia::FieldInfo* field = field_of(method, index);
        if (field == nullptr || !field->usual) return 0;
        return give_text(fascia::to_text(*field->usual), value, value_size);
    });
}

const char* fascia_preset(size_t index) {
    return guarded<const char*>(nullptr, {}, [&] { return text_at(fascia::preset_names(), index); });
}

size_t fascia_preset_flesh(const char* preset, char* text, size_t text_size) {
    return guarded(size_t{0}, {}, [&]() -> size_t {
        const auto flesh = fascia::preset(text_or(preset, ""));
        if (flesh) return give_text(fascia::flesh_to_json(*flesh), text, text_size);
        fail(flesh.error());
        return 0;
    });
}

size_t fascia_rig_get(const fascia_rig* rig, const char* key, char* value, size_t value_size) {
    return with(rig, size_t{0}, [&](const BoundRig& r) {
        const auto text = fascia::get_field(r.value->settings(), text_or(key, ""));
        if (text) return give_text(*text, value, value_size);
        fail(text.error());
        return size_t{0};
    });
}

}  // extern "C"
