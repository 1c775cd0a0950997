#include "io/gltf_carried.h"

#include <cfloat>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/json_fields.h"

namespace fascia::io {

namespace {

using nlohmann::json;

/// Repairs a value if it can; false if the value has to go.
using Rule = std::function<bool(json&)>;
using Members = std::map<std::string, Rule>;

bool is_within(const json& value, double low, double high) {
    return value.is_number() && value.get<double>() >= low && value.get<double>() <= high;
}

Rule number(double low = -FLT_MAX, double high = FLT_MAX) {
    return [=](json& value) { return is_within(value, low, high); };
}

Rule numbers(std::size_t count, double low = -FLT_MAX, double high = FLT_MAX) {
    return [=](json& value) {
        return value.is_array() && value.size() == count &&
               std::all_of(value.begin(), value.end(), [=](const json& item) { return is_within(item, low, high); });
    };
}

Rule integer(int low, int high) {
    return [=](json& value) { return value.is_number_integer() && is_within(value, low, high); };
}

bool is_text(json& value) {
    return value.is_string();
}

bool is_boolean(json& value) {
    return value.is_boolean();
}

Rule one_of(std::vector<json> choices) {
    return [choices = std::move(choices)](json& value) {
        return std::find(choices.begin(), choices.end(), value) != choices.end();
    };
}

/// An index into a list of that length.
Rule index(std::size_t length) {
    return [length](json& value) {
        const int at = index_of(value);
        return at >= 0 && static_cast<std::size_t>(at) < length;
    };
}

bool keep_known_extensions(json& extensions);

/// Every object may have a name, extras and extensions besides its own members.
Rule object(Members members, std::vector<std::string> required = {}) {
    members.try_emplace("name", is_text);
    members.try_emplace("extras", [](json&) { return true; });
    members.try_emplace("extensions", keep_known_extensions);
    return [members = std::move(members), required = std::move(required)](json& value) {
        if (!value.is_object()) return false;
        for (auto it = value.begin(); it != value.end();) {
            const auto rule = members.find(it.key());
            const bool stays = rule != members.end() && rule->second(*it);
            it = stays ? std::next(it) : value.erase(it);
        }
        return std::all_of(required.begin(), required.end(),
                           [&](const std::string& key) { return value.contains(key); });
    };
}

constexpr double least = FLT_MIN;  ///< for what must be above zero

constexpr int last_set = 7;  ///< of texture coordinates

/// Whether the texture exists is found out when textures are renumbered.
Rule texture_info(Members more = {}) {
    more["index"] = integer(0, INT32_MAX);
    more["texCoord"] = integer(0, last_set);
    return object(std::move(more), {"index"});
}

/// The extensions that materials have; others are passed on as they are.
std::map<std::string, Rule> known_extensions() {
    const Rule share = number(0, 1), any_positive = number(0), color = numbers(3, 0, 1), texture = texture_info();
    return {{"KHR_texture_transform", object({{"offset", numbers(2)},
                                              {"rotation", number()},
                                              {"scale", numbers(2)},
                                              {"texCoord", integer(0, last_set)}})},
            {"KHR_materials_clearcoat", object({{"clearcoatFactor", share},
                                                {"clearcoatTexture", texture},
                                                {"clearcoatRoughnessFactor", share},
                                                {"clearcoatRoughnessTexture", texture},
                                                {"clearcoatNormalTexture", texture_info({{"scale", number()}})}})},
            {"KHR_materials_emissive_strength", object({{"emissiveStrength", any_positive}})},
            {"KHR_materials_ior", object({{"ior", number(1)}})},
            {"KHR_materials_iridescence", object({{"iridescenceFactor", share},
                                                  {"iridescenceTexture", texture},
                                                  {"iridescenceIor", number(1)},
                                                  {"iridescenceThicknessMinimum", any_positive},
                                                  {"iridescenceThicknessMaximum", any_positive},
                                                  {"iridescenceThicknessTexture", texture}})},
            {"KHR_materials_pbrSpecularGlossiness", object({{"diffuseFactor", numbers(4, 0, 1)},
                                                            {"diffuseTexture", texture},
                                                            {"specularFactor", color},
                                                            {"glossinessFactor", share},
                                                            {"specularGlossinessTexture", texture}})},
            {"KHR_materials_sheen", object({{"sheenColorFactor", color},
                                            {"sheenColorTexture", texture},
                                            {"sheenRoughnessFactor", share},
                                            {"sheenRoughnessTexture", texture}})},
            {"KHR_materials_specular", object({{"specularFactor", share},
                                               {"specularTexture", texture},
                                               {"specularColorFactor", numbers(3, 0)},
                                               {"specularColorTexture", texture}})},
            {"KHR_materials_transmission", object({{"transmissionFactor", share}, {"transmissionTexture", texture}})},
            {"KHR_materials_unlit", object({})},
            {"KHR_materials_volume", object({{"thicknessFactor", any_positive},
                                             {"thicknessTexture", texture},
                                             {"attenuationDistance", number(least)},
                                             {"attenuationColor", color}})}};
}

bool keep_known_extensions(json& extensions) {
    if (!extensions.is_object()) return false;
    static const std::map<std::string, Rule> known = known_extensions();
    for (auto it = extensions.begin(); it != extensions.end();) {
        const auto rule = known.find(it.key());
        const bool stays = it->is_object() && (rule == known.end() || rule->second(*it));
        it = stays ? std::next(it) : extensions.erase(it);
    }
    return !extensions.empty();
}

Rule material() {
    const Rule texture = texture_info();
    return object({{"pbrMetallicRoughness", object({{"baseColorFactor", numbers(4, 0, 1)},
                                                    {"baseColorTexture", texture},
                                                    {"metallicFactor", number(0, 1)},
                                                    {"roughnessFactor", number(0, 1)},
                                                    {"metallicRoughnessTexture", texture}})},
                   {"normalTexture", texture_info({{"scale", number()}})},
                   {"occlusionTexture", texture_info({{"strength", number(0, 1)}})},
                   {"emissiveTexture", texture},
                   {"emissiveFactor", numbers(3, 0, 1)},
                   {"alphaMode", one_of({"OPAQUE", "MASK", "BLEND"})},
                   {"alphaCutoff", number(0)},
                   {"doubleSided", is_boolean}});
}

Rule sampler() {
    const Rule wrap = one_of({33071, 33648, 10497});
    return object({{"magFilter", one_of({9728, 9729})},
                   {"minFilter", one_of({9728, 9729, 9984, 9985, 9986, 9987})},
                   {"wrapS", wrap},
                   {"wrapT", wrap}});
}

bool far_is_behind_near(const json& lens) {
    return !lens.contains("zfar") || lens["zfar"].get<double>() > lens["znear"].get<double>();
}

/// A camera that cannot be repaired is replaced, because nodes may name it.
bool repair_camera(json& value) {
    static const Rule perspective = object(
        {{"aspectRatio", number(least)}, {"yfov", number(least)}, {"zfar", number(least)}, {"znear", number(least)}},
        {"yfov", "znear"});
    static const Rule orthographic =
        object({{"xmag", number(least)}, {"ymag", number(least)}, {"zfar", number(least)}, {"znear", number(0)}},
               {"xmag", "ymag", "zfar", "znear"});
    static const Rule camera = object({{"type", one_of({"perspective", "orthographic"})},
                                       {"perspective", perspective},
                                       {"orthographic", orthographic}},
                                      {"type"});
    if (camera(value)) {
        const std::string type = value["type"];
        value.erase(type == "perspective" ? "orthographic" : "perspective");
        if (value.contains(type) && far_is_behind_near(value[type])) return true;
    }
    value = {{"type", "perspective"}, {"perspective", {{"yfov", 0.8}, {"znear", 0.01}}}};
    return true;
}

constexpr const char* lights = "KHR_lights_punctual";

/// A light that cannot be repaired is replaced, too.
bool repair_light(json& value) {
    constexpr double right_angle = 1.5707963267948966;
    static const Rule spot =
        object({{"innerConeAngle", number(0, right_angle)}, {"outerConeAngle", number(least, right_angle)}});
    static const Rule light = object({{"type", one_of({"directional", "point", "spot"})},
                                      {"color", numbers(3, 0, 1)},
                                      {"intensity", number(0)},
                                      {"range", number(least)},
                                      {"spot", spot}},
                                     {"type"});
    const auto is_whole = [](const json& one) {
        if (one["type"] != "spot") return true;
        const json& cone = member(one, "spot");
        return cone.is_object() && cone.value("innerConeAngle", 0.0) < cone.value("outerConeAngle", right_angle / 2);
    };
    if (!light(value) || !is_whole(value)) value = {{"type", "point"}};
    return true;
}

/// The file's lights, and the nodes that carry them.
void clean_lights(json& root) {
    json none;
    json& list = root.contains("extensions") && root["extensions"].contains(lights)
                     ? root["extensions"][lights]["lights"]
                     : none;
    if (list.is_array())
        for (json& light : list) repair_light(light);
    const std::size_t count = list.is_array() ? list.size() : 0;
    if (count == 0 && root.contains("extensions")) root["extensions"].erase(lights);
    for (json& node : root["nodes"]) {
        const int light = index_field(member(member(node, "extensions"), lights), "light");
        if (!member(node, "extensions").contains(lights)) continue;
        if (light < 0 || static_cast<std::size_t>(light) >= count) node["extensions"].erase(lights);
        if (node["extensions"].empty()) node.erase("extensions");
    }
    if (root.contains("extensions") && root["extensions"].empty()) root.erase("extensions");
}

void clean_list(json& root, const char* key, const Rule& rule) {
    const auto list = root.find(key);
    if (list == root.end()) return;
    if (!list->is_array()) {
        root.erase(list);
        return;
    }
    for (json& item : *list)
        if (!rule(item)) item = json::object();
}

}  // namespace

void keep_valid_members(json& root) {
    const auto count = [&](const char* key) { return array_field(root, key).size(); };
    const Rule any = [](json&) { return true; };
    static const Rule document =
        object({{"asset", object({{"version", is_text}, {"copyright", is_text}, {"generator", is_text}})},
                {"cameras", any},
                {"extensionsRequired", [](json& value) { return value.is_array(); }},
                {"materials", any},
                {"nodes", any},
                {"samplers", any},
                {"scenes", any},
                {"textures", any}});
    document(root);
    clean_list(root, "cameras", repair_camera);
    clean_list(root, "samplers", sampler());
    clean_list(root, "textures", object({{"sampler", index(count("samplers"))}, {"source", number(0)}}));
    clean_list(root, "materials", material());
    clean_list(root, "nodes", object({{"camera", index(count("cameras"))}, {"children", any}, {"weights", any}}));
    clean_list(root, "scenes", object({{"nodes", any}}));
    clean_lights(root);
}

}  // namespace fascia::io
