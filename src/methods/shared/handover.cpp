#include "methods/shared/handover.h"

#include <algorithm>
#include <utility>

#include "base/workspace.h"
#include "methods/shared/fades.h"
#include "skin/joint_maps.h"

namespace fascia {

namespace {

/// Vertices that one thread takes at a time.
constexpr std::size_t handover_grain = 512;

struct HandoverScratch {
    std::vector<Quat> turns;                ///< [joints]
    std::vector<Vec3> skinned, own, shown;  ///< [vertices]
    std::vector<Vec3> skinned_normals;      ///< [vertices]
};

HandoverScratch& handover_scratch(Workspace& work) {
    return work.impl().scratch<HandoverScratch>();
}

/// How each joint has turned since the switch.
std::span<const Quat> turns_since(const State& state, Workspace& work) {
    const std::size_t n = state.joints.size();
    const std::span<Quat> out = sized(handover_scratch(work).turns, n);
    for (std::size_t j = 0; j < n; ++j)
        out[j] = quat_from_matrix(polar(state.joints[j] * inverse(state.handover.joints[j])).rotation);
    return out;
}

/// How a vertex has turned: its joints' turns, blended.
Quat blended_turn(std::size_t vertex, const SkinWeights& weights, std::span<const Quat> turns) {
    const auto slots = std::size_t(weights.influences);
    Quat sum{0, 0, 0, 0}, first;
    for (std::size_t k = vertex * slots; k < (vertex + 1) * slots; ++k) {
        const double w = weights.weights[k];
        if (!(w > 0)) continue;
        const Quat& q = turns[weights.joints[k]];
        if (sum.w == 0 && sum.x == 0 && sum.y == 0 && sum.z == 0) first = q;
        const double side = dot(first, q) < 0 ? -w : w;
        sum = {sum.w + side * q.w, sum.x + side * q.x, sum.y + side * q.y, sum.z + side * q.z};
    }
    return dot(sum, sum) > 1e-12 ? normalized(sum) : turns[0];
}

std::vector<Vec3> offsets_between(std::span<const Vec3> from, std::span<const Vec3> to) {
    std::vector<Vec3> out(from.size());
    for (std::size_t v = 0; v < from.size(); ++v) out[v] = to[v] - from[v];
    return out;
}

/// How far flesh has swung on at its former speed, in seconds of that speed; fades to 0.
float seconds_swung(const Handover& handover) {
    const float left = 1 - handover.elapsed / handover.seconds;
    return handover.elapsed * left * left * left;
}

/// One vertex: `left` at first, `own` in the end.
Vec3 mixed(Vec3 own, Vec3 left, float share) {
    return own + (left - own) * share;
}

}  // namespace

void begin_handover(const LeftSurface& left, const Surface& skinned, double seconds, State& state) {
    state.handover = {};
    if (!(seconds > 0)) return;
    Handover handover;
    handover.positions = offsets_between(skinned.positions, left.positions);
    if (left.normals.size() == skinned.normals.size())
        handover.normals = offsets_between(skinned.normals, left.normals);
    handover.speeds.assign(left.speeds.begin(), left.speeds.end());
    handover.joints = state.joints;
    handover.seconds = float(std::min(seconds, 1e6));
    state.handover = std::move(handover);
}

void run_handover(double dt, State& state) {
    if (!is_handing_over(state)) return;
    Handover& handover = state.handover;
    handover.elapsed += float(dt);
    state.still_frames = 0;  // what is shown has changed
    if (handover.elapsed >= handover.seconds) handover = {};
}

void show_handover(const Rig& rig, const State& state, const Surface& out, Workspace& work) {
    const Handover& handover = state.handover;
    const std::size_t n = rig.vertex_count();
    if (!is_handing_over(state) || handover.positions.size() != n) return;
    const bool positions = !out.positions.empty(), normals = !handover.normals.empty() && !out.normals.empty();
    HandoverScratch& scratch = handover_scratch(work);
    Surface skinned;
    if (positions) skinned.positions = sized(scratch.skinned, n);
    if (normals) skinned.normals = sized(scratch.skinned_normals, n);
    rig.embed_skinned(state, skinned, work);
    const std::span<const Quat> turns = turns_since(state, work);
    const SkinWeights* weights = rig.skin_weights();
    const float share = shown(Fade{1, 0, handover.elapsed, handover.seconds});
    const float swung = handover.speeds.empty() ? 0 : seconds_swung(handover);
    work.impl().pool.for_ranges(n, handover_grain, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t v = begin; v < end; ++v) {
            const Quat turn = weights != nullptr ? blended_turn(v, *weights, turns) : turns[0];
            const auto turned = [&](Vec3 d) { return to_float(rotate(turn, to_double(d))); };
            if (positions) {
                Vec3 offset = handover.positions[v];
                if (swung > 0) offset += handover.speeds[v] * swung;
                out.positions[v] = mixed(out.positions[v], skinned.positions[v] + turned(offset), share);
            }
            if (normals) {
                const Vec3 left = skinned.normals[v] + turned(handover.normals[v]);
                out.normals[v] = normalized(mixed(out.normals[v], left, share), out.normals[v]);
            }
        }
    });
}

void show_handover_above(const Rig& rig, const State& state, std::span<const std::uint32_t> beneath, const Surface& out,
                         Workspace& work) {
    if (!is_handing_over(state) || out.positions.size() != beneath.size()) return;
    HandoverScratch& scratch = handover_scratch(work);
    const std::size_t n = rig.vertex_count();
    const std::span<Vec3> own = sized(scratch.own, n), now = sized(scratch.shown, n);
    rig.embed(state, {own}, work);
    std::copy(own.begin(), own.end(), now.begin());
    show_handover(rig, state, {now}, work);
    for (std::size_t v = 0; v < beneath.size(); ++v) out.positions[v] += now[beneath[v]] - own[beneath[v]];
}

}  // namespace fascia
