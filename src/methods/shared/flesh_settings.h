// What the methods with flesh share of their settings: the fields of FleshSettings, their checks, and what holds around
// one joint.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/glob.h"
#include "fascia/settings.h"
#include "settings/field_table.h"

namespace fascia {

/// The unit of bone_width and the usual step change with the mode: they start from that mode's usual values.
void set_mode(FleshSettings& settings, Mode mode);

/// The fields of the whole body that are alike in all of them.
template <class Own>
void add_flesh_fields(FieldsOf<Own>& fields) {
    fields
        .choice("mode", &Own::mode, {"physical", "paper", "literal"}, Use::built_in,
                "physical: hertz and damping ratios; paper: the publication's numbers in a stable form; literal: its loop "
                "as printed, for study",
                [](Own& own, Mode mode) { set_mode(own, mode); })
        .number("resolution", &Own::resolution, {4, 512}, Use::built_in, "voxels",
                "Voxels along the longest side; raised: finer, slower (about cubed)")
        // Wide enough for both meanings; check_flesh narrows it to the mode's own.
        .number("bone_width", &Own::bone_width, {0, 32}, Use::built_in, "of the size",
                "Share of the size around the skeleton that counts as bone (voxels in the modes paper and literal); "
                "raised: less flesh moves")
        .vector("gravity", &Own::gravity, {-1e6, 1e6}, Use::live, "scene units / s^2",
                "Weight of the flesh: one number pulls down, three give the direction")
        .number("step", &Own::step, {0.0005, 0.05}, Use::live, "s",
                "Seconds of one fixed simulation step; raised: cheaper, less exact")
        .text("mask", &Own::mask, Use::built_in,
              "Where flesh jiggles: a vertex colour channel such as COLOR_1.r, or a grey image in UV space; black does not");
}

/// Of a layer, for every method that reads layers.
FieldsOf<LayerSettings> swing_fields();
/// Of a part, for every method with flesh.
FieldsOf<PartSettings> flesh_part_fields();

/// What ranges cannot say: bone widths by mode, names of layers, the mask. character may be null.
Status check_flesh(const FleshSettings& settings, const Character* character);

/// Settings that were made by hand and name no layers mean the usual ones.
void complete_flesh(FleshSettings& settings);

/// What the last part that matches a joint says, or `otherwise`.
inline double at_joint(const std::vector<PartSettings>& parts, const std::string& joint,
                       std::optional<double> PartSettings::*field, double otherwise) {
    double out = otherwise;
    for (const PartSettings& part : parts)
        if (part.*field && glob_match(part.joint, joint)) out = *(part.*field);
    return out;
}

/// Factor on the amount of each joint.
std::vector<double> joint_amounts(const std::vector<std::string>& joints, const FleshSettings& settings);

/// The mask of every vertex, 0..1: what the inputs bring, or the vertex colours that the settings name; empty where
/// there is no mask.
struct BindInputs;
Result<std::vector<float>> mask_of_vertices(const Character& character, const std::string& mask,
                                            const BindInputs& inputs);

}  // namespace fascia
