// The C interface: a thin layer over the C++ one. No exception leaves it: failed allocations become errors.
#include "fascia/fascia_c.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "fascia/fascia.h"

struct fascia_character {
    fascia::Character value;
};

struct fascia_rig {
    fascia::RigPtr value;
};

struct fascia_instance {
    fascia_instance(fascia::RigPtr shared, int threads)
        : rig(std::move(shared)), state(rig->make_state()), work(threads), joints(rig->joint_count()) {}

    fascia::RigPtr rig;
    fascia::State state;
    fascia::Workspace work;
    std::vector<fascia::Affine> joints;  // scratch: the caller's matrices in our type
};

struct fascia_attached {
    fascia::AttachedMesh value;
};

namespace {

void say(const std::string& message, char* error, size_t error_size) {
    if (error == nullptr || error_size == 0) return;
    const size_t length = std::min(message.size(), error_size - 1);
    std::memcpy(error, message.data(), length);
    error[length] = 0;
}

/// Runs `body`, which returns a pointer; an exception becomes an error message.
template <class Body>
auto guarded(char* error, size_t error_size, Body&& body) -> decltype(body()) {
    try {
        return body();
    } catch (const std::exception& problem) {
        say(std::string("fascia ran out of resources: ") + problem.what(), error, error_size);
        return nullptr;
    }
}

fascia::Result<fascia::Character> load(const std::string& path_or_name) {
    for (const std::string& name : fascia::bundled_names())
        if (name == path_or_name) return fascia::bundled_character(name);
    return fascia::load_character(path_or_name);
}

fascia::Result<fascia::Flesh> flesh_from(const char* flesh_json) {
    fascia::Result<fascia::Flesh> flesh = fascia::preset("default");
    if (flesh && flesh_json != nullptr) flesh = fascia::parse_flesh(flesh_json, "flesh", *flesh);
    return flesh;
}

fascia::Result<fascia::RigPtr> bind_with(const fascia::Character& character, const std::string& method,
                                         const char* flesh_json) {
    const auto flesh = flesh_from(flesh_json);
    if (!flesh) return flesh.error();
    fascia::BindInputs inputs;
    inputs.read_mask = fascia::load_mask;
    return fascia::bind(character, method, *flesh, inputs);
}

fascia::Result<fascia::RigPtr> retune_with(const fascia::RigPtr& rig, const char* flesh_json) {
    const auto flesh = flesh_from(flesh_json);
    if (!flesh) return flesh.error();
    const auto settings = fascia::settings_for(rig->method(), *flesh);
    if (!settings) return settings.error();
    return fascia::retune(rig, *settings);
}

const fascia::FieldInfo* field_of(const char* method, size_t index) {
    const fascia::MethodInfo* info = fascia::find_method_info(method != nullptr ? method : "");
    return info != nullptr && index < info->fields.size() ? &info->fields[index] : nullptr;
}

/// Returns a rig to the caller, or the error message.
fascia_rig* hand_over(fascia::Result<fascia::RigPtr> rig, char* error, size_t error_size) {
    if (rig) return new fascia_rig{std::move(*rig)};
    say(rig.error().message, error, error_size);
    return nullptr;
}

fascia::Vec3d vector_of(const double* v) {
    return {v[0], v[1], v[2]};
}

/// 0 if `body` returns a good status; otherwise its message goes to the caller.
template <class Body>
int checked(char* error, size_t error_size, Body&& body) {
    try {
        const fascia::Status status = body();
        if (!status) say(status.error().message, error, error_size);
        return status ? 0 : 1;
    } catch (const std::exception& problem) {
        say(std::string("fascia ran out of resources: ") + problem.what(), error, error_size);
        return 1;
    }
}

/// Runs `body`; if it throws, returns `failed`.
template <class Value, class Body>
Value quietly(Value failed, Body&& body) {
    try {
        return body();
    } catch (const std::exception&) {
        return failed;
    }
}

size_t hand_over(const std::vector<uint8_t>& from, uint8_t* bytes, size_t capacity) {
    if (bytes != nullptr && capacity >= from.size()) std::memcpy(bytes, from.data(), from.size());
    return from.size();
}

void take_joints(fascia_instance& instance, const double* joints) {
    static_assert(sizeof(fascia::Affine) == 12 * sizeof(double));
    std::memcpy(static_cast<void*>(instance.joints.data()), joints, instance.joints.size() * sizeof(fascia::Affine));
}

}  // namespace

extern "C" {

const char* fascia_version(void) {
    return FASCIA_VERSION_STRING;
}

fascia_character* fascia_character_load(const char* path_or_name, char* error, size_t error_size) {
    return guarded(error, error_size, [&]() -> fascia_character* {
        auto loaded = load(path_or_name != nullptr ? path_or_name : "");
        if (loaded) return new fascia_character{std::move(*loaded)};
        say(loaded.error().message, error, error_size);
        return nullptr;
    });
}

void fascia_character_free(fascia_character* character) {
    delete character;
}

size_t fascia_vertex_count(const fascia_character* character) {
    return character->value.mesh.vertex_count();
}
size_t fascia_triangle_count(const fascia_character* character) {
    return character->value.mesh.triangle_count();
}
size_t fascia_joint_count(const fascia_character* character) {
    return character->value.joints.size();
}
size_t fascia_clip_count(const fascia_character* character) {
    return character->value.clips.size();
}
double fascia_size(const fascia_character* character) {
    return character->value.size();
}

const char* fascia_joint_name(const fascia_character* character, size_t joint) {
    return joint < character->value.joints.size() ? character->value.joints[joint].name.c_str() : nullptr;
}

const char* fascia_clip_name(const fascia_character* character, size_t clip) {
    return clip < character->value.clips.size() ? character->value.clips[clip].name.c_str() : nullptr;
}

double fascia_clip_duration(const fascia_character* character, size_t clip) {
    return clip < character->value.clips.size() ? character->value.clips[clip].duration : 0;
}

void fascia_triangles(const fascia_character* character, uint32_t* triangles) {
    const auto& source = character->value.mesh.triangles;
    std::memcpy(triangles, source.data(), source.size() * sizeof(uint32_t));
}

int fascia_pose(const fascia_character* character, int clip, double seconds, double* joints) {
    const fascia::Character& c = character->value;
    if (clip < -1 || clip >= static_cast<int>(c.clips.size())) return 1;
    fascia::Pose pose;
    fascia::evaluate(c, clip < 0 ? nullptr : &c.clips[clip], seconds, pose);
    std::memcpy(joints, pose.joints.data(), pose.joints.size() * sizeof(fascia::Affine));
    return 0;
}

fascia_rig* fascia_bind(const fascia_character* character, const char* method, const char* flesh_json, char* error,
                        size_t error_size) {
    return guarded(error, error_size, [&] {
        return hand_over(bind_with(character->value, method != nullptr ? method : "", flesh_json), error, error_size);
    });
}

void fascia_rig_free(fascia_rig* rig) {
    delete rig;
}
size_t fascia_point_count(const fascia_rig* rig) {
    return rig->value->point_count();
}

size_t fascia_method_count(void) {
    return fascia::methods().size();
}

const char* fascia_method_name(size_t index) {
    return index < fascia::methods().size() ? fascia::methods()[index].name.c_str() : nullptr;
}

size_t fascia_setting_count(const char* method) {
    const fascia::MethodInfo* info = fascia::find_method_info(method != nullptr ? method : "");
    return info != nullptr ? info->fields.size() : 0;
}

int fascia_setting_info(const char* method, size_t index, fascia_setting* out) {
    const fascia::FieldInfo* field = field_of(method, index);
    if (field == nullptr) return 1;
    *out = {field->key.c_str(),
            fascia::scope_name(field->scope),
            fascia::kind_name(field->kind),
            field->min,
            field->max,
            field->automatic ? 1 : 0,
            field->live ? 1 : 0,
            field->unit.c_str(),
            field->meaning.c_str()};
    return 0;
}

size_t fascia_rig_get(const fascia_rig* rig, const char* key, char* value, size_t value_size) {
    return quietly(size_t{0}, [&] {
        const auto text = fascia::get_field(rig->value->settings(), key != nullptr ? key : "");
        if (!text) return size_t{0};
        say(*text, value, value_size);
        return text->size() + 1;
    });
}

fascia_rig* fascia_rig_set(const fascia_rig* rig, const char* key, const char* value, char* error, size_t error_size) {
    return guarded(error, error_size, [&] {
        return hand_over(fascia::retune(rig->value, key != nullptr ? key : "", value != nullptr ? value : ""), error,
                         error_size);
    });
}

size_t fascia_rig_save(const fascia_rig* rig, uint8_t* bytes, size_t capacity) {
    try {
        const auto saved = fascia::save_rig(*rig->value);
        return saved ? hand_over(*saved, bytes, capacity) : 0;
    } catch (const std::exception&) {
        return 0;
    }
}

fascia_rig* fascia_rig_load(const uint8_t* bytes, size_t size, char* error, size_t error_size) {
    return guarded(error, error_size, [&] {
        return hand_over(fascia::load_rig({bytes, bytes == nullptr ? 0 : size}), error, error_size);
    });
}

fascia_instance* fascia_instance_new(const fascia_rig* rig, int threads) {
    return guarded(nullptr, 0, [&] { return new fascia_instance(rig->value, threads); });
}

void fascia_instance_free(fascia_instance* instance) {
    delete instance;
}

void fascia_reset(fascia_instance* instance, const double* joints) {
    take_joints(*instance, joints);
    instance->rig->reset(instance->joints, instance->state, instance->work);
}

void fascia_reset_settled(fascia_instance* instance, const double* joints) {
    take_joints(*instance, joints);
    fascia::reset_settled(*instance->rig, instance->joints, instance->state, instance->work);
}

void fascia_advance(fascia_instance* instance, const double* joints, double dt) {
    take_joints(*instance, joints);
    instance->rig->advance(instance->joints, dt, instance->state, instance->work);
}

void fascia_embed(fascia_instance* instance, float* positions, float* normals) {
    static_assert(sizeof(fascia::Vec3) == 3 * sizeof(float));
    const size_t n = instance->rig->vertex_count();
    fascia::Surface out;
    out.positions = {reinterpret_cast<fascia::Vec3*>(positions), n};
    if (normals != nullptr) out.normals = {reinterpret_cast<fascia::Vec3*>(normals), n};
    instance->rig->embed(instance->state, out, instance->work);
}

fascia_attached* fascia_attach(const fascia_rig* rig, const float* positions, const float* normals, size_t vertices,
                               char* error, size_t error_size) {
    return guarded(error, error_size, [&]() -> fascia_attached* {
        fascia::Mesh mesh;
        const auto* points = reinterpret_cast<const fascia::Vec3*>(positions);
        const auto* directions = reinterpret_cast<const fascia::Vec3*>(normals);
        if (points != nullptr) mesh.positions.assign(points, points + vertices);
        if (directions != nullptr) mesh.normals.assign(directions, directions + vertices);
        auto attached = fascia::attach(rig->value, mesh);
        if (attached) return new fascia_attached{std::move(*attached)};
        say(attached.error().message, error, error_size);
        return nullptr;
    });
}

void fascia_attached_free(fascia_attached* attached) {
    delete attached;
}

void fascia_embed_attached(fascia_instance* instance, const fascia_attached* attached, float* positions,
                           float* normals) {
    const size_t n = attached->value.surface->vertex_count();
    fascia::Surface out;
    out.positions = {reinterpret_cast<fascia::Vec3*>(positions), n};
    if (normals != nullptr) out.normals = {reinterpret_cast<fascia::Vec3*>(normals), n};
    fascia::embed(attached->value, instance->state, out, instance->work);
}

uint64_t fascia_hash(const fascia_instance* instance) {
    return fascia::hash(instance->state);
}

size_t fascia_instance_save(const fascia_instance* instance, uint8_t* bytes, size_t capacity) {
    try {
        return hand_over(fascia::save_state(*instance->rig, instance->state), bytes, capacity);
    } catch (const std::exception&) {
        return 0;
    }
}

int fascia_instance_restore(fascia_instance* instance, const uint8_t* bytes, size_t size, char* error,
                            size_t error_size) {
    const auto* restored = guarded(error, error_size, [&]() -> fascia_instance* {
        auto state = fascia::load_state(*instance->rig, {bytes, bytes == nullptr ? 0 : size});
        if (!state) return say(state.error().message, error, error_size), nullptr;
        instance->state = std::move(*state);
        return instance;
    });
    return restored != nullptr ? 0 : 1;
}

int fascia_points(fascia_instance* instance, float* points) {
    return quietly(1, [&] {
        const fascia::Inside* inside = instance->rig->inside();
        if (inside == nullptr) return 1;
        const size_t n = instance->rig->point_count();
        inside->point_positions(instance->state, {reinterpret_cast<fascia::Vec3*>(points), n}, instance->work);
        return 0;
    });
}

int fascia_point_parts(const fascia_rig* rig, uint16_t* bones, uint16_t* joints) {
    return quietly(1, [&] {
        const fascia::Inside* inside = rig->value->inside();
        if (inside == nullptr) return 1;
        const fascia::PointParts parts = inside->point_parts();
        if (bones != nullptr) std::copy(parts.bones.begin(), parts.bones.end(), bones);
        if (joints != nullptr) std::copy(parts.joints.begin(), parts.joints.end(), joints);
        return parts.joints.empty() ? 1 : 0;
    });
}

size_t fascia_cell_count(const fascia_rig* rig) {
    return quietly(size_t{0}, [&] {
        const fascia::Inside* inside = rig->value->inside();
        return inside != nullptr ? inside->point_cells().size() / 8 : 0;
    });
}

void fascia_cells(const fascia_rig* rig, uint32_t* corners) {
    quietly(0, [&] {
        const fascia::Inside* inside = rig->value->inside();
        if (inside == nullptr) return 1;
        const std::vector<uint32_t> cells = inside->point_cells();
        std::copy(cells.begin(), cells.end(), corners);
        return 0;
    });
}

size_t fascia_joint_volumes(const fascia_instance* instance, uint32_t* joints, double* ratios, size_t capacity) {
    return quietly(size_t{0}, [&] {
        const fascia::Inside* inside = instance->rig->inside();
        if (inside == nullptr) return size_t{0};
        const std::vector<fascia::JointVolume> volumes = inside->joint_volumes(instance->state);
        for (size_t k = 0; k < std::min(capacity, volumes.size()); ++k) {
            joints[k] = static_cast<uint32_t>(volumes[k].joint);
            ratios[k] = volumes[k].ratio;
        }
        return volumes.size();
    });
}

fascia_rig* fascia_retune(const fascia_rig* rig, const char* flesh_json, char* error, size_t error_size) {
    return guarded(error, error_size,
                   [&] { return hand_over(retune_with(rig->value, flesh_json), error, error_size); });
}

void fascia_instance_use(fascia_instance* instance, const fascia_rig* retuned) {
    if (retuned->value->joint_count() == instance->joints.size()) instance->rig = retuned->value;
}

int fascia_fade(fascia_instance* instance, const char* joints, double amount, double seconds, char* error,
                size_t error_size) {
    return checked(error, error_size, [&] {
        return fascia::fade(*instance->rig, joints != nullptr ? joints : "*", amount, seconds, instance->state);
    });
}

int fascia_solo(fascia_instance* instance, const char* joints, double seconds, char* error, size_t error_size) {
    return checked(error, error_size, [&] {
        return fascia::solo(*instance->rig, joints != nullptr ? joints : "*", seconds, instance->state);
    });
}

int fascia_pick(fascia_instance* instance, const double* origin, const double* direction, double* point) {
    try {
        const auto hit =
            fascia::pick(*instance->rig, {vector_of(origin), vector_of(direction)}, instance->state, instance->work);
        if (!hit) return 1;
        point[0] = hit->x;
        point[1] = hit->y;
        point[2] = hit->z;
        return 0;
    } catch (const std::exception&) {
        return 1;
    }
}

int fascia_pull(fascia_instance* instance, const double* point, const double* target, double strength) {
    try {
        return fascia::pull(*instance->rig, vector_of(point), vector_of(target), strength, instance->state) ? 0 : 1;
    } catch (const std::exception&) {
        return 1;
    }
}

void fascia_pull_to(fascia_instance* instance, const double* target) {
    fascia::move_pull(vector_of(target), instance->state);
}

void fascia_release(fascia_instance* instance) {
    fascia::release(instance->state);
}

}  // extern "C"
