// The anatomy file: every field is checked, and an error gives its place and the nearest valid name.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fascia/io.h"
#include "io/file_bytes.h"
#include "io/json_entry.h"
#include "io/kept_json.h"

namespace fascia {

namespace {

using io::Entry;
using io::largest_place;
using nlohmann::json;

constexpr std::size_t largest_anatomy_file = 64u << 20;

constexpr double huge = 1e12;

int whole(double value) {
    return int(value + 0.5);
}

void read_solid(Entry& entry, AnatomyScene::Solid& out) {
    entry.inner("capsule", [&](Entry& e) {
        Vec3d from, to;
        double radius = 0, sides = 10;
        e.needed_place("from", from);
        e.needed_place("to", to);
        e.number("radius", radius, 1e-9, largest_place);
        e.number("sides", sides, 4, 64);
        if (!(radius > 0)) e.fail("needs a 'radius'");
        out = capsule_solid(from, to, radius, whole(sides));
    });
    entry.inner("ellipsoid", [&](Entry& e) {
        Vec3d centre, radii;
        double sides = 12;
        e.needed_place("centre", centre);
        e.needed_place("radii", radii);
        e.number("sides", sides, 4, 64);
        if (!(radii.x > 0 && radii.y > 0 && radii.z > 0)) e.fail("needs radii above 0");
        out = ellipsoid_solid(centre, radii, whole(sides));
    });
    entry.inner("mesh", [&](Entry& e) {
        e.places("points", out.points);
        e.indices("triangles", 3, out.points.size(), out.triangles);
    });
    if (out.triangles.empty()) entry.fail("needs a capsule, an ellipsoid or a mesh");
}

void read_body(Entry& e, AnatomyScene& scene, std::set<std::string>& names) {
    AnatomyScene::Body body;
    e.needed_text("name", body.name);
    e.needed_text("joint", body.joint);
    e.truth("free", body.free);
    e.number("density", body.density, 1, 1e5);
    e.number("mass", body.mass, 1e-9, 1e6);
    read_solid(e, body.solid);
    if (!names.insert(body.name).second) e.fail("has the name of another body, '" + body.name + "'");
    scene.bodies.push_back(std::move(body));
}

void read_joint(Entry& e, AnatomyScene& scene) {
    AnatomyScene::Joint joint;
    std::string type = "ball";
    e.text("name", joint.name);
    e.text("type", type);
    const std::vector<std::string> types{"ball", "revolute"};
    if (std::find(types.begin(), types.end(), type) == types.end())
        e.fail_at("type", fmt::format("must be ball or revolute, not '{}'; did you mean '{}'?", type,
                                      nearest_name(type, types)));
    joint.revolute = type == "revolute";
    e.needed_text("a", joint.a);
    e.needed_text("b", joint.b);
    e.needed_place("at", joint.at);
    e.place("axis", joint.axis);
    if (!(length(joint.axis) > 0)) e.fail_at("axis", "must have a direction");
    e.number("limit", joint.limit, 0, 180);
    scene.joints.push_back(std::move(joint));
}

void read_muscle(Entry& e, AnatomyScene& scene) {
    AnatomyScene::Muscle muscle;
    e.needed_text("name", muscle.name);
    e.number("young", muscle.young, 1, huge);
    e.number("poisson", muscle.poisson, 0, 0.49);
    e.number("density", muscle.density, 1, 1e5);
    e.inner("sweep", [&](Entry& s) {
        std::vector<Vec3d> path;
        std::vector<double> radii;
        double segments = 8;
        s.places("path", path);
        s.numbers("radii", radii, 1e-9, largest_place);
        s.number("segments", segments, 1, 1000);
        if (path.size() < 2) s.fail("needs a 'path' of two places or more");
        if (radii.empty()) s.fail("needs 'radii', one for each place of its path or one for all");
        sweep_muscle(path, radii, whole(segments), muscle);
    });
    e.places("points", muscle.points);
    e.indices("hexahedra", 8, muscle.points.size(), muscle.hexahedra);
    e.indices("tetrahedra", 4, muscle.points.size(), muscle.tetrahedra);
    if (muscle.hexahedra.empty() && muscle.tetrahedra.empty())
        e.fail("needs a sweep, or points with hexahedra or tetrahedra");
    e.list("attach", [&](Entry& a) {
        AnatomyScene::Attachment attachment;
        a.needed_text("body", attachment.body);
        a.number("within", attachment.within, 0, largest_place);
        a.number("stiffness", attachment.stiffness, 1e-6, huge);
        muscle.attachments.push_back(std::move(attachment));
    });
    scene.muscles.push_back(std::move(muscle));
}

void read_line(Entry& e, AnatomyScene::Line& line) {
    e.text("name", line.name);
    e.needed_text("a", line.a);
    e.needed_text("b", line.b);
    e.needed_place("from", line.from);
    e.needed_place("to", line.to);
    if (!(length(line.to - line.from) > 0)) e.fail("must have ends apart from each other");
}

void read_actuator(Entry& e, AnatomyScene& scene) {
    AnatomyScene::Actuator actuator;
    read_line(e, actuator);
    e.number("f0", actuator.f0, 0, huge);
    e.number("lo", actuator.lo, 1e-9, largest_place);
    e.number("lmax", actuator.lmax, 1e-9, largest_place);
    e.number("gamma", actuator.gamma, 0, 10);
    e.number("damping", actuator.damping, 0, huge);
    e.number("activation", actuator.activation, 0, 1);
    e.text("joint", actuator.joint);
    if (actuator.lmax > 0 && actuator.lmax <= actuator.lo) e.fail_at("lmax", "must be above lo");
    scene.actuators.push_back(std::move(actuator));
}

void read_spring(Entry& e, AnatomyScene& scene) {
    AnatomyScene::Spring spring;
    read_line(e, spring);
    e.number("stiffness", spring.stiffness, 0, huge);
    e.number("damping", spring.damping, 0, huge);
    scene.springs.push_back(std::move(spring));
}

/// Every body that is named must exist.
void check_bodies(const AnatomyScene& scene, const std::set<std::string>& there, std::optional<Error>& error) {
    const auto look = [&](const std::string& place, const std::string& name) {
        if (error || there.count(name) > 0) return;
        std::vector<std::string> names;
        for (const AnatomyScene::Body& body : scene.bodies) names.push_back(body.name);
        const std::string near = names.empty() ? "" : "; did you mean '" + nearest_name(name, names) + "'?";
        error = input_error(fmt::format("{} names a body '{}' that is not there{}", place, name, near));
    };
    const auto look_at = [&](const char* list, std::size_t k, const auto& pair) {
        look(fmt::format("{}[{}].a", list, k), pair.a);
        look(fmt::format("{}[{}].b", list, k), pair.b);
    };
    for (std::size_t k = 0; k < scene.joints.size(); ++k) look_at("joints", k, scene.joints[k]);
    for (std::size_t k = 0; k < scene.actuators.size(); ++k) look_at("actuators", k, scene.actuators[k]);
    for (std::size_t k = 0; k < scene.springs.size(); ++k) look_at("springs", k, scene.springs[k]);
    for (std::size_t k = 0; k < scene.muscles.size(); ++k)
        for (std::size_t i = 0; i < scene.muscles[k].attachments.size(); ++i)
            look(fmt::format("muscles[{}].attach[{}].body", k, i), scene.muscles[k].attachments[i].body);
}

Result<AnatomyScene> read_scene(const json& document) {
    AnatomyScene scene;
    std::set<std::string> names;
    std::optional<Error> error;
    Entry top(document, "", error);
    top.number("unit", scene.unit, 1e-6, 1e6);
    top.list("bodies", [&](Entry& e) { read_body(e, scene, names); });
    top.list("joints", [&](Entry& e) { read_joint(e, scene); });
    top.list("muscles", [&](Entry& e) { read_muscle(e, scene); });
    top.list("actuators", [&](Entry& e) { read_actuator(e, scene); });
    top.list("springs", [&](Entry& e) { read_spring(e, scene); });
    top.inner("skin", [&](Entry& e) {
        e.number("epidermal", scene.skin.epidermal, 0, huge);
        e.number("connecting", scene.skin.connecting, 1e-6, huge);
        e.number("density", scene.skin.density, 1e-6, 1e6);
        e.number("reach", scene.skin.reach, 0, largest_place);
    });
    top.finish();
    check_bodies(scene, names, error);
    if (error) return *error;
    return scene;
}

}  // namespace

Result<AnatomyScene> parse_anatomy(std::string_view text, const std::string& name) {
    io::KeptJson document(json::parse(text.begin(), text.end(), nullptr, false));
    if (document->is_discarded()) return input_error(name + ": not valid JSON");
    if (!document->is_object())
        return input_error(name + ": an anatomy file is an object, {\"bodies\": …}, not " + document->type_name());
    Result<AnatomyScene> scene = read_scene(*document);
    if (!scene) return input_error(name + ": " + scene.error().message);
    return scene;
}

Result<AnatomyScene> load_anatomy(const std::string& path) {
    const auto bytes = io::read_file(path);
    if (!bytes) return bytes.error();
    if (bytes->size() > largest_anatomy_file)
        return input_error(path + ": is larger than 64 MB, so it is not an anatomy file");
    return parse_anatomy({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, path);
}

Status check_anatomy(const AnatomyScene& scene, const Character& character) {
    std::vector<std::string> names;
    for (const Joint& joint : character.joints) names.push_back(joint.name);
    const std::set<std::string> there(names.begin(), names.end());
    const auto look = [&](const std::string& place, const std::string& name) -> Status {
        if (name.empty() || there.count(name) > 0) return ok_status();
        return input_error(fmt::format("{} follows a joint '{}' that {} does not have; did you mean '{}'?", place, name,
                                       character.name, nearest_name(name, names)));
    };
    for (std::size_t k = 0; k < scene.bodies.size(); ++k)
        if (Status s = look(fmt::format("bodies[{}]", k), scene.bodies[k].joint); !s) return s;
    for (std::size_t k = 0; k < scene.actuators.size(); ++k)
        if (Status s = look(fmt::format("actuators[{}]", k), scene.actuators[k].joint); !s) return s;
    return ok_status();
}

}  // namespace fascia
