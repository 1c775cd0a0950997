// Characters, from bytes or bundled; described as JSON, with arrays by pointer.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "handles.h"

using fascia::Character;
using nlohmann::json;

CharacterHandle* fascia_wasm::keep_character(fascia::Result<Character> made) {
    if (!made) return fail(made.error().message);
    auto* handle = new CharacterHandle{std::move(*made), nullptr};
    const fascia::Mesh& mesh = handle->value.mesh;
    handle->meter = std::make_shared<fascia::SurfaceMeter>(mesh.positions, mesh.triangles, handle->value.size());
    return handle;
}

namespace {

/// Number of a node in the file; -1 if it has none.
int source_of(const Character& character, int node) {
    const bool known = node >= 0 && std::size_t(node) < character.nodes.size();
    return known ? character.nodes[std::size_t(node)].source : -1;
}

json describe_parts(const Character& character, const fascia::Mesh& mesh) {
    json parts = json::array();
    for (const fascia::Part& part : mesh.parts) {
        parts.push_back({{"name", part.name},
                         {"node", part.node},
                         {"sourceNode", source_of(character, part.node)},
                         {"mesh", part.mesh},
                         {"primitive", part.primitive},
                         {"firstVertex", part.first_vertex},
                         {"vertexCount", part.vertex_count},
                         {"firstTriangle", part.first_triangle},
                         {"triangleCount", part.triangle_count}});
    }
    return parts;
}

json describe_joints(const Character& character) {
    json joints = json::array();
    for (const fascia::Joint& joint : character.joints) {
        const fascia::Vec3d at = fascia::translation_of(joint.rest);
        joints.push_back({{"name", joint.name},
                          {"parent", joint.parent},
                          {"node", joint.node},
                          {"sourceNode", source_of(character, joint.node)},
                          {"rest", {at.x, at.y, at.z}}});
    }
    return joints;
}

json describe(const Character& character) {
    json clips = json::array(), remarks = json::array();
    for (const fascia::Clip& clip : character.clips)
        clips.push_back({{"name", clip.name}, {"duration", clip.duration}});
    for (const fascia::Remark& remark : character.remarks) remarks.push_back(remark.text);
    return {{"name", character.name},
            {"vertices", character.mesh.vertex_count()},
            {"triangles", character.mesh.triangle_count()},
            {"influences", character.weights.influences},
            {"size", character.size()},
            {"joints", describe_joints(character)},
            {"clips", clips},
            {"parts", describe_parts(character, character.mesh)},
            {"rigidParts", describe_parts(character, character.rigid)},
            {"rigidVertices", character.rigid.vertex_count()},
            {"nodes", character.nodes.size()},
            {"remarks", remarks}};
}

/// Names come from files: invalid UTF-8 is shown as a replacement character.
const char* json_text(const json& value) {
    return fascia_wasm::text(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace

FASCIA_WASM const char* fascia_bundled_names() {
    return json_text(fascia::bundled_names());
}

FASCIA_WASM CharacterHandle* fascia_character_bundled(const char* name) {
    return fascia_wasm::guarded<CharacterHandle*>(
        nullptr, [&] { return fascia_wasm::keep_character(fascia::bundled_character(name)); });
}

/// bytes: [size] a GLB, a VRM, or a glTF with embedded buffers.
FASCIA_WASM CharacterHandle* fascia_character_load(const char* name, const std::uint8_t* bytes, std::size_t size) {
    return fascia_wasm::guarded<CharacterHandle*>(nullptr, [&] {
        return fascia_wasm::keep_character(fascia::load_character_from_memory({bytes, size}, name));
    });
}

FASCIA_WASM void fascia_character_free(CharacterHandle* character) {
    delete character;
}

FASCIA_WASM const char* fascia_character_describe(const CharacterHandle* character) {
    return json_text(describe(character->value));
}

/// A retargeted motion in place of clip `index`, or as one more (-1); returns its index, or -1.
static int put_clip(CharacterHandle* character, int index, fascia::Result<fascia::Retargeted> made) {
    if (!made) return fascia_wasm::fail(made.error().message), -1;
    std::vector<fascia::Clip>& clips = character->value.clips;
    if (index < 0 || std::size_t(index) >= clips.size()) {
        clips.push_back(std::move(made->clip));
        return int(clips.size()) - 1;
    }
    clips[std::size_t(index)] = std::move(made->clip);
    return index;
}

/// map: a JSON object {"joint of the motion": "joint of the character"}
static fascia::RetargetOptions with_map(const char* map) {
    fascia::RetargetOptions options;
    const json document = json::parse(map, nullptr, false);
    if (document.is_object())
        for (const auto& [from, to] : document.items())
            if (to.is_string()) options.map.emplace_back(from, to.get<std::string>());
    return options;
}

FASCIA_WASM const char* fascia_bundled_motion_names() {
    return json_text(fascia::bundled_motion_names());
}

/// One of the bundled motions as one more clip; returns its index, or -1.
FASCIA_WASM int fascia_character_add_bundled_motion(CharacterHandle* character, const char* name) {
    return fascia_wasm::guarded(
        -1, [&] { return put_clip(character, -1, fascia::bundled_motion(character->value, name)); });
}

/// Retargets a BVH onto the character, in place of clip `index` or as one more (-1); returns its index, or -1.
FASCIA_WASM int fascia_character_add_motion(CharacterHandle* character, int index, const char* name, const char* bvh,
                                            const char* map) {
    return fascia_wasm::guarded(-1, [&] {
        const auto motion = fascia::parse_bvh(bvh, name);
        if (!motion) return fascia_wasm::fail(motion.error().message), -1;
        return put_clip(character, index, fascia::retarget(character->value, *motion, with_map(map)));
    });
}

/// The joints of a BVH ({name, parent}; ends of bones are left out), and those of the character that each would move.
FASCIA_WASM const char* fascia_character_match_motion(CharacterHandle* character, const char* name, const char* bvh,
                                                      const char* map) {
    return fascia_wasm::guarded<const char*>(nullptr, [&]() -> const char* {
        const auto motion = fascia::parse_bvh(bvh, name);
        if (!motion) return fascia_wasm::fail(motion.error().message);
        const auto found = fascia::joint_pairs(character->value, *motion, with_map(map));
        if (!found) return fascia_wasm::fail(found.error().message);
        json joints = json::array();
        for (const fascia::MotionJoint& joint : motion->joints)
            if (!joint.end_site) joints.push_back({{"name", joint.name}, {"parent", joint.parent}});
        return json_text({{"joints", joints}, {"pairs", found->pairs}, {"enough", found->enough}});
    });
}

/// [vertices * 3] at rest.
FASCIA_WASM const float* fascia_character_positions(const CharacterHandle* character) {
    return &character->value.mesh.positions.data()->x;
}
/// [triangles * 3]
FASCIA_WASM const std::uint32_t* fascia_character_triangles(const CharacterHandle* character) {
    return character->value.mesh.triangles.data();
}
/// [vertices * influences]
FASCIA_WASM const std::uint16_t* fascia_character_weight_joints(const CharacterHandle* character) {
    return character->value.weights.joints.data();
}
/// [vertices * influences]
FASCIA_WASM const float* fascia_character_weights(const CharacterHandle* character) {
    return character->value.weights.weights.data();
}

/// Sets COLOR_1.r, which the setting mask can name. painted: [vertices] 0..1
FASCIA_WASM void fascia_character_paint(CharacterHandle* character, const float* painted) {
    fascia::Mesh& mesh = character->value.mesh;
    mesh.mask_colors.resize(mesh.vertex_count());
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) mesh.mask_colors[v] = {painted[v], painted[v], painted[v], 1};
}

/// The character as a GLB in fascia_bytes; 0 on success.
FASCIA_WASM int fascia_character_write(const CharacterHandle* character) {
    return fascia_wasm::guarded(1, [&] {
        const std::string path = "/character.glb";
        const fascia::Status written = fascia::write_character(path, character->value);
        if (!written) return fascia_wasm::fail(written.error().message), 1;
        return fascia_wasm::keep_file(path) ? 0 : 1;
    });
}
