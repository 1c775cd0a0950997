// Methods and their settings by key.
#include "objects.h"

namespace {

using namespace fascia_c;

const fascia::MethodInfo* method_of(const char* method) {
    const fascia::MethodInfo* info = fascia::find_method_info(text_or(method, ""));
    if (info == nullptr) keep_error("there is no method of this name: ", text_or(method, "NULL"));
    return info;
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

int fascia_method_abilities(const char* method, fascia_abilities* out) {
    return checked({}, [&] {
        const fascia::MethodInfo* info = method_of(method);
        if (info == nullptr || out == nullptr) return int(FASCIA_NONE);
        const fascia::Abilities& a = info->abilities;
        *out = {a.simulates,  a.has_layers, a.has_cells,     a.has_parts,       a.takes_clothes,
                a.takes_mask, a.takes_hand, a.feels_gravity, a.can_be_rectified};
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
        const fascia::MethodInfo* info = method_of(method);
        if (info == nullptr || out == nullptr || index >= info->fields.size())
            return fail(FASCIA_NONE, "there is no such setting");
        const fascia::FieldInfo& field = info->fields[index];
        *out = {field.key.c_str(),
                fascia::scope_name(field.scope),
                fascia::kind_name(field.kind),
                field.min,
                field.max,
                field.automatic ? 1 : 0,
                field.live ? 1 : 0,
                field.unit.c_str(),
                field.meaning.c_str()};
        return int(FASCIA_OK);
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
