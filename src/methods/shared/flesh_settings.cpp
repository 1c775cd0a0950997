#include "methods/shared/flesh_settings.h"

#include <algorithm>

#include "base/number_text.h"
#include "base/portable_math.h"
#include "fascia/method.h"
#include "methods/shared/body_ends.h"

namespace fascia {

namespace {

constexpr double skull_width = 0.2;       ///< of the size: a head is mostly skull
constexpr double widest_bone = 0.5;       ///< of the size, in the physical mode
constexpr int published_resolution = 32;  ///< of the modes paper and literal if none is given

double usual_step(Mode mode) {
    return mode == Mode::physical ? FleshSettings{}.step : 1.0 / 60;
}

Status check_width(const std::string& key, double width, Mode mode) {
    if (mode != Mode::physical || width <= widest_bone) return ok_status();
    return usage_error(key + " must be a number from 0 to 0.5, not '" + number_text(width, 6) + "'");
}

Status check_layers(const std::vector<LayerSettings>& layers) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const LayerSettings& layer = layers[i];
        if (layer.name.empty())
            return usage_error("layer " + std::to_string(i) + " has no name; give it one, such as 'fat'");
        for (std::size_t k = 0; k < i; ++k)
            if (layers[k].name == layer.name) return usage_error("layer '" + layer.name + "' is listed twice");
    }
    return ok_status();
}

/// "COLOR_1.r": which vertex colours; no value for an image file.
std::optional<int> mask_color_set(const std::string& mask) {
    if (mask.size() == 9 && mask.compare(0, 6, "COLOR_") == 0 && mask[7] == '.' &&
        std::string("rgba").find(mask[8]) != std::string::npos && (mask[6] == '0' || mask[6] == '1'))
        return mask[6] - '0';
    return std::nullopt;
}

Status check_mask(const std::string& mask, const Character* character) {
    if (mask.empty()) return ok_status();
    const std::optional<int> set = mask_color_set(mask);
    if (!set && mask.compare(0, 6, "COLOR_") == 0)
        return usage_error("mask '" + mask +
                           "' is not a colour channel; use COLOR_0 or COLOR_1 and .r, .g, .b or .a, " +
                           "such as COLOR_1.r");
    if (!set || !character) return ok_status();
    const bool present = *set == 0 ? !character->mesh.colors.empty() : !character->mesh.mask_colors.empty();
    if (present) return ok_status();
    const bool any = !character->mesh.colors.empty() || !character->mesh.mask_colors.empty();
    const std::string has = !any ? "no vertex colours" : *set == 0 ? "COLOR_1 only" : "COLOR_0 only";
    return usage_error("mask '" + mask + "': " + character->name + " has " + has +
                       "; paint that channel, name another or give an image in UV space");
}

/// Meshes and materials only set how much they swing: where bone begins depends on the skeleton.
Status check_surface_parts(const std::vector<PartSettings>& parts) {
    for (const PartSettings& part : parts)
        if (PartName(part.joint).of != PartName::Of::joint && (part.bone_width || part.muscle || part.delta))
            return usage_error("the part '" + part.joint + "' takes an amount only; say the rest of joints");
    return ok_status();
}

}  // namespace

std::size_t step_quality(const FleshSettings& settings) {
    return settings.step > 1.5 * usual_step(settings.mode) ? 1 : 0;
}

void set_step_quality(FleshSettings& settings, std::size_t quality) {
    if (step_quality(settings) == quality) return;
    settings.step = usual_step(settings.mode) * (quality == 1 ? 2 : 1);
}

void set_mode(FleshSettings& settings, Mode mode) {
    const bool was_physical = settings.mode == Mode::physical, is_physical = mode == Mode::physical;
    if (was_physical != is_physical) {
        settings.bone_width = is_physical ? FleshSettings{}.bone_width : 1;
        settings.step = usual_step(mode);
        // The publication's numbers are in voxels: a resolution that follows the body would change their meaning.
        const int last = was_physical ? automatic : published_resolution;
        if (settings.resolution == last) settings.resolution = is_physical ? automatic : published_resolution;
    }
    settings.mode = mode;
}

FieldsOf<LayerSettings> swing_fields() {
    FieldsOf<LayerSettings> fields(FieldScope::layer);
    fields
        .number_or_auto("frequency", &LayerSettings::frequency, {0.1, 60}, Use::live, "Hz",
                        "What the deep flesh of the layer swings at, usually 2 to 12; raised: tighter, quicker. auto: "
                        "by the depth of the flesh, times tone")
        .number("damping", &LayerSettings::damping, {0, 1}, Use::live, "ratio",
                "1 = no overshoot; raised: settles sooner")
        .number("amount", &LayerSettings::amount, {0, 2}, Use::live, "factor",
                "How much the flesh moves: share of the acceleration that it feels and, below 1, of the corrections "
                "by neighbours and volume; 0 is plain skinning")
        .number("k_s", &LayerSettings::k_s, {0, 10}, Use::live, "",
                "Modes paper and literal only: the publication's stiffness (alpha of a lattice)");
    return fields;
}

FieldsOf<LayerSettings> layered_swing_fields() {
    FieldsOf<LayerSettings> fields = swing_fields();
    fields
        .number("share", &LayerSettings::share, {0, 100}, Use::built_in, "",
                "Relative thickness between bone and skin; 0: from `muscle` (muscle and fat only)")
        .number("k_d", &LayerSettings::k_d, {0, 1}, Use::live, "per step",
                "Modes paper and literal only: the publication's damping factor");
    return fields;
}

FieldsOf<PartSettings> flesh_part_fields() {
    FieldsOf<PartSettings> fields(FieldScope::part);
    fields
        .number("bone_width", &PartSettings::bone_width, {0, 32}, Use::built_in, "of the size",
                "bone_width around these joints")
        .number("amount", &PartSettings::amount, {0, 2}, Use::live, "factor", "Factor on the layers' amount there");
    return fields;
}

FieldsOf<PartSettings> layered_part_fields() {
    FieldsOf<PartSettings> fields = flesh_part_fields();
    fields.number("muscle", &PartSettings::muscle, {0, 1}, Use::built_in, "share", "muscle around these joints");
    return fields;
}

Status check_flesh(const FleshSettings& settings, const Character* character) {
    if (Status status = check_width("bone_width", settings.bone_width, settings.mode); !status) return status;
    for (const PartSettings& part : settings.parts)
        if (part.bone_width)
            if (Status status = check_width("parts." + part.joint + ".bone_width", *part.bone_width, settings.mode);
                !status)
                return status;
    if (Status status = check_surface_parts(settings.parts); !status) return status;
    if (Status status = check_layers(settings.layers); !status) return status;
    return check_mask(settings.mask, character);
}

void complete_flesh(FleshSettings& settings) {
    if (!settings.layers.empty()) return;
    const Result<Flesh> usual = preset("default");
    const Result<LayersSettings> filled = settings_from<LayersSettings>(*usual);
    settings.layers = filled->layers;
    if (settings.parts.empty()) settings.parts = filled->parts;
}

namespace {

std::vector<BodyEnd> ends_for(const std::vector<Joint>& joints, const FleshSettings& settings) {
    const bool by_shape = settings.anatomy == Anatomies::shape && settings.mode == Mode::physical;
    return by_shape ? find_body_ends(joints) : std::vector<BodyEnd>(joints.size(), BodyEnd::none);
}

}  // namespace

std::vector<double> joint_amounts(const std::vector<Joint>& joints, const FleshSettings& settings) {
    const std::vector<BodyEnd> ends = ends_for(joints, settings);
    std::vector<double> out;
    for (std::size_t j = 0; j < joints.size(); ++j)
        out.push_back(at_joint(settings.parts, joints[j].name, &PartSettings::amount, amount_of(ends[j])));
    return out;
}

std::vector<double> joint_bone_widths(const std::vector<Joint>& joints, const FleshSettings& settings) {
    const std::vector<BodyEnd> ends = ends_for(joints, settings);
    std::vector<double> out;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const double usual =
            ends[j] == BodyEnd::head ? std::max(skull_width, settings.bone_width) : settings.bone_width;
        out.push_back(at_joint(settings.parts, joints[j].name, &PartSettings::bone_width, usual));
    }
    return out;
}

Result<std::vector<float>> mask_from_colors(const std::string& mask, const Character& character) {
    if (const Status checked = check_mask(mask, &character); !checked) return checked.error();
    std::vector<float> out;
    for (const Vec4& c : mask[6] == '0' ? character.mesh.colors : character.mesh.mask_colors)
        out.push_back(mask[8] == 'r' ? c.x : mask[8] == 'g' ? c.y : mask[8] == 'b' ? c.z : c.w);
    return out;
}

double swing_decay(const FleshSettings& settings) {
    double slowest = 0;
    for (const LayerSettings& layer : settings.layers)
        if (const double rate = 2 * portable::pi * layer.frequency * layer.damping; rate > 0)
            slowest = std::max(slowest, 1 / rate);
    return settings.mode == Mode::physical ? slowest : 0;
}

Result<std::vector<float>> mask_of_vertices(const Character& character, const std::string& mask,
                                            const BindInputs& inputs) {
    const std::size_t vertices = character.mesh.vertex_count();
    if (mask.empty()) return std::vector<float>{};
    if (Status status = check_mask(mask, &character); !status) return status.error();
    std::vector<float> out = inputs.mask;
    const MaskReader reader = mask_color_set(mask) ? mask_from_colors : inputs.read_mask;
    if (out.empty() && reader) {
        Result<std::vector<float>> read = reader(mask, character);
        if (!read) return read.error();
        out = std::move(*read);
    }
    if (out.size() != vertices)
        return usage_error("mask '" + mask + "' is an image: read it with load_mask and give its numbers as " +
                           "BindInputs::mask, one for each of the " + std::to_string(vertices) + " vertices");
    for (float& v : out) v = v > 0 ? std::min(v, 1.0f) : 0.0f;  // NaN, too
    return out;
}

}  // namespace fascia
