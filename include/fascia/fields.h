// What a setting is: its key, kind, range and meaning. Every method states its fields once; the command line, flesh
// files, saved rigs, other languages and the studio all read them from here.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fascia/api.h"
#include "fascia/math.h"

FASCIA_API_BEGIN
namespace fascia {

/// Numbers, including whole ones, are doubles; choices and texts are strings.
using FieldValue = std::variant<bool, double, std::string, Vec3d>;

enum class FieldKind { boolean, whole, number, choice, text, vector };

/// What a field belongs to: the whole body, one layer of it, the part around some joints, or one joint.
enum class FieldScope { whole, layer, part, joint };

struct FieldInfo {
    std::string key;  ///< "resolution"; in the layer scope "frequency", which `--set` writes as layers.NAME.frequency
    FieldScope scope = FieldScope::whole;
    FieldKind kind = FieldKind::number;
    double min = 0, max = 0;           ///< of numbers
    bool automatic = false;            ///< for numbers: "auto" is allowed too; bind then chooses to suit the body
    std::vector<std::string> choices;  ///< of choices
    bool live = false;                 ///< retune may change it; otherwise bind builds it in
    std::string unit;                  ///< empty if there is none
    std::string meaning;               ///< for a person: what it does, and what happens when it is raised
    std::optional<FieldValue> usual;   ///< default; unset: the value of the whole body
};

/// "layers", "parts" or "joints": the list in a flesh file with the entries of a scope; empty for the whole body.
const char* group_name(FieldScope scope);
/// "layers.NAME.frequency": the key that `--set` takes for the entry of this name.
std::string full_key(const FieldInfo& field, const std::string& entry = "NAME");

const char* kind_name(FieldKind kind);
const char* scope_name(FieldScope scope);
/// A value in the form that `--set` takes: "true", "0.15", "auto", "dqs", "0,-9.81,0".
std::string to_text(const FieldValue& value);

/// The whole of `text` as a finite decimal number; no value for anything else, including "inf" and "0x10".
std::optional<double> parse_number(const std::string& text);

/// In a settings struct, marks a number that bind chooses; as a FieldValue it is the text "auto".
inline constexpr int automatic = 0;

/// What a method can do, so that no caller has to guess it from counts or names.
struct Abilities {
    bool simulates = false;   ///< has a memory: what it shows depends on the motion so far
    bool has_layers = false;  ///< points in named layers
    bool has_cells = false;   ///< cells between the points
    bool has_parts = false;   ///< points know which part of the body they belong to, and that part's volume
    bool takes_clothes = false;
    bool takes_mask = false;
    bool takes_hand = false;  ///< can be pulled at
    bool feels_gravity = false;
    bool can_be_rectified = false;              ///< loses volume that bind can restore (BindInputs::rectify)
    bool blends_clips = false;                  ///< looks at the motions it will be used with (BindInputs::clips)
    std::vector<std::string> embeddings = {};   ///< how points can carry the surface besides auto (EmbedOptions::how)
    std::vector<std::string> own_weights = {};  ///< kinds of weights that it computes itself, on its own points
};

/// One method, as listed in src/methods/registry.cpp.
struct MethodInfo {
    std::string name;
    std::string from;     ///< the publication
    std::string summary;  ///< half a sentence
    Abilities abilities;
    std::vector<std::string> stages;  ///< of one frame, in the order in which they run; see StageTimes
    std::vector<FieldInfo> fields;
};

/// All methods that are built in, in the order of the table in the README.
const std::vector<MethodInfo>& methods();
/// Null if there is no such method.
const MethodInfo* find_method_info(const std::string& name);
/// The field in any method that has it; a key means the same in all of them. Null if there is none.
const FieldInfo* find_field(FieldScope scope, const std::string& key);

}  // namespace fascia
FASCIA_API_END
