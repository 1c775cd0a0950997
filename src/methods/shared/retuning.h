// New settings for a rig that is bound already: what is built into its body must stay as it was.
#pragma once

#include <string>
#include <variant>

#include "fascia/settings.h"
#include "methods/shared/usual_layers.h"

namespace fascia {

/// The settings asked for, complete and checked, or a sentence. difference(asked) names a setting that was built in
/// otherwise; empty where there is none.
template <class Wanted, class Difference>
Result<Wanted> retuning(const Settings& settings, Difference&& difference) {
    const Wanted* wanted = std::get_if<Wanted>(&settings);
    if (!wanted) return usage_error("another method needs a bind");
    Result<Wanted> asked = with_layers(*wanted);
    if (!asked) return asked.error();
    if (const Status checked = check(asked->flesh, nullptr); !checked) return checked.error();
    if (const std::string built_in = difference(*asked); !built_in.empty())
        return usage_error(built_in + " is built in: bind again to change it");
    return asked;
}

}  // namespace fascia
