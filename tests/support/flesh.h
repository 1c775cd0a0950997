// Flesh for tests: a preset with some values changed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fascia/settings.h"

namespace fascia::test {

/// The frequencies that tests compute with; what a body chooses by itself is tested separately.
inline void name_frequencies(Flesh& flesh) {
    for (const auto& [key, value] :
         {std::pair{"layers.muscle.frequency", "8"}, {"layers.fat.frequency", "4"}, {"layers.skin.frequency", "4.5"}})
        if (const Status status = set_field(flesh, key, value); !status) ADD_FAILURE() << status.error().message;
}

inline Flesh flesh_with(const std::string& preset_name, const std::vector<std::pair<std::string, double>>& said) {
    Flesh flesh = *preset(preset_name);
    if (preset_name == "default") name_frequencies(flesh);
    for (const auto& [key, value] : said) {
        const Status status = set_field(flesh, key, to_text(value));
        if (!status) ADD_FAILURE() << status.error().message;
    }
    return flesh;
}

}  // namespace fascia::test
