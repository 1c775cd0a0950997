#include "methods/shared/carried_rig.h"

#include <algorithm>

#include "methods/shared/carried_attachment.h"
#include "methods/shared/stage_timer.h"

namespace fascia {

namespace {

struct CarryScratch {
    Floats rows;         ///< of Carriers
    Floats shown;        ///< [lanes]
    Floats joint_turns;  ///< [joints * 4]
};

struct FoldScratch {
    std::vector<Vec3> skinned;
    embedding::UnfoldScratch folds;
    embedding::TautenScratch stretches;
};

/// The number of rows that fit into a core's own cache together with their points' channels.
constexpr std::size_t most_near_rows = 4000;

CarryScratch& scratch_of(Workspace& work) {
    return work.impl().scratch<CarryScratch>();
}

}  // namespace

void CarriedRig::embed_skinned(const State& state, const Surface& out, Workspace& work) const {
    if (!fits(state)) return;
    skin_about_frame(own_surface(), posed_places(state, work), state, out, nullptr, work);
    if (out.positions.size() >= vertex_count()) place_in_scene(state, out.positions.first(vertex_count()));
}

/// The surface as the skeleton alone carries it, relative to the frame's origin; then carried further by `carry`, if
/// given.
void CarriedRig::skin_about_frame(const Carried& carried, std::span<const JointPlace> now, const State& state,
                                  const Surface& out, const Carry* carry, Workspace& work) const {
    const std::size_t joints = joint_count();
    const std::span<const Affine> local = joints_about_frame(state, work);
    if (carried_body().linear) return carried.linear.skin(local, out, work, carry);
    const std::span<float> turns = sized(scratch_of(work).joint_turns, 4 * joints);
    for (std::size_t j = 0; j < joints; ++j) {
        const Quat q = now[j].rotation;
        const float values[4] = {float(q.w), float(q.x), float(q.y), float(q.z)};
        std::copy(values, values + 4, &turns[4 * j]);
    }
    carried.surface.skin(local, out, work, turns, carry);
}

void CarriedRig::embed(const State& state, const Surface& out, Workspace& work) const {
    if (!fits(state)) return;
    embed_carried(own_surface(), state, out, work);
    if (soft_skin_ && out.positions.size() >= vertex_count())
        smooth_skin(state, out.positions.first(vertex_count()), work);
}

void CarriedRig::embed_attached(const AttachedSurface& attached, const State& state, const Surface& out,
                                Workspace& work) const {
    const auto* own = dynamic_cast<const CarriedAttachment*>(&attached);
    if (own != nullptr && fits(state))
        embed_carried({own->surface, own->linear, own->carried, own->drivers}, state, out, work);
}

std::vector<std::string> CarriedRig::layer_names() const {
    std::vector<std::string> names{"bone"};
    for (const LayerSettings& layer : flesh_layers()) names.push_back(layer.name);
    return names;
}

void CarriedRig::smooth_skin(const State& state, std::span<Vec3> surface, Workspace& work) const {
    auto& scratch = work.impl().scratch<FoldScratch>();
    scratch.skinned.resize(surface.size());
    embed_skinned(state, {scratch.skinned, {}, {}}, work);
    // A scaled bone should stretch what it carries.
    const std::span<const JointPlace> now = posed_places(state, work);
    const float scale = float(now[0].scale);
    const bool scaled_bones = !bone_stretch(now, state, work).empty();
    StageTimer timer(work.times["embed"]);
    if (!scaled_bones) soft_skin_->tautening.apply(scale, surface, scratch.stretches);
    soft_skin_->unfolding.apply(scratch.skinned, surface, scratch.folds);
}

void CarriedRig::embed_carried(const Carried& carried, const State& state, const Surface& out, Workspace& work) const {
    StageTimer timer(work.times["embed"]);
    const std::span<const JointPlace> now = posed_places(state, work);
    const std::span<const float> rows = carrier_rows(carried, now, state, work);
    const Carry carry{carried.carriers.surface.view(), rows.data(), to_float(frame_of(state).origin)};
    skin_about_frame(carried, now, state, out, &carry, work);
}

/// How much of the secondary motion is shown at each slot of the carrying groups; empty: all of it.
std::span<const float> CarriedRig::shown_places(const Carriers& carriers, const State& state, Workspace& work) const {
    const std::span<const float> shares = shown_joints(state, work);
    if (shares.empty()) return {};
    const CarriedBody body = carried_body();
    const std::size_t n = body.stride;
    const std::span<float> out = sized(scratch_of(work).shown, carriers.lanes());
    for (std::size_t lane = 0; lane < out.size(); ++lane) {
        out[lane] = 0;
        for (std::size_t k = carriers.place(lane); k < 4 * n; k += n)
            out[lane] += body.weights.weights[k] * shares[body.weights.joints[k]];
    }
    return out;
}

/// Scaled bones move both ends of a point's shift: it becomes S to - S from - (R - 1) S from.
void CarriedRig::stretch_rows(const Carriers& carriers, std::span<const JointPlace> now, const State& state,
                              const CarrierTask& task, Workspace& work) const {
    const std::span<const Affine> stretch = bone_stretch(now, state, work);
    if (stretch.empty()) return;
    const CarriedBody body = carried_body();
    for (std::size_t lane = 0; lane < carriers.lanes(); ++lane) {
        const std::size_t i = carriers.place(lane), row = carriers.row_of[lane];
        if (row >= carriers.used) continue;  // carries nothing
        const Affine map = blended_stretch(i, body.weights, stretch);
        float* m = task.rows + row * carrier_floats;
        const auto turned = [&](Vec3d v) {
            return Vec3d{m[0] * v.x + m[1] * v.y + m[2] * v.z, m[4] * v.x + m[5] * v.y + m[6] * v.z,
                         m[8] * v.x + m[9] * v.y + m[10] * v.z};
        };
        const Vec3d from = Vec3d{task.driven[0][i], task.driven[1][i], task.driven[2][i]} * double(task.scale);
        const Vec3d to = from + Vec3d{m[3], m[7], m[11]} + turned(from);
        const Vec3d start = transform_point(map, from);
        const Vec3 shift = to_float(transform_point(map, to) - start - turned(start));
        m[3] = shift.x, m[7] = shift.y, m[11] = shift.z;
    }
}

/// How each carrying point moves the surface at this frame's own time: its driven position is exact, its offset lags
/// exactly one step behind. [rows * carrier_floats], relative to the frame's origin
std::span<const float> CarriedRig::carrier_rows(const Carried& carried, std::span<const JointPlace> now,
                                                const State& state, Workspace& work) const {
    const CarriedBody body = carried_body();
    const Carriers& carriers = carried.carriers;
    const std::size_t n = body.stride;
    const DrivenPoints there = driven_carriers(carried.drivers, duals(now, state, work), work);
    const std::span<const float> before = driven(state), shown = shown_places(carriers, state, work);
    const std::span<float> rows = sized(scratch_of(work).rows, carriers.rows * carrier_floats);
    CarrierTask task;
    task.first = carriers.first.data();
    task.row_of = carriers.row_of.data();
    task.pairs = carriers.first.size() / 2;
    task.far = carriers.used > most_near_rows;
    task.turn = followed_turns().data();
    task.shown = shown.empty() ? nullptr : shown.data();
    task.scale = float(frame_of(state).scale);
    task.back = float(pace().step - state.accumulator);
    task.rows = rows.data();
    task.driven_turns[0] = there.rotations.data();
    task.fitted[0] = state.rotations.data();
    // Which channel of the points holds each axis of the scene.
    const std::size_t first = body.turn == 1 ? 2 : body.turn == 2 ? 1 : 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t channel = (first + axis) % 3 * n;
        task.driven[axis] = there.positions.data() + channel;
        task.driven_turns[axis + 1] = there.rotations.data() + n + channel;
        task.driven_before[axis] = before.data() + channel;
        task.positions[axis] = state.positions.data() + channel;
        task.velocities[axis] = state.velocities.data() + channel;
        task.fitted[axis + 1] = state.rotations.data() + n + channel;
    }
    work.impl().pool.for_ranges(task.pairs, carrier_grain, [&](std::size_t begin, std::size_t end, int) {
        FASCIA_DISPATCH(carrier_rows)(task, begin, end);
    });
    stretch_rows(carriers, now, state, task, work);
    return rows;
}

}  // namespace fascia
