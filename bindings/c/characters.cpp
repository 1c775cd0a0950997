// Characters: from files, from memory, from the caller's arrays, and what is in them.
#include <algorithm>
#include <cstring>

#include "objects.h"

namespace {

using namespace fascia_c;

fascia::Result<fascia::Character> load(const std::string& path_or_name) {
    for (const std::string& name : fascia::bundled_names())
        if (name == path_or_name) return fascia::bundled_character(name);
    return fascia::load_character(path_or_name);
}

fascia_character* give(fascia::Result<fascia::Character> character, ErrorText error) {
    if (character) return hand_out<fascia_character>(std::move(*character));
    fail(character.error(), error);
    return nullptr;
}

fascia::ArrayView view(const fascia_array& array) {
    return {array.data, array.count, array.stride, static_cast<fascia::NumberType>(array.type)};
}

fascia::CharacterArrays arrays_of(const fascia_character_arrays& from) {
    fascia::CharacterArrays out;
    out.name = text_or(from.name, "character");
    out.positions = view(from.positions);
    out.normals = view(from.normals);
    out.tangents = view(from.tangents);
    out.uvs = view(from.uvs);
    out.colors = view(from.colors);
    out.mask_colors = view(from.mask_colors);
    out.triangles = view(from.triangles);
    out.joint_indices = view(from.joint_indices);
    out.joint_weights = view(from.joint_weights);
    out.influences = from.influences;
    const size_t joints = from.joint_rests.count;
    for (size_t j = 0; from.joint_names != nullptr && j < joints; ++j)
        out.joint_names.push_back(text_or(from.joint_names[j], ""));
    if (from.joint_parents != nullptr) out.joint_parents = {from.joint_parents, joints};
    out.joint_rests = view(from.joint_rests);
    out.form = static_cast<fascia::MatrixForm>(from.matrix_form);
    out.inverse_binds = from.inverse_binds != 0;
    out.joint_tails = view(from.joint_tails);
    return out;
}

void give_pose(const fascia::Pose& pose, double* joints) {
    static_assert(sizeof(fascia::Affine) == 12 * sizeof(double));
    std::memcpy(joints, pose.joints.data(), pose.joints.size() * sizeof(fascia::Affine));
}

/// Copies an array if it was asked for; false if there is none.
template <class Item>
bool give_array(const std::vector<Item>& from, float* to) {
    if (to == nullptr) return true;
    if (!from.empty()) std::memcpy(to, from.data(), from.size() * sizeof(Item));
    return !from.empty();
}

template <class Items>
int index_of(const Items& items, const char* name) {
    for (size_t k = 0; name != nullptr && k < items.size(); ++k)
        if (items[k].name == name) return static_cast<int>(k);
    keep_error("there is none of this name: ", text_or(name, "NULL"));
    return -1;
}

int no_such(const char* what) {
    return fail(FASCIA_NONE, what);
}

}  // namespace

int fascia_c::give_weights(const fascia::SkinWeights* from, uint16_t* joints, float* weights) {
    if (from == nullptr || from->weights.empty()) return no_such("there are no weights");
    if (joints != nullptr) std::copy(from->joints.begin(), from->joints.end(), joints);
    if (weights != nullptr) std::copy(from->weights.begin(), from->weights.end(), weights);
    return FASCIA_OK;
}

extern "C" {

const char* fascia_version(void) {
    return FASCIA_VERSION_STRING;
}
const char* fascia_vector_level(void) {
    return fascia::vector_level();
}

fascia_character* fascia_character_load(const char* path_or_name, char* error, size_t error_size) {
    const ErrorText to{error, error_size};
    return guarded<fascia_character*>(nullptr, to, [&] { return give(load(text_or(path_or_name, "")), to); });
}

fascia_character* fascia_character_from_memory(const uint8_t* bytes, size_t size, const char* name, char* error,
                                               size_t error_size) {
    const ErrorText to{error, error_size};
    return guarded<fascia_character*>(nullptr, to, [&] {
        const std::span<const std::uint8_t> all(bytes, bytes == nullptr ? 0 : size);
        return give(fascia::load_character_from_memory(all, text_or(name, "character")), to);
    });
}

fascia_character* fascia_character_make(const fascia_character_arrays* arrays, char* error, size_t error_size) {
    const ErrorText to{error, error_size};
    return guarded<fascia_character*>(nullptr, to, [&]() -> fascia_character* {
        if (arrays == nullptr) return keep_error("no arrays were given", to), nullptr;
        return give(fascia::make_character(arrays_of(*arrays)), to);
    });
}

void fascia_character_free(fascia_character* character) {
    put_away(character);
}

size_t fascia_vertex_count(const fascia_character* character) {
    return with(character, size_t{0}, [](const fascia::Character& c) { return c.mesh.vertex_count(); });
}
size_t fascia_triangle_count(const fascia_character* character) {
    return with(character, size_t{0}, [](const fascia::Character& c) { return c.mesh.triangle_count(); });
}
size_t fascia_joint_count(const fascia_character* character) {
    return with(character, size_t{0}, [](const fascia::Character& c) { return c.joints.size(); });
}
size_t fascia_clip_count(const fascia_character* character) {
    return with(character, size_t{0}, [](const fascia::Character& c) { return c.clips.size(); });
}
double fascia_size(const fascia_character* character) {
    return with(character, 0.0, [](const fascia::Character& c) { return c.size(); });
}

const char* fascia_joint_name(const fascia_character* character, size_t joint) {
    return with<const char*>(character, nullptr, [&](const fascia::Character& c) {
        return joint < c.joints.size() ? c.joints[joint].name.c_str() : nullptr;
    });
}

int fascia_joint_parent(const fascia_character* character, size_t joint) {
    return with(character, -2,
                [&](const fascia::Character& c) { return joint < c.joints.size() ? c.joints[joint].parent : -2; });
}

int fascia_joint_rest(const fascia_character* character, size_t joint, double* rest, double* tail) {
    return with_status(character, {}, [&](const fascia::Character& c) {
        if (joint >= c.joints.size()) return no_such("there is no such joint");
        const fascia::Joint& from = c.joints[joint];
        if (rest != nullptr) std::memcpy(rest, from.rest.m, sizeof from.rest.m);
        if (tail != nullptr) tail[0] = from.tail.x, tail[1] = from.tail.y, tail[2] = from.tail.z;
        return int(FASCIA_OK);
    });
}

int fascia_find_joint(const fascia_character* character, const char* name) {
    return with(character, -1, [&](const fascia::Character& c) { return index_of(c.joints, name); });
}

const char* fascia_clip_name(const fascia_character* character, size_t clip) {
    return with<const char*>(character, nullptr, [&](const fascia::Character& c) {
        return clip < c.clips.size() ? c.clips[clip].name.c_str() : nullptr;
    });
}

int fascia_find_clip(const fascia_character* character, const char* name) {
    return with(character, -1, [&](const fascia::Character& c) { return index_of(c.clips, name); });
}

double fascia_clip_duration(const fascia_character* character, size_t clip) {
    return with(character, 0.0,
                [&](const fascia::Character& c) { return clip < c.clips.size() ? c.clips[clip].duration : 0; });
}

int fascia_triangles(const fascia_character* character, uint32_t* triangles) {
    return with_status(character, {}, [&](const fascia::Character& c) {
        if (triangles == nullptr) return fail(FASCIA_REFUSED, "no array was given for the triangles");
        std::copy(c.mesh.triangles.begin(), c.mesh.triangles.end(), triangles);
        return int(FASCIA_OK);
    });
}

int fascia_rest_surface(const fascia_character* character, float* positions, float* normals, float* tangents,
                        float* uvs) {
    return with_status(character, {}, [&](const fascia::Character& c) {
        const bool all[] = {give_array(c.mesh.positions, positions), give_array(c.mesh.normals, normals),
                            give_array(c.mesh.tangents, tangents), give_array(c.mesh.uvs, uvs)};
        return std::all_of(all, all + 4, [](bool has) { return has; })
                   ? int(FASCIA_OK)
                   : no_such("the character does not have all of these arrays");
    });
}

int fascia_influences(const fascia_character* character) {
    return with(character, 0, [](const fascia::Character& c) { return c.weights.influences; });
}

int fascia_skin_weights(const fascia_character* character, uint16_t* joints, float* weights) {
    return with_status(character, {},
                       [&](const fascia::Character& c) { return give_weights(&c.weights, joints, weights); });
}

const char* fascia_remark(const fascia_character* character, size_t index) {
    return with<const char*>(character, nullptr, [&](const fascia::Character& c) {
        return index < c.remarks.size() ? c.remarks[index].text.c_str() : nullptr;
    });
}

int fascia_pose(const fascia_character* character, int clip, double seconds, double* joints) {
    return with_status(character, {}, [&](const fascia::Character& c) {
        if (clip < -1 || clip >= static_cast<int>(c.clips.size())) return no_such("there is no such clip");
        if (joints == nullptr) return fail(FASCIA_REFUSED, "no array was given for the joints");
        fascia::Pose pose;
        fascia::evaluate(c, clip < 0 ? nullptr : &c.clips[size_t(clip)], seconds, pose);
        give_pose(pose, joints);
        return int(FASCIA_OK);
    });
}

int fascia_rest_pose(const fascia_character* character, double* joints) {
    return with_status(character, {}, [&](const fascia::Character& c) {
        if (joints == nullptr) return fail(FASCIA_REFUSED, "no array was given for the joints");
        give_pose(fascia::rest_pose(c), joints);
        return int(FASCIA_OK);
    });
}

int fascia_matrices(const fascia_array* from, int matrix_form, double* joints) {
    return checked({}, [&] {
        if (from == nullptr || joints == nullptr) return fail(FASCIA_REFUSED, "no array was given for the matrices");
        const std::span<fascia::Affine> out(reinterpret_cast<fascia::Affine*>(joints), from->count);
        const fascia::Status read =
            fascia::read_matrices(view(*from), static_cast<fascia::MatrixForm>(matrix_form), out);
        return read ? int(FASCIA_OK) : fail(read.error());
    });
}

}  // extern "C"
