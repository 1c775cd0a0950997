// What the settings of methods with flesh have in common: the fields of FleshSettings, their checks, and the values
// that apply at one joint.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/glob.h"
#include "fascia/settings.h"
#include "settings/field_table.h"

namespace fascia {

/// The unit of bone_width and the default step depend on the mode: setting the mode resets both to its defaults.
void set_mode(FleshSettings& settings, Mode mode);

/// quality: 0 is the usual step of the mode, 1 twice that, which halves the work.
std::size_t step_quality(const FleshSettings& settings);
void set_step_quality(FleshSettings& settings, std::size_t quality);

/// The fields of the whole body that all of them share.
template <class Own>
void add_flesh_fields(FieldsOf<Own>& fields) {
    fields
        .choice(
            "mode", &Own::mode, {"physical", "paper", "literal"}, Use::built_in,
            "physical: hertz and damping ratios; paper: the publication's numbers in a stable form; literal: its loop "
            "as printed, for study",
            [](Own& own, Mode mode) { set_mode(own, mode); })
        .number_or_auto("resolution", &Own::resolution, {4, 512}, Use::built_in, "voxels",
                        "Voxels along the longest side; raised: finer, slower (about cubed); auto: 24 to 96, as gaps, "
                        "soft flesh and thin limbs ask for and point_budget allows")
        .number("point_budget", &Own::point_budget, {1000, 500000}, Use::built_in, "points",
                "Points at most where resolution is auto, unless 24 voxels take more")
        // Wide enough for both units; check_flesh narrows it to that of the mode.
        .number("bone_width", &Own::bone_width, {0, 32}, Use::built_in, "of the size",
                "Thickness of bone around the skeleton, as a share of the size (in voxels in the modes paper and "
                "literal); raised: less flesh moves")
        .vector("gravity", &Own::gravity, {-1e6, 1e6}, Use::live, "scene units / s^2",
                "Weight of the flesh: one number pulls down, three give the direction")
        .named_values("quality", {"full", "fast"}, Use::live,
                      "full: the usual step; fast: twice that step, at half the price, without swings above 15 Hz",
                      step_quality, [](FleshSettings& own, std::size_t quality) { set_step_quality(own, quality); })
        .number("step", &Own::step, {0.0005, 0.05}, Use::live, "s",
                "Seconds of one fixed simulation step; raised: cheaper, less exact")
        .number("tone", &Own::tone, {0.1, 10}, Use::live, "factor",
                "Factor on automatic frequencies; below 1 softer, above 1 firmer")
        .choice("anatomy", &Own::anatomy, {"shape", "names"}, Use::built_in,
                "How stiff pieces are told from flesh. shape: eyes, teeth, plates and props are stiff by their shells, "
                "heads, hands and feet by the skeleton; names: by names alone")
        .text("mask", &Own::mask, Use::built_in,
              "Factor on the amount: any channel of COLOR_0 or COLOR_1, such as COLOR_1.r, or a grey PNG or JPEG in UV "
              "space, "
              "with a path relative to the flesh file; black does not jiggle");
}

/// Fields of a layer, for every method that reads layers.
FieldsOf<LayerSettings> swing_fields();
/// The same for layers that share the thickness of the flesh.
FieldsOf<LayerSettings> layered_swing_fields();
/// Fields of a part, for every method with flesh.
FieldsOf<PartSettings> flesh_part_fields();
/// The same for methods with layers.
FieldsOf<PartSettings> layered_part_fields();

/// Checks what ranges cannot express: bone widths by mode, names of layers, the mask. character may be null.
Status check_flesh(const FleshSettings& settings, const Character* character);

/// Settings written in code that name no layers get the usual ones.
void complete_flesh(FleshSettings& settings);

/// The value in the last part that matches a joint, or `otherwise`.
inline double at_joint(const std::vector<PartSettings>& parts, const std::string& joint,
                       std::optional<double> PartSettings::*field, double otherwise) {
    double out = otherwise;
    for (const PartSettings& part : parts)
        if (part.*field && glob_match(part.joint, joint)) out = *(part.*field);
    return out;
}

/// Factor on the amount of each joint: from the parts, otherwise from its place in the skeleton.
std::vector<double> joint_amounts(const std::vector<Joint>& joints, const FleshSettings& settings);
/// Share of the size around each joint's bones that counts as bone (voxels in the modes that follow the publication).
std::vector<double> joint_bone_widths(const std::vector<Joint>& joints, const FleshSettings& settings);

/// Seconds in which the slowest swing that the settings ask for falls to 1 / e; 0 if the mode does not determine it.
/// Frequencies must be numbers by now (resolve_frequencies).
double swing_decay(const FleshSettings& settings);

/// The mask of every vertex, 0..1: the one in the inputs, or the vertex colours that the settings name; empty if there
/// is no mask.
struct BindInputs;
Result<std::vector<float>> mask_of_vertices(const Character& character, const std::string& mask,
                                            const BindInputs& inputs);

}  // namespace fascia
