#include "methods/method_lookup.h"

#include "settings/settings_access.h"

namespace fascia {

const Method* find_method(const std::string& name) {
    for (const Method& method : registered_methods())
        if (method.info.name == name) return &method;
    return nullptr;
}

Result<const Method*> need_method(const std::string& name) {
    if (const Method* method = find_method(name)) return method;
    std::vector<std::string> names;
    for (const Method& method : registered_methods()) names.push_back(method.info.name);
    return usage_error("there is no method '" + name + "'; did you mean '" + nearest_name(name, names) + "'?");
}

const std::vector<MethodInfo>& methods() {
    static const std::vector<MethodInfo> list = [] {
        std::vector<MethodInfo> out;
        for (const Method& method : registered_methods()) out.push_back(method.info);
        return out;
    }();
    return list;
}

const MethodInfo* find_method_info(const std::string& name) {
    const Method* method = find_method(name);
    return method ? &method->info : nullptr;
}

const FieldInfo* find_field(FieldScope scope, const std::string& key) {
    for (const Method& method : registered_methods())
        if (const Field* field = method.fields.find(scope, key)) return &field->info;
    return nullptr;
}

Status set_field(Settings& settings, const std::string& key, const std::string& value) {
    const Result<const Method*> method = need_method(settings.method());
    if (!method) return method.error();
    return set_by_key((*method)->fields, settings.own(), key, value);
}

Result<std::string> get_field(const Settings& settings, const std::string& key) {
    const Result<const Method*> method = need_method(settings.method());
    if (!method) return method.error();
    return get_by_key((*method)->fields, settings.own(), key);
}

double value_at(const Settings& settings, const std::string& part_key, const std::string& joint) {
    const Method* method = find_method(settings.method());
    const auto value = method ? part_value(method->fields, settings.own(), part_key, joint) : std::nullopt;
    const double* number = value ? std::get_if<double>(&*value) : nullptr;
    return number ? *number : 1;
}

Status check(const Settings& settings, const Character* character) {
    const Result<const Method*> method = need_method(settings.method());
    if (!method) return method.error();
    if (Status status = check_ranges((*method)->fields, settings.own()); !status) return status;
    return (*method)->check(settings, character);
}

}  // namespace fascia
