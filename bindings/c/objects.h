// The objects behind the handles.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "errors.h"
#include "fascia/fascia.h"
#include "handle_table.h"

namespace fascia_c {

struct BoundRig {
    explicit BoundRig(fascia::RigPtr bound);

    fascia::RigPtr value;
    std::vector<std::string> warnings, layers, joints;  ///< texts that C reads
};

using WorkspacePtr = std::shared_ptr<fascia::Workspace>;

struct Instance {
    Instance(fascia::RigPtr shared, WorkspacePtr in)
        : rig(std::move(shared)), state(rig->make_state()), work(std::move(in)), joints(rig->joint_count()) {}

    fascia::RigPtr rig;
    fascia::State state;
    WorkspacePtr work;
    bool shares = false;                 ///< the workspace was the caller's choice, and others may work in it
    bool in_batch = false;               ///< while the frames of a batch are gathered
    std::vector<fascia::Affine> joints;  ///< scratch: the caller's matrices in our type
};

/// A workspace that instances share, and the frames of the batch that runs in it.
struct SharedWorkspace {
    struct Member {
        Instance* instance;
        fascia::Counters before;
    };
    WorkspacePtr value;
    std::vector<fascia::InstanceFrame> frames;
    std::vector<Member> members;
};

/// Which table a type of the header belongs to, and what it is called in a sentence.
template <class Handle>
struct Kind;

#define FASCIA_C_KIND(handle, kind_number, object_type, word)                                          \
    template <>                                                                                        \
    struct Kind<handle> {                                                                              \
        using Object = object_type;                                                                    \
        static inline constinit HandleTable<object_type, kind_number> table;                           \
        static constexpr const char* gone = "there is no such " word ": it is NULL or has been freed"; \
    };
FASCIA_C_KIND(fascia_character, 1, fascia::Character, "character")
FASCIA_C_KIND(fascia_rig, 2, BoundRig, "rig")
FASCIA_C_KIND(fascia_instance, 3, Instance, "instance")
FASCIA_C_KIND(fascia_attached, 4, fascia::AttachedMesh, "attached mesh")
FASCIA_C_KIND(fascia_workspace, 5, SharedWorkspace, "workspace")
FASCIA_C_KIND(fascia_world, 6, fascia::World, "world")
#undef FASCIA_C_KIND

/// The object of a handle; null, with a sentence kept, if it is NULL or was freed.
template <class Handle>
typename Kind<Handle>::Object* find(const Handle* handle, ErrorText also = {}) noexcept {
    auto* object = Kind<Handle>::table.find(reinterpret_cast<std::uintptr_t>(handle));
    if (object == nullptr) keep_error(Kind<Handle>::gone, also);
    return object;
}

/// A handle for a new object.
template <class Handle, class... Arguments>
Handle* hand_out(Arguments&&... arguments) {
    using Object = typename Kind<Handle>::Object;
    auto object = std::make_unique<Object>(std::forward<Arguments>(arguments)...);
    const std::uintptr_t handle = Kind<Handle>::table.add(object);
    if (handle == 0) keep_error("there are too many handles");
    return reinterpret_cast<Handle*>(handle);
}

/// Frees an object. NULL is ignored; for a handle that was already freed, only a sentence is kept.
template <class Handle>
void put_away(Handle* handle) noexcept {
    if (handle == nullptr) return;
    if (!Kind<Handle>::table.take(reinterpret_cast<std::uintptr_t>(handle))) keep_error(Kind<Handle>::gone);
}

/// Runs body(object) for the object of a handle; `failed` if there is none or the body throws.
template <class Value, class Handle, class Body>
Value with(const Handle* handle, Value failed, Body&& body) noexcept {
    auto* object = find(handle);
    if (object == nullptr) return failed;
    return guarded(failed, ErrorText{}, [&]() -> Value { return body(*object); });
}

/// The same for a body that returns a status.
template <class Handle, class Body>
int with_status(const Handle* handle, ErrorText also, Body&& body) noexcept {
    auto* object = find(handle, also);
    if (object == nullptr) return FASCIA_FOREIGN;
    return checked(also, [&]() -> int { return body(*object); });
}

inline fascia::Vec3d vector_of(const double* v) {
    return {v[0], v[1], v[2]};
}

/// Copies the caller's matrices; there must be one for each joint.
inline void take_joints(const double* joints, Instance& to) {
    static_assert(sizeof(fascia::Affine) == 12 * sizeof(double));
    std::memcpy(static_cast<void*>(to.joints.data()), joints, to.joints.size() * sizeof(fascia::Affine));
}

inline fascia::Surface surface_of(float* positions, float* normals, size_t vertices) {
    static_assert(sizeof(fascia::Vec3) == 3 * sizeof(float));
    fascia::Surface out;
    if (positions != nullptr) out.positions = {reinterpret_cast<fascia::Vec3*>(positions), vertices};
    if (normals != nullptr) out.normals = {reinterpret_cast<fascia::Vec3*>(normals), vertices};
    return out;
}

inline const char* text_or(const char* text, const char* otherwise) {
    return text != nullptr ? text : otherwise;
}

/// A text of a list; null after the last.
inline const char* text_at(const std::vector<std::string>& texts, size_t index) {
    return index < texts.size() ? texts[index].c_str() : nullptr;
}

/// Vertices' joints and weights; either may be null.
int give_weights(const fascia::SkinWeights* from, uint16_t* joints, float* weights);

/// Returns the length of a text with its final zero and writes as much of it as there is room for.
size_t give_text(const std::string& text, char* to, size_t size) noexcept;
/// Returns the number of bytes and writes them if there is room for all of them.
size_t give_bytes(const std::vector<std::uint8_t>& from, std::uint8_t* to, size_t capacity) noexcept;

/// A rig for the caller, or null and the sentence.
fascia_rig* give_rig(fascia::Result<fascia::RigPtr> rig, ErrorText error);

}  // namespace fascia_c
