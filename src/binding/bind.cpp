// From a character and settings to a rig: the only entry point, for every program and language.
#include <algorithm>

#include "base/words.h"
#include "body/body_of.h"
#include "fascia/make_character.h"
#include "fascia/weights.h"
#include "methods/method_lookup.h"
#include "methods/shared/bind_progress.h"
#include "methods/shared/embedded_rig.h"
#include "rectify/rectified.h"

namespace fascia {

namespace {

std::vector<std::string> rectifiable_methods() {
    std::vector<std::string> out;
    for (const Method& method : registered_methods())
        if (method.info.abilities.can_be_rectified) out.push_back(method.info.name);
    return out;
}

/// A preset with the numbers of another method would melt the body.
Status check_preset(const std::string& preset, const std::string& method) {
    const std::vector<std::string> suited = preset_names(method), all = preset_names();
    const auto among = [&](const std::vector<std::string>& names) {
        return std::find(names.begin(), names.end(), preset) != names.end();
    };
    if (suited.empty() || among(suited) || !among(all)) return ok_status();
    return usage_error("the preset '" + preset + "' is not for " + method + "; use " + listed(suited, "or"));
}

/// Progress through a bind: after the weights, which are computed first, and before the final checks.
constexpr double weights_done = 0.4, nearly_done = 0.98;

/// Weights that have to be computed before the method sees the character.
bool needs_weights(const Method& method, const std::string& weights) {
    const auto& own = method.info.abilities.own_weights;
    return weights != "auto" && weights != "file" && std::find(own.begin(), own.end(), weights) == own.end();
}

Result<RigPtr> bind_plainly(const Method& method, const Character& character, const Settings& settings,
                            const BindInputs& inputs) {
    if (!needs_weights(method, inputs.weights)) return method.bind(character, settings, inputs);
    WeightOptions wanted;
    wanted.method = inputs.weights;
    wanted.threads = inputs.threads;
    Result<ComputedWeights> computed = compute_weights(character, wanted);
    if (!computed) return computed.error();
    if (!reached(inputs, weights_done)) return cancelled();
    Character weighted = body_of(character);
    weighted.weights = std::move(computed->weights);
    weighted.clips = character.clips;
    weighted.nodes = character.nodes;
    weighted.scene = character.scene;
    return method.bind(weighted, settings, inputs.progress ? stage_of(inputs, weights_done, 1) : inputs);
}

Result<RigPtr> bind_with_cells(const Character& character, const Settings& given, const BindInputs& inputs,
                               const LatticeSettings& cells) {
    const Result<const Method*> method = need_method(given.method());
    if (!method) return method.error();
    if (const Status checked = check_character(character); !checked) return checked.error();
    Settings settings = given;
    (*method)->complete(settings);
    if (const Status checked = check(settings, &character); !checked) return checked.error();
    if (inputs.rectify && !(*method)->info.abilities.can_be_rectified) {
        return usage_error("rectification is for " + listed(rectifiable_methods(), "and") +
                           "; the other methods keep volumes themselves");
    }
    if (const Status checked = check_embed_options(**method, inputs.embed); !checked) return checked.error();
    if (!reached(inputs, 0)) return cancelled();
    Result<RigPtr> rig = inputs.progress ? bind_plainly(**method, character, settings, stage_of(inputs, 0, nearly_done))
                                         : bind_plainly(**method, character, settings, inputs);
    if (rig && inputs.embed.how != "auto") rig = embedded(std::move(*rig), **method, inputs.embed);
    if (rig && inputs.rectify) {
        if (!reached(inputs, nearly_done)) return cancelled();
        rig = rectified(std::move(*rig), character, cells);
    }
    if (rig && !reached(inputs, 1)) return cancelled();
    return rig;
}

}  // namespace

Result<RigPtr> bind(const Character& character, const Settings& settings, const BindInputs& inputs) {
    return bind_with_cells(character, settings, inputs, {});
}

Result<RigPtr> bind(const Character& character, const std::string& method, const Flesh& flesh,
                    const BindInputs& inputs) {
    const Result<Settings> settings = settings_for(method, flesh);
    if (!settings) return settings.error();
    if (const Status suits = check_preset(flesh.preset, method); !suits) return suits.error();
    const Result<LatticeSettings> cells = settings_from<LatticeSettings>(flesh);
    return bind_with_cells(character, *settings, inputs, cells ? *cells : LatticeSettings{});
}

}  // namespace fascia
