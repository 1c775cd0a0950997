#include "methods/shared/flesh_rig.h"

#include <algorithm>

#include "methods/shared/fades.h"

namespace fascia {

Status FleshRig::fade(const std::string& joints, double amount, double seconds, State& state) const {
    if (!fits(state)) state = make_state();
    return start_fade(joint_names(), joints, amount, seconds, state.fades);
}

std::optional<Vec3d> FleshRig::pick(const Ray& ray, const State& state, Workspace& work) const {
    if (!fits(state)) return std::nullopt;
    return pick_surface(*this, rest_surface().triangles, ray, state, work);
}

bool FleshRig::grip(Vec3d point, State& state) const {
    Workspace work;
    if (!fits(state) || !grip_flesh(grip_body(), grip_place(state, work), point, give(), state)) return false;
    state.asleep = 0;
    return true;
}

std::span<const float> FleshRig::push_of_hand(double share, const State& state, Floats& memory, Workspace& work) const {
    const GripBody body = grip_body();
    if (!is_held(state, body.stride)) return {};
    const std::span<float> push = channels(memory, 3);
    std::fill(push.begin(), push.end(), 0.0f);
    push_of_grip(body, grip_place(state, work), state, share, pace().step, push);
    return push;
}

GripPlace FleshRig::grip_place(const State& state, Workspace& work) const {
    return {frame_of(state), bone_stretch(posed_places(state, work), state, work), driven(state)};
}

}  // namespace fascia
