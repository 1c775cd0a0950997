#include <algorithm>

#include "fascia/bundled.h"
#include "fascia/settings.h"
#include "own_motions.h"
#include "performer.h"

namespace fascia {
namespace {

/// The keys from `begin` to `end` as a clip of their own. Channels that stay where they are have a single key.
Clip part_of(const Clip& clip, double begin, double end) {
    constexpr double slack = 1e-4;  // keys are floats
    Clip out{clip.name, end - begin, {}};
    for (const Channel& channel : clip.channels) {
        Channel part = channel;
        const std::size_t keys = channel.times.size(), width = channel.values.size() / std::max<std::size_t>(1, keys);
        if (keys > 1) {
            part.times.clear();
            part.values.clear();
            for (std::size_t k = 0; k < keys; ++k) {
                if (channel.times[k] < begin - slack || channel.times[k] > end + slack) continue;
                part.times.push_back(static_cast<float>(channel.times[k] - begin));
                for (std::size_t i = k * width; i < (k + 1) * width; ++i) part.values.push_back(channel.values[i]);
            }
            part.times.front() = 0;
        }
        out.channels.push_back(std::move(part));
    }
    return out;
}

}  // namespace

const std::vector<std::string>& bundled_motion_names() {
    static const std::vector<std::string> names{"walk", "jump", "dance", "spin", "shake", "bounce", "sway"};
    return names;
}

Result<Retargeted> bundled_motion(const Character& character, const std::string& name, const RetargetOptions& options) {
    const std::vector<std::string>& names = bundled_motion_names();
    if (std::find(names.begin(), names.end(), name) == names.end())
        return usage_error("There is no bundled motion '" + name + "'; did you mean '" + nearest_name(name, names) +
                           "'?");
    // Grounding looks at the frames before and after, so that a loop closes only between two others.
    if (const auto performance = characters::performed(name, 3)) {
        RetargetOptions retargeting = options;
        retargeting.rest = MotionRest::zero;
        Result<Retargeted> made = retarget(character, performance->motion, retargeting);
        if (made) made->clip = part_of(made->clip, performance->loop, 2 * performance->loop);
        return made;
    }
    const auto clip = characters::own_motion(character, name);
    if (!clip) return input_error("\"" + character.name + "\" has no skeleton for a motion to drive");
    return Retargeted{*clip, {}};
}

}  // namespace fascia
