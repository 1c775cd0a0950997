// Flesh for tests: a preset with some values changed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fascia/settings.h"

namespace fascia::test {

inline Flesh flesh_with(const std::string& preset_name, const std::vector<std::pair<std::string, double>>& said) {
    Flesh flesh = *preset(preset_name);
    for (const auto& [key, value] : said) {
        const Status status = set_field(flesh, key, to_text(value));
        if (!status) ADD_FAILURE() << status.error().message;
    }
    return flesh;
}

}  // namespace fascia::test
