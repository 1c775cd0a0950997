// Posing by points: handles for a mesh without a skeleton, which of them hold, and clips made of poses.
#include <algorithm>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "handles.h"

using fascia::Affine;
using fascia::Channel;
using fascia::Character;
using nlohmann::json;

namespace {

/// {"count", "resolution", "threads", "points": [{"name", "parent", "at": [x, y, z]}]}; parents are links.
fascia::HandleOptions options_from(const char* text) {
    fascia::HandleOptions out;
    const json given = json::parse(text, nullptr, false);
    if (!given.is_object()) return out;
    out.count = given.value("count", 0);
    out.resolution = given.value("resolution", 0);
    out.threads = given.value("threads", 1);
    for (const json& point : given.value("points", json::array())) {
        const auto at = point.value("at", std::vector<double>(3, 0.0));
        out.points.push_back({point.value("name", ""), point.value("parent", -1), {at[0], at[1], at[2]}, std::nullopt});
    }
    return out;
}

CharacterHandle* with_handles(const fascia::Mesh& mesh, const std::string& name, const char* options) {
    fascia::Result<fascia::RiggedMesh> rigged = fascia::rig_with_handles(mesh, name, options_from(options));
    if (!rigged) return fascia_wasm::fail(rigged.error().message);
    for (const std::string& note : rigged->notes) rigged->character.remarks.push_back({"handles", note, 1});
    return fascia_wasm::keep_character(std::move(rigged->character));
}

/// Readers choose by the ending of a path: the bytes become a file for as long as they are read.
fascia::Result<fascia::Mesh> read_mesh(const std::string& name, const std::uint8_t* bytes, std::size_t size) {
    const std::string path = "/" + name;
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return fascia::input_error(name + ": is no name of a file");
    std::fwrite(bytes, 1, size, file);
    std::fclose(file);
    fascia::Result<fascia::Mesh> mesh = fascia::load_mesh(path);
    std::remove(path.c_str());
    return mesh;
}

std::string without_ending(const std::string& name) {
    return name.substr(0, name.rfind('.'));
}

/// The keys of one node, from world matrices of the joints.
struct NodeKeys {
    Channel places, turns;
};

/// A joint's node hangs on that of its parent, or on one that stands still.
Affine parent_matrix(const Character& character, const fascia::Pose& still, const std::vector<int>& joint_of_node,
                     const Affine* joints, const fascia::Joint& joint) {
    const int parent = character.nodes[std::size_t(joint.node)].parent;
    if (parent < 0) return {};
    const int carrier = joint_of_node[std::size_t(parent)];
    return carrier >= 0 ? joints[carrier] : still.nodes[std::size_t(parent)];
}

void add_key(NodeKeys& keys, float time, const Affine& local) {
    fascia::Vec3d place, scale;
    fascia::Quat turn;
    fascia::decompose(local, place, turn, scale);
    std::vector<float>& before = keys.turns.values;
    if (before.size() >= 4) {
        const float* last = &before[before.size() - 4];
        const double along = last[0] * turn.x + last[1] * turn.y + last[2] * turn.z + last[3] * turn.w;
        if (along < 0) turn = {-turn.w, -turn.x, -turn.y, -turn.z};
    }
    keys.places.times.push_back(time), keys.turns.times.push_back(time);
    for (const double value : {place.x, place.y, place.z}) keys.places.values.push_back(float(value));
    for (const double value : {turn.x, turn.y, turn.z, turn.w}) before.push_back(float(value));
}

fascia::Clip clip_of(const Character& character, const char* name, const float* times, std::size_t keys,
                     const Affine* matrices) {
    const std::size_t joints = character.joints.size();
    fascia::Pose still;
    fascia::evaluate(character, nullptr, 0, still);
    std::vector<int> joint_of_node(character.nodes.size(), -1);
    for (std::size_t j = 0; j < joints; ++j) joint_of_node[std::size_t(character.joints[j].node)] = int(j);
    fascia::Clip out;
    out.name = name;
    out.duration = keys > 0 ? double(times[keys - 1]) : 0;
    for (std::size_t j = 0; j < joints; ++j) {
        const fascia::Joint& joint = character.joints[j];
        NodeKeys own;
        own.places.node = own.turns.node = joint.node;
        own.places.path = Channel::Path::translation;
        for (std::size_t k = 0; k < keys; ++k) {
            const Affine* row = matrices + k * joints;
            add_key(own, times[k], inverse(parent_matrix(character, still, joint_of_node, row, joint)) * row[j]);
        }
        out.channels.push_back(std::move(own.places));
        out.channels.push_back(std::move(own.turns));
    }
    return out;
}

}  // namespace

/// A mesh of a file (.obj, .ply, .off, .glb) as a character with handles as joints.
FASCIA_WASM CharacterHandle* fascia_character_from_mesh(const char* name, const std::uint8_t* bytes, std::size_t size,
                                                        const char* options) {
    return fascia_wasm::guarded<CharacterHandle*>(nullptr, [&]() -> CharacterHandle* {
        const fascia::Result<fascia::Mesh> mesh = read_mesh(name, bytes, size);
        if (!mesh) return fascia_wasm::fail(mesh.error().message);
        return with_handles(*mesh, without_ending(name), options);
    });
}

/// The mesh of a character with other handles.
FASCIA_WASM CharacterHandle* fascia_character_with_handles(const CharacterHandle* from, const char* options) {
    return fascia_wasm::guarded<CharacterHandle*>(
        nullptr, [&] { return with_handles(from->value.mesh, from->value.name, options); });
}

/// Clip `index` becomes this one; -1 adds it. times: [keys]; matrices: [keys * joints * 12], world. Returns its index.
FASCIA_WASM int fascia_character_set_clip(CharacterHandle* character, int index, const char* name, const float* times,
                                          std::size_t keys, const double* matrices) {
    return fascia_wasm::guarded(-1, [&] {
        static_assert(sizeof(Affine) == 12 * sizeof(double));
        fascia::Clip clip = clip_of(character->value, name, times, keys, reinterpret_cast<const Affine*>(matrices));
        std::vector<fascia::Clip>& clips = character->value.clips;
        if (index < 0 || std::size_t(index) >= clips.size()) index = int(clips.size()), clips.emplace_back();
        clips[std::size_t(index)] = std::move(clip);
        return index;
    });
}

/// Lets the handles that match a pattern hold the surface, or not; 0 on success.
FASCIA_WASM int fascia_enable_handles(InstanceHandle* instance, const char* handles, int on) {
    return fascia_wasm::guarded(1, [&] {
        const fascia::Status done = fascia::enable_handles(*instance->rig, handles, on != 0, instance->state);
        if (!done) return fascia_wasm::fail(done.error().message), 1;
        return 0;
    });
}

/// Turns handles about themselves, in the axes of the rest pose; 0 on success.
FASCIA_WASM int fascia_turn_handles(InstanceHandle* instance, const char* handles, double w, double x, double y,
                                    double z) {
    return fascia_wasm::guarded(1, [&] {
        const fascia::Status done = fascia::turn_handles(*instance->rig, handles, {w, x, y, z}, instance->state);
        if (!done) return fascia_wasm::fail(done.error().message), 1;
        return 0;
    });
}

/// [joints * 12] as the handles carry the surface since the last advance.
FASCIA_WASM const double* fascia_handle_pose(InstanceHandle* instance) {
    static_assert(sizeof(Affine) == 12 * sizeof(double));
    std::vector<Affine> joints(instance->character.value.joints.size());
    fascia::handle_pose(*instance->rig, instance->state, joints);
    instance->numbers.assign(&joints.data()->m[0][0], &joints.data()->m[0][0] + 12 * joints.size());
    return instance->numbers.data();
}
