#include "bake_session.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "console.h"
#include "interrupt.h"

namespace fascia::cli {

namespace {

constexpr double fade_seconds = 0.2, closed_enough = 1e-3;

double seconds_of(const std::chrono::steady_clock::time_point& start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool simulates(const Rig& rig) {
    const MethodInfo* info = find_method_info(rig.method());
    return info && info->abilities.simulates;
}

/// Seconds after which flesh has all but forgotten how a motion began: four swings of its slowest layer.
double memory_of(const Rig& rig) {
    constexpr double swings = 4, least = 1;
    double seconds = least;
    if (const Inside* inside = rig.inside())
        for (const LayerFrequency& layer : inside->layer_frequencies())
            if (layer.hz > 0) seconds = std::max(seconds, swings / layer.hz);
    return seconds;
}

bool is_finite_point(const Vec3& p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

bool same_joints(const std::vector<Affine>& a, const std::vector<Affine>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Affine)) == 0);
}

}  // namespace

BakeSession::BakeSession(const Character& character, const Rig& rig, const Clip& clip, FrameTimes times,
                         SessionSettings settings)
    : character_(character),
      rig_(rig),
      clip_(clip),
      times_(times),
      settings_(settings),
      work_(settings.threads),
      state_(rig.make_state()),
      plain_(character) {
    const std::size_t skinned = character.mesh.vertex_count(),
                      all = skinned + character.rigid.vertex_count() + character.attached.vertex_count();
    positions_.resize(all);
    normals_.resize(all);
    skinned_.resize(skinned);
    if (settings_.world != nullptr)
        if (Result<World> world = World::make(settings_.world->settings)) world_.emplace(std::move(*world));
    if (settings_.clothes != nullptr) warnings_ = settings_.clothes->surface->warnings;
    if (const int asked = std::min(settings_.threads, Workspace::most_threads); work_.threads() < asked)
        warnings_.push_back(
            fmt::format("only {} of {} threads could be started, as memory or processes are limited here; "
                        "the result is the same",
                        work_.threads(), asked));
    if (!settings_.loop || times_.count < 2) return;
    Pose first, last;
    evaluate(character_, &clip_, times_.at(0), first);
    evaluate(character_, &clip_, times_.at(times_.count - 1), last);
    loop_ = std::make_unique<LoopFade>(character_, first, last);
    fades_ = loop_->gap() > closed_enough;
    if (fades_)
        warnings_.push_back(
            fmt::format("the ends of the motion '{}' differ by {:.2g} % of the size: its last {} s are cross-faded",
                        clip_.name, 100 * loop_->gap(), fade_seconds));
}

void BakeSession::pose_at(double time) {
    time_ = time;
    evaluate(character_, &clip_, time, pose_);
    if (!fades_) return;
    const double last = times_.at(times_.count - 1);
    const double fade = std::min(fade_seconds, (last - times_.from) / 2);
    loop_->apply(smooth_share((time - (last - fade)) / fade), pose_);
}

/// Puts everything around the body where it stands at the time of the pose.
void BakeSession::put_world() {
    if (world_) pose_world(*settings_.world, time_, true, *world_);
}

void BakeSession::settle_pose() {
    if (world_)
        settle(rig_, *world_, state_, work_);
    else
        rig_.settle(state_, work_);
}

void BakeSession::advance_frame() {
    const double dt = 1 / times_.fps;
    if (!world_) return rig_.advance(pose_.joints, dt, state_, work_);
    world_->begin_frame(dt);
    pose_world(*settings_.world, time_, false, *world_);
    fascia::advance(rig_, pose_.joints, dt, *world_, state_, work_);
}

/// The motion is assumed to have been running before its first frame, so that flesh that hangs, bends or is pressed
/// does so from the start. The part of the clip before --from is played; before the clip itself, its first pose is
/// held.
void BakeSession::run_ahead() {
    const double seconds = std::min(memory_of(rig_), times_.from);
    const double ahead = settings_.settle > 0 ? 0 : std::floor(seconds * times_.fps + 1e-6);
    pose_at(times_.from - ahead / times_.fps);
    put_world();
    reset(rig_, pose_.joints, state_, work_);
    settle_pose();
    for (double k = ahead - 1; k >= 0 && !interrupted(); --k) {
        pose_at(times_.from - k / times_.fps);
        advance_frame();
    }
    hold();
}

/// --settle: stays longer in the first pose.
void BakeSession::hold() {
    const auto frames = static_cast<std::size_t>(settings_.settle * times_.fps + 0.5);
    for (std::size_t i = 0; i < frames && !interrupted(); ++i) advance_frame();
    if (frames > 0) settle_pose();
}

/// The cycle of the flesh closes only after it has been running for a while: the motion is played over and over, so
/// that the last cycle ends where the first frame begins.
void BakeSession::run_in() {
    constexpr double seconds = 12;  // the softest preset still has a thousandth of its swing after that
    const double cycle = static_cast<double>(times_.count - 1) / times_.fps;
    const auto cycles = static_cast<int>(std::clamp(std::ceil(seconds / cycle), 1.0, 100.0));
    const Affine back = inverse(loop_->travel());
    Affine offset = back;  // for the cycle just before the first frame
    for (int i = 1; i < cycles; ++i) offset = back * offset;
    for (int i = 0; i < cycles; ++i, offset = loop_->travel() * offset) {
        for (std::size_t k = i == 0 ? 0 : 1; k < times_.count && !interrupted(); ++k) {
            pose_at(times_.at(k));
            for (Affine& joint : pose_.joints) joint = offset * joint;
            if (k == 0)
                rig_.reset(pose_.joints, state_, work_);
            else
                advance_frame();
        }
    }
    pose_at(times_.at(0));
}

/// A body that is thrown about, or turns over in every cycle, may not come back exactly as it left. One cycle is tried
/// from here; the gap at its end is then faded in over the time of a cross-fade.
void BakeSession::rehearse() {
    const State begin = state_;
    embed_frame();
    const std::vector<Vec3> first(positions_.begin(), positions_.begin() + std::ptrdiff_t(skinned_.size()));
    for (std::size_t k = 1; k < times_.count && !interrupted(); ++k) {
        pose_at(times_.at(k));
        advance_frame();
    }
    embed_frame();
    double most = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const Vec3d lack = transform_point(loop_->travel(), to_double(first[i])) - to_double(positions_[i]);
        most = std::max(most, length(lack));
        seam_.push_back(to_float(lack));
    }
    if (most < 0.1 * closed_enough * character_.size()) seam_.clear();
    state_ = begin;
    pose_at(times_.at(0));
}

void BakeSession::close_seam(std::size_t index) {
    if (seam_.empty()) return;
    const double last = times_.at(times_.count - 1), fade = std::min(fade_seconds, (last - times_.from) / 2);
    const float share = float(smooth_share((times_.at(index) - (last - fade)) / fade));
    for (std::size_t i = 0; i < seam_.size(); ++i) positions_[i] += seam_[i] * share;
}

void BakeSession::embed_frame() {
    const std::size_t skinned = character_.mesh.vertex_count();
    rig_.embed(state_, {std::span(positions_).first(skinned), std::span(normals_).first(skinned), tangents_}, work_);
}

void BakeSession::place_rigid() {
    const std::size_t skinned = character_.mesh.vertex_count();
    place_rigid_parts(character_.rigid, pose_, std::span(positions_).subspan(skinned),
                      std::span(normals_).subspan(skinned));
}

void BakeSession::place_attached() {
    const std::size_t count = character_.attached.vertex_count();
    if (settings_.clothes == nullptr || count == 0) return;
    fascia::embed(*settings_.clothes, state_, {std::span(positions_).last(count), std::span(normals_).last(count), {}},
                  work_);
}

Status BakeSession::show(std::size_t index, const FrameSinks& sinks) {
    place_rigid();
    place_attached();
    if (!points_.empty()) rig_.inside()->point_positions(state_, points_, work_);
    const std::span<const Vec3> positions(positions_);
    const auto lost = std::find_if_not(positions.begin(), positions.end(), is_finite_point);
    if (lost != positions.end())
        return input_error(
            fmt::format("vertex {} of frame {} (at {:.3f} s) is not a finite number; check the "
                        "character's scale and the motion '{}'",
                        lost - positions.begin(), index, times_.at(index), clip_.name));
    const BakedFrame frame{index,
                           times_.at(index),
                           positions,
                           normals_,
                           tangents_,
                           positions.first(skinned_.size()),
                           skinned_,
                           pose_,
                           world_ ? &*world_ : nullptr,
                           points_};
    for (const auto& sink : sinks) {
        Status status = sink->frame(frame);
        if (!status) return status;
    }
    return ok_status();
}

void BakeSession::start(BakeMeasures& out) {
    put_world();
    if (!simulates(rig_)) {
        rig_.reset(pose_.joints, state_, work_);
    } else if (loop_) {
        run_in();
        rehearse();
    } else {
        run_ahead();
    }
    work_.times = {};
    out.steps = state_.counters.steps;  // steps are counted from here
}

void BakeSession::advance(BakeMeasures& out) {
    const auto started = std::chrono::steady_clock::now();
    const std::uint64_t steps_before = state_.counters.steps;
    advance_frame();
    out.clock.advanced(seconds_of(started), state_.counters.steps - steps_before);
}

void BakeSession::embed(BakeMeasures& out) {
    const auto started = std::chrono::steady_clock::now();
    embed_frame();
    out.clock.embedded(seconds_of(started), character_.mesh.vertex_count());
    rig_.embed_skinned(state_, {skinned_, {}, {}}, work_);
}

Result<BakeMeasures> BakeSession::run(const FrameSinks& sinks) {
    BakeMeasures out;
    if (std::any_of(sinks.begin(), sinks.end(), [](const auto& sink) { return sink->wants_tangents(); }))
        tangents_.resize(character_.mesh.tangents.size());
    if (rig_.inside() && std::any_of(sinks.begin(), sinks.end(), [](const auto& sink) { return sink->wants_points(); }))
        points_.resize(rig_.point_count());
    FrameMeasures measures(character_, settings_.penetration);
    Progress progress(fmt::format("{} {}", rig_.method(), clip_.name), times_.count, settings_.quiet);
    std::vector<Affine> last_joints;
    for (std::size_t k = 0; k < times_.count; ++k) {
        if (interrupted()) return output_error("interrupted");
        pose_at(times_.at(k));
        if (k == 0)
            start(out);
        else
            advance(out);
        embed(out);
        close_seam(k);
        const bool resting = k > 0 && same_joints(last_joints, pose_.joints);
        const std::span<const Vec3> surface = std::span<const Vec3>(positions_).first(skinned_.size());
        measures.frame(surface, skinned_, plain_.at(pose_), resting);
        if (measures.looks_at_penetration(k, times_.fps)) measures.penetration(surface, pose_);
        last_joints = pose_.joints;
        const Status shown = show(k, sinks);
        if (!shown) return shown.error();
        progress.advance();
    }
    for (const auto& sink : sinks) {
        if (interrupted()) return output_error("interrupted");
        const Status sealed = sink->output() ? sink->output()->seal() : ok_status();
        if (!sealed) return sealed.error();
    }
    out.state_hash = hash(state_);
    out.counters = state_.counters;
    if (const Inside* inside = rig_.inside()) out.joint_volumes = inside->joint_volumes(state_);
    out.steps = state_.counters.steps - out.steps;
    out.stages = work_.times;
    out.quality = measures.result();
    out.warnings = warnings_;
    return out;
}

}  // namespace fascia::cli
