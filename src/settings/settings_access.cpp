#include "settings/settings_access.h"

#include "base/glob.h"
#include "fascia/settings.h"
#include "settings/field_values.h"

namespace fascia {

namespace {

constexpr FieldScope listed_scopes[] = {FieldScope::layer, FieldScope::part, FieldScope::joint};

std::vector<std::string> names_in(const FieldTable& table, const void* settings, FieldScope scope) {
    std::vector<std::string> out;
    if (const EntryList* list = table.list(scope))
        for (std::size_t k = 0; k < list->size(settings); ++k) out.push_back(list->name_of(list->at(settings, k)));
    return out;
}

Error unknown_key(const FieldTable& table, const void* settings, const std::string& key, const std::string& entry) {
    const auto layers = names_in(table, settings, FieldScope::layer);
    const std::vector<std::string> known = keys_of(table, layers, entry.empty() ? "JOINT" : entry);
    std::string message = "there is no setting '" + key + "'";
    if (!known.empty()) message += "; did you mean '" + nearest_name(key, known) + "'?";
    return usage_error(message);
}

/// The struct that a key refers to: the settings, or one of their entries; null if there is no entry of that name.
const void* owner_of(const FieldTable& table, const void* settings, const FieldKey& key) {
    if (key.scope == FieldScope::whole) return settings;
    const EntryList* list = table.list(key.scope);
    for (std::size_t k = list ? list->size(settings) : 0; k-- > 0;)
        if (list->name_of(list->at(settings, k)) == key.entry) return list->at(settings, k);
    return nullptr;
}

/// The entry that a later setting may edit: an existing layer; of parts and joints only the last entry, and only if it
/// is for the same joint. An earlier entry may be overruled by those after it, so a new one is appended instead.
void* owner_to_set(const FieldTable& table, void* settings, const FieldKey& key) {
    if (key.scope == FieldScope::whole || key.scope == FieldScope::layer)
        return const_cast<void*>(owner_of(table, settings, key));
    const EntryList* list = table.list(key.scope);
    const std::size_t count = list->size(settings);
    if (count > 0 && list->name_of(list->at(settings, count - 1)) == key.entry) return list->entry(settings, count - 1);
    void* entry = list->add(settings);
    list->name(entry) = key.entry;
    return entry;
}

/// The value of a part field at one joint.
std::optional<FieldValue> at_joint(const FieldTable& table, const EntryList& parts, const Field& field,
                                   const void* settings, const std::string& joint) {
    std::optional<FieldValue> out;
    if (const Field* whole = table.find(FieldScope::whole, field.info.key)) out = whole->get(settings);
    for (std::size_t k = 0; k < parts.size(settings); ++k) {
        const void* part = parts.at(settings, k);
        if (!glob_match(parts.name_of(part), joint)) continue;
        if (const auto value = field.get(part)) out = value;
    }
    return out;
}

std::string layer_difference(const FieldTable& table, const EntryList& list, const void* had, const void* asked) {
    if (list.size(had) != list.size(asked)) return "the number of layers";
    for (std::size_t k = 0; k < list.size(had); ++k) {
        const void *a = list.at(had, k), *b = list.at(asked, k);
        if (list.name_of(a) != list.name_of(b)) return "the name of layer '" + list.name_of(a) + "'";
        for (const Field& field : table.fields)
            if (field.info.scope == list.scope && !field.info.live && field.get(a) != field.get(b))
                return full_key(field.info, list.name_of(a));
    }
    return {};
}

/// Parts of the surface (meshes and materials), with all their settings: bind builds them in.
std::vector<std::pair<std::string, std::optional<FieldValue>>> surface_parts(const FieldTable& table,
                                                                             const EntryList& list,
                                                                             const void* settings) {
    std::vector<std::pair<std::string, std::optional<FieldValue>>> out;
    if (list.scope != FieldScope::part) return out;
    for (std::size_t k = 0; k < list.size(settings); ++k) {
        const void* part = list.at(settings, k);
        if (PartName(list.name_of(part)).of == PartName::Of::joint) continue;
        for (const Field& field : table.fields)
            if (field.info.scope == list.scope)
                out.emplace_back(full_key(field.info, list.name_of(part)), field.get(part));
    }
    return out;
}

std::string part_difference(const FieldTable& table, const EntryList& list, const void* had, const void* asked,
                            const std::vector<std::string>& joints) {
    const auto before = surface_parts(table, list, had), now = surface_parts(table, list, asked);
    for (std::size_t k = 0; k < std::max(before.size(), now.size()); ++k)
        if (k >= before.size() || k >= now.size() || before[k] != now[k])
            return k < now.size() ? now[k].first : before[k].first;
    for (const Field& field : table.fields) {
        if (field.info.scope != list.scope || field.info.live) continue;
        for (const std::string& joint : joints)
            if (at_joint(table, list, field, had, joint) != at_joint(table, list, field, asked, joint))
                return full_key(field.info, joint);
    }
    return {};
}

// ---- bytes ---------------------------------------------------------------------------------------------------------
void write_value(const std::optional<FieldValue>& value, ByteWriter& out) {
    out.value(std::uint8_t(value ? value->index() + 1 : 0));
    if (!value) return;
    if (const bool* truth = std::get_if<bool>(&*value)) out.value(std::uint8_t(*truth));
    if (const double* number = std::get_if<double>(&*value)) out.value(*number);
    if (const Vec3d* v = std::get_if<Vec3d>(&*value)) out.value(*v);
    if (const std::string* text = std::get_if<std::string>(&*value)) out.array(*text);
}

std::optional<FieldValue> read_value(ByteReader& in) {
    switch (in.value<std::uint8_t>()) {
        case 1: return in.value<std::uint8_t>() != 0;
        case 2: return in.value<double>();
        case 3: return in.text();
        case 4: return in.value<Vec3d>();
        default: return std::nullopt;
    }
}

void write_fields(const FieldTable& table, FieldScope scope, const void* owner, ByteWriter& out) {
    for (const Field& field : table.fields)
        if (field.info.scope == scope && !field.follows) write_value(field.get(owner), out);
}

Status read_fields(const FieldTable& table, FieldScope scope, void* owner, const std::string& entry, ByteReader& in) {
    for (const Field& field : table.fields) {
        if (field.info.scope != scope || field.follows) continue;
        std::optional<FieldValue> value = read_value(in);
        if (!in.ok()) return input_error("it ends too early");
        if (!value && field.info.usual) return input_error(full_key(field.info, entry) + " is missing");
        if (value)
            if (Status status = check_value(field.info, full_key(field.info, entry), *value); !status) return status;
        field.set(owner, value);
    }
    return ok_status();
}

}  // namespace

std::optional<FieldKey> split_key(const std::string& key) {
    const std::size_t first = key.find('.'), last = key.rfind('.');
    if (first == std::string::npos) return FieldKey{FieldScope::whole, "", key};
    if (first == last || last - first < 2) return std::nullopt;
    for (const FieldScope scope : listed_scopes)
        if (key.compare(0, first, group_name(scope)) == 0)
            return FieldKey{scope, key.substr(first + 1, last - first - 1), key.substr(last + 1)};
    return std::nullopt;
}

std::string entry_in(const std::string& key) {
    const std::size_t first = key.find('.'), last = key.rfind('.');
    return first == last ? "" : key.substr(first + 1, last - first - 1);
}

std::vector<std::string> keys_of(const FieldTable& table, const std::vector<std::string>& layers,
                                 const std::string& joint) {
    std::vector<std::string> out;
    for (const Field& field : table.fields) {
        if (field.info.scope != FieldScope::layer) out.push_back(full_key(field.info, joint));
        if (field.info.scope == FieldScope::layer)
            for (const std::string& layer : layers) out.push_back(full_key(field.info, layer));
    }
    return out;
}

Status set_by_key(const FieldTable& table, void* settings, const std::string& key, const std::string& value) {
    const std::optional<FieldKey> parts = split_key(key);
    const Field* field = parts ? table.find(parts->scope, parts->field) : nullptr;
    if (!field) return unknown_key(table, settings, key, entry_in(key));
    const Result<FieldValue> parsed = parse_value(field->info, key, value);
    if (!parsed) return parsed.error();
    void* owner = owner_to_set(table, settings, *parts);
    if (!owner) return unknown_key(table, settings, key, entry_in(key));
    field->set(owner, *parsed);
    return ok_status();
}

Result<std::string> get_by_key(const FieldTable& table, const void* settings, const std::string& key) {
    const std::optional<FieldKey> parts = split_key(key);
    const Field* field = parts ? table.find(parts->scope, parts->field) : nullptr;
    if (!field) return unknown_key(table, settings, key, entry_in(key));
    const void* owner = owner_of(table, settings, *parts);
    if (!owner && parts->scope == FieldScope::layer) return unknown_key(table, settings, key, entry_in(key));
    const std::optional<FieldValue> value = owner ? field->get(owner) : std::nullopt;
    return value ? to_text(*value) : std::string();
}

Status check_ranges(const FieldTable& table, const void* settings) {
    const auto check_owner = [&](FieldScope scope, const void* owner, const std::string& entry) {
        for (const Field& field : table.fields) {
            if (field.info.scope != scope) continue;
            std::optional<FieldValue> value = field.get(owner);
            if (!value) continue;
            if (Status status = check_value(field.info, full_key(field.info, entry), *value); !status) return status;
        }
        return ok_status();
    };
    if (Status status = check_owner(FieldScope::whole, settings, ""); !status) return status;
    for (const EntryList& list : table.lists)
        for (std::size_t k = 0; k < list.size(settings); ++k) {
            const void* entry = list.at(settings, k);
            if (Status status = check_owner(list.scope, entry, list.name_of(entry)); !status) return status;
        }
    return ok_status();
}

std::optional<FieldValue> part_value(const FieldTable& table, const void* settings, const std::string& key,
                                     const std::string& joint) {
    const EntryList* parts = table.list(FieldScope::part);
    const Field* field = table.find(FieldScope::part, key);
    return parts && field ? at_joint(table, *parts, *field, settings, joint) : std::nullopt;
}

std::string built_in_difference(const FieldTable& table, const void* had, const void* asked,
                                const std::vector<std::string>& joints) {
    for (const Field& field : table.fields)
        if (field.info.scope == FieldScope::whole && !field.info.live && field.get(had) != field.get(asked))
            return field.info.key;
    for (const EntryList& list : table.lists) {
        const std::string key = list.scope == FieldScope::layer ? layer_difference(table, list, had, asked)
                                                                : part_difference(table, list, had, asked, joints);
        if (!key.empty()) return key;
    }
    return {};
}

void write_settings(const FieldTable& table, const void* settings, ByteWriter& out) {
    write_fields(table, FieldScope::whole, settings, out);
    for (const EntryList& list : table.lists) {
        out.value(std::uint64_t{list.size(settings)});
        for (std::size_t k = 0; k < list.size(settings); ++k) {
            const void* entry = list.at(settings, k);
            out.array(list.name_of(entry));
            write_fields(table, list.scope, entry, out);
        }
    }
}

Status read_settings(const FieldTable& table, void* settings, ByteReader& in) {
    if (Status status = read_fields(table, FieldScope::whole, settings, "", in); !status) return status;
    for (const EntryList& list : table.lists) {
        list.clear(settings);
        const auto count = in.value<std::uint64_t>();
        for (std::uint64_t k = 0; k < count; ++k) {
            const std::string name = in.text();
            if (!in.ok()) return input_error("it ends too early");
            void* entry = list.add(settings);
            list.name(entry) = name;
            if (Status status = read_fields(table, list.scope, entry, name, in); !status) return status;
        }
    }
    return ok_status();
}

}  // namespace fascia
