#include "methods/particles/particles_step.h"

#include <algorithm>
#include <cmath>

#include "methods/shared/claimed_scratch.h"
#include "methods/shared/stage_timer.h"

namespace fascia {

namespace {

struct ParticlesScratch {
    LayoutTag owner;
    Floats driven, turned, skin_turned, offsets;
    sim::Doubles sums, maps;
    std::vector<Vec3> gradients, apexes, centres;
    std::vector<double> volumes, multipliers;
};

/// Slots without a particle read as zero.
ParticlesScratch& claimed(const ParticlesBody& body, Workspace& work) {
    auto& scratch = work.impl().scratch<ParticlesScratch>();
    const std::size_t n = body.stride();
    claim(scratch.owner, {body.fingerprint, n},
          {{scratch.driven, 3 * n},
           {scratch.turned, 4 * body.regions.padded},
           {scratch.skin_turned, 4 * n},
           {scratch.offsets, 3 * n}});
    return scratch;
}

/// Where a joint carries a point: p + 2 u x (u x p + w p) + 2 (w d - dw u + u x d)
Vec3 carried_by(const float* q, Vec3 p) {
    const Vec3 u{q[1], q[2], q[3]}, d{q[5], q[6], q[7]};
    const Vec3 way = cross(u, cross(u, p) + p * q[0]) + (d * q[0] - u * q[4]) + cross(u, d);
    return p + way + way;
}

}  // namespace

ParticlesArrays ParticlesArrays::at_rest(const ParticlesBody& body) {
    ParticlesArrays out;
    const std::size_t n = body.stride();
    out.positions = out.driven = body.rest;
    out.velocities.assign(3 * n, 0);
    out.driven_speed.assign(3 * n, 0);
    out.rotations.assign(4 * n, 0);
    for (const std::size_t at : body.slots) out.rotations[at] = 1;
    return out;
}

ParticlesStep::Driven ParticlesStep::drive(std::span<const float> duals, Workspace& work) const {
    const sim::ParticleRegions& r = body_->regions;
    ParticlesScratch& scratch = claimed(*body_, work);
    const sim::ParticleDrive drive{.padded = r.padded,
                                   .layers = r.layers,
                                   .stride = r.stride,
                                   .first = body_->drive_first.data(),
                                   .joints = body_->drive_joints.data(),
                                   .weights = body_->drive_weights.data(),
                                   .duals = duals.data(),
                                   .linear = body_->blueprint->linear,
                                   .rest = body_->rest.data(),
                                   .positions = scratch.driven.data(),
                                   .turned = scratch.turned.data()};
    sim::drive_all_particles(drive, work.impl().pool);
    return {std::span(scratch.driven).first(3 * r.stride), std::span(scratch.turned).first(4 * r.padded)};
}

std::span<const float> ParticlesStep::skin_rotations(std::span<const float> turned, Workspace& work) const {
    const std::size_t padded = body_->regions.padded, n = body_->stride();
    ParticlesScratch& scratch = claimed(*body_, work);
    for (std::size_t c = 0; c < 4; ++c)
        std::copy_n(&turned[c * padded], padded, &scratch.skin_turned[c * n + body_->skin()]);
    return std::span(scratch.skin_turned).first(4 * n);
}

/// [Deul 2013, alg. line 6] [Deul 2013, alg. line 11]
sim::Motion ParticlesStep::run(std::span<const float> duals, ParticlesView state, const Outside& outside,
                               Workspace& work) const {
    const sim::ParticleRegions& r = body_->regions;
    ThreadPool& pool = work.impl().pool;
    ParticlesScratch& scratch = claimed(*body_, work);
    Driven there;
    {
        const StageTimer timer(work.times["pose"]);
        there = drive(duals, work);
    }
    const sim::ParticleStep step{.stride = r.stride,
                                 .groups = r.layers * r.padded / 8,
                                 .there = there.positions.data(),
                                 .driven = state.driven.data(),
                                 .driven_speed = state.driven_speed.data(),
                                 .positions = state.positions.data(),
                                 .velocities = state.velocities.data(),
                                 .offsets = scratch.offsets.data(),
                                 .push = outside.push.empty() ? nullptr : outside.push.data(),
                                 .alpha = tuning_->alpha.data(),
                                 .beta = tuning_->beta.data(),
                                 .drive = tuning_->drive.data(),
                                 .limit = tuning_->limit.data(),
                                 .rate = float(1 / tuning_->step),
                                 .felt = {outside.gravity.x, outside.gravity.y, outside.gravity.z}};
    {
        const StageTimer timer(work.times["predict"]);
        sim::predict_all_particles(step, pool);
    }
    const sim::ParticleMatch match{.regions = &r,
                                   .turned = there.turned.data(),
                                   .match = tuning_->match.data(),
                                   .positions = state.positions.data(),
                                   .rotations = state.rotations.data(),
                                   .sums = sized(scratch.sums, r.doubles()).data(),
                                   .maps = sized(scratch.maps, r.doubles()).data()};
    for (int k = 0; k < tuning_->iterations; ++k) {
        const StageTimer timer(work.times["match"]);
        sim::match_particles(match, pool);
        if (tuning_->joint_distance > 0) keep_from_joints(duals, state.positions, work);
    }
    if (tuning_->volume) keep_volumes(state, work);
    sim::Motion motion;
    {
        const StageTimer timer(work.times["update"]);
        motion = sim::update_all_particles(step, pool);
    }
    if (tuning_->volume) stop_growth(state, work);
    return motion;
}

/// C = |x - c| - d >= 0 [Deul 2013, alg. line 8]
void ParticlesStep::keep_from_joints(std::span<const float> duals, std::span<float> positions, Workspace& work) const {
    const std::size_t n = body_->stride();
    const std::span<Vec3> centres = sized(claimed(*body_, work).centres, body_->pivots.size());
    for (std::size_t j = 0; j < centres.size(); ++j) centres[j] = carried_by(&duals[8 * j], to_float(body_->pivots[j]));
    const float share = float(tuning_->joint_distance);
    for (const JointHold& hold : body_->holds) {
        const std::size_t i = hold.place;
        const Vec3 off = Vec3{positions[i], positions[n + i], positions[2 * n + i]} - centres[hold.joint];
        const float least = share * hold.distance, square = dot(off, off);
        if (square >= least * least || !(square > 1e-12f)) continue;
        const Vec3 by = off * (tuning_->turn[i] * (least / std::sqrt(square) - 1));
        positions[i] += by.x, positions[n + i] += by.y, positions[2 * n + i] += by.z;
    }
}

/// The mean of each border in the channels of the skin. [apexes]
std::span<const Vec3> ParticlesStep::apexes(std::span<const float> channels, Workspace& work) const {
    const std::size_t n = body_->stride(), skin = body_->skin();
    const std::span<Vec3> out = sized(claimed(*body_, work).apexes, body_->volumes.apexes.size());
    for (std::size_t a = 0; a < out.size(); ++a) {
        Vec3d sum;
        const std::uint32_t first = body_->border_first[a], last = body_->border_first[a + 1];
        for (std::uint32_t k = first; k < last; ++k) {
            const std::size_t i = skin + body_->border[k];
            sum += Vec3d{channels[i], channels[n + i], channels[2 * n + i]};
        }
        out[a] = to_float(sum * (1 / double(last - first)));
    }
    return out;
}

namespace {

sim::VolumeState volume_state(const sim::SubVolumes& volumes, ParticlesScratch& scratch) {
    return {sized(scratch.volumes, volumes.parts()), sized(scratch.gradients, volumes.entries.size())};
}

}  // namespace

/// C = V - V0 of each part; only the skin moves. [Deul 2013, alg. line 12]
void ParticlesStep::keep_volumes(ParticlesView state, Workspace& work) const {
    const StageTimer timer(work.times["volume"]);
    const sim::SubVolumes& volumes = body_->volumes;
    ParticlesScratch& scratch = claimed(*body_, work);
    const sim::VolumeState found = volume_state(volumes, scratch);
    float* skin = state.positions.data() + body_->skin();
    const std::span<const Vec3> middles = apexes(state.driven, work);
    for (int sweep = 0; sweep < tuning_->volume_sweeps; ++sweep) {
        sim::measure_volumes(volumes, {skin, body_->stride(), middles}, found, work.impl().pool);
        sim::correct_volumes(volumes, found, tuning_->swell, 1, sized(scratch.multipliers, volumes.parts()), skin,
                             body_->stride());
    }
}

/// Changes the velocities of the skin, including those from the skeleton, so that they leave the volume of each part
/// unchanged. [Deul 2013, alg. line 18]
void ParticlesStep::stop_growth(ParticlesView state, Workspace& work) const {
    const StageTimer timer(work.times["volume"]);
    const sim::SubVolumes& volumes = body_->volumes;
    ParticlesScratch& scratch = claimed(*body_, work);
    const sim::VolumeState found = volume_state(volumes, scratch);
    const std::size_t n = body_->stride(), skin = body_->skin(), vertices = body_->regions.vertices;
    for (std::size_t c = 0; c < 3 * n; c += n)
        for (std::size_t i = c + skin; i < c + skin + vertices; ++i) state.velocities[i] += state.driven_speed[i];
    sim::remove_divergence(volumes, found, tuning_->swell, apexes(state.driven_speed, work),
                           sized(scratch.multipliers, volumes.parts()), state.velocities.data() + skin, n);
    for (std::size_t c = 0; c < 3 * n; c += n)
        for (std::size_t i = c + skin; i < c + skin + vertices; ++i) state.velocities[i] -= state.driven_speed[i];
}

}  // namespace fascia
