#include <algorithm>

#include "fascia/handles.h"

namespace fascia {

namespace {

Status no_handles(const Rig& rig) {
    return usage_error(std::string("method '") + rig.method() + "' has no handles; bind with method 'handles'");
}

const Handling* handling_of(const Rig& rig) {
    return dynamic_cast<const Handling*>(&rig.plain());
}

Status foreign() {
    return usage_error("the state belongs to another rig; make it with make_state of this one");
}

/// Null, and why, if there is nothing to do.
const Handling* usable(const Rig& rig, const State& state, Status& why) {
    const Handling* handling = handling_of(rig);
    if (handling == nullptr)
        why = no_handles(rig);
    else if (state.rig != rig.fingerprint())
        why = foreign();
    return why ? handling : nullptr;
}

}  // namespace

Status enable_handles(const Rig& rig, const std::string& handles, bool on, State& state) {
    Status why = ok_status();
    const Handling* handling = usable(rig, state, why);
    return handling ? handling->enable(handles, on, state) : why;
}

bool is_enabled(const Rig& rig, std::size_t handle, const State& state) {
    Status why = ok_status();
    const Handling* handling = usable(rig, state, why);
    return handling && handling->is_enabled(handle, state);
}

Status turn_handles(const Rig& rig, const std::string& handles, Quat turn, State& state) {
    Status why = ok_status();
    const Handling* handling = usable(rig, state, why);
    return handling ? handling->turn(handles, turn, state) : why;
}

void handle_pose(const Rig& rig, const State& state, std::span<Affine> joints) {
    Status why = ok_status();
    if (const Handling* handling = usable(rig, state, why)) return handling->pose(state, joints);
    std::copy_n(state.joints.begin(), std::min(joints.size(), state.joints.size()), joints.begin());
}

}  // namespace fascia
