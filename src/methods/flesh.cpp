// Checks a flesh against the fields of all methods, and turns it into the settings of one.
#include <algorithm>

#include "base/glob.h"
#include "base/words.h"
#include "methods/method_lookup.h"
#include "settings/field_values.h"
#include "settings/flesh_values.h"
#include "settings/settings_access.h"

namespace fascia {

namespace {

constexpr FieldScope listed_scopes[] = {FieldScope::layer, FieldScope::part, FieldScope::joint};

std::vector<std::string> methods_with(FieldScope scope, const std::string& key) {
    std::vector<std::string> out;
    for (const Method& method : registered_methods())
        if (method.fields.find(scope, key)) out.push_back(method.info.name);
    return out;
}

bool any_of_them(const std::vector<std::string>& names, const std::vector<std::string>& among) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return std::find(among.begin(), among.end(), name) != among.end();
    });
}

/// The only method that a preset is for; empty: any with layers.
std::string method_of_preset(const std::string& name) {
    if (name == "paper-lattice") return "lattice";
    if (name == "paper-arm" || name == "paper-hand" || name == "paper-big-man") return "particles";
    return name.rfind("paper-", 0) == 0 ? "layers" : "";
}

std::vector<std::string> layer_names(const Flesh& flesh) {
    std::vector<std::string> out;
    for (const Flesh::Entry& layer : flesh.layers) out.push_back(layer.name);
    return out;
}

/// Keys of the given methods, or of all methods if the list is empty.
std::vector<std::string> known_keys(const Flesh& flesh, const std::string& entry,
                                    const std::vector<std::string>& methods) {
    std::vector<std::string> known;
    for (const Method& method : registered_methods()) {
        if (!methods.empty() && !any_of_them({method.info.name}, methods)) continue;
        for (std::string& key : keys_of(method.fields, layer_names(flesh), entry.empty() ? "JOINT" : entry))
            known.push_back(std::move(key));
    }
    return known.empty() && !methods.empty() ? known_keys(flesh, entry, {}) : known;
}

Error unknown_key(const Flesh& flesh, const std::string& key, const std::string& entry,
                  const std::vector<std::string>& methods) {
    return usage_error("there is no setting '" + key + "'; did you mean '" +
                       nearest_name(key, known_keys(flesh, entry, methods)) + "'?");
}

Error key_of_others(const std::string& key, const std::vector<std::string>& asked,
                    const std::vector<std::string>& having) {
    return usage_error(listed(asked, "and") + (asked.size() == 1 ? " has" : " have") + " no setting '" + key +
                       "'; it is one of " + listed(having, "and"));
}

/// Setting a field may change others (the mode does): the flesh's values of those are dropped.
void forget_what_changes(Flesh& flesh, const std::string& key, const FieldValue& value) {
    for (const Method& method : registered_methods()) {
        const Field* field = method.fields.find(FieldScope::whole, key);
        if (!field) continue;
        const Result<Settings> before = settings_for(method.info.name, flesh);
        if (!before) continue;
        Settings after = *before;
        field->set(after.own(), value);
        for (const Field& other : method.fields.fields)
            if (other.info.scope == FieldScope::whole && other.info.key != key &&
                other.get(before->own()) != other.get(after.own()))
                erase_value(flesh.values, other.info.key);
    }
}

/// Text has no range: only the methods know which texts they accept.
Status check_text(const Flesh& flesh, const FieldInfo& field) {
    for (const Method& method : registered_methods()) {
        if (!method.fields.find(field.scope, field.key)) continue;
        const Result<Settings> settings = settings_for(method.info.name, flesh);
        if (!settings) return settings.error();
        if (Status status = method.check(*settings, nullptr); !status) return status;
    }
    return ok_status();
}

/// As owner_to_set in settings_access.cpp: among parts and joints only the last entry may be edited.
Flesh::Entry* entry_to_set(Flesh& flesh, const FieldKey& key) {
    std::vector<Flesh::Entry>& entries = entries_of(flesh, key.scope);
    if (key.scope == FieldScope::layer) {
        for (Flesh::Entry& entry : entries)
            if (entry.name == key.entry) return &entry;
        return nullptr;
    }
    if (entries.empty() || entries.back().name != key.entry) entries.push_back({key.entry, {}});
    return &entries.back();
}

/// The names in a character that a part may match.
std::vector<std::string> names_of(PartName::Of of, const Character& character) {
    std::vector<std::string> names;
    if (of == PartName::Of::joint)
        for (const Joint& joint : character.joints) names.push_back(joint.name);
    if (of == PartName::Of::mesh)
        for (const Part& part : character.mesh.parts) names.push_back(part.name);
    if (of == PartName::Of::material)
        for (const Material& material : character.materials) names.push_back(material.name);
    return names;
}

bool matches_any(const PartName& part, const Character& character) {
    const std::vector<std::string> names = names_of(part.of, character);
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return glob_match(part.pattern, name); });
}

/// A plain name must be in the character; a pattern may match nothing, so that one flesh file can serve many.
Status check_names(const std::vector<Flesh::Entry>& entries, const Character& character) {
    for (const Flesh::Entry& entry : entries) {
        const PartName part(entry.name);
        if (is_glob(part.pattern) || matches_any(part, character)) continue;
        const std::vector<std::string> names = names_of(part.of, character);
        std::string message =
            std::string("there is no ") + key_of(part.of) + " '" + part.pattern + "' in " + character.name;
        if (!names.empty()) message += "; did you mean '" + nearest_name(part.pattern, names) + "'?";
        return usage_error(message);
    }
    return ok_status();
}

Status check_entry(const Flesh::Entry& entry, FieldScope scope) {
    if (entry.name.empty() && scope != FieldScope::layer)
        return usage_error(std::string("an entry of '") + group_name(scope) + "' names no joint; add \"joint\": \"…\"");
    return ok_status();
}

bool is_usual(const FieldInfo& field, const FieldValue& value) {
    return field.usual && *field.usual == value;
}

/// Notes the values of one list that no method reads, unless they come from the preset or equal the default.
void note_idle(const std::vector<Flesh::Value>& values, const std::vector<Flesh::Value>* from_preset, FieldScope scope,
               const std::string& entry, const std::vector<std::string>& methods, std::vector<std::string>& out) {
    for (const Flesh::Value& each : values) {
        const FieldInfo* field = find_field(scope, each.key);
        if (!field || is_usual(*field, each.value)) continue;
        const FieldValue* given = from_preset ? find_value(*from_preset, each.key) : nullptr;
        if (given && *given == each.value) continue;
        const std::vector<std::string> having = methods_with(scope, each.key);
        if (!any_of_them(having, methods))
            out.push_back("the setting '" + full_key(*field, entry) + "' belongs to " + listed(having, "and") + ": " +
                          listed(methods, "and") + (methods.size() == 1 ? " does" : " do") + " not read it");
    }
}

const Flesh::Entry* find_entry(const std::vector<Flesh::Entry>& entries, const std::string& name) {
    for (const Flesh::Entry& entry : entries)
        if (entry.name == name) return &entry;
    return nullptr;
}

/// Sets those values of a list that the method has.
void fill(const FieldTable& table, FieldScope scope, const std::vector<Flesh::Value>& values, void* owner) {
    // In the order of the table, where fields that others depend on come first.
    for (const Field& field : table.fields) {
        if (field.info.scope != scope) continue;
        if (const FieldValue* value = find_value(values, field.info.key)) field.set(owner, *value);
    }
}

void say(const FieldTable& table, FieldScope scope, const void* owner, std::vector<Flesh::Value>& values) {
    for (const Field& field : table.fields)
        if (field.info.scope == scope)
            if (auto value = field.get(owner)) values.push_back({field.info.key, std::move(*value)});
}

}  // namespace

Status set_field(Flesh& flesh, const std::string& key, const std::string& value,
                 const std::vector<std::string>& methods) {
    if (key == "preset") return usage_error("a preset is not a setting; choose it with --preset " + value);
    const std::optional<FieldKey> parts = split_key(key);
    const FieldInfo* field = parts ? find_field(parts->scope, parts->field) : nullptr;
    if (!field) return unknown_key(flesh, key, entry_in(key), methods);
    const std::vector<std::string> having = methods_with(parts->scope, parts->field);
    if (!methods.empty() && !any_of_them(having, methods)) return key_of_others(key, methods, having);
    Result<FieldValue> parsed = parse_value(*field, key, value);
    if (!parsed) return parsed.error();
    if (parts->scope == FieldScope::whole) {
        forget_what_changes(flesh, key, *parsed);
        put_value(flesh.values, key, std::move(*parsed));
        return field->kind == FieldKind::text ? check_text(flesh, *field) : ok_status();
    }
    Flesh::Entry* entry = entry_to_set(flesh, *parts);
    if (!entry) return unknown_key(flesh, key, entry_in(key), methods);
    put_value(entry->values, parts->field, std::move(*parsed));
    return ok_status();
}

std::optional<FieldValue> get_field(const Flesh& flesh, const std::string& key) {
    const std::optional<FieldKey> parts = split_key(key);
    if (!parts) return std::nullopt;
    const std::vector<Flesh::Value>* values = &flesh.values;
    if (parts->scope != FieldScope::whole) {
        const Flesh::Entry* entry = find_entry(entries_of(flesh, parts->scope), parts->entry);
        if (!entry) return std::nullopt;
        values = &entry->values;
    }
    const FieldValue* value = find_value(*values, parts->field);
    return value ? std::optional(*value) : std::nullopt;
}

Status check(const Flesh& flesh, const Character* character) {
    for (const FieldScope scope : listed_scopes)
        for (const Flesh::Entry& entry : entries_of(flesh, scope))
            if (Status status = check_entry(entry, scope); !status) return status;
    for (const Method& method : registered_methods()) {
        const Result<Settings> settings = settings_for(method.info.name, flesh);
        if (!settings) return settings.error();
        if (Status status = check(*settings, character); !status) return status;
    }
    if (!character) return ok_status();
    if (Status status = check_names(flesh.parts, *character); !status) return status;
    return check_names(flesh.joints, *character);
}

std::vector<std::string> idle_settings(const Flesh& flesh, const Character& character,
                                       const std::vector<std::string>& methods) {
    std::vector<std::string> out;
    const Result<Flesh> start = preset(flesh.preset);
    note_idle(flesh.values, start ? &start->values : nullptr, FieldScope::whole, "", methods, out);
    for (const FieldScope scope : listed_scopes)
        for (const Flesh::Entry& entry : entries_of(flesh, scope)) {
            const Flesh::Entry* given = start ? find_entry(entries_of(*start, scope), entry.name) : nullptr;
            note_idle(entry.values, given ? &given->values : nullptr, scope, entry.name, methods, out);
        }
    for (const Flesh::Entry& part : flesh.parts) {
        if (start && find_entry(start->parts, part.name)) continue;
        const PartName name(part.name);
        if (!matches_any(name, character))
            out.push_back(std::string("no ") + key_of(name.of) + " matches the part '" + part.name + "'");
    }
    return out;
}

std::vector<std::string> preset_names(const std::string& method) {
    std::vector<std::string> out;
    const Method* found = find_method(method);
    if (!found || !found->fields.list(FieldScope::layer)) return out;
    for (const std::string& name : preset_names())
        if (const std::string own = method_of_preset(name); own.empty() || own == method) out.push_back(name);
    return out;
}

Result<Settings> settings_for(const std::string& name, const Flesh& flesh) {
    const Result<const Method*> method = need_method(name);
    if (!method) return method.error();
    const FieldTable& table = (*method)->fields;
    Settings out = (*method)->usual();
    fill(table, FieldScope::whole, flesh.values, out.own());
    for (const EntryList& list : table.lists) {
        list.clear(out.own());
        for (const Flesh::Entry& entry : entries_of(flesh, list.scope)) {
            void* own = list.add(out.own());
            list.name(own) = entry.name;
            fill(table, list.scope, entry.values, own);
        }
    }
    return out;
}

Flesh flesh_of(const Settings& settings) {
    Flesh out;
    const Method* method = find_method(settings.method());
    if (!method) return out;
    say(method->fields, FieldScope::whole, settings.own(), out.values);
    for (const EntryList& list : method->fields.lists)
        for (std::size_t k = 0; k < list.size(settings.own()); ++k) {
            const void* entry = list.at(settings.own(), k);
            Flesh::Entry& said = entries_of(out, list.scope).emplace_back();
            said.name = list.name_of(entry);
            say(method->fields, list.scope, entry, said.values);
        }
    return out;
}

}  // namespace fascia
