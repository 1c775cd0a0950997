#include "methods/layers/layers_step.h"

#include <algorithm>

#include "methods/shared/claim_scratch.h"

namespace fascia {

namespace {

/// Numbers of the workspace's arrays, above those that skinning a surface uses.
enum Scratch : std::size_t {
    other_at = 16,
    fits_at,
    sums_at,
    turned_at,
    driven_at,
    idle_at,
    owner_at,
    records_at,
};

constexpr std::size_t most_cached_nodes = 15000;  ///< about two megabytes of state and constants

std::span<float> scratch(Workspace& work, std::size_t index, std::size_t size) {
    return {work.impl().array(index, size).data(), size};
}

/// Floats of the arrays that vectors keep in a ring of slices, and plain loops for all of the body.
std::size_t fits_size(const LayersBody& body) {
    return body.engine == Engine::segments ? sim::fit_channels * body.ring.stride : 12 * body.stride();
}
std::size_t sums_size(const LayersBody& body) {
    // Goals of listed regions lie here, too.
    return std::max(9 * body.ring.stride, (body.engine == Engine::segments ? 3 : 9) * body.stride());
}

void claim(const LayersBody& body, Workspace& work) {
    const std::size_t n = body.stride();
    claim_scratch(work, owner_at, {body.layout_hash, n},
                  {{other_at, 3 * n},
                   {fits_at, fits_size(body)},
                   {sums_at, sums_size(body)},
                   {turned_at, 4 * n},
                   {driven_at, 3 * n},
                   {idle_at, 9 * n}});
}

}  // namespace

LayersArrays LayersArrays::at_rest(const LayersBody& body) {
    LayersArrays out;
    const std::size_t n = body.stride();
    out.positions = body.rest;
    out.velocities.assign(3 * n, 0);
    out.rotations.assign(4 * n, 0);
    for (const std::size_t at : body.slots()) out.rotations[at] = 1;
    out.driven.assign(6 * n, 0);
    std::copy(body.rest.begin(), body.rest.end(), out.driven.begin());
    return out;
}

sim::SegmentStep LayersStep::segment_step(std::span<const float> duals, LayersView state, const Outside& outside,
                                          Workspace& work) const {
    const std::size_t n = body_->stride();
    claim(*body_, work);
    sim::SegmentStep step;
    step.stride = n;
    step.rows = body_->layout.rows.data();
    step.plane_rows = body_->layout.plane_rows.data();
    step.slice_first = body_->layout.slice_first.data();
    step.plane_slice_first = body_->layout.plane_slice_first.data();
    step.slices = body_->layout.slice_first.size() - 1;
    step.ring_stride = body_->ring.stride;
    step.ring_shift = body_->ring.shared() ? body_->ring.shift.data() : nullptr;
    step.live = body_->layout.live.data();
    step.traits = body_->traits.data();
    step.boxes = body_->boxes.data();
    step.box_of = body_->box_of.data();
    step.constants = tuning_->constants.data();
    step.pair_weight = body_->pair_weight.data();
    step.mass_share = body_->mass.data();
    step.irregular_first = body_->irregular_first.data();
    step.irregular = body_->irregular.data();
    step.face_lanes = body_->face_lanes.data();
    step.differences = body_->differences.data();
    step.joint_first = body_->joint_first.data();
    step.joints = body_->segment_joints.data();
    step.joint_weights = body_->joint_weights.data();
    step.duals = duals.data();
    step.far = body_->node_count() > most_cached_nodes;
    step.force = outside.push.empty() ? nullptr : outside.push.data();
    step.felt[0] = outside.gravity.x;
    step.felt[1] = outside.gravity.y;
    step.felt[2] = outside.gravity.z;
    step.inverse_dt = float(1 / tuning_->step);
    step.volume_relaxation = tuning_->volume;
    step.position = state.positions.data();
    step.velocity = state.velocities.data();
    step.driven = state.driven.data();
    step.driven_velocity = state.driven.data() + 3 * n;
    step.rotation = state.rotations.data();
    step.other = scratch(work, other_at, 3 * n).data();
    step.fits = scratch(work, fits_at, fits_size(*body_)).data();
    step.plane_sums = scratch(work, sums_at, sums_size(*body_)).data();
    step.skinned_rotation = scratch(work, turned_at, 4 * n).data();
    return step;
}

sim::ListedStep LayersStep::listed_step(Workspace& work) const {
    const std::size_t floats = sizeof(double) / sizeof(float);
    const auto records = scratch(work, records_at, floats * sim::ListedRegions::record * body_->listed.size());
    return {.regions = &body_->listed,
            .rest = body_->rest.data(),
            .records = reinterpret_cast<double*>(records.data()),
            .goals = scratch(work, sums_at, sums_size(*body_)).data()};
}

sim::Motion LayersStep::run_segments(std::span<const float> duals, LayersView state, const Outside& outside,
                                     Workspace& work) const {
    sim::SegmentStep step = segment_step(duals, state, outside, work);
    sim::ListedStep listed;
    const bool lists = body_->listed.size() > 0;
    if (lists) {
        listed = listed_step(work);
        step.goals = listed.goals;
    }
    sim::StageSeconds seconds;
    const sim::Motion motion =
        sim::run_segments(step, lists ? &listed : nullptr, slices(), tuning_->volume_sweeps, work.impl().pool, seconds);
    work.times.predict += seconds.predict;
    work.times.stretch += seconds.stretch;
    work.times.volume += seconds.volume;
    work.times.match += seconds.match;
    work.times.update += seconds.update;
    return motion;
}

sim::Motion LayersStep::run_reference(std::span<const float> duals, LayersView state, const Outside& outside,
                                      Workspace& work) const {
    const std::size_t n = body_->stride();
    claim(*body_, work);
    const sim::LatticeRig rig = body_->reference();
    const sim::LatticeTuning tuning = tuning_->reference();
    const DrivenNodes driven = drive(duals, work);
    sim::LatticeArrays arrays{.driven = driven.positions,
                              .turned = driven.rotations,
                              .last_driven = state.driven.first(3 * n),
                              .last_speed = state.driven.last(3 * n),
                              .positions = state.positions,
                              .velocities = state.velocities,
                              .rotations = state.rotations,
                              .push = outside.push,
                              .felt = {outside.gravity.x, outside.gravity.y, outside.gravity.z},
                              .offset = scratch(work, idle_at, 9 * n).first(3 * n),
                              .other = scratch(work, other_at, 3 * n),
                              .gradients = scratch(work, sums_at, sums_size(*body_)).first(9 * n),
                              .transforms = scratch(work, fits_at, fits_size(*body_)).first(12 * n)};
    return sim::step_reference(rig, tuning, arrays);
}

sim::Motion LayersStep::run(std::span<const float> duals, LayersView state, const Outside& outside,
                            Workspace& work) const {
    return body_->engine == Engine::segments ? run_segments(duals, state, outside, work)
                                             : run_reference(duals, state, outside, work);
}

DrivenNodes LayersStep::drive(std::span<const float> duals, Workspace& work) const {
    const std::size_t n = body_->stride();
    claim(*body_, work);
    const auto driven = scratch(work, driven_at, 3 * n), turned = scratch(work, turned_at, 4 * n);
    if (body_->engine == Engine::reference) {
        sim::drive_reference(body_->reference(), duals, driven, turned);
        return {driven, turned};
    }
    // The prediction drives the points on its way; let it write everything else where nobody looks.
    const auto idle = scratch(work, idle_at, 9 * n);
    LayersView nobody{idle.first(3 * n), idle.subspan(3 * n, 3 * n), {}, idle.first(6 * n)};
    sim::SegmentStep step = segment_step(duals, nobody, {}, work);
    step.driven = driven.data();
    step.driven_velocity = idle.data() + 6 * n;
    step.ring_shift = nullptr;  // rotations of the whole body are asked for
    sim::drive_segments(step, slices(), work.impl().pool);
    return {driven, turned};
}

}  // namespace fascia
