#include "methods/shared/flesh_rig.h"

#include <algorithm>

#include "methods/shared/auto_frequency.h"
#include "methods/shared/fades.h"
#include "methods/shared/found_anatomy.h"
#include "methods/shared/point_surface.h"
#include "methods/shared/stage_timer.h"
#include "methods/shared/state_check.h"

namespace fascia {

namespace {

/// Pressed flesh creeps towards equilibrium for a long time. When this much slower than a swing, it may fall asleep.
constexpr float awake_share = 0.25f;

struct WorldScratch {
    WorldTouch::Scratch touch;
    Floats field;               ///< [3 * stride] change of velocity per step
    std::vector<Vec3> weights;  ///< [joints] the same by gravity
};

}  // namespace

Status FleshRig::fade(const std::string& joints, double amount, double seconds, State& state) const {
    if (!fits(state)) begin_as_own(*this, state);
    // The picture may change at once, between two frames: a sleeper wakes, so that the next frame counts as moved.
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

std::span<const float> FleshRig::push_on_flesh(std::span<const JointPlace> places, double share, const State& state,
                                               Floats& memory, Workspace& work) const {
    const GripBody body = grip_body();
    const bool held = is_held(state, body.stride);
    const World::Impl* world = work.impl().scratch<WorldOfCall>().world;
    const bool blown = world != nullptr && world->has_field();
    const bool heavy = world != nullptr && world->has_gravity();
    if (!held && !blown && !heavy) return {};
    const std::span<float> push = channels(memory, 3);
    std::fill(push.begin(), push.end(), 0.0f);
    if (held) push_of_grip(body, grip_place(state, work), state, share, pace().step, push);
    if (blown) {
        const Floats& field = work.impl().scratch<WorldScratch>().field;
        for (std::size_t k = 0; k < push.size(); ++k) push[k] += field[k];
    }
    if (heavy) add_weight(world->settings.gravity, places, state, push, work);
    return push;
}

/// g - R g at each point, where R is the rotation since the rest pose of the joints that carry it.
void FleshRig::add_weight(Vec3d gravity, std::span<const JointPlace> places, const State& state, std::span<float> push,
                          Workspace& work) const {
    const SteppedBody& body = stepped_body();
    const PointFrame frame = frame_of(state);
    const PointWeights weights = point_weights();
    const double step = pace().step / frame.scale;
    const std::span<Vec3> of_joints = sized(work.impl().scratch<WorldScratch>().weights, places.size());
    for (std::size_t j = 0; j < places.size(); ++j)
        of_joints[j] = to_float(to_axes(gravity - rotate(places[j].rotation, gravity), frame.turn) * step);
    const std::size_t n = body.stride;
    for (std::size_t point = 0; point < body.slots.size(); ++point) {
        const std::size_t i = body.slots[point];
        const float felt = in_world().felt[point];
        if (felt == 0) continue;
        Vec3 kick;
        for (std::size_t k = i; k < 4 * n; k += n) kick += of_joints[weights.joints[k]] * weights.weights[k];
        push[i] += felt * kick.x, push[n + i] += felt * kick.y, push[2 * n + i] += felt * kick.z;
    }
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

// ---- in a world ------------------------------------------------------------------------------------------------
const FleshRig::InWorld& FleshRig::in_world() const {
    std::call_once(in_world_->once, [&] {
        const SteppedBody& body = stepped_body();
        const embedding::Trilinear bound = bound_surface();
        PointNumbers numbers = point_numbers();
        in_world_->touch = std::make_unique<const WorldTouch>(TouchableBody{.h = body.h,
                                                                            .centre = body.centre,
                                                                            .turn = body.turn,
                                                                            .size = body.size,
                                                                            .stride = body.stride,
                                                                            .slots = body.slots,
                                                                            .surface = &rest_surface(),
                                                                            .bound = &bound,
                                                                            .shown = grip_body().shown,
                                                                            .reach = numbers.reach,
                                                                            .skinned = is_skinned_first(),
                                                                            .linear = is_skinned_linearly()});
        in_world_->felt = std::move(numbers.felt);
    });
    return *in_world_;
}

contact::TouchedPoints FleshRig::touched_points(State& state) const {
    const std::size_t n = stepped_body().stride;
    return {.positions = {n, state.positions.data()},
            .velocities = {n, state.velocities.data()},
            .driven = {n, driven(state).data()},
            .driven_speed = {n, driven_speed(state).data()},
            .limit = {},
            .give = {},
            .dt = float(pace().step)};
}

std::uint64_t FleshRig::world_tag(const State& state, Workspace& work) const {
    const World::Impl* world = work.impl().scratch<WorldOfCall>().world;
    if (world == nullptr) return 0;
    const WorldTouch& touch = *in_world().touch;
    auto& near = work.impl().scratch<WorldScratch>().touch.near;
    touch.find_near(*world, frame_of(state), {stepped_body().stride, state.positions.data()}, near);
    return near.empty() && !world->has_field() && !world->has_gravity() ? 0 : touch.tag(*world, near) | 1;
}

bool FleshRig::enter_world(std::span<const JointPlace> before, double earlier, const State& state,
                           Workspace& work) const {
    const World::Impl& world = *work.impl().scratch<WorldOfCall>().world;
    WorldScratch& scratch = work.impl().scratch<WorldScratch>();
    const WorldTouch& touch = *in_world().touch;
    for (auto* places : {&scratch.touch.before, &scratch.touch.now}) sized(*places, world.solids.size());
    bool moves = world.is_restless();
    for (const std::uint32_t k : scratch.touch.near) {
        scratch.touch.before[k] = touch.place_of(world, k, earlier, before);
        moves = moves || !(world.last[k].place == world.now[k].place) ||
                dot(world.last[k].turn, world.now[k].turn) < 1 - 1e-12;
    }
    if (!world.has_field()) return moves;
    const std::size_t n = stepped_body().stride;
    const PointFrame frame = frame_of(state);
    const std::span<float> field = channels(scratch.field, 3);
    std::fill(field.begin(), field.end(), 0.0f);
    const double step = pace().step / frame.scale;
    for (std::size_t point = 0; point < stepped_body().slots.size(); ++point) {
        const std::size_t i = stepped_body().slots[point];
        const double felt = in_world().felt[point];
        if (felt == 0) continue;
        const Vec3d at{state.positions[i], state.positions[n + i], state.positions[2 * n + i]};
        const Vec3d scene = from_axes(at, frame.turn) * frame.scale + frame.origin;
        const Vec3 kick = to_float(to_axes(world.field(scene), frame.turn) * (step * felt));
        field[i] = kick.x, field[n + i] = kick.y, field[2 * n + i] = kick.z;
    }
    return moves;
}

void FleshRig::touch_world(std::span<const JointPlace> places, double share, State& state, sim::Motion& motion,
                           Workspace& work) const {
    const World::Impl& world = *work.impl().scratch<WorldOfCall>().world;
    WorldTouch::Scratch& scratch = work.impl().scratch<WorldScratch>().touch;
    if (scratch.near.empty()) return;
    const StageTimer timer(work.times["world"]);
    const WorldTouch& touch = *in_world().touch;
    for (const std::uint32_t k : scratch.near) scratch.now[k] = touch.place_of(world, k, share, places);
    const TouchingBodyNow body{touched_points(state), frame_of(state),
                               is_skinned_first() ? duals(places, state, work) : std::span<const float>(), places};
    if (touch.press(world, body, scratch))
        motion.fastest = awake_share * contact::fastest_of(stepped_body().slots, body.points.velocities);
    std::swap(scratch.before, scratch.now);
}

}  // namespace fascia
