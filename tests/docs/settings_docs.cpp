// Prints what the documents say about settings, from the methods' own tables:
//     settings_docs table      the table in docs/cli.md
//     settings_docs schema     docs/schemas/flesh.schema.json
#include <cstdio>
#include <cstring>

#include <nlohmann/json.hpp>

#include "fascia/fascia.h"

namespace {

using fascia::FieldInfo;
using fascia::FieldKind;
using fascia::FieldScope;
using nlohmann::ordered_json;

/// One field and the methods that have it, in the order of the methods.
struct Row {
    FieldInfo field;
    std::string methods;
};

std::vector<Row> rows() {
    std::vector<Row> out;
    for (const fascia::MethodInfo& method : fascia::methods())
        for (const FieldInfo& field : method.fields) {
            const auto same = [&](const Row& row) {
                return row.field.key == field.key && row.field.scope == field.scope;
            };
            const auto found = std::find_if(out.begin(), out.end(), same);
            if (found == out.end())
                out.push_back({field, "`" + method.name + "`"});
            else
                found->methods += ", `" + method.name + "`";
        }
    // The whole body first, then layers, parts and joints.
    std::stable_sort(out.begin(), out.end(), [](const Row& a, const Row& b) { return a.field.scope < b.field.scope; });
    return out;
}

std::string values_of(const FieldInfo& field) {
    switch (field.kind) {
        case FieldKind::boolean: return "true or false";
        case FieldKind::choice: {
            std::string out;
            for (const std::string& choice : field.choices) out += (out.empty() ? "" : ", ") + choice;
            return out;
        }
        case FieldKind::text: return "text";
        case FieldKind::vector: return "`9.81` (down) or `x,y,z`, " + field.unit;
        default: break;
    }
    const std::string range = fascia::to_text(field.min) + " to " + fascia::to_text(field.max);
    return (field.automatic ? "auto, " : "") + (field.unit.empty() ? range : range + " " + field.unit);
}

std::string usual_of(const FieldInfo& field) {
    return field.usual ? fascia::to_text(*field.usual) : std::string();
}

void print_table() {
    std::puts("| key | values | default | live | of | meaning |\n|---|---|---|---|---|---|");
    for (const Row& row : rows()) {
        const char* entry = row.field.scope == FieldScope::layer ? "NAME" : "JOINT";
        std::printf("| `%s` | %s | %s | %s | %s | %s |\n", full_key(row.field, entry).c_str(),
                    values_of(row.field).c_str(), usual_of(row.field).c_str(), row.field.live ? "yes" : "",
                    row.methods.c_str(), row.field.meaning.c_str());
    }
}

ordered_json value_schema(const FieldInfo& field) {
    ordered_json out;
    switch (field.kind) {
        case FieldKind::boolean: out["type"] = {"boolean", "integer"}; break;
        case FieldKind::choice: out["enum"] = field.choices; break;
        case FieldKind::text: out["type"] = "string"; break;
        case FieldKind::vector:
            out["type"] = {"number", "array"};
            out["items"] = {{"type", "number"}};
            break;
        default:
            out["type"] = field.kind == FieldKind::whole ? "integer" : "number";
            out["minimum"] = field.min;
            out["maximum"] = field.max;
            if (field.automatic) out = {{"anyOf", {out, {{"enum", {"auto"}}}}}};
    }
    out["description"] = field.unit.empty() ? field.meaning : field.meaning + " (" + field.unit + ")";
    return out;
}

ordered_json object_schema(FieldScope scope, const char* name_key) {
    ordered_json properties;
    if (name_key) properties[name_key] = {{"type", "string"}};
    for (const Row& row : rows())
        if (row.field.scope == scope) properties[row.field.key] = value_schema(row.field);
    ordered_json out{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (name_key) out["required"] = {name_key};
    if (scope != FieldScope::part) return out;
    // A part is one of joints, of a mesh or of a material.
    ordered_json one_of = ordered_json::array();
    for (const char* key : {"joint", "mesh", "material"}) {
        out["properties"][key] = {{"type", "string"}};
        one_of.push_back({{"required", {key}}});
    }
    out.erase("required");
    out["oneOf"] = one_of;
    return out;
}

void print_schema() {
    ordered_json out{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "A flesh file of Fascia"}};
    out.update(object_schema(FieldScope::whole, nullptr));
    ordered_json& properties = out["properties"];
    properties["preset"] = {{"enum", fascia::preset_names()},
                            {"description", "What everything else is said on top of"}};
    const std::tuple<FieldScope, const char*, const char*> lists[] = {
        {FieldScope::layer, "name", "from the bone outwards"},
        {FieldScope::part, "joint",
         "by pattern of names of joints, meshes or materials; the last that matches wins, field by field"},
        {FieldScope::joint, "joint", "by pattern of joint names"}};
    for (const auto& [scope, name_key, text] : lists)
        properties[fascia::group_name(scope)] = {
            {"type", "array"}, {"description", text}, {"items", object_schema(scope, name_key)}};
    std::puts(out.dump(2).c_str());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "table") == 0) return print_table(), 0;
    if (argc == 2 && std::strcmp(argv[1], "schema") == 0) return print_schema(), 0;
    std::fputs("settings_docs table|schema\n", stderr);
    return 2;
}
