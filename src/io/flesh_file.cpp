// The flesh file: JSON in, JSON out. Every value goes through set_field, so that a file and `--set` know the same keys,
// the same ranges and give the same sentences.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "fascia/io.h"

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

/// A JSON number or text as `--set` would have it; nothing for anything else.
std::optional<std::string> number_text(const json& value) {
    if (!value.is_number()) return std::nullopt;
    return value.dump();
}

/// Gives one number to set_field.
Status set_number(Flesh& flesh, const std::string& name, const std::string& key, const json& value) {
    const std::optional<std::string> text = number_text(value);
    if (!text) return in_file(name, key + " must be a number, not " + value.type_name());
    Status status = set_field(flesh, key, *text);
    if (!status) return in_file(name, status.error().message);
    return status;
}

Status set_text(Flesh& flesh, const std::string& name, const std::string& key, const json& value) {
    if (!value.is_string()) return in_file(name, key + " must be text, not " + value.type_name());
    Status status = set_field(flesh, key, value.get<std::string>());
    if (!status) return in_file(name, status.error().message);
    return status;
}

Status set_gravity(Flesh& flesh, const std::string& name, const json& value) {
    std::string text;
    const json list = value.is_array() ? value : json::array({value});
    for (const json& number : list) {
        if (!number.is_number()) return in_file(name, "gravity must be a number or a list of three");
        if (!text.empty()) text += ',';
        text += number.dump();
    }
    Status status = set_field(flesh, "gravity", text);
    if (!status) return in_file(name, status.error().message);
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

/// Reads the fields of one entry ("layers", "fat") through set_field.
Status read_entry(Flesh& flesh, const std::string& file, const char* group, const char* key, const std::string& entry,
                  const json& fields) {
    for (const auto& [field, value] : fields.items()) {
        if (field == key) continue;
        // set_field would take the part before a dot for the end of the entry's name.
        if (field.find('.') != std::string::npos)
            return in_file(file, "there is no setting '" + field + "' in " + group);
        Status status = set_number(flesh, file, std::string(group) + "." + entry + "." + field, value);
        if (!status) return status;
    }
    return ok_status();
}

const LayerSettings* find_layer(const std::vector<LayerSettings>& layers, const std::string& name) {
    for (const LayerSettings& layer : layers)
        if (layer.name == name) return &layer;
    return nullptr;
}

/// A list that names only layers of the base changes those; one that brings in a new layer is the whole list, in its
/// own order from the bone outwards.
Status read_layers(Flesh& flesh, const std::string& file, const json& list) {
    if (!list.is_array()) return in_file(file, std::string("layers must be a list, not ") + list.type_name());
    std::vector<LayerSettings> listed;
    bool has_new = false;
    for (const json& entry : list) {
        const Result<std::string> name = entry_name(entry, file, "layers", "name");
        if (!name) return name.error();
        if (find_layer(listed, *name)) return in_file(file, "layer '" + *name + "' is listed twice");
        const LayerSettings* known = find_layer(flesh.layers, *name);
        LayerSettings layer = known ? *known : LayerSettings{};
        layer.name = *name;
        has_new = has_new || !known;
        listed.push_back(layer);
    }
    if (has_new || listed.size() == flesh.layers.size()) flesh.layers = listed;
    for (const json& entry : list) {
        Status status = read_entry(flesh, file, "layers", "name", entry["name"].get<std::string>(), entry);
        if (!status) return status;
    }
    return ok_status();
}

template <class Entry>
Status read_joint_list(Flesh& flesh, std::vector<Entry>& entries, const std::string& file, const char* group,
                       const json& list) {
    if (!list.is_array()) return in_file(file, std::string(group) + " must be a list, not " + list.type_name());
    for (const json& entry : list) {
        const Result<std::string> joint = entry_name(entry, file, group, "joint");
        if (!joint) return joint.error();
        entries.emplace_back();
        entries.back().joint = *joint;
        Status status = read_entry(flesh, file, group, "joint", *joint, entry);
        if (!status) return status;
    }
    return ok_status();
}

const std::vector<std::string>& file_keys() {
    static const std::vector<std::string> keys{
        "preset",  "mode",     "resolution",     "region_width", "region_radius", "delta",      "preserve_volume",
        "pivoted", "unbiased", "region_damping", "bone_width",   "muscle",        "gravity",    "step",
        "layers",  "parts",    "mask",           "joints",       "primary",       "rest_method"};
    return keys;
}

bool is_known_key(const std::string& key) {
    for (const std::string& known : file_keys())
        if (key == known) return true;
    return false;
}

Status read_key(Flesh& flesh, const std::string& file, const std::string& key, const json& value) {
    if (key == "layers") return read_layers(flesh, file, value);
    if (key == "parts") return read_joint_list(flesh, flesh.parts, file, "parts", value);
    if (key == "joints") return read_joint_list(flesh, flesh.joints, file, "joints", value);
    if (key == "gravity") return set_gravity(flesh, file, value);
    if (key == "mask" || key == "primary" || key == "rest_method") return set_text(flesh, file, key, value);
    if (!is_known_key(key)) return in_file(file, "there is no setting " + quoted_choice(key, file_keys()));
    return set_number(flesh, file, key, value);
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
        Status status = set_text(flesh, file, "mode", *found);
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

Result<json> parse_json(std::string_view text, const std::string& name) {
    try {
        return json::parse(text.begin(), text.end());
    } catch (const json::parse_error& error) {
        return in_file(name, "not valid JSON at " + parse_error_place(text, error.byte));
    } catch (const json::exception&) {  // a number beyond what a double holds
        return in_file(name, "not valid JSON: a number in it is too large");
    }
}

std::string mode_text(Mode mode) {
    return mode == Mode::paper ? "paper" : mode == Mode::literal ? "literal" : "physical";
}

void put(ordered_json& object, const char* key, const std::optional<double>& value) {
    if (value) object[key] = *value;
}

ordered_json layer_json(const LayerSettings& layer) {
    return {{"name", layer.name},     {"frequency", layer.frequency}, {"damping", layer.damping},
            {"amount", layer.amount}, {"share", layer.share},         {"k_s", layer.k_s},
            {"k_d", layer.k_d}};
}

ordered_json part_json(const PartSettings& part) {
    ordered_json entry{{"joint", part.joint}};
    put(entry, "bone_width", part.bone_width);
    put(entry, "muscle", part.muscle);
    put(entry, "amount", part.amount);
    put(entry, "delta", part.delta);
    return entry;
}

bool same_part(const PartSettings& a, const PartSettings& b) {
    return a.joint == b.joint && a.bone_width == b.bone_width && a.muscle == b.muscle && a.amount == b.amount &&
           a.delta == b.delta;
}

/// What a file must say about parts: who reads it starts from the preset's own. Those that the flesh no longer has are
/// taken back first.
std::vector<PartSettings> parts_beyond_preset(const Flesh& flesh) {
    const Result<Flesh> start = preset(flesh.preset);
    if (!start) return flesh.parts;
    const auto& given = start->parts;
    const bool has_them =
        given.size() <= flesh.parts.size() && std::equal(given.begin(), given.end(), flesh.parts.begin(), same_part);
    if (has_them) return {flesh.parts.begin() + std::ptrdiff_t(given.size()), flesh.parts.end()};
    std::vector<PartSettings> out;
    for (PartSettings part : given) {
        if (part.bone_width) part.bone_width = flesh.bone_width;
        if (part.muscle) part.muscle = flesh.muscle;
        if (part.amount) part.amount = 1;
        out.push_back(part);
    }
    out.insert(out.end(), flesh.parts.begin(), flesh.parts.end());
    return out;
}

}  // namespace

Result<Flesh> parse_flesh(std::string_view text, const std::string& name, const Flesh& base) {
    const Result<json> document = parse_json(text, name);
    if (!document) return document.error();
    if (!document->is_object())
        return in_file(name, std::string("a flesh file is an object, {\"preset\": …}, not ") + document->type_name());
    Result<Flesh> flesh = read_start(*document, name, base);
    if (!flesh) return flesh;
    for (const auto& [key, value] : document->items()) {
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
            return input_error(path + ": is larger than 4 MB, so it is no flesh file");
    }
    Result<Flesh> flesh = parse_flesh(text, path, base);
    // An image is named from where the flesh file lies.
    if (flesh && !flesh->mask.empty() && flesh->mask != base.mask && flesh->mask.rfind("COLOR_", 0) != 0)
        flesh->mask = (fs::path(path).parent_path() / flesh->mask).string();
    return flesh;
}

std::string flesh_to_json(const Flesh& flesh) {
    ordered_json out;
    out["preset"] = flesh.preset;
    out["mode"] = mode_text(flesh.mode);
    out["resolution"] = flesh.resolution;
    out["region_width"] = flesh.region_width;
    out["region_radius"] = flesh.region_radius;
    out["delta"] = flesh.delta;
    out["preserve_volume"] = flesh.preserve_volume;
    out["pivoted"] = flesh.pivoted;
    out["unbiased"] = flesh.unbiased;
    out["region_damping"] = flesh.region_damping;
    out["bone_width"] = flesh.bone_width;
    out["muscle"] = flesh.muscle;
    out["gravity"] = {flesh.gravity.x, flesh.gravity.y, flesh.gravity.z};
    out["step"] = flesh.step;
    out["layers"] = ordered_json::array();
    for (const LayerSettings& layer : flesh.layers) out["layers"].push_back(layer_json(layer));
    out["parts"] = ordered_json::array();
    for (const PartSettings& part : parts_beyond_preset(flesh)) out["parts"].push_back(part_json(part));
    if (!flesh.mask.empty()) out["mask"] = flesh.mask;
    if (flesh.primary != "auto") out["primary"] = flesh.primary;
    if (flesh.rest_method != "lbs") out["rest_method"] = flesh.rest_method;
    if (!flesh.joints.empty()) out["joints"] = ordered_json::array();
    for (const Flesh::JointZone& zone : flesh.joints) {
        ordered_json entry{{"joint", zone.joint}};
        put(entry, "t_min", zone.t_min);
        put(entry, "t_max", zone.t_max);
        put(entry, "blend", zone.blend);
        out["joints"].push_back(entry);
    }
    return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace fascia
