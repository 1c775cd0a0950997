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
    Floats limits, swell;  ///< [stride], [vertices]
    ContactScratch contact;
};

/// Places without a particle read as zero.
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
    sim::ParticleStep step{.stride = r.stride,
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
    bool touches = false;
    if (tuning_->contact) {
        const StageTimer timer(work.times["contact"]);
        touches =
            find_giving(body_->contact, duals,
                        {state.driven.data(), state.positions.data(), r.stride, 0, body_->skin()}, scratch.contact);
        if (touches) step.limit = limits_in_dents(work).data();
    }
    const std::span<const float> swell = touches ? free_swell(work) : std::span<const float>(tuning_->swell);
    if (touches) give_way(state, work);
    if (tuning_->volume) keep_volumes(swell, state, work);
    if (touches) give_way(state, work);
    sim::Motion motion;
    {
        const StageTimer timer(work.times["update"]);
        motion = sim::update_all_particles(step, pool);
    }
    if (tuning_->volume) stop_growth(swell, state, work);
    if (touches) stop_pressing(state, work);
    return motion;
}

/// What is pressed hardly swells: w is small for colliding vertices (docs/formulas.md E11), and rises where dents end.
std::span<const float> ParticlesStep::free_swell(Workspace& work) const {
    // A part that is pressed all around must not swell through its last free vertex.
    constexpr float dent = 0.05f /* of the depth of flesh */, least = 0.3f;
    ParticlesScratch& scratch = claimed(*body_, work);
    const std::span<float> out = sized(scratch.swell, tuning_->swell.size());
    for (std::size_t v = 0; v < out.size(); ++v) {
        const float pressed = scratch.contact.given[v] / (dent * body_->contact.distance[v]);
        out[v] = tuning_->swell[v] * std::fmin(std::fmax(least, 1 - pressed), 1.0f);
    }
    return out;
}

/// C = h0 (1 - given / depth) - h >= 0, h: height over the core along the column of the vertex.
void ParticlesStep::give_way(ParticlesView state, Workspace& work) const {
    const sim::ParticleRegions& r = body_->regions;
    const std::size_t n = r.stride, skin = body_->skin();
    const ContactScratch& scratch = claimed(*body_, work).contact;
    float* x = state.positions.data();
    const auto driven = [&](std::size_t i) {
        return Vec3{state.driven[i], state.driven[n + i], state.driven[2 * n + i]};
    };
    for (std::size_t v = 0; v < r.vertices; ++v) {
        if (!(scratch.given[v] > 0)) continue;
        const Vec3 core = driven(v), column = driven(skin + v) - core, out = normalized(column);
        const float left = 1 - std::fmin(scratch.given[v] / std::fmax(length(column), 1e-6f), 1.0f);
        for (std::size_t i = r.padded + v; i < r.layers * r.padded; i += r.padded) {
            const float beyond =
                dot(Vec3{x[i], x[n + i], x[2 * n + i]} - core, out) - left * dot(driven(i) - core, out);
            if (!(beyond > 0)) continue;
            x[i] -= beyond * out.x, x[n + i] -= beyond * out.y, x[2 * n + i] -= beyond * out.z;
        }
    }
}

/// A dent is farther from where the skeleton drives than flesh swings.
std::span<const float> ParticlesStep::limits_in_dents(Workspace& work) const {
    const sim::ParticleRegions& r = body_->regions;
    ParticlesScratch& scratch = claimed(*body_, work);
    const std::span<float> out = sized(scratch.limits, r.stride);
    std::copy(tuning_->limit.begin(), tuning_->limit.end(), out.begin());
    for (std::size_t v = 0; v < r.vertices; ++v)
        for (std::size_t i = r.padded + v; i < r.layers * r.padded; i += r.padded)
            out[i] += 2 * std::fmax(scratch.contact.given[v], 0.0f);
    return out;
}

/// No speed against or away from what presses (restitution 0): it comes from where the skeleton drives. What slides is
/// slowed by friction. [Deul 2013, alg. line 18]
void ParticlesStep::stop_pressing(ParticlesView state, Workspace& work) const {
    const sim::ParticleRegions& r = body_->regions;
    const std::size_t n = r.stride;
    constexpr float friction = 0.3f;
    const ContactScratch& scratch = claimed(*body_, work).contact;
    const auto load = [&](std::span<const float> c, std::size_t i) { return Vec3{c[i], c[n + i], c[2 * n + i]}; };
    for (std::size_t v = 0; v < r.vertices; ++v) {
        if (!(scratch.given[v] > 0)) continue;
        const Vec3 normal = normalized(load(state.positions, body_->skin() + v) - load(state.positions, v));
        // How crushed flesh is turned is anybody's guess: the skin there keeps to the skeleton.
        const std::size_t own = body_->skin() + v;
        state.rotations[own] = 1;
        state.rotations[n + own] = state.rotations[2 * n + own] = state.rotations[3 * n + own] = 0;
        for (std::size_t i = r.padded + v; i < r.layers * r.padded; i += r.padded) {
            const Vec3 speed = load(state.velocities, i), along = normal * dot(speed, normal), across = speed - along;
            const float slides = length(across);
            const Vec3 left = slides > 0 ? across * std::fmax(0.0f, 1 - friction * length(along) / slides) : Vec3{};
            state.velocities[i] = left.x, state.velocities[n + i] = left.y, state.velocities[2 * n + i] = left.z;
        }
    }
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
void ParticlesStep::keep_volumes(std::span<const float> swell, ParticlesView state, Workspace& work) const {
    const StageTimer timer(work.times["volume"]);
    const sim::SubVolumes& volumes = body_->volumes;
    ParticlesScratch& scratch = claimed(*body_, work);
    const sim::VolumeState found = volume_state(volumes, scratch);
    float* skin = state.positions.data() + body_->skin();
    const std::span<const Vec3> middles = apexes(state.driven, work);
    for (int sweep = 0; sweep < tuning_->volume_sweeps; ++sweep) {
        sim::measure_volumes(volumes, {skin, body_->stride(), middles}, found, work.impl().pool);
        sim::correct_volumes(volumes, found, swell, 1, sized(scratch.multipliers, volumes.parts()), skin,
                             body_->stride());
    }
}

/// The speeds of the skin, those of its skeleton included, neither fill nor empty a part. [Deul 2013, alg. line 18]
void ParticlesStep::stop_growth(std::span<const float> swell, ParticlesView state, Workspace& work) const {
    const StageTimer timer(work.times["volume"]);
    const sim::SubVolumes& volumes = body_->volumes;
    ParticlesScratch& scratch = claimed(*body_, work);
    const sim::VolumeState found = volume_state(volumes, scratch);
    const std::size_t n = body_->stride(), skin = body_->skin(), vertices = body_->regions.vertices;
    for (std::size_t c = 0; c < 3 * n; c += n)
        for (std::size_t i = c + skin; i < c + skin + vertices; ++i) state.velocities[i] += state.driven_speed[i];
    sim::remove_divergence(volumes, found, swell, apexes(state.driven_speed, work),
                           sized(scratch.multipliers, volumes.parts()), state.velocities.data() + skin, n);
    for (std::size_t c = 0; c < 3 * n; c += n)
        for (std::size_t i = c + skin; i < c + skin + vertices; ++i) state.velocities[i] -= state.driven_speed[i];
}

}  // namespace fascia
