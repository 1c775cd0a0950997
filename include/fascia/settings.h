// Settings: one struct per method, and the flesh (a file, a preset, `--set`) that fills them.
//
//     bind(character, LayersSettings{});                          a method's own struct, by hand
//     bind(character, "layers", *preset("soft"));                 the same from a flesh
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "fascia/api.h"
#include "fascia/character.h"
#include "fascia/fields.h"
#include "fascia/result.h"

FASCIA_API_BEGIN
namespace fascia {

// ---- what methods share --------------------------------------------------------------------------------------------
/// One soft layer, listed from the bone outwards.
struct LayerSettings {
    std::string name;  ///< "muscle", "fat", "skin", or any other
    /// Frequency of the layer's deep flesh in Hz, usually 2..12; raised: tighter, quicker. automatic: bind chooses by
    /// the depth of the flesh.
    double frequency = automatic;
    double damping = 0.15;  ///< ratio, 1 = no overshoot; raised: settles sooner
    double amount = 1;  ///< 0..2, share of the skeleton's acceleration that the flesh feels; 0 = no secondary motion
    double share = 0;   ///< relative thickness between bone and skin; 0: from the part's `muscle` (muscle and fat only)
    double k_s = 0;     ///< `paper` and `literal` modes only: the publication's stiffness
    double k_d = 0;     ///< `paper` and `literal` modes only: the publication's damping factor per step
};

/// What the name of a part matches: "belly*" joints, "mesh:Hat" meshes, "material:Beard" materials of the file.
struct PartName {
    enum class Of { joint, mesh, material };
    Of of = Of::joint;
    std::string pattern;  ///< glob

    explicit PartName(const std::string& name);
};
/// "joint", "mesh" or "material": its key in a flesh file.
const char* key_of(PartName::Of of);

/// What differs in one part of the body. Unset fields keep the default.
struct PartSettings {
    std::string joint;                 ///< see PartName; the last match wins. Meshes and materials take only an amount
    std::optional<double> bone_width;  ///< thickness of bone around the skeleton, as a share of the size, default 0.03
    std::optional<double> muscle;      ///< 0..1, share of muscle between bone and skin, default 0.5
    std::optional<double> amount;      ///< 0..2, factor on the layers' amount, default 1
    std::optional<double> delta;       ///< 0..1, lattice only: mix of primary and secondary motion there
};

enum class Mode { physical, paper, literal };

/// How stiff pieces and handles are told from flesh.
enum class Anatomies {
    shape,  ///< by the body's shape, weights and skeleton, and by names
    names   ///< by names alone
};

/// What every method with points inside the body needs.
struct FleshSettings {
    Mode mode = Mode::physical;
    int resolution = automatic;  ///< voxels along the longest side, 4..512; raised: finer, slower (about cubed)
    int point_budget = 12000;    ///< most points at automatic resolution, unless 24 voxels need more
    double bone_width = 0.03;    ///< default of all parts
    Vec3d gravity;               ///< scene units / s^2; zero unless set
    double step = 1.0 / 240;     ///< seconds of one fixed simulation step
    double tone = 1;             ///< factor on automatic frequencies; below 1 softer, above 1 firmer
    Anatomies anatomy = Anatomies::shape;
    std::string mask;  ///< "COLOR_1.r" or an image file in UV space; black does not jiggle
    std::vector<LayerSettings> layers;
    std::vector<PartSettings> parts;
};

// ---- one struct per method -----------------------------------------------------------------------------------------
/// Linear blend skinning with the file's weights: "plain skinning".
struct LbsSettings {
    static constexpr const char* method = "lbs";
};

/// Dual quaternion skinning with the file's weights.
struct DqsSettings {
    static constexpr const char* method = "dqs";
};

/// Multi-layer lattice (Iwamoto, Shum, Yang, Morishima 2015).
struct LayersSettings : FleshSettings {
    static constexpr const char* method = "layers";
    int region_width = 3;  ///< reach of coherence per step in voxels, 2..15
    double muscle = 0.5;   ///< default of all parts
    /// What drives the points, "dqs" or "lbs"; "auto" means dqs, but lbs, as published, in the modes paper and literal.
    std::string primary = "auto";
    bool contact = false;  ///< parts that meet press one another instead of passing through; mode physical only
};

/// Lattice skinning: particles at the corners of cells (Chen, Tsai, Lin, Lu 2012).
struct LatticeSettings : FleshSettings {
    static constexpr const char* method = "lattice";
    int region_radius = 2;        ///< reach of coherence per step in cells
    double delta = 0.8;           ///< 0..1, mix of primary and secondary; raised: larger, softer swing
    bool preserve_volume = true;  ///< restores the rest volume of each part around a joint
    bool unbiased = false;        ///< makes the skinned pose the exact equilibrium, at twice the cost
    double region_damping = 0;    ///< 0..1, share of the motion within regions that is lost in 16 ms
    bool pivoted = false;         ///< turns particles about the joint instead of blending them linearly
};

/// Layers of oriented particles on copies of the surface (Deul, Bender 2013).
struct ParticlesSettings : FleshSettings {
    static constexpr const char* method = "particles";
    int region_rings = 2;         ///< reach of coherence per fit in edges of the surface, 1..4
    int iterations = 1;           ///< fits per step; 20 in the modes paper and literal
    double muscle = 0.5;          ///< default of all parts
    double bone_depth = 0.8;      ///< `paper` and `literal` modes only: how far the interface to bone is projected
    bool preserve_volume = true;  ///< restores the rest volume of each part around a joint
    double joint_distance = 0.9;  ///< 0..1, share of its rest distance to a joint that flesh keeps; 0: none
};

/// What bones blending does around one joint.
struct JointZone {
    std::string joint;                   ///< glob over joint names; the last match wins, field by field
    std::optional<double> t_min, t_max;  ///< scene units along the bone; unset: the limb's radius
    std::optional<double> blend;         ///< 0..1, 1 = bones blending; unset: 1 where a clip turns the joint far
};

/// Bones blending: rotations blended along the bone (Kavan and Zara 2003).
struct BonesBlendingSettings {
    static constexpr const char* method = "bones-blending";
    std::vector<JointZone> joints;
    double wide_angle = 60;           ///< degrees of swing or twist above which a joint is blended, 0..180
    std::string rest_method = "lbs";  ///< skins everything else: "lbs" or "dqs"
};

/// Shared by methods whose surface is embedded in voxels that follow the skeleton.
struct VolumetricSettings {
    int resolution = automatic;  ///< voxels along the longest side, 4..512
    int point_budget = 12000;    ///< most points at automatic resolution, unless 24 voxels need more
};

/// Dual quaternion skinning of voxels in which the surface is embedded.
struct VolumetricDqsSettings : VolumetricSettings {
    static constexpr const char* method = "volumetric-dqs";
};

/// As-rigid-as-possible voxels: what bones do not hold keeps its shape as far as possible.
struct VolumetricArapSettings : VolumetricSettings {
    static constexpr const char* method = "volumetric-arap";
    int rounds = 2;                ///< of turning and moving per frame, 0..100
    std::string start = "dqs";     ///< the skinning that iterations start from: "dqs" or "lbs"
    std::string hold = "weights";  ///< points that follow the skeleton: those of one joint ("weights"), or at "bones"
    double hold_above = 0.9;       ///< the largest weight above which a point is one joint's own
    bool warm = false;             ///< starts from the last frame's solution; depends on the motion so far
    bool keep_lengths = false;     ///< bones keep their lengths where joints are dragged apart
};

// ---- any method's settings -----------------------------------------------------------------------------------------
/// A value that holds the settings of any method. A method's own struct names its method in `method` and converts
/// implicitly.
class Settings {
public:
    template <class Own, class = std::void_t<decltype(Own::method)>>
    Settings(Own own) : method_(Own::method), box_(std::make_unique<Holder<Own>>(std::move(own))) {}
    Settings() : Settings(LbsSettings{}) {}
    Settings(const Settings& other) : method_(other.method_), box_(other.box_->clone()) {}
    Settings& operator=(const Settings& other) { return *this = Settings(other); }
    Settings(Settings&&) noexcept = default;
    Settings& operator=(Settings&&) noexcept = default;
    ~Settings() = default;

    const char* method() const { return method_; }
    /// The method's own struct; null if these are the settings of another method.
    template <class Own>
    const Own* as() const {
        return std::string_view(method_) == Own::method ? static_cast<const Own*>(box_->own()) : nullptr;
    }
    template <class Own>
    Own* as() {
        return std::string_view(method_) == Own::method ? static_cast<Own*>(box_->own()) : nullptr;
    }
    /// The struct without its type, for the method's field table.
    const void* own() const { return box_->own(); }
    void* own() { return box_->own(); }

private:
    struct Box {
        virtual ~Box() = default;
        virtual std::unique_ptr<Box> clone() const = 0;
        virtual void* own() = 0;
    };
    template <class Own>
    struct Holder final : Box {
        explicit Holder(Own value) : held(std::move(value)) {}
        std::unique_ptr<Box> clone() const override { return std::make_unique<Holder>(held); }
        void* own() override { return &held; }
        Own held;
    };
    const char* method_;
    std::unique_ptr<Box> box_;
};

/// One field by its `--set` key ("layers.fat.frequency"); the error names the nearest valid key.
Status set_field(Settings& settings, const std::string& key, const std::string& value);
/// The value as text; empty for a field of a part that keeps the default.
Result<std::string> get_field(const Settings& settings, const std::string& key);
/// The value of a part field at one joint: from the last part that matches, otherwise from the same key for the whole
/// body, otherwise 1 (a factor).
double value_at(const Settings& settings, const std::string& part_key, const std::string& joint);
/// Checks that every value is in range and every name is known to `character` (may be null); the error names the field.
Status check(const Settings& settings, const Character* character);

// ---- flesh ---------------------------------------------------------------------------------------------------------
/// The contents of a flesh file, a preset and `--set`: values by key, for whichever methods have such a field. Anything
/// not named keeps the method's default.
struct Flesh {
    struct Value {
        std::string key;
        FieldValue value;
        bool operator==(const Value&) const = default;
    };
    /// One layer, part or joint.
    struct Entry {
        std::string name;
        std::vector<Value> values;
        bool operator==(const Entry&) const = default;
    };
    std::string preset = "default";
    std::vector<Value> values;  ///< of the whole body, each key once
    std::vector<Entry> layers;  ///< from the bone outwards
    std::vector<Entry> parts, joints;

    bool operator==(const Flesh&) const = default;
};

/// Names of the presets.
const std::vector<std::string>& preset_names();
/// Those that suit a method: none if it has no layers of flesh, and a publication's numbers only for its own method,
/// because elsewhere they mean something else. bind refuses the others.
std::vector<std::string> preset_names(const std::string& method);
/// The flesh a preset stands for; the error suggests the nearest name.
Result<Flesh> preset(const std::string& name);

/// Sets one value by its `--set` key. `methods`: those that will read it; a key that none of them has is refused,
/// naming the methods that have it. Empty: any method will do.
Status set_field(Flesh& flesh, const std::string& key, const std::string& value,
                 const std::vector<std::string>& methods = {});
/// The value set under a `--set` key, if any.
std::optional<FieldValue> get_field(const Flesh& flesh, const std::string& key);
/// Checks that every value is valid for every method that reads it, and every name known to `character` (may be null).
Status check(const Flesh& flesh, const Character* character);
/// Sentences about values that none of these methods reads, and about parts that match no joint. Values that come from
/// a preset or equal the default are not mentioned.
std::vector<std::string> idle_settings(const Flesh& flesh, const Character& character,
                                       const std::vector<std::string>& methods);

/// Settings of the method `name` filled from `flesh`; the error suggests the nearest method.
Result<Settings> settings_for(const std::string& method, const Flesh& flesh);
/// The same, as the method's own struct.
template <class Own>
Result<Own> settings_from(const Flesh& flesh) {
    const Result<Settings> settings = settings_for(Own::method, flesh);
    if (!settings) return settings.error();
    return *settings->template as<Own>();
}
/// Settings as a flesh that names every field of the method.
Flesh flesh_of(const Settings& settings);

/// The name in `known` that is nearest to `wanted` by edit distance, for "did you mean ...".
std::string nearest_name(const std::string& wanted, const std::vector<std::string>& known);

}  // namespace fascia
FASCIA_API_END
