// World files: what a body touches besides itself.
#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "fascia/io.h"
#include "fascia/world.h"
#include "io/file_bytes.h"
#include "io/json_entry.h"
#include "io/kept_json.h"

namespace fascia {

namespace {

using io::Entry;
using io::largest_place;
using nlohmann::json;

constexpr std::size_t largest_world_file = 64u << 20;
constexpr double degrees = 0.017453292519943295;

struct ShapeName {
    const char* name;
    ColliderShape shape;
};
constexpr ShapeName shape_names[] = {{"plane", ColliderShape::plane},     {"sphere", ColliderShape::sphere},
                                     {"capsule", ColliderShape::capsule}, {"box", ColliderShape::box},
                                     {"hull", ColliderShape::hull},       {"mesh", ColliderShape::mesh}};

/// A turn is an axis whose length is an angle in degrees.
void read_turn(Entry& e, Quat& out) {
    Vec3d axis;
    if (!e.has("turn")) return;
    e.place("turn", axis);
    const double angle = length(axis);
    if (angle > 0) out = quat_from_axis_angle(axis * (1 / angle), angle * degrees);
}

/// Vertices at one place become one: files split them where textures or normals do.
void weld(const Mesh& mesh, Collider& out) {
    std::map<std::tuple<float, float, float>, std::uint32_t> known;
    std::vector<std::uint32_t> number;
    for (const Vec3 p : mesh.positions) {
        const auto [found, is_new] = known.try_emplace({p.x, p.y, p.z}, std::uint32_t(out.points.size()));
        if (is_new) out.points.push_back(p);
        number.push_back(found->second);
    }
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const std::uint32_t a = number[mesh.triangles[t]], b = number[mesh.triangles[t + 1]],
                            c = number[mesh.triangles[t + 2]];
        if (a != b && b != c && c != a) out.triangles.insert(out.triangles.end(), {a, b, c});
    }
}

void read_shape(Entry& e, Collider& out) {
    std::string name;
    std::vector<std::string> names;
    e.needed_text("shape", name);
    for (const ShapeName& each : shape_names) {
        names.push_back(each.name);
        if (name == each.name) out.shape = each.shape;
    }
    if (std::find(names.begin(), names.end(), name) == names.end() && !name.empty())
        e.fail_at("shape", fmt::format("must be one of {}, not '{}'; did you mean '{}'?", fmt::join(names, ", "), name,
                                       nearest_name(name, names)));
}

void read_collider(Entry& e, const std::string& folder, WorldScene& scene) {
    Collider out;
    std::string file;
    std::vector<Vec3d> points;
    read_shape(e, out);
    e.text("name", out.name);
    e.text("joint", out.joint);
    e.number("radius", out.radius, 0, largest_place);
    e.number("length", out.length, 0, largest_place);
    e.number("friction", out.friction, 0, 1e3);
    e.place("size", out.size);
    e.place("place", out.place);
    read_turn(e, out.turn);
    e.places("points", points);
    for (const Vec3d& p : points) out.points.push_back(to_float(p));
    e.indices("triangles", 3, points.size(), out.triangles);
    e.text("file", file);
    if (!file.empty()) {
        const std::filesystem::path path = std::filesystem::path(folder) / file;
        const Result<Mesh> mesh = load_mesh(path.string());
        if (mesh)
            weld(*mesh, out);
        else
            e.fail_at("file", mesh.error().message);
    }
    std::vector<ColliderKey> keys;
    e.list("keys", [&](Entry& k) {
        ColliderKey key{0, out.place, out.turn};
        k.number("time", key.time, 0, 1e6);
        k.place("place", key.place);
        read_turn(k, key.turn);
        if (!keys.empty() && !(key.time > keys.back().time))
            k.fail_at("time", "must be later than that of the key before");
        keys.push_back(key);
    });
    scene.settings.colliders.push_back(std::move(out));
    scene.keys.push_back(std::move(keys));
}

void read_wind(Entry& e, Wind& out) {
    double seed = double(out.seed);
    e.place("push", out.push);
    e.number("turbulence", out.turbulence, 0, 1e6);
    e.number("eddy", out.eddy, 1e-6, 1e6);
    e.number("pace", out.pace, 0, 1e3);
    e.number("seed", seed, 0, 9e15);
    out.seed = std::uint64_t(seed);
}

void read_attractor(Entry& e, WorldSettings& world) {
    Attractor out;
    e.text("name", out.name);
    e.needed_place("place", out.place);
    e.number("radius", out.radius, 1e-6, 1e6);
    e.number("strength", out.strength, -1e6, 1e6);
    world.attractors.push_back(out);
}

Result<WorldScene> read_world(const json& document, const std::string& folder) {
    WorldScene scene;
    std::optional<Error> error;
    Entry top(document, "", error);
    top.list("colliders", [&](Entry& e) { read_collider(e, folder, scene); });
    top.inner("wind", [&](Entry& e) { read_wind(e, scene.settings.wind); });
    top.place("gravity", scene.settings.gravity);
    top.list("attractors", [&](Entry& e) { read_attractor(e, scene.settings); });
    top.finish();
    if (error) return *error;
    return scene;
}

ColliderKey key_at(const std::vector<ColliderKey>& keys, double time) {
    const auto later = std::find_if(keys.begin(), keys.end(), [&](const ColliderKey& k) { return k.time > time; });
    if (later == keys.begin()) return keys.front();
    if (later == keys.end()) return keys.back();
    const ColliderKey &a = later[-1], &b = *later;
    const double share = (time - a.time) / (b.time - a.time);
    return {time, a.place * (1 - share) + b.place * share, slerp(a.turn, b.turn, share)};
}

}  // namespace

Result<WorldScene> parse_world(std::string_view text, const std::string& name, const std::string& folder) {
    io::KeptJson document(json::parse(text.begin(), text.end(), nullptr, false));
    if (document->is_discarded()) return input_error(name + ": not valid JSON");
    if (!document->is_object())
        return input_error(name + ": a world file is an object, {\"colliders\": …}, not " + document->type_name());
    Result<WorldScene> scene = read_world(*document, folder);
    if (!scene) return input_error(name + ": " + scene.error().message);
    return scene;
}

Result<WorldScene> load_world(const std::string& path) {
    const auto bytes = io::read_file(path);
    if (!bytes) return bytes.error();
    if (bytes->size() > largest_world_file)
        return input_error(path + ": is larger than 64 MB, so it is not a world file");
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return parse_world({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, path,
                       folder.empty() ? "." : folder);
}

Status check_world(const WorldScene& scene, const Character& character) {
    std::vector<std::string> names;
    for (const Joint& joint : character.joints) names.push_back(joint.name);
    for (const Collider& c : scene.settings.colliders)
        if (!c.joint.empty() && std::find(names.begin(), names.end(), c.joint) == names.end())
            return input_error(
                fmt::format("collider '{}' moves with a joint '{}' that the character does not have; did "
                            "you mean '{}'?",
                            c.name, c.joint, nearest_name(c.joint, names)));
    return ok_status();
}

void pose_world(const WorldScene& scene, double time, bool put, World& world) {
    for (std::size_t k = 0; k < scene.keys.size(); ++k) {
        if (scene.keys[k].empty()) continue;
        const ColliderKey key = key_at(scene.keys[k], time);
        if (put)
            world.put(k, key.place, key.turn);
        else
            world.move(k, key.place, key.turn);
    }
}

}  // namespace fascia
