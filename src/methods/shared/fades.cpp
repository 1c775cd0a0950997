#include "methods/shared/fades.h"

#include <algorithm>

#include "base/glob.h"

namespace fascia {

float shown(const Fade& fade) {
    if (!(fade.elapsed < fade.seconds)) return fade.to;
    const float t = fade.elapsed / fade.seconds;
    return fade.from + (fade.to - fade.from) * (t * t * (3.0f - 2.0f * t));
}

Status start_fade(const std::vector<std::string>& names, const std::string& joints, double amount, double seconds,
                  std::vector<Fade>& fades) {
    const auto matches = [&](const std::string& name) { return glob_match(joints, name); };
    if (std::none_of(names.begin(), names.end(), matches))
        return usage_error("no joint matches '" + joints + "'; did you mean '" + nearest_name(joints, names) + "'?");
    if (fades.size() != names.size()) fades.assign(names.size(), {});
    for (std::size_t j = 0; j < names.size(); ++j)
        if (matches(names[j])) fades[j] = {shown(fades[j]), float(amount), 0, float(seconds)};
    return ok_status();
}

bool run_fades(double dt, std::vector<Fade>& fades) {
    bool all_shown = true, running = false;
    for (Fade& fade : fades) {
        running = running || fade.elapsed < fade.seconds;
        fade.elapsed = std::min(fade.elapsed + float(dt), fade.seconds);
        all_shown = all_shown && fade.to == 1 && fade.elapsed >= fade.seconds;
    }
    if (all_shown) fades.clear();
    return running;
}

}  // namespace fascia
