#include "methods/layers/layers_step.h"

#include <algorithm>

#include "methods/shared/claimed_scratch.h"

namespace fascia {

namespace {

struct StepScratch {
    LayoutTag owner;
    Floats other, fits, sums, turned, driven, offset;
    std::vector<double, AlignedAllocator<double>> records;  ///< of listed regions
};

constexpr std::size_t most_cached_nodes = 15000;  ///< about two megabytes of state and constants

/// Size in floats of the arrays that the vector engine keeps for a ring of slices, and the plain loops for the whole
/// body.
std::size_t fits_size(const LayersBody& body) {
    return body.engine == Engine::segments ? sim::fit_channels * body.ring.stride : 12 * body.stride();
}
std::size_t sums_size(const LayersBody& body) {
    // The goals of listed regions are kept here, too.
    return std::max(9 * body.ring.stride, (body.engine == Engine::segments ? 3 : 9) * body.stride());
}

/// The workspace's scratch, with zeros wherever this body has no point.
StepScratch& claimed(const LayersBody& body, Workspace& work) {
    auto& scratch = work.impl().scratch<StepScratch>();
    const std::size_t n = body.stride();
    claim(scratch.owner, {body.layout_hash, n},
          {{scratch.other, 3 * n},
           {scratch.fits, fits_size(body)},
           {scratch.sums, sums_size(body)},
           {scratch.turned, 4 * n},
           {scratch.driven, 3 * n},
           {scratch.offset, 3 * n}});
    return scratch;
}

}  // namespace

LayersArrays LayersArrays::at_rest(const LayersBody& body) {
    LayersArrays out;
    const std::size_t n = body.stride();
    out.positions = body.rest;
    out.velocities.assign(3 * n, 0);
    out.rotations.assign(4 * n, 0);
    for (const std::size_t at : body.slots()) out.rotations[at] = 1;
    out.driven = body.rest;
    out.driven_speed.assign(3 * n, 0);
    return out;
}

sim::SegmentStep LayersStep::segment_step(std::span<const float> duals, LayersView state, const Outside& outside,
                                          Workspace& work) const {
    StepScratch& scratch = claimed(*body_, work);
    sim::SegmentStep step;
    step.stride = body_->stride();
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
    step.drag = tuning_->drag;
    step.position = state.positions.data();
    step.velocity = state.velocities.data();
    step.driven = state.driven.data();
    step.driven_velocity = state.driven_speed.data();
    step.rotation = state.rotations.data();
    step.other = sized(scratch.other, 3 * step.stride).data();
    step.fits = sized(scratch.fits, fits_size(*body_)).data();
    step.plane_sums = sized(scratch.sums, sums_size(*body_)).data();
    step.skinned_rotation = scratch.turned.data();
    return step;
}

sim::ListedStep LayersStep::listed_step(Workspace& work) const {
    StepScratch& scratch = claimed(*body_, work);
    return {.regions = &body_->listed,
            .rest = body_->rest.data(),
            .records = sized(scratch.records, sim::ListedRegions::record * body_->listed.size()).data(),
            .goals = sized(scratch.sums, sums_size(*body_)).data()};
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
        sim::run_segments(step, lists ? &listed : nullptr, slices(), tuning_->volume, work.impl().pool, seconds);
    work.times["predict"] += seconds.predict;
    work.times["stretch"] += seconds.stretch;
    work.times["volume"] += seconds.volume;
    work.times["match"] += seconds.match;
    work.times["update"] += seconds.update;
    return motion;
}

sim::Motion LayersStep::run_reference(std::span<const float> duals, LayersView state, const Outside& outside,
                                      Workspace& work) const {
    const std::size_t n = body_->stride();
    StepScratch& scratch = claimed(*body_, work);
    const sim::ReferenceBody rig = body_->reference();
    const sim::ReferenceTuning tuning = tuning_->reference();
    const DrivenNodes driven = drive(duals, work);
    sim::ReferenceArrays arrays{.driven = driven.positions,
                                .turned = driven.rotations,
                                .last_driven = state.driven,
                                .last_speed = state.driven_speed,
                                .positions = state.positions,
                                .velocities = state.velocities,
                                .rotations = state.rotations,
                                .push = outside.push,
                                .felt = {outside.gravity.x, outside.gravity.y, outside.gravity.z},
                                .offset = sized(scratch.offset, 3 * n),
                                .other = sized(scratch.other, 3 * n),
                                .gradients = sized(scratch.sums, 9 * n),
                                .transforms = sized(scratch.fits, 12 * n)};
    return sim::step_reference(rig, tuning, arrays);
}

sim::Motion LayersStep::run(std::span<const float> duals, LayersView state, const Outside& outside,
                            Workspace& work) const {
    return body_->engine == Engine::segments ? run_segments(duals, state, outside, work)
                                             : run_reference(duals, state, outside, work);
}

DrivenNodes LayersStep::driven_nodes(Workspace& work) const {
    const std::size_t n = body_->stride();
    StepScratch& scratch = claimed(*body_, work);
    return {sized(scratch.driven, 3 * n), sized(scratch.turned, 4 * n)};
}

DrivenNodes LayersStep::drive(std::span<const float> duals, Workspace& work) const {
    const std::size_t n = body_->stride();
    StepScratch& scratch = claimed(*body_, work);
    if (body_->engine == Engine::reference) {
        sim::drive_reference(body_->reference(), duals, sized(scratch.driven, 3 * n), sized(scratch.turned, 4 * n));
        return driven_nodes(work);
    }
    sim::SegmentStep step = segment_step(duals, {}, {}, work);
    step.driven = scratch.driven.data();
    sim::drive_segments(step, slices(), work.impl().pool);
    return driven_nodes(work);
}

DrivenNodes LayersStep::drive_some(std::span<const std::uint32_t> segments, std::span<const float> duals,
                                   Workspace& work) const {
    if (body_->engine == Engine::reference) return drive(duals, work);
    sim::SegmentStep step = segment_step(duals, {}, {}, work);
    step.driven = claimed(*body_, work).driven.data();
    sim::drive_segments(step, segments, work.impl().pool);
    return driven_nodes(work);
}

}  // namespace fascia
