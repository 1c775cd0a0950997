// The anatomy file as text: values that the reader assumes anyway are left out.
#include <nlohmann/json.hpp>

#include "fascia/io.h"

namespace fascia {

namespace {

using json = nlohmann::ordered_json;

json place(Vec3d p) {
    return {p.x, p.y, p.z};
}
json places(const std::vector<Vec3d>& points) {
    json out = json::array();
    for (const Vec3d& p : points) out.push_back(place(p));
    return out;
}

/// Empty lists of the scene are left out.
void put(json& out, const char* key, const std::vector<std::uint32_t>& indices) {
    if (!indices.empty()) out[key] = indices;
}
void put(json& out, const char* key, json list) {
    if (!list.empty()) out[key] = std::move(list);
}

json body_json(const AnatomyScene::Body& body) {
    json out{{"name", body.name}, {"joint", body.joint}};
    if (body.free) out["free"] = true;
    if (body.mass > 0) out["mass"] = body.mass;
    out["density"] = body.density;
    out["mesh"] = {{"points", places(body.solid.points)}, {"triangles", body.solid.triangles}};
    return out;
}

json joint_json(const AnatomyScene::Joint& joint) {
    return {{"name", joint.name},    {"type", joint.revolute ? "revolute" : "ball"},
            {"a", joint.a},          {"b", joint.b},
            {"at", place(joint.at)}, {"axis", place(joint.axis)},
            {"limit", joint.limit}};
}

json muscle_json(const AnatomyScene::Muscle& muscle) {
    json out{{"name", muscle.name},
             {"young", muscle.young},
             {"poisson", muscle.poisson},
             {"density", muscle.density},
             {"points", places(muscle.points)}};
    put(out, "hexahedra", muscle.hexahedra);
    put(out, "tetrahedra", muscle.tetrahedra);
    json attach = json::array();
    for (const AnatomyScene::Attachment& a : muscle.attachments)
        attach.push_back({{"body", a.body}, {"within", a.within}, {"stiffness", a.stiffness}});
    put(out, "attach", std::move(attach));
    return out;
}

json line_json(const AnatomyScene::Line& line) {
    return {{"name", line.name}, {"a", line.a}, {"b", line.b}, {"from", place(line.from)}, {"to", place(line.to)}};
}

json actuator_json(const AnatomyScene::Actuator& actuator) {
    json out = line_json(actuator);
    out["f0"] = actuator.f0;
    if (actuator.lo > 0) out["lo"] = actuator.lo;
    if (actuator.lmax > 0) out["lmax"] = actuator.lmax;
    out["gamma"] = actuator.gamma;
    out["damping"] = actuator.damping;
    out["activation"] = actuator.activation;
    if (!actuator.joint.empty()) out["joint"] = actuator.joint;
    return out;
}

json spring_json(const AnatomyScene::Spring& spring) {
    json out = line_json(spring);
    out["stiffness"] = spring.stiffness;
    out["damping"] = spring.damping;
    return out;
}

template <class Each, class ToJson>
json list_json(const std::vector<Each>& list, ToJson to_json) {
    json out = json::array();
    for (const Each& each : list) out.push_back(to_json(each));
    return out;
}

}  // namespace

std::string anatomy_to_json(const AnatomyScene& scene) {
    json out{{"unit", scene.unit}};
    put(out, "bodies", list_json(scene.bodies, body_json));
    put(out, "joints", list_json(scene.joints, joint_json));
    put(out, "muscles", list_json(scene.muscles, muscle_json));
    put(out, "actuators", list_json(scene.actuators, actuator_json));
    put(out, "springs", list_json(scene.springs, spring_json));
    out["skin"] = {{"epidermal", scene.skin.epidermal},
                   {"connecting", scene.skin.connecting},
                   {"density", scene.skin.density},
                   {"reach", scene.skin.reach}};
    return out.dump() + "\n";
}

}  // namespace fascia
