// Workspaces that instances share, the threads of the host, and frames of many instances in one call.
#include "objects.h"

namespace {

using namespace fascia_c;

fascia_workspace* hand_out_workspace(WorkspacePtr work) {
    return hand_out<fascia_workspace>(SharedWorkspace{std::move(work), {}, {}});
}

/// One frame as C++ takes it.
int add_frame(const fascia_frame& from, SharedWorkspace& to) {
    Instance* instance = find(from.instance);
    if (instance == nullptr) return FASCIA_FOREIGN;
    if (from.joints == nullptr) return fail(FASCIA_REFUSED, "no matrices were given for the joints");
    if (instance->in_batch) return fail(FASCIA_REFUSED, "an instance is there twice; give each of them once");
    const size_t vertices = instance->rig->vertex_count();
    to.frames.push_back({instance->rig.get(), instance->joints, from.dt, &instance->state,
                         surface_of(from.positions, from.positions != nullptr ? from.normals : nullptr, vertices)});
    to.members.push_back({instance, instance->state.counters});
    instance->in_batch = true;
    take_joints(from.joints, *instance);
    return FASCIA_OK;
}

/// Gathers the frames; whatever happens, the instances are free for the next call.
int gather(const fascia_frame* frames, size_t count, SharedWorkspace& to) {
    to.frames.clear();
    to.members.clear();
    const int status = checked({}, [&] {
        to.frames.reserve(count);
        to.members.reserve(count);
        for (size_t k = 0; k < count; ++k)
            if (const int bad = add_frame(frames[k], to); bad != FASCIA_OK) return bad;
        return int(FASCIA_OK);
    });
    for (const SharedWorkspace::Member& member : to.members) member.instance->in_batch = false;
    return status;
}

fascia::Verdict verdict_of(const SharedWorkspace::Member& member) {
    const fascia::Counters &before = member.before, &after = member.instance->state.counters;
    if (after.foreign_states != before.foreign_states) return fascia::Verdict::foreign;
    if (after.transposed_poses != before.transposed_poses) return fascia::Verdict::transposed;
    if (after.refused_poses != before.refused_poses) return fascia::Verdict::refused_pose;
    return fascia::Verdict::fine;
}

/// Advances a batch, among the things of a world if there is one.
int advance_all(const fascia_frame* frames, size_t count, const fascia::World* world, SharedWorkspace& w) {
    if (frames == nullptr && count > 0) return fail(FASCIA_REFUSED, "no frames were given");
    if (const int bad = gather(frames, count, w); bad != FASCIA_OK) return bad;
    if (world != nullptr)
        fascia::advance_many(w.frames, *world, *w.value);
    else
        fascia::advance_many(w.frames, *w.value);
    int status = FASCIA_OK;
    for (const SharedWorkspace::Member& member : w.members)
        if (const int said = told(verdict_of(member)); said != FASCIA_OK) status = said;
    return status;
}

}  // namespace

extern "C" {

fascia_workspace* fascia_workspace_new(int threads) {
    return guarded<fascia_workspace*>(nullptr, {},
                                      [&] { return hand_out_workspace(std::make_shared<fascia::Workspace>(threads)); });
}

fascia_workspace* fascia_workspace_on_host(fascia_parallel_for parallel_for, void* user, int threads) {
    return guarded<fascia_workspace*>(nullptr, {}, [&]() -> fascia_workspace* {
        if (parallel_for == nullptr) return keep_error("no parallel_for was given"), nullptr;
        return hand_out_workspace(std::make_shared<fascia::Workspace>(fascia::Jobs{parallel_for, user, threads}));
    });
}

void fascia_workspace_free(fascia_workspace* workspace) {
    put_away(workspace);
}

int fascia_workspace_threads(const fascia_workspace* workspace) {
    return with(workspace, 0, [](const SharedWorkspace& w) { return w.value->threads(); });
}

double fascia_workspace_seconds(const fascia_workspace* workspace, const char* stage) {
    return with(workspace, 0.0, [&](const SharedWorkspace& w) { return w.value->times.of(text_or(stage, "")); });
}

fascia_instance* fascia_instance_new_in(const fascia_rig* rig, fascia_workspace* workspace) {
    return with<fascia_instance*>(rig, nullptr, [&](const BoundRig& r) -> fascia_instance* {
        const SharedWorkspace* shared = find(workspace);
        if (shared == nullptr) return nullptr;
        fascia_instance* out = hand_out<fascia_instance>(r.value, shared->value);
        if (Instance* made = find(out)) made->shares = true;
        return out;
    });
}

int fascia_instance_work_in(fascia_instance* instance, fascia_workspace* workspace) {
    return with_status(instance, {}, [&](Instance& i) {
        const SharedWorkspace* shared = find(workspace);
        if (shared == nullptr) return int(FASCIA_FOREIGN);
        i.work = shared->value;
        i.shares = true;
        return int(FASCIA_OK);
    });
}

int fascia_advance_many(fascia_workspace* workspace, const fascia_frame* frames, size_t count) {
    return with_status(workspace, {}, [&](SharedWorkspace& w) { return advance_all(frames, count, nullptr, w); });
}

int fascia_advance_many_in(fascia_workspace* workspace, const fascia_world* world, const fascia_frame* frames,
                           size_t count) {
    return with_status(workspace, {}, [&](SharedWorkspace& w) {
        const fascia::World* around = find(world);
        return around != nullptr ? advance_all(frames, count, around, w) : int(FASCIA_FOREIGN);
    });
}

}  // extern "C"
