// The methods to choose from, with all their settings, for programs.
#include <nlohmann/json.hpp>

#include "fascia/io.h"

namespace fascia {

namespace {

using nlohmann::ordered_json;

ordered_json value_json(const std::optional<FieldValue>& value) {
    if (!value) return nullptr;
    if (const bool* truth = std::get_if<bool>(&*value)) return *truth;
    if (const double* number = std::get_if<double>(&*value)) return *number;
    if (const Vec3d* v = std::get_if<Vec3d>(&*value)) return {v->x, v->y, v->z};
    return std::get<std::string>(*value);
}

ordered_json field_json(const FieldInfo& field) {
    ordered_json out{
        {"key", full_key(field)},  {"kind", kind_name(field.kind)},      {"scope", scope_name(field.scope)},
        {"live", field.live},      {"default", value_json(field.usual)}, {"unit", field.unit},
        {"meaning", field.meaning}};
    if (field.kind == FieldKind::whole || field.kind == FieldKind::number || field.kind == FieldKind::vector)
        out["range"] = {field.min, field.max};
    if (field.automatic) out["auto"] = true;
    if (field.kind == FieldKind::choice) out["choices"] = field.choices;
    return out;
}

ordered_json abilities_json(const Abilities& a) {
    return {{"simulates", a.simulates},     {"layers", a.has_layers},     {"cells", a.has_cells},
            {"parts", a.has_parts},         {"clothes", a.takes_clothes}, {"mask", a.takes_mask},
            {"hand", a.takes_hand},         {"gravity", a.feels_gravity}, {"rectified", a.can_be_rectified},
            {"own_weights", a.own_weights}, {"embeddings", a.embeddings}};
}

}  // namespace

std::string methods_to_json() {
    ordered_json list = ordered_json::array();
    for (const MethodInfo& method : methods()) {
        ordered_json fields = ordered_json::array();
        for (const FieldInfo& field : method.fields) fields.push_back(field_json(field));
        list.push_back({{"name", method.name},
                        {"from", method.from},
                        {"summary", method.summary},
                        {"abilities", abilities_json(method.abilities)},
                        {"stages", method.stages},
                        {"presets", preset_names(method.name)},
                        {"settings", fields}});
    }
    return list.dump();
}

}  // namespace fascia
