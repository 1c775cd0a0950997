// GLB with the character itself: skeleton, skin, clips. Positions are in scene space at the rest pose, so that the
// inverse bind matrices are the inverses of the joints' rest matrices.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/atomic_file.h"
#include "fascia/io.h"
#include "io/frame_writer.h"
#include "io/glb_writer_data.h"
#include "io/glb_writer_scene.h"

namespace fascia::io {
namespace {

using nlohmann::json;

/// Which of the character's joints a skin of the file lists, and where.
struct SkinColumns {
    std::vector<int> joints;     ///< in the order of the skin
    std::vector<int> column_of;  ///< [Character::joints] place in `joints`, -1 if it is not listed
};

SkinColumns columns_of(std::vector<int> joints, std::size_t all) {
    SkinColumns columns{std::move(joints), std::vector<int>(all, -1)};
    for (std::size_t c = 0; c < columns.joints.size(); ++c)
        columns.column_of[static_cast<std::size_t>(columns.joints[c])] = static_cast<int>(c);
    return columns;
}

/// A skin may name a node only once: if two joints share a node, each mesh node lists only what it uses.
bool joints_share_nodes(const Character& character) {
    std::vector<int> nodes;
    for (const Joint& joint : character.joints) nodes.push_back(joint.node);
    std::sort(nodes.begin(), nodes.end());
    return std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end();
}

SkinColumns all_joints(const Character& character) {
    std::vector<int> joints(character.joints.size());
    for (std::size_t j = 0; j < joints.size(); ++j) joints[j] = static_cast<int>(j);
    return columns_of(std::move(joints), character.joints.size());
}

SkinColumns used_joints(const Character& character, const MeshNodeRange& range) {
    const auto slots = static_cast<std::size_t>(character.weights.influences);
    std::vector<bool> used(character.joints.size(), false);
    for (std::size_t i = range.first * slots; i < (range.first + range.count) * slots; ++i)
        if (character.weights.weights[i] > 0) used[character.weights.joints[i]] = true;
    std::vector<int> joints;
    for (std::size_t j = 0; j < used.size(); ++j)
        if (used[j]) joints.push_back(static_cast<int>(j));
    return columns_of(std::move(joints), character.joints.size());
}

int add_skin(const Character& character, const SkinColumns& columns, GlbScene& scene, GlbData& data) {
    std::vector<float> inverse_binds;
    json nodes = json::array();
    for (const int j : columns.joints) {
        const Joint& joint = character.joints[static_cast<std::size_t>(j)];
        const Affine inverse_bind = inverse(joint.rest);
        for (int column = 0; column < 4; ++column) {
            for (const auto& row : inverse_bind.m) inverse_binds.push_back(static_cast<float>(row[column]));
            inverse_binds.push_back(column == 3 ? 1.0f : 0.0f);
        }
        nodes.push_back(scene.node_of[static_cast<std::size_t>(joint.node)]);
    }
    const int accessor = data.add_floats(inverse_binds, "MAT4", 16, ViewUse::other, false);
    json& skins = scene.root["skins"];
    skins.push_back({{"joints", std::move(nodes)}, {"inverseBindMatrices", accessor}});
    return static_cast<int>(skins.size()) - 1;
}

/// Makes the weights sum to 1 as closely as floats can: the remainder goes to the largest.
void balance(std::span<float> weights) {
    double sum = 0;
    for (const float w : weights) sum += w;
    if (!(sum > 0)) return;
    double scaled = 0;
    for (float& w : weights) {
        w = static_cast<float>(w / sum);
        scaled += w;
    }
    float& largest = *std::max_element(weights.begin(), weights.end());
    largest = static_cast<float>(largest + (1 - scaled));
}

/// JOINTS_0, WEIGHTS_0 and, for 8 influences, JOINTS_1 and WEIGHTS_1.
void add_weights(const Character& character, const Part& part, const SkinColumns& columns, GlbData& data,
                 json& attributes) {
    const auto slots = static_cast<std::size_t>(character.weights.influences);
    const auto first = static_cast<std::size_t>(part.first_vertex), count = static_cast<std::size_t>(part.vertex_count);
    for (std::size_t set = 0; set * 4 < slots; ++set) {
        std::vector<std::uint16_t> joints(count * 4, 0);
        std::vector<float> weights(count * 4, 0.0f);
        std::vector<float> row(slots);
        for (std::size_t v = 0; v < count; ++v) {
            const std::size_t begin = (first + v) * slots;
            for (std::size_t s = 0; s < slots; ++s) row[s] = std::max(0.0f, character.weights.weights[begin + s]);
            balance(row);
            for (std::size_t s = set * 4; s < std::min(slots, set * 4 + 4); ++s) {
                const int column = columns.column_of[character.weights.joints[begin + s]];
                if (row[s] <= 0 || column < 0) continue;  // unused slots must name joint 0
                joints[v * 4 + s - set * 4] = static_cast<std::uint16_t>(column);
                weights[v * 4 + s - set * 4] = row[s];
            }
        }
        const std::string number = std::to_string(set);
        if (columns.joints.size() <= 256) {
            const std::vector<std::uint8_t> narrow(joints.begin(), joints.end());
            attributes["JOINTS_" + number] =
                data.add_elements(narrow.data(), count, 4, gl::unsigned_byte, "VEC4", false, ViewUse::vertices);
        } else {
            attributes["JOINTS_" + number] =
                data.add_elements(joints.data(), count, 8, gl::unsigned_short, "VEC4", false, ViewUse::vertices);
        }
        attributes["WEIGHTS_" + number] = data.add_floats(weights, "VEC4", 4, ViewUse::vertices, false);
    }
}

json skinned_primitive(const Character& character, const Part& part, const SkinColumns& columns, GlbScene& scene,
                       GlbData& data) {
    const Mesh& mesh = character.mesh;
    const auto first = static_cast<std::size_t>(part.first_vertex), count = static_cast<std::size_t>(part.vertex_count);
    json primitive = make_skinned_primitive(character, part, scene, data);
    json& attributes = primitive["attributes"];
    attributes["POSITION"] = data.add_vectors(std::span(mesh.positions).subspan(first, count), ViewUse::vertices, true);
    attributes["NORMAL"] =
        data.add_vectors(unit_normals(std::span(mesh.normals).subspan(first, count)), ViewUse::vertices, false);
    if (!mesh.tangents.empty() && has_tangents(part, scene))
        attributes["TANGENT"] = data.add_tangents(unit_tangents(std::span(mesh.tangents).subspan(first, count)));
    add_weights(character, part, columns, data, attributes);
    return primitive;
}

/// All joints of a skin must have a common root in the scene of the mesh: trees without one get one.
void add_common_root(const Character& character, GlbScene& scene) {
    std::set<int> tops;
    for (const Joint& joint : character.joints) {
        int node = joint.node;
        while (character.nodes[static_cast<std::size_t>(node)].parent >= 0)
            node = character.nodes[static_cast<std::size_t>(node)].parent;
        tops.insert(scene.node_of[static_cast<std::size_t>(node)]);
    }
    json& shown = scene.root["scenes"][static_cast<std::size_t>(scene.shown)]["nodes"];
    if (tops.size() == 1) {
        if (std::find(shown.begin(), shown.end(), json(*tops.begin())) == shown.end()) shown.push_back(*tops.begin());
        return;
    }
    json& nodes = scene.root["nodes"];
    const int root = static_cast<int>(nodes.size());
    nodes.push_back({{"name", "root"}, {"children", tops}});
    for (json& one : scene.root["scenes"]) {
        json kept = json::array();
        for (const json& node : one["nodes"])
            if (!tops.count(node.get<int>())) kept.push_back(node);
        if (kept.size() != one["nodes"].size() || &one["nodes"] == &shown) kept.push_back(root);
        one["nodes"] = std::move(kept);
        if (one["nodes"].empty()) one.erase("nodes");
    }
}

/// Files hold floats.
Status check_rests(const std::string& path, const Character& character) {
    constexpr double largest = std::numeric_limits<float>::max();
    for (const Joint& joint : character.joints) {
        const Affine inverse_bind = inverse(joint.rest);
        for (const auto& row : inverse_bind.m)
            for (const double value : row)
                if (!(std::abs(value) <= largest))
                    return input_error("could not write " + path + ": the rest pose of the joint '" + joint.name +
                                       "' is beyond what a file can hold; scale the character");
    }
    return ok_status();
}

void add_skinned_meshes(const Character& character, GlbScene& scene, GlbData& data) {
    const bool shared = joints_share_nodes(character);
    const SkinColumns all = all_joints(character);
    int skin = shared ? -1 : add_skin(character, all, scene, data);
    for (const MeshNodeRange& range : mesh_node_ranges(character)) {
        if (range.mesh != &character.mesh) continue;
        const SkinColumns columns = shared ? used_joints(character, range) : all;
        if (shared) skin = add_skin(character, columns, scene, data);
        json mesh = {{"name", range.name}, {"primitives", json::array()}};
        for (const Part* part : range.parts)
            mesh["primitives"].push_back(skinned_primitive(character, *part, columns, scene, data));
        // A skinned mesh ignores its node's transform, and readers warn about nodes that have one.
        json& node = scene.root["nodes"][static_cast<std::size_t>(make_still_node(character, range.node, scene))];
        node["mesh"] = scene.root["meshes"].size();
        node["skin"] = skin;
        scene.root["meshes"].push_back(std::move(mesh));
    }
}

const char* path_name(Channel::Path path) {
    switch (path) {
        case Channel::Path::translation: return "translation";
        case Channel::Path::scale: return "scale";
        default: return "rotation";
    }
}

const char* interpolation_name(Channel::Interpolation interpolation) {
    switch (interpolation) {
        case Channel::Interpolation::step: return "STEP";
        case Channel::Interpolation::cubic: return "CUBICSPLINE";
        default: return "LINEAR";
    }
}

/// Rotations of length 1; of cubic splines only the values are rotations, not their slopes.
std::vector<float> unit_rotations(const Channel& channel) {
    std::vector<float> out = channel.values;
    const bool cubic = channel.interpolation == Channel::Interpolation::cubic;
    for (std::size_t k = cubic ? 4 : 0; k + 4 <= out.size(); k += cubic ? 12 : 4) {
        const Quat given{out[k + 3], out[k], out[k + 1], out[k + 2]}, q = normalized(given);
        if (std::abs(dot(given, given) - 1) < 1.5e-3) continue;  // as exact as some exporters write them
        const double unit[4] = {q.x, q.y, q.z, q.w};
        for (std::size_t c = 0; c < 4; ++c) out[k + c] = static_cast<float>(unit[c]);
    }
    return out;
}

/// The keys whose times increase, which in a damaged file they need not.
Channel with_increasing_times(const Channel& channel) {
    Channel out = channel;
    out.times.clear();
    out.values.clear();
    const std::size_t width = channel.values.size() / channel.times.size();
    for (std::size_t k = 0; k < channel.times.size(); ++k) {
        if (!(channel.times[k] > (out.times.empty() ? -1e-30f : out.times.back()))) continue;
        out.times.push_back(std::max(0.0f, channel.times[k]));
        const auto begin = channel.values.begin() + static_cast<std::ptrdiff_t>(k * width);
        out.values.insert(out.values.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
    }
    return out;
}

/// glTF requires two keys in a cubic spline; a single one is written as a constant value, without its slopes.
Channel with_enough_keys(Channel channel) {
    if (channel.interpolation != Channel::Interpolation::cubic || channel.times.size() != 1) return channel;
    const auto width = static_cast<std::ptrdiff_t>(channel.values.size() / 3);
    channel.values = {channel.values.begin() + width, channel.values.begin() + 2 * width};
    channel.interpolation = Channel::Interpolation::step;
    return channel;
}

json clip_json(const Clip& clip, const GlbScene& scene, std::map<std::vector<float>, int>& times, GlbData& data) {
    json out = {{"channels", json::array()}, {"samplers", json::array()}};
    if (!clip.name.empty()) out["name"] = clip.name;
    std::map<std::pair<int, Channel::Path>, const Channel*> last;  // if several move the same, as in evaluate()
    for (const Channel& channel : clip.channels)
        if (channel.node >= 0 && !channel.times.empty()) last[{channel.node, channel.path}] = &channel;
    for (const Channel& given : clip.channels) {
        if (given.node < 0 || given.times.empty() || last.at({given.node, given.path}) != &given) continue;
        const Channel channel = with_enough_keys(with_increasing_times(given));
        if (channel.times.empty()) continue;
        const auto [input, fresh] = times.try_emplace(channel.times, -1);
        if (fresh) input->second = data.add_floats(channel.times, "SCALAR", 1, ViewUse::other, true);
        const bool rotation = channel.path == Channel::Path::rotation;
        const int output = data.add_floats(rotation ? unit_rotations(channel) : channel.values,
                                           rotation ? "VEC4" : "VEC3", rotation ? 4 : 3, ViewUse::other, false);
        out["channels"].push_back(
            {{"sampler", out["samplers"].size()},
             {"target",
              {{"node", scene.node_of[static_cast<std::size_t>(channel.node)]}, {"path", path_name(channel.path)}}}});
        out["samplers"].push_back({{"input", input->second},
                                   {"output", output},
                                   {"interpolation", interpolation_name(channel.interpolation)}});
    }
    return out;
}

}  // namespace
}  // namespace fascia::io

namespace fascia {

Result<std::unique_ptr<Output>> stage_character(const std::string& path, const Character& character) {
    if (const Status sound = io::check_rests(path, character); !sound) return sound.error();
    auto file = AtomicFile::create(path);
    if (!file) return file.error();
    auto scratch = ScratchFile::create(path);
    if (!scratch) return scratch.error();
    io::GlbData data(std::move(*scratch));
    io::GlbScene scene = io::make_glb_scene(character, data);
    if (!character.joints.empty()) {
        io::add_common_root(character, scene);
        io::add_skinned_meshes(character, scene, data);
    }
    std::map<std::vector<float>, int> times;
    for (const Clip& clip : character.clips) {
        nlohmann::json animation = io::clip_json(clip, scene, times, data);
        if (!animation["channels"].empty()) scene.root["animations"].push_back(std::move(animation));
    }
    Status written = io::write_glb(scene, data, **file);
    if (written) written = (*file)->seal();
    if (!written) return written.error();
    return as_output(std::move(*file));
}

Status write_character(const std::string& path, const Character& character) {
    const Result<std::unique_ptr<Output>> file = stage_character(path, character);
    if (!file) return file.error();
    return (*file)->publish();
}

}  // namespace fascia
