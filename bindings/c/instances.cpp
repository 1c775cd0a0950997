// Instances: frames in, surfaces out, clothes, and their state as bytes.
#include "objects.h"

namespace {

using namespace fascia_c;

/// Runs verb(joints) with the caller's matrices.
template <class Verb>
int with_joints(fascia_instance* instance, const double* joints, Verb&& verb) {
    return with_status(instance, {}, [&](Instance& i) {
        if (joints == nullptr) return fail(FASCIA_REFUSED, "no matrices were given for the joints");
        take_joints(joints, i);
        return told(verb(i));
    });
}

/// An unknown type is passed on as it is; writing refuses it.
fascia::VertexArray vertex_array(const fascia_vertex_array& from) {
    return {from.data, from.stride, from.vertices, static_cast<fascia::NumberType>(from.type)};
}

fascia::VertexBuffers buffers_of(const fascia_vertex_buffers& from) {
    fascia::VertexBuffers out;
    out.positions = vertex_array(from.positions);
    out.normals = vertex_array(from.normals);
    out.tangents = vertex_array(from.tangents);
    out.low = {from.low[0], from.low[1], from.low[2]};
    out.high = {from.high[0], from.high[1], from.high[2]};
    out.offsets = from.offsets != 0;
    out.skip_after_still_frames = from.skip_after_still_frames;
    return out;
}

}  // namespace

extern "C" {

fascia_instance* fascia_instance_new(const fascia_rig* rig, int threads) {
    return with<fascia_instance*>(rig, nullptr, [&](const BoundRig& r) {
        return hand_out<fascia_instance>(r.value, std::make_shared<fascia::Workspace>(threads));
    });
}

fascia_instance* fascia_instance_copy(const fascia_instance* instance) {
    return with<fascia_instance*>(instance, nullptr, [&](const Instance& i) -> fascia_instance* {
        fascia::State state = i.state;
        WorkspacePtr work = i.shares ? i.work : std::make_shared<fascia::Workspace>(i.work->threads());
        fascia_instance* out = hand_out<fascia_instance>(i.rig, std::move(work));
        if (Instance* copy = find(out)) {
            copy->state = std::move(state);
            copy->shares = i.shares;
        }
        return out;
    });
}

void fascia_instance_free(fascia_instance* instance) {
    put_away(instance);
}

int fascia_reset(fascia_instance* instance, const double* joints) {
    return with_joints(instance, joints, [](Instance& i) { return fascia::reset(*i.rig, i.joints, i.state, *i.work); });
}

int fascia_reset_settled(fascia_instance* instance, const double* joints) {
    return with_joints(instance, joints,
                       [](Instance& i) { return fascia::reset_settled(*i.rig, i.joints, i.state, *i.work); });
}

int fascia_settle(fascia_instance* instance) {
    return with_status(instance, {}, [](Instance& i) { return told(fascia::settle(*i.rig, i.state, *i.work)); });
}

int fascia_reset_from(fascia_instance* instance, const fascia_instance* from, double seconds) {
    return with_status(instance, {}, [&](Instance& i) {
        const Instance* other = find(from);
        if (other == nullptr) return int(FASCIA_FOREIGN);
        if (other->rig->joint_count() != i.rig->joint_count())
            return fail(FASCIA_FOREIGN, "the rigs differ in joints; give two rigs of the same character");
        fascia::State next = i.rig->make_state();  // so that it stays as it was if memory runs out
        const fascia::Verdict verdict =
            fascia::reset_from(*i.rig, *other->rig, other->state, next, *i.work, seconds > 0 ? seconds : 0);
        i.state = std::move(next);
        return told(verdict);
    });
}

int fascia_advance(fascia_instance* instance, const double* joints, double dt) {
    return with_joints(instance, joints,
                       [&](Instance& i) { return fascia::advance(*i.rig, i.joints, dt, i.state, *i.work); });
}

int fascia_embed(fascia_instance* instance, float* positions, float* normals) {
    return with_status(instance, {}, [&](Instance& i) {
        return told(fascia::embed(*i.rig, i.state, surface_of(positions, normals, i.rig->vertex_count()), *i.work));
    });
}

int fascia_embed_skinned(fascia_instance* instance, float* positions, float* normals) {
    return with_status(instance, {}, [&](Instance& i) {
        const fascia::Surface out = surface_of(positions, normals, i.rig->vertex_count());
        return told(fascia::embed_skinned(*i.rig, i.state, out, *i.work));
    });
}

int fascia_embed_into(fascia_instance* instance, const fascia_vertex_buffers* out, int* written, size_t* clamped) {
    if (written != nullptr) *written = 0;
    if (clamped != nullptr) *clamped = 0;
    return with_status(instance, {}, [&](Instance& i) {
        if (out == nullptr) return fail(FASCIA_REFUSED, "no buffers were given");
        const fascia::Embedded done = fascia::embed_into(*i.rig, i.state, buffers_of(*out), *i.work);
        if (written != nullptr) *written = done.written ? 1 : 0;
        if (clamped != nullptr) *clamped = done.clamped;
        return told(done.verdict);
    });
}

int fascia_instance_counters(const fascia_instance* instance, fascia_counters* out) {
    return with_status(instance, {}, [&](const Instance& i) {
        if (out == nullptr) return fail(FASCIA_REFUSED, "no room was given for the counters");
        const fascia::Counters& c = i.state.counters;
        *out = {c.steps,         c.refused_poses,  c.resets,          c.limited_points,
                c.dropped_steps, c.foreign_states, c.transposed_poses};
        return int(FASCIA_OK);
    });
}

int fascia_instance_asleep(const fascia_instance* instance) {
    return with(instance, 0, [](const Instance& i) { return i.state.asleep != 0 ? 1 : 0; });
}

uint64_t fascia_instance_still_frames(const fascia_instance* instance) {
    return with(instance, uint64_t{0}, [](const Instance& i) { return i.state.still_frames; });
}

uint64_t fascia_hash(const fascia_instance* instance) {
    return with(instance, uint64_t{0}, [](const Instance& i) { return fascia::hash(i.state); });
}

size_t fascia_instance_save(const fascia_instance* instance, uint8_t* bytes, size_t capacity) {
    return with(instance, size_t{0},
                [&](const Instance& i) { return give_bytes(fascia::save_state(*i.rig, i.state), bytes, capacity); });
}

int fascia_instance_restore(fascia_instance* instance, const uint8_t* bytes, size_t size, char* error,
                            size_t error_size) {
    const ErrorText to{error, error_size};
    return with_status(instance, to, [&](Instance& i) {
        auto state = fascia::load_state(*i.rig, {bytes, bytes == nullptr ? 0 : size});
        if (!state) return fail(state.error(), to);
        i.state = std::move(*state);
        return int(FASCIA_OK);
    });
}

fascia_attached* fascia_attach(const fascia_rig* rig, const float* positions, const float* normals, size_t vertices,
                               char* error, size_t error_size) {
    const ErrorText to{error, error_size};
    const BoundRig* bound = find(rig, to);
    if (bound == nullptr) return nullptr;
    return guarded<fascia_attached*>(nullptr, to, [&]() -> fascia_attached* {
        fascia::Mesh mesh;
        const auto* points = reinterpret_cast<const fascia::Vec3*>(positions);
        const auto* directions = reinterpret_cast<const fascia::Vec3*>(normals);
        if (points != nullptr) mesh.positions.assign(points, points + vertices);
        if (directions != nullptr) mesh.normals.assign(directions, directions + vertices);
        auto attached = fascia::attach(bound->value, mesh);
        if (attached) return hand_out<fascia_attached>(std::move(*attached));
        fail(attached.error(), to);
        return nullptr;
    });
}

void fascia_attached_free(fascia_attached* attached) {
    put_away(attached);
}

size_t fascia_attached_vertex_count(const fascia_attached* attached) {
    return with(attached, size_t{0}, [](const fascia::AttachedMesh& a) { return a.surface->vertex_count(); });
}

const char* fascia_attached_warning(const fascia_attached* attached, size_t index) {
    return with<const char*>(attached, nullptr, [&](const fascia::AttachedMesh& a) {
        return index < a.surface->warnings.size() ? a.surface->warnings[index].c_str() : nullptr;
    });
}

int fascia_embed_attached(fascia_instance* instance, const fascia_attached* attached, float* positions,
                          float* normals) {
    return with_status(instance, {}, [&](Instance& i) {
        const fascia::AttachedMesh* mesh = find(attached);
        if (mesh == nullptr) return int(FASCIA_FOREIGN);
        const size_t n = mesh->surface->vertex_count();
        return told(fascia::embed(*mesh, i.state, surface_of(positions, normals, n), *i.work));
    });
}

}  // extern "C"
