#include "methods/neck/excited.h"

#include <algorithm>

#include "base/glob.h"
#include "base/number_text.h"
#include "fascia/settings.h"

namespace fascia {

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t from = text.find_first_not_of(' ');
    return from == std::string::npos ? "" : text.substr(from, text.find_last_not_of(' ') - from + 1);
}

}  // namespace

Result<std::vector<double>> excited_shares(const AnatomyScene& scene, const std::string& text) {
    std::vector<double> out(scene.actuators.size(), 0);
    std::vector<std::string> names;
    for (const AnatomyScene::Actuator& each : scene.actuators) names.push_back(each.name);
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find(',', from), text.size());
        const std::string entry = trimmed(text.substr(from, end - from));
        from = end + 1;
        if (entry.empty()) continue;
        const std::size_t equals = entry.find('=');
        const std::string name = trimmed(entry.substr(0, equals));
        double share = -1;
        if (equals == std::string::npos || !parse_decimal(trimmed(entry.substr(equals + 1)), share) || share < 0 ||
            share > 1)
            return usage_error("excite: '" + entry + "' is not NAME=SHARE with a share from 0 to 1");
        bool found = false;
        for (std::size_t k = 0; k < names.size(); ++k)
            if (glob_match(name, names[k])) out[k] = std::min(out[k] + share, 1.0), found = true;
        if (found) continue;
        if (names.empty()) return usage_error("excite: the anatomy has no actuators");
        return usage_error("excite: there is no actuator '" + name + "'; did you mean '" + nearest_name(name, names) +
                           "'?");
    }
    return out;
}

}  // namespace fascia
