#include "methods/shared/posed_rig.h"

#include "base/workspace.h"
#include "methods/shared/stage_timer.h"
#include "methods/shared/state_check.h"

namespace fascia {

State PosedRig::make_state() const {
    State state;
    state.rig = fingerprint_;
    gate_.make(state);
    layout_.make(state);
    return state;
}

bool PosedRig::accepts(const State& state) const {
    return is_sound_like(state, make_state());
}

void PosedRig::reset(std::span<const Affine> joints, State& state, Workspace& work) const {
    if (!fits(state)) begin_as_own(*this, state);
    gate_.reset(joints, state);
    follow(false, state, work);
}

void PosedRig::advance(std::span<const Affine> joints, double, State& state, Workspace& work) const {
    if (!fits(state)) begin_as_own(*this, state);
    {
        const StageTimer timer(work.times["pose"]);
        gate_.advance(joints, state);
    }
    follow(true, state, work);
}

void PosedRig::embed(const State& state, const Surface& out, Workspace& work) const {
    const StageTimer timer(work.times["embed"]);
    if (fits(state)) show(state, out, work);
}

void PosedRig::embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                              Workspace& work) const {
    if (fits(state)) show_attached(attached, state, out, work);
}

}  // namespace fascia
