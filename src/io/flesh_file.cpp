// The flesh file: JSON in, JSON out. Every value goes through set_field, so that a file and `--set` know the same keys
// and ranges and give the same error messages.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "fascia/io.h"
#include "io/json_text.h"
#include "io/kept_json.h"

namespace fascia {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::uintmax_t largest_flesh_file = 4u << 20;

/// One sentence about `name`, as bad input: the file is what must change.
Error in_file(const std::string& name, const std::string& message) {
    return input_error(name + ": " + message);
}

std::string quoted_choice(const std::string& key, const std::vector<std::string>& known) {
    return "'" + key + "'; did you mean '" + nearest_name(key, known) + "'?";
}

/// What a field's value must be in JSON.
const char* wanted_in_json(const FieldInfo& field) {
    switch (field.kind) {
        case FieldKind::boolean: return "true or false";
        case FieldKind::choice:
        case FieldKind::text: return "text";
        case FieldKind::vector: return "a number or a list of three";
        default: return field.automatic ? "auto or a number" : "a number";
    }
}

/// A JSON value as `--set` would take it; no value if its type is not the field's.
std::optional<std::string> value_text(const json& value, const FieldInfo& field) {
    switch (field.kind) {
        case FieldKind::boolean:
            if (value.is_boolean() || value.is_number()) return value.dump();
            return std::nullopt;
        case FieldKind::choice:
        case FieldKind::text:
            if (value.is_string()) return value.get<std::string>();
            return std::nullopt;
        case FieldKind::vector: {
            if (value.is_number()) return value.dump();
            if (!value.is_array()) return std::nullopt;
            std::string text;
            for (const json& number : value) {
                if (!number.is_number()) return std::nullopt;
                if (!text.empty()) text += ',';
                text += number.dump();
            }
            return text;
        }
        default:
            if (value.is_number()) return value.dump();
            if (field.automatic && value == "auto") return "auto";
            return std::nullopt;
    }
}

/// Gives one value to set_field.
Status set_value(Flesh& flesh, const std::string& file, const std::string& key, const FieldInfo& field,
                 const json& value) {
    const std::optional<std::string> text = value_text(value, field);
    if (!text) return in_file(file, key + " must be " + wanted_in_json(field) + ", not " + value.type_name());
    const Status status = set_field(flesh, key, *text);
    if (!status) return in_file(file, status.error().message);
    return status;
}

/// The text under `key` of one entry of a list ("name" of a layer, "joint" of a part).
Result<std::string> entry_name(const json& entry, const std::string& file, const char* group, const char* key) {
    if (!entry.is_object())
        return in_file(
            file, std::string(group) + " must hold objects such as {\"" + key + "\": …}, not " + entry.type_name());
    const auto found = entry.find(key);
    if (found == entry.end() || !found->is_string() || found->get<std::string>().empty())
        return in_file(file, std::string("an entry of ") + group + " has no \"" + key + "\"");
    return found->get<std::string>();
}

/// Which of "joint", "mesh" and "material" an entry of the parts gives.
const char* part_key(const json& entry) {
    for (const PartName::Of of : {PartName::Of::mesh, PartName::Of::material})
        if (entry.is_object() && entry.contains(key_of(of))) return key_of(of);
    return key_of(PartName::Of::joint);
}

/// Reads the fields of one entry ("layers", "fat") through set_field.
Status read_entry(Flesh& flesh, const std::string& file, FieldScope scope, const char* name_key,
                  const std::string& entry, const json& values) {
    const std::string group = group_name(scope);
    for (const auto& [key, value] : values.items()) {
        if (key == name_key) continue;
        const FieldInfo* field = find_field(scope, key);
        const std::string full = group + "." + entry + "." + key;
        if (!field) {
            const Status unknown = set_field(flesh, full, "");
            // A dot would be mistaken for the end of the entry's name.
            const bool nearest = !unknown && key.find('.') == std::string::npos;
            return in_file(file, nearest ? unknown.error().message : "there is no setting '" + key + "' in " + group);
        }
        if (Status status = set_value(flesh, file, full, *field, value); !status) return status;
    }
    return ok_status();
}

const Flesh::Entry* find_layer(const std::vector<Flesh::Entry>& layers, const std::string& name) {
    for (const Flesh::Entry& layer : layers)
        if (layer.name == name) return &layer;
    return nullptr;
}

/// A list that names only layers of the base changes those; one that brings in a new layer is the whole list, in its
/// own order from the bone outwards.
Status read_layers(Flesh& flesh, const std::string& file, const json& list) {
    if (!list.is_array()) return in_file(file, std::string("layers must be a list, not ") + list.type_name());
    std::vector<Flesh::Entry> listed;
    bool has_new = false;
    for (const json& entry : list) {
        const Result<std::string> name = entry_name(entry, file, "layers", "name");
        if (!name) return name.error();
        if (find_layer(listed, *name)) return in_file(file, "layer '" + *name + "' is listed twice");
        const Flesh::Entry* known = find_layer(flesh.layers, *name);
        listed.push_back(known ? *known : Flesh::Entry{*name, {}});
        has_new = has_new || !known;
    }
    if (has_new || listed.size() == flesh.layers.size()) flesh.layers = listed;
    for (const json& entry : list) {
        Status status = read_entry(flesh, file, FieldScope::layer, "name", entry["name"].get<std::string>(), entry);
        if (!status) return status;
    }
    return ok_status();
}

Status read_joint_list(Flesh& flesh, std::vector<Flesh::Entry>& entries, const std::string& file, FieldScope scope,
                       const json& list) {
    const char* group = group_name(scope);
    if (!list.is_array()) return in_file(file, std::string(group) + " must be a list, not " + list.type_name());
    for (const json& entry : list) {
        const char* key = scope == FieldScope::part ? part_key(entry) : "joint";
        const Result<std::string> pattern = entry_name(entry, file, group, key);
        if (!pattern) return pattern.error();
        const bool of_joints = key == std::string("joint");
        const std::string name = of_joints ? *pattern : key + (":" + *pattern);
        entries.push_back({name, {}});
        Status status = read_entry(flesh, file, scope, key, name, entry);
        if (!status) return status;
    }
    return ok_status();
}

/// Every key that may stand at the top of a file.
std::vector<std::string> file_keys() {
    std::vector<std::string> keys{"preset", "layers", "parts", "joints"};
    for (const MethodInfo& method : methods())
        for (const FieldInfo& field : method.fields)
            if (field.scope == FieldScope::whole && std::find(keys.begin(), keys.end(), field.key) == keys.end())
                keys.push_back(field.key);
    return keys;
}

Status read_key(Flesh& flesh, const std::string& file, const std::string& key, const json& value) {
    if (key == "layers") return read_layers(flesh, file, value);
    if (key == "parts") return read_joint_list(flesh, flesh.parts, file, FieldScope::part, value);
    if (key == "joints") return read_joint_list(flesh, flesh.joints, file, FieldScope::joint, value);
    const FieldInfo* field = find_field(FieldScope::whole, key);
    if (!field) return in_file(file, "there is no setting " + quoted_choice(key, file_keys()));
    return set_value(flesh, file, key, *field, value);
}

/// What everything else is read on top of: the preset, then the mode, wherever they stand in the file.
Result<Flesh> read_start(const json& document, const std::string& file, const Flesh& base) {
    Flesh flesh = base;
    if (const auto found = document.find("preset"); found != document.end()) {
        if (!found->is_string()) return in_file(file, std::string("preset must be text, not ") + found->type_name());
        Result<Flesh> start = preset(found->get<std::string>());
        if (!start) return in_file(file, start.error().message);
        flesh = *start;
    }
    if (const auto found = document.find("mode"); found != document.end()) {
        Status status = read_key(flesh, file, "mode", *found);
        if (!status) return status.error();
    }
    return flesh;
}

/// A parse error's own text is long and names the library; keep the place.
std::string parse_error_place(std::string_view text, std::size_t byte) {
    std::size_t line = 1, column = 1;
    for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
        ++column;
        if (text[i] == '\n') {
            ++line;
            column = 1;
        }
    }
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

Status parse_json(std::string_view text, const std::string& name, io::KeptJson& out) {
    try {
        nlohmann::detail::json_sax_dom_parser<json> tree(*out);
        io::parse_text(text, tree);
        return ok_status();
    } catch (const json::parse_error& error) {
        return in_file(name, "not valid JSON at " + parse_error_place(text, error.byte));
    } catch (const json::exception&) {  // a number beyond what a double holds
        return in_file(name, "not valid JSON: a number in it is too large");
    }
}

ordered_json value_json(const FieldValue& value, FieldKind kind) {
    if (const bool* truth = std::get_if<bool>(&value)) return *truth;
    if (const Vec3d* v = std::get_if<Vec3d>(&value)) return {v->x, v->y, v->z};
    if (const std::string* text = std::get_if<std::string>(&value)) return *text;
    const double number = std::get<double>(value);
    return kind == FieldKind::whole ? ordered_json(static_cast<std::int64_t>(number)) : ordered_json(number);
}

/// The values that a method makes of this flesh, in the order of its fields; each key once.
void put_values(ordered_json& out, const std::vector<Flesh::Value>& values, FieldScope scope) {
    for (const Flesh::Value& each : values)
        if (const FieldInfo* field = find_field(scope, each.key); field && !out.contains(each.key))
            out[each.key] = value_json(each.value, field->kind);
}

/// What a file must say about parts: its reader starts from those of the preset. Parts that the flesh no longer has are
/// undone first.
std::vector<Flesh::Entry> parts_beyond_preset(const Flesh& flesh) {
    const Result<Flesh> start = preset(flesh.preset);
    if (!start) return flesh.parts;
    const auto& given = start->parts;
    if (given.size() <= flesh.parts.size() && std::equal(given.begin(), given.end(), flesh.parts.begin()))
        return {flesh.parts.begin() + std::ptrdiff_t(given.size()), flesh.parts.end()};
    const Result<LayersSettings> settings = settings_from<LayersSettings>(flesh);
    std::vector<Flesh::Entry> out;
    for (Flesh::Entry part : given) {
        for (Flesh::Value& each : part.values) {
            const double usual = each.key == "bone_width" && settings ? settings->bone_width : 1;
            each.value = each.key == "muscle" && settings ? settings->muscle : usual;
        }
        out.push_back(std::move(part));
    }
    out.insert(out.end(), flesh.parts.begin(), flesh.parts.end());
    return out;
}

ordered_json entries_json(const std::vector<Flesh::Entry>& entries, FieldScope scope) {
    ordered_json out = ordered_json::array();
    for (const Flesh::Entry& entry : entries) {
        const PartName name(entry.name);
        ordered_json one{{"joint", entry.name}};
        if (scope == FieldScope::part) one = {{key_of(name.of), name.pattern}};
        put_values(one, entry.values, scope);
        out.push_back(std::move(one));
    }
    return out;
}

}  // namespace

Result<Flesh> parse_flesh(std::string_view text, const std::string& name, const Flesh& base) {
    io::KeptJson kept;
    if (const Status parsed = parse_json(text, name, kept); !parsed) return parsed.error();
    const json& document = *kept;
    if (!document.is_object())
        return in_file(name, std::string("a flesh file is an object, {\"preset\": …}, not ") + document.type_name());
    Result<Flesh> flesh = read_start(document, name, base);
    if (!flesh) return flesh;
    for (const auto& [key, value] : document.items()) {
        if (key == "preset" || key == "mode") continue;
        Status status = read_key(*flesh, name, key, value);
        if (!status) return status.error();
    }
    const Status status = check(*flesh, nullptr);
    if (!status) return in_file(name, status.error().message);
    return flesh;
}

Result<Flesh> load_flesh(const std::string& path, const Flesh& base) {
    namespace fs = std::filesystem;
    std::error_code code;
    if (!fs::exists(path, code)) return input_error(path + ": there is no such file");
    if (fs::is_directory(path, code)) return input_error(path + ": is a folder, not a flesh file");
    std::ifstream file(path, std::ios::binary);
    if (!file) return input_error(path + ": cannot be opened for reading");
    std::string text;
    char buffer[1 << 16];
    while (file.read(buffer, sizeof buffer) || file.gcount() > 0) {
        text.append(buffer, static_cast<std::size_t>(file.gcount()));
        if (text.size() > largest_flesh_file)
            return input_error(path + ": is larger than 4 MB, so it is not a flesh file");
    }
    Result<Flesh> flesh = parse_flesh(text, path, base);
    if (!flesh) return flesh;
    // The path of an image is relative to the flesh file.
    const auto mask = get_field(*flesh, "mask");
    if (!mask || mask == get_field(base, "mask")) return flesh;
    const std::string& name = std::get<std::string>(*mask);
    if (name.empty() || name.rfind("COLOR_", 0) == 0) return flesh;
    const Status set = set_field(*flesh, "mask", (fs::path(path).parent_path() / name).string());
    if (!set) return set.error();
    return flesh;
}

std::string flesh_to_json(const Flesh& flesh) {
    ordered_json out;
    out["preset"] = flesh.preset;
    // Every field with its value, even if that is the default: the file also serves as a list of all fields.
    std::vector<Flesh> by_method;
    for (const MethodInfo& method : methods())
        if (const Result<Settings> settings = settings_for(method.name, flesh))
            by_method.push_back(flesh_of(*settings));
    for (const Flesh& each : by_method) put_values(out, each.values, FieldScope::whole);
    out["layers"] = ordered_json::array();
    for (std::size_t k = 0; k < flesh.layers.size(); ++k) {
        ordered_json layer{{"name", flesh.layers[k].name}};
        for (const Flesh& each : by_method)
            if (k < each.layers.size()) put_values(layer, each.layers[k].values, FieldScope::layer);
        out["layers"].push_back(std::move(layer));
    }
    out["parts"] = entries_json(parts_beyond_preset(flesh), FieldScope::part);
    if (!flesh.joints.empty()) out["joints"] = entries_json(flesh.joints, FieldScope::joint);
    if (out.contains("mask") && out["mask"] == "") out.erase("mask");
    return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace fascia
