// Settings: one struct per method, and the flesh file that fills them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fascia/character.h"
#include "fascia/result.h"

namespace fascia {

/// Linear blend skinning with the file's weights: "plain skinning".
struct LbsSettings {};

/// Dual quaternion skinning with the file's weights.
struct DqsSettings {};

/// One soft layer, listed from the bone outwards.
struct LayerSettings {
    std::string name;       ///< "muscle", "fat", "skin", or any other
    double frequency = 4;   ///< Hz at which the deep flesh of the layer swings, usually 2..12; raised: tighter, quicker
    double damping = 0.15;  ///< ratio, 1 = no overshoot; raised: settles sooner
    double amount = 1;  ///< 0..2, share of the skeleton's acceleration that the flesh feels; 0 = no secondary motion
    double share = 0;   ///< relative thickness between bone and skin; 0 = as the part's `muscle` says (muscle and fat)
    double k_s = 0;     ///< `paper` and `literal` modes only: the publication's stiffness
    double k_d = 0;     ///< `paper` and `literal` modes only: the publication's damping factor per step
};

/// What differs on one body part. Unset fields keep the default.
struct PartSettings {
    std::string joint;                 ///< glob over joint names; the last match wins
    std::optional<double> bone_width;  ///< share of the size around the skeleton that counts as bone, default 0.03
    std::optional<double> muscle;      ///< 0..1, share of muscle between bone and skin, default 0.5
    std::optional<double> amount;      ///< 0..2, factor on the layers' amount, default 1
    std::optional<double> delta;       ///< 0..1, lattice: mix of primary and secondary there
};

enum class Mode { physical, paper, literal };

/// Everything a flesh file, a preset and `--set` can say.
struct Flesh {
    std::string preset = "default";
    Mode mode = Mode::physical;
    int resolution = 32;        ///< voxels along the longest side, 4..512; raised: finer, slower (about cubed)
    int region_width = 3;       ///< layers: reach of coherence per step in voxels, 2..15
    int region_radius = 2;      ///< lattice: the same in cells
    double delta = 0.8;         ///< lattice: 0..1, mix of primary and secondary; raised: larger, softer swing
    int preserve_volume = 1;    ///< lattice: 1 gives each part around a joint its rest volume back, 0 does not
    int unbiased = 0;           ///< lattice: 1 makes the skinned pose the exact place of rest, at twice the cost
    double region_damping = 0;  ///< lattice: 0..1, share of the motion within regions that is lost in 16 ms
    int pivoted = 0;            ///< lattice: 1 turns particles about the joint instead of blending them linearly
    double bone_width = 0.03;   ///< default of all parts
    double muscle = 0.5;        ///< default of all parts
    Vec3d gravity;              ///< scene units / s^2, none unless set
    double step = 1.0 / 240;    ///< seconds of one fixed simulation step
    std::vector<LayerSettings> layers;
    std::vector<PartSettings> parts;
    std::string mask;  ///< "COLOR_1.r" or an image file in UV space; black does not jiggle
    struct JointZone {
        std::string joint;
        std::optional<double> t_min, t_max;  ///< scene units along the bone; unset: the limb's radius
        std::optional<double> blend;         ///< 0..1, 1 = bones blending; unset: where a clip turns it widely
    };
    std::vector<JointZone> joints;  ///< bones blending zones
    /// layers: what drives the points, "dqs" or "lbs"; "auto" is dqs, and lbs as published in the modes paper and
    /// literal
    std::string primary = "auto";
    std::string rest_method = "lbs";  ///< bones blending: what skins everything else, "lbs" or "dqs"
};

/// Multi-layer lattice (seed 000).
struct LayersSettings {
    Flesh flesh;
    std::string weights = "auto";  ///< "file", "geodesic", or "auto": the file's where it has them
    /// [vertices] 0..1: what flesh.mask says where it is an image (load_mask of fascia/io.h); empty for vertex colours.
    std::vector<float> mask_values;
    int max_influences = 4;
};

/// Particles at the corners of cells (Chen, Tsai, Lin, Lu 2012).
struct LatticeSettings {
    Flesh flesh;
};

/// Rotations blended along the bone (Kavan and Zara 2003).
struct BonesBlendingSettings {
    std::vector<Flesh::JointZone> joints;  ///< per joint, by glob; the last match wins, field by field
    double wide_angle = 60;                ///< degrees of swing or twist from which on a joint is worth it, 0..180
    std::vector<Clip> clips;               ///< motions to come, beside those of the character; none at all: every joint
    std::string rest_method = "lbs";       ///< what skins everything else: "lbs" or "dqs"
};

using Settings = std::variant<LbsSettings, DqsSettings, LayersSettings, BonesBlendingSettings, LatticeSettings>;

/// Name, publication and state of each method, in the order of the README's table.
struct MethodInfo {
    const char* name;
    const char* from;
    const char* summary;
};
const std::vector<MethodInfo>& methods();

/// Names of the presets.
const std::vector<std::string>& preset_names();
/// The flesh a preset stands for; the error suggests the nearest name.
Result<Flesh> preset(const std::string& name);
/// Sets one field by its `--set` key ("layers.fat.frequency", "4"); the error names the nearest valid key.
Status set_field(Flesh& flesh, const std::string& key, const std::string& value);
/// Every value in range, every name known to `character` (may be null); the error names the field.
Status check(const Flesh& flesh, const Character* character);

/// What holds around one joint: the defaults of all parts, then every part that matches, field by field; the last wins.
struct JointFlesh {
    double bone_width, muscle, amount, delta;
};
JointFlesh flesh_at(const Flesh& flesh, const std::string& joint);

/// Settings of the method `name` filled from `flesh`; the error suggests the nearest method.
Result<Settings> settings_for(const std::string& method, const Flesh& flesh);

/// The name in `known` that is nearest to `wanted` by edit distance, for "did you mean ...".
std::string nearest_name(const std::string& wanted, const std::vector<std::string>& known);

}  // namespace fascia
