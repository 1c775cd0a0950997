// The functions that programs call every frame: they check their arguments, then call the rig's own.
#include <cassert>

#include "methods/shared/handover.h"
#include "methods/shared/surface_scratch.h"

namespace fascia {

namespace {

/// Faults of the calling code; a bad pose is data.
[[maybe_unused]] bool is_fault_of_caller(Verdict verdict) {
    return verdict == Verdict::foreign || verdict == Verdict::short_pose || verdict == Verdict::short_output ||
           verdict == Verdict::bad_output;
}

Verdict told(Verdict verdict) {
    assert(!is_fault_of_caller(verdict));
    return verdict;
}

/// The verdict on a verb that took a pose, from the counters.
template <class Verb>
Verdict watched(const Rig& rig, std::size_t joints, State& state, Verb&& verb) {
    const Counters before = state.counters;
    verb();
    const Counters& after = state.counters;
    if (after.foreign_states != before.foreign_states) return told(Verdict::foreign);
    if (joints < rig.joint_count()) return told(Verdict::short_pose);
    if (after.transposed_poses != before.transposed_poses) return Verdict::transposed;
    if (after.refused_poses != before.refused_poses) return Verdict::refused_pose;
    return Verdict::fine;
}

/// Leaves out arrays that cannot be written, and says why.
template <class Vector>
void keep_if_written(std::span<Vector>& out, std::size_t vertices, bool has, Verdict& verdict) {
    if (out.empty()) return;
    if (out.size() >= vertices && has) {
        out = out.first(vertices);
        return;
    }
    verdict = has ? Verdict::short_output : Verdict::absent_array;
    out = {};
}

/// The arrays that remain to be written.
struct Writable {
    Surface out;
    Verdict verdict = Verdict::fine;
};

Writable writable(Surface out, std::size_t vertices, bool normals, bool tangents) {
    Verdict verdict = Verdict::fine;
    keep_if_written(out.tangents, vertices, tangents, verdict);
    keep_if_written(out.normals, vertices, normals, verdict);
    keep_if_written(out.positions, vertices, true, verdict);
    return {out, told(verdict)};
}

/// Runs write(surface) on memory that can be read back, then copies it to `out`.
template <class Write>
void through_scratch(const Surface& out, std::size_t vertices, Workspace& work, Write&& write) {
    const Wanted wanted{!out.positions.empty(), !out.normals.empty(), !out.tangents.empty()};
    const Surface own = scratch_surface(work, 0, vertices, wanted);
    write(own);
    std::copy(own.positions.begin(), own.positions.end(), out.positions.begin());
    std::copy(own.normals.begin(), own.normals.end(), out.normals.begin());
    std::copy(own.tangents.begin(), own.tangents.end(), out.tangents.begin());
}

/// How fast the flesh of a State moves beyond what the skeleton does, per second: found by letting embed show the
/// offsets a moment later. Empty if nothing swings.
std::vector<Vec3> flesh_speeds(const Rig& rig, const State& state, std::span<const Vec3> now, Workspace& work) {
    constexpr double moment = 1e-3;
    std::vector<Vec3> out;
    if (state.tracks.empty()) return out;
    out.resize(now.size());
    State later = state;
    later.accumulator += moment;
    embed(rig, later, {out}, work);
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = (out[v] - now[v]) * float(1 / moment);
    return out;
}

/// Hands over the surface that `other` shows, as the start of `state`.
void hand_over_surface(const Rig& rig, const Rig& from, const State& other, State& state, double seconds,
                       Workspace& work) {
    const std::size_t n = rig.vertex_count(), with_normals = rig.has_normals() && from.has_normals() ? n : 0;
    std::vector<Vec3> left(n), left_normals(with_normals), skinned(n), skinned_normals(with_normals), speeds;
    embed(from, other, {left, left_normals}, work);
    rig.embed_skinned(state, {skinned, skinned_normals}, work);
    // If nothing swings in the new rig, flesh returns without swinging any further.
    if (!state.tracks.empty()) speeds = flesh_speeds(from, other, left, work);
    begin_handover({left, left_normals, speeds}, {skinned, skinned_normals}, seconds, state);
}

}  // namespace

const char* explain(Verdict verdict) {
    switch (verdict) {
        case Verdict::fine: return "everything is fine";
        case Verdict::foreign:
            return "the state or the mesh belongs to another rig; use it with the rig that it was made for";
        case Verdict::short_pose: return "there are fewer matrices than joints; give one for every joint of the rig";
        case Verdict::short_output: return "there is too little room; give room for every vertex of the rig";
        case Verdict::bad_output:
            return "the output cannot be written: positions are f32, or unorm16 in a box with a size, normals and "
                   "tangents "
                   "f32 or snorm16, and a stride holds at least one vertex";
        case Verdict::absent_array: return "the character has no normals or tangents to write";
        case Verdict::refused_pose:
            return "some matrices are not finite, singular or mirrored; their joints stayed where they were";
        case Verdict::transposed:
            return "the matrices look transposed: bones meet only with rows and columns exchanged; a matrix is three "
                   "rows of "
                   "(A | t)";
    }
    return "";
}

Surface scratch_surface(Workspace& work, std::size_t which, std::size_t vertices, const Wanted& wanted) {
    SurfaceScratch& scratch = work.impl().scratch<SurfaceScratch>();
    Surface out;
    if (wanted.positions) out.positions = sized(scratch.positions[which], vertices);
    if (wanted.normals) out.normals = sized(scratch.normals, vertices);
    if (wanted.tangents) out.tangents = sized(scratch.tangents, vertices);
    return out;
}

Verdict reset(const Rig& rig, std::span<const Affine> joints, State& state, Workspace& work) {
    state.handover = {};
    return watched(rig, joints.size(), state, [&] { rig.reset(joints, state, work); });
}

Verdict settle(const Rig& rig, State& state, Workspace& work) {
    return watched(rig, rig.joint_count(), state, [&] { rig.settle(state, work); });
}

Verdict reset_settled(const Rig& rig, std::span<const Affine> joints, State& state, Workspace& work) {
    state.handover = {};
    return watched(rig, joints.size(), state, [&] {
        rig.reset(joints, state, work);
        rig.settle(state, work);
    });
}

Verdict reset_from(const Rig& rig, const Rig& from, const State& other, State& state, Workspace& work, double seconds) {
    if (&other == &state) return reset_from(rig, from, State(other), state, work, seconds);
    if (other.rig != from.fingerprint() || other.joints.size() != rig.joint_count()) return told(Verdict::foreign);
    if (state.rig != rig.fingerprint()) state = rig.make_state();
    state.handover = {};
    state.counters = other.counters;
    state.joints = state.previous_joints = other.joints;
    rig.reset(other.joints, state, work);
    state.counters.resets = other.counters.resets;
    rig.take_over(from, other, state, work);
    if (rig.vertex_count() != from.vertex_count()) return Verdict::fine;

    hand_over_surface(rig, from, other, state, seconds, work);
    return Verdict::fine;
}

Verdict advance(const Rig& rig, std::span<const Affine> joints, double dt, State& state, Workspace& work) {
    const Verdict verdict = watched(rig, joints.size(), state, [&] { rig.advance(joints, dt, state, work); });
    if (dt > 0) run_handover(dt, state);
    return verdict;
}

Verdict embed(const Rig& rig, const State& state, const Surface& wanted, Workspace& work) {
    if (state.rig != rig.fingerprint()) return told(Verdict::foreign);
    const auto [out, verdict] = writable(wanted, rig.vertex_count(), rig.has_normals(), rig.has_tangents());
    if (!rig.embed_reads() && !is_handing_over(state)) {
        rig.embed(state, out, work);
    } else {
        through_scratch(out, rig.vertex_count(), work, [&](const Surface& own) {
            rig.embed(state, own, work);
            show_handover(rig, state, own, work);
        });
    }
    return verdict;
}

Verdict embed_skinned(const Rig& rig, const State& state, const Surface& wanted, Workspace& work) {
    if (state.rig != rig.fingerprint()) return told(Verdict::foreign);
    const auto [out, verdict] = writable(wanted, rig.vertex_count(), rig.has_normals(), rig.has_tangents());
    through_scratch(out, rig.vertex_count(), work, [&](const Surface& own) { rig.embed_skinned(state, own, work); });
    return verdict;
}

Verdict embed(const AttachedMesh& mesh, const State& state, const Surface& wanted, Workspace& work) {
    const Clothes* clothes = mesh.rig->clothes();
    if (clothes == nullptr || mesh.surface->rig != mesh.rig->fingerprint() || state.rig != mesh.surface->rig)
        return told(Verdict::foreign);
    const std::size_t n = mesh.surface->vertex_count();
    const auto [out, verdict] = writable(wanted, n, mesh.surface->has_normals, false);
    through_scratch(out, n, work, [&](const Surface& own) {
        clothes->embed_attached(*mesh.surface, state, own, work);
        show_handover_above(*mesh.rig, state, mesh.surface->beneath, own, work);
    });
    return verdict;
}

}  // namespace fascia
