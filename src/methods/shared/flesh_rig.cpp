#include "methods/shared/flesh_rig.h"

#include <algorithm>

#include "methods/shared/auto_frequency.h"
#include "methods/shared/fades.h"
#include "methods/shared/found_anatomy.h"
#include "methods/shared/point_surface.h"
#include "methods/shared/state_check.h"

namespace fascia {

Status FleshRig::fade(const std::string& joints, double amount, double seconds, State& state) const {
    if (!fits(state)) begin_as_own(*this, state);
    // What is shown may change at once, between two frames: a sleeper wakes, so that the next frame counts as moved.
    state.asleep = state.still_frames = 0;
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

std::vector<float> FleshRig::vertex_softness() const {
    const embedding::Trilinear bound = bound_surface();
    const std::vector<float> of_points = point_softness();
    std::vector<float> out(bound.vertex_count(), 0);
    for (std::size_t k = 0; k < bound.points.size(); ++k)
        out[k / embedding::Trilinear::slots] += bound.weights[k] * of_points[bound.points[k]];
    return out;
}

FoundAnatomy FleshRig::anatomy() const {
    return found_anatomy(rest_surface(), vertex_softness(), flesh_settings().anatomy == Anatomies::shape);
}

std::vector<LayerFrequency> FleshRig::layer_frequencies() const {
    std::vector<LayerFrequency> out;
    FleshSettings numbers = flesh_settings();
    if (numbers.mode != Mode::physical) return out;
    resolve_frequencies(flesh_depth(), numbers);
    for (const LayerSettings& layer : numbers.layers) out.push_back({layer.name, layer.frequency});
    return out;
}

GripPlace FleshRig::grip_place(const State& state, Workspace& work) const {
    return {frame_of(state), bone_stretch(posed_places(state, work), state, work), driven(state)};
}

std::shared_ptr<const PointSurface> FleshRig::point_surface() const {
    return std::make_shared<PointSurface>(PointSurface{rest_surface(), bound_surface(), bound_in_cells()});
}

}  // namespace fascia
