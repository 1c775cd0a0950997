#include "settings/flesh_fields.h"

namespace fascia {

namespace {

// Wide enough for both meanings of bone_width; check() narrows it to the mode's own.
constexpr Range any_bone_width{0, 32};

}  // namespace

const std::vector<FleshField>& flesh_fields() {
    static const std::vector<FleshField> fields{
        {"resolution", {4, 512}, &Flesh::resolution, nullptr},
        {"region_width", {2, 15}, &Flesh::region_width, nullptr},
        {"region_radius", {1, 7}, &Flesh::region_radius, nullptr},
        {"delta", {0, 1}, nullptr, &Flesh::delta},
        {"preserve_volume", {0, 1}, &Flesh::preserve_volume, nullptr},
        {"pivoted", {0, 1}, &Flesh::pivoted, nullptr},
        {"unbiased", {0, 1}, &Flesh::unbiased, nullptr},
        {"region_damping", {0, 1}, nullptr, &Flesh::region_damping},
        {"bone_width", any_bone_width, nullptr, &Flesh::bone_width},
        {"muscle", {0, 1}, nullptr, &Flesh::muscle},
        {"step", {0.0005, 0.05}, nullptr, &Flesh::step},
    };
    return fields;
}

const std::vector<LayerField>& layer_fields() {
    static const std::vector<LayerField> fields{
        {"frequency", {0.1, 60}, &LayerSettings::frequency},
        {"damping", {0, 1}, &LayerSettings::damping},
        {"amount", {0, 2}, &LayerSettings::amount},
        {"share", {0, 100}, &LayerSettings::share},
        {"k_s", {0, 10}, &LayerSettings::k_s},
        {"k_d", {0, 1}, &LayerSettings::k_d},
    };
    return fields;
}

const std::vector<PartField>& part_fields() {
    static const std::vector<PartField> fields{
        {"bone_width", any_bone_width, &PartSettings::bone_width},
        {"muscle", {0, 1}, &PartSettings::muscle},
        {"amount", {0, 2}, &PartSettings::amount},
        {"delta", {0, 1}, &PartSettings::delta},
    };
    return fields;
}

const std::vector<ZoneField>& zone_fields() {
    static const std::vector<ZoneField> fields{
        {"t_min", {-1e6, 1e6}, &Flesh::JointZone::t_min},
        {"t_max", {-1e6, 1e6}, &Flesh::JointZone::t_max},
        {"blend", {0, 1}, &Flesh::JointZone::blend},
    };
    return fields;
}

Range bone_width_range(Mode mode) {
    return mode == Mode::physical ? Range{0, 0.5} : any_bone_width;
}

std::vector<std::string> flesh_keys(const Flesh& flesh, const std::string& joint) {
    std::vector<std::string> keys{"mode", "gravity", "mask", "primary", "rest_method"};
    for (const FleshField& field : flesh_fields()) keys.push_back(field.name);
    for (const LayerSettings& layer : flesh.layers)
        for (const LayerField& field : layer_fields()) keys.push_back("layers." + layer.name + "." + field.name);
    for (const PartField& field : part_fields()) keys.push_back("parts." + joint + "." + field.name);
    for (const ZoneField& field : zone_fields()) keys.push_back("joints." + joint + "." + field.name);
    return keys;
}

}  // namespace fascia
