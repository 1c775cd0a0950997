// What a user may ask of a method: names, ranges, and one sentence for everything that is not so.
#include "fascia/settings.h"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/glob.h"
#include "settings/flesh_fields.h"

namespace fascia {

namespace {

std::string text_of(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%g", value);
    return buffer;
}

/// The whole of `text` as a finite decimal number.
std::optional<double> parse_number(const std::string& text) {
    if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos) return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

bool inside(Range range, double value) {
    return value >= range.min && value <= range.max;  // false for NaN
}

Error range_error(const std::string& key, Range range, bool whole, const std::string& value) {
    return usage_error(key + " must be a " + (whole ? "whole " : "") + "number from " + text_of(range.min) + " to " +
                       text_of(range.max) + ", not '" + value + "'");
}

Result<double> number_in(const std::string& key, Range range, bool whole, const std::string& value) {
    const std::optional<double> number = parse_number(value);
    if (!number || !inside(range, *number) || (whole && *number != std::floor(*number)))
        return range_error(key, range, whole, value);
    return *number;
}

Error unknown_key(const Flesh& flesh, const std::string& key, const std::string& joint) {
    return usage_error("there is no setting '" + key + "'; did you mean '" +
                       nearest_name(key, flesh_keys(flesh, joint)) + "'?");
}

// ---- names of modes ------------------------------------------------------------------------------
const std::vector<std::string>& mode_names() {
    static const std::vector<std::string> names{"physical", "paper", "literal"};
    return names;
}

Status set_mode(Flesh& flesh, const std::string& name) {
    for (std::size_t i = 0; i < mode_names().size(); ++i) {
        if (mode_names()[i] != name) continue;
        const Mode mode = static_cast<Mode>(i);
        const Flesh defaults;
        const bool was_physical = flesh.mode == Mode::physical, is_physical = mode == Mode::physical;
        // The unit of bone_width and the meaning of the step change with the mode: start from that mode's usual values.
        if (was_physical != is_physical) {
            flesh.bone_width = is_physical ? defaults.bone_width : 1;
            flesh.step = is_physical ? defaults.step : 1.0 / 60;
        }
        flesh.mode = mode;
        return ok_status();
    }
    return usage_error("there is no mode '" + name + "'; did you mean '" + nearest_name(name, mode_names()) + "'?");
}

Status check_primary(const std::string& name) {
    if (name == "auto" || name == "dqs" || name == "lbs") return ok_status();
    return usage_error("primary must be auto, dqs or lbs, not '" + name + "'");
}

Status set_rest_method(Flesh& flesh, const std::string& name) {
    if (name != "lbs" && name != "dqs") return usage_error("rest_method must be lbs or dqs, not '" + name + "'");
    flesh.rest_method = name;
    return ok_status();
}

// ---- gravity -------------------------------------------------------------------------------------
std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> words(1);
    for (char c : text) {
        if (c == separator)
            words.emplace_back();
        else
            words.back() += c;
    }
    return words;
}

/// One number pulls down; three give the direction.
Status set_gravity(Flesh& flesh, const std::string& value) {
    constexpr Range range{-1e6, 1e6};
    const std::vector<std::string> words = split(value, ',');
    std::vector<double> numbers;
    for (const std::string& word : words) {
        const std::optional<double> number = parse_number(word);
        if (number && inside(range, *number)) numbers.push_back(*number);
    }
    if (numbers.size() == words.size() && numbers.size() == 3) {
        flesh.gravity = {numbers[0], numbers[1], numbers[2]};
        return ok_status();
    }
    if (numbers.size() == words.size() && numbers.size() == 1 && numbers[0] >= 0) {
        flesh.gravity = {0, -numbers[0], 0};
        return ok_status();
    }
    return usage_error("gravity must be a pull downwards such as 9.81, or x,y,z such as 0,-9.81,0, not '" + value +
                       "'");
}

// ---- keys with a name in the middle --------------------------------------------------------------
struct KeyParts {
    std::string group, name, field;
};

/// "parts.upper.arm.muscle" -> parts, upper.arm, muscle: names may hold dots, groups and fields do not.
std::optional<KeyParts> split_key(const std::string& key) {
    const std::size_t first = key.find('.'), last = key.rfind('.');
    if (first == std::string::npos || first == last) return std::nullopt;
    KeyParts out{key.substr(0, first), key.substr(first + 1, last - first - 1), key.substr(last + 1)};
    if (out.name.empty()) return std::nullopt;
    return out;
}

Status set_layer_field(Flesh& flesh, const std::string& key, const KeyParts& parts, const std::string& value) {
    for (const LayerField& field : layer_fields()) {
        if (parts.field != field.name) continue;
        for (LayerSettings& layer : flesh.layers) {
            if (layer.name != parts.name) continue;
            const Result<double> number = number_in(key, field.range, false, value);
            if (!number) return number.error();
            layer.*field.real = *number;
            return ok_status();
        }
    }
    return unknown_key(flesh, key, "JOINT");
}

/// The entry that a later `--set` may edit: the last one, if it is about the same joint. An earlier one may be
/// overruled by what follows it, so it gets a new entry at the end instead.
template <class Entry>
Entry& last_entry(std::vector<Entry>& entries, const std::string& joint) {
    if (entries.empty() || entries.back().joint != joint) {
        entries.emplace_back();
        entries.back().joint = joint;
    }
    return entries.back();
}

template <class Entry, class Field>
Status set_joint_field(const Flesh& flesh, std::vector<Entry>& entries, const std::vector<Field>& fields,
                       const std::string& key, const KeyParts& parts, const std::string& value) {
    for (const Field& field : fields) {
        if (parts.field != field.name) continue;
        const Result<double> number = number_in(key, field.range, false, value);
        if (!number) return number.error();
        last_entry(entries, parts.name).*field.real = *number;
        return ok_status();
    }
    return unknown_key(flesh, key, parts.name);
}

// ---- checks --------------------------------------------------------------------------------------
Status check_number(const std::string& key, Range range, bool whole, double value) {
    if (!inside(range, value)) return range_error(key, range, whole, text_of(value));
    return ok_status();
}

Range range_in_mode(const char* field, Range range, Mode mode) {
    return std::string(field) == "bone_width" ? bone_width_range(mode) : range;
}

Status check_globals(const Flesh& flesh) {
    for (const FleshField& field : flesh_fields()) {
        const double value = field.whole ? flesh.*field.whole : flesh.*field.real;
        Status status =
            check_number(field.name, range_in_mode(field.name, field.range, flesh.mode), field.whole != nullptr, value);
        if (!status) return status;
    }
    if (Status status = check_primary(flesh.primary); !status) return status;
    if (flesh.rest_method != "lbs" && flesh.rest_method != "dqs")
        return usage_error("rest_method must be lbs or dqs, not '" + flesh.rest_method + "'");
    for (double g : {flesh.gravity.x, flesh.gravity.y, flesh.gravity.z})
        if (!std::isfinite(g)) return usage_error("gravity must be finite");
    return ok_status();
}

bool has_natural_share(const std::string& layer) {
    return layer == "muscle" || layer == "fat" || layer == "skin";
}

Status check_layers(const Flesh& flesh) {
    for (std::size_t i = 0; i < flesh.layers.size(); ++i) {
        const LayerSettings& layer = flesh.layers[i];
        if (layer.name.empty())
            return usage_error("layer " + std::to_string(i) + " has no name; give it one, such as 'fat'");
        for (std::size_t k = 0; k < i; ++k)
            if (flesh.layers[k].name == layer.name) return usage_error("layer '" + layer.name + "' is listed twice");
        for (const LayerField& field : layer_fields()) {
            Status status =
                check_number("layers." + layer.name + "." + field.name, field.range, false, layer.*field.real);
            if (!status) return status;
        }
        if (layer.share <= 0 && !has_natural_share(layer.name))
            return usage_error("layer '" + layer.name + "' needs a share of the thickness (layers." + layer.name +
                               ".share above 0), or did you mean '" +
                               nearest_name(layer.name, {"muscle", "fat", "skin"}) + "'?");
    }
    return ok_status();
}

template <class Entry, class Field>
Status check_entries(const char* group, const std::vector<Entry>& entries, const std::vector<Field>& fields,
                     Mode mode) {
    for (const Entry& entry : entries) {
        if (entry.joint.empty())
            return usage_error(std::string("an entry of '") + group + "' names no joint; add \"joint\": \"…\"");
        for (const Field& field : fields) {
            const std::optional<double>& value = entry.*field.real;
            if (!value) continue;
            Status status = check_number(std::string(group) + "." + entry.joint + "." + field.name,
                                         range_in_mode(field.name, field.range, mode), false, *value);
            if (!status) return status;
        }
    }
    return ok_status();
}

/// A plain name must be a joint; a pattern may match nothing, so that one flesh file serves many characters.
template <class Entry>
Status check_joints(const std::vector<Entry>& entries, const Character& character) {
    std::vector<std::string> names;
    for (const Joint& joint : character.joints) names.push_back(joint.name);
    for (const Entry& entry : entries) {
        bool found = is_glob(entry.joint);
        for (const std::string& name : names) found = found || glob_match(entry.joint, name);
        if (!found)
            return usage_error("there is no joint '" + entry.joint + "' in " + character.name + "; did you mean '" +
                               nearest_name(entry.joint, names) + "'?");
    }
    return ok_status();
}

/// "COLOR_1.r": which vertex colours, or nothing for an image file.
std::optional<int> mask_color_set(const std::string& mask) {
    if (mask.size() == 9 && mask.compare(0, 6, "COLOR_") == 0 && mask[7] == '.' &&
        std::string("rgba").find(mask[8]) != std::string::npos && (mask[6] == '0' || mask[6] == '1'))
        return mask[6] - '0';
    return std::nullopt;
}

Status check_mask(const Flesh& flesh, const Character* character) {
    if (flesh.mask.empty()) return ok_status();
    const std::optional<int> set = mask_color_set(flesh.mask);
    if (!set && flesh.mask.compare(0, 6, "COLOR_") == 0)
        return usage_error("mask '" + flesh.mask + "' is not a colour channel; use COLOR_0 or COLOR_1 and .r, .g, .b " +
                           "or .a, such as COLOR_1.r");
    if (!set || !character) return ok_status();
    const bool present = *set == 0 ? !character->mesh.colors.empty() : !character->mesh.mask_colors.empty();
    if (!present) {
        const bool any = !character->mesh.colors.empty() || !character->mesh.mask_colors.empty();
        const std::string has = !any ? "no vertex colours" : *set == 0 ? "COLOR_1 only" : "COLOR_0 only";
        return usage_error("mask '" + flesh.mask + "': " + character->name + " has " + has +
                           "; paint that channel, name another or give an image in UV space");
    }
    return ok_status();
}

}  // namespace

const std::vector<MethodInfo>& methods() {
    static const std::vector<MethodInfo> list{
        {"lbs", "background", "linear blend skinning with the file's weights"},
        {"dqs", "background", "dual quaternion skinning with the file's weights"},
        {"bones-blending", "seed 001", "rotations blended along the bone"},
        {"layers", "seed 000", "voxels in bone, muscle, fat and skin layers"},
        {"lattice", "seed 003", "cell corners with hierarchical volume"},
        {"particles", "seed 004", "oriented particles on four offset surfaces"},
        {"volumetric-dqs", "seed 002, chapter 4", "dual quaternions of voxel nodes"},
        {"volumetric-arap", "seed 002, chapter 4", "as rigid as possible voxel nodes"},
        {"handles", "seed 002, chapter 6", "surface pulled by point handles"},
        {"neck", "seed 002, chapter 3", "rigid vertebrae, muscles and skin of a neck"},
    };
    return list;
}

Status set_field(Flesh& flesh, const std::string& key, const std::string& value) {
    if (key == "mode") return set_mode(flesh, value);
    if (key == "gravity") return set_gravity(flesh, value);
    if (key == "primary") {
        Status status = check_primary(value);
        if (status) flesh.primary = value;
        return status;
    }
    if (key == "rest_method") return set_rest_method(flesh, value);
    if (key == "preset") return usage_error("a preset is not a setting; choose it with --preset " + value);
    if (key == "mask") {
        flesh.mask = value;
        return check_mask(flesh, nullptr);
    }
    for (const FleshField& field : flesh_fields()) {
        if (key != field.name) continue;
        const Result<double> number = number_in(key, field.range, field.whole != nullptr, value);
        if (!number) return number.error();
        if (field.whole)
            flesh.*field.whole = static_cast<int>(*number);
        else
            flesh.*field.real = *number;
        return ok_status();
    }
    const std::optional<KeyParts> parts = split_key(key);
    if (!parts) return unknown_key(flesh, key, "JOINT");
    if (parts->group == "layers") return set_layer_field(flesh, key, *parts, value);
    if (parts->group == "parts") return set_joint_field(flesh, flesh.parts, part_fields(), key, *parts, value);
    if (parts->group == "joints") return set_joint_field(flesh, flesh.joints, zone_fields(), key, *parts, value);
    return unknown_key(flesh, key, parts->name);
}

Status check(const Flesh& flesh, const Character* character) {
    Status status = check_globals(flesh);
    if (status) status = check_layers(flesh);
    if (status) status = check_entries("parts", flesh.parts, part_fields(), flesh.mode);
    if (status) status = check_entries("joints", flesh.joints, zone_fields(), flesh.mode);
    if (status && character) status = check_joints(flesh.parts, *character);
    if (status && character) status = check_joints(flesh.joints, *character);
    if (status) status = check_mask(flesh, character);
    return status;
}

JointFlesh flesh_at(const Flesh& flesh, const std::string& joint) {
    JointFlesh out{flesh.bone_width, flesh.muscle, 1, flesh.delta};
    for (const PartSettings& part : flesh.parts) {
        if (!glob_match(part.joint, joint)) continue;
        out.bone_width = part.bone_width.value_or(out.bone_width);
        out.muscle = part.muscle.value_or(out.muscle);
        out.amount = part.amount.value_or(out.amount);
        out.delta = part.delta.value_or(out.delta);
    }
    return out;
}

Result<Settings> settings_for(const std::string& method, const Flesh& flesh) {
    if (method == "lbs") return Settings{LbsSettings{}};
    if (method == "dqs") return Settings{DqsSettings{}};
    if (method == "bones-blending") {
        BonesBlendingSettings settings;
        settings.joints = flesh.joints;
        settings.rest_method = flesh.rest_method;
        return Settings{settings};
    }
    if (method == "layers") {
        LayersSettings settings;
        settings.flesh = flesh;
        return Settings{settings};
    }
    if (method == "lattice") {
        LatticeSettings settings;
        settings.flesh = flesh;
        return Settings{settings};
    }
    std::vector<std::string> names;
    for (const MethodInfo& info : methods()) {
        if (method == info.name) return usage_error("the method '" + method + "' is not yet available; try 'dqs'");
        names.push_back(info.name);
    }
    return usage_error("there is no method '" + method + "'; did you mean '" + nearest_name(method, names) + "'?");
}

}  // namespace fascia
