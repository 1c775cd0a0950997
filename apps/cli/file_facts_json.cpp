// Facts about a file, for programs: docs/schemas/info.schema.json.
#include <cmath>

#include <nlohmann/json.hpp>

#include "file_facts.h"

namespace fascia::cli {

namespace {

using nlohmann::ordered_json;

ordered_json number(double value) {
    return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json vector_json(Vec3d v) {
    return {number(v.x), number(v.y), number(v.z)};
}

ordered_json parts_json(const Mesh& mesh) {
    ordered_json list = ordered_json::array();
    for (const Part& part : mesh.parts) {
        list.push_back({{"name", part.name},
                        {"vertices", part.vertex_count},
                        {"triangles", part.triangle_count},
                        {"material", part.material >= 0 ? ordered_json(part.material) : nullptr},
                        {"skin", part.skin >= 0 ? ordered_json(part.skin) : nullptr}});
    }
    return list;
}

ordered_json joints_json(const Character& character) {
    ordered_json list = ordered_json::array();
    for (const Joint& joint : character.joints)
        list.push_back({{"name", joint.name}, {"parent", joint.parent >= 0 ? ordered_json(joint.parent) : nullptr}});
    return list;
}

ordered_json clips_json(const Character& character) {
    ordered_json list = ordered_json::array();
    for (const Clip& clip : character.clips)
        list.push_back({{"name", clip.name}, {"seconds", number(clip.duration)}, {"channels", clip.channels.size()}});
    return list;
}

ordered_json materials_json(const Character& character) {
    ordered_json list = ordered_json::array();
    for (const Material& material : character.materials)
        list.push_back({{"name", material.name}, {"textured", material.texture >= 0}});
    return list;
}

ordered_json remarks_json(const Character& character) {
    ordered_json list = ordered_json::array();
    for (const Remark& remark : character.remarks)
        list.push_back({{"code", remark.code}, {"text", remark.text}, {"count", remark.count}});
    return list;
}

ordered_json check_json(const MeshCheck& check) {
    return {{"welded_vertices", check.welded_vertices},
            {"components", check.components},
            {"closed_components", check.closed_components},
            {"border_edges", check.border_edges},
            {"nonmanifold_edges", check.nonmanifold_edges},
            {"degenerate_triangles", check.degenerate_triangles},
            {"unreferenced_vertices", check.unreferenced_vertices},
            {"overlapping_components", check.overlapping_components},
            {"volume", check.closed_components > 0 ? number(check.signed_volume) : nullptr}};
}

ordered_json points_json(const BuildEstimate& build) {
    if (build.points == 0) return nullptr;
    ordered_json out{{"total", build.points}};
    for (const LayerCount& layer : build.layers) out[layer.name] = layer.points;
    return out;
}

ordered_json frequencies_json(const BuildEstimate& build) {
    if (build.frequencies.empty()) return nullptr;
    ordered_json out = ordered_json::object();
    for (const LayerFrequency& each : build.frequencies) out[each.layer] = number(each.hz);
    return out;
}

ordered_json anatomy_json(const BuildEstimate& build, const Character& character) {
    ordered_json stiff = ordered_json::array(), soft = ordered_json::array();
    for (const auto& [joint, shells, vertices] : build.anatomy.stiff)
        stiff.push_back({{"joint", character.joints[joint].name}, {"shells", shells}, {"vertices", vertices}});
    for (const auto& [joint, vertices, softness] : build.anatomy.soft)
        soft.push_back(
            {{"joint", character.joints[joint].name}, {"vertices", vertices}, {"softness", number(softness)}});
    return {{"plates", build.anatomy.plates}, {"stiff", stiff}, {"soft", soft}};
}

ordered_json build_json(const FileFacts& facts) {
    if (!facts.rigged) return nullptr;
    return {{"resolution", facts.build.resolution},
            {"voxel_size", number(facts.build.voxel_size)},
            {"estimated_points", facts.build.estimated_points},
            {"points", points_json(facts.build)},
            {"frequencies", frequencies_json(facts.build)},
            {"anatomy", anatomy_json(facts.build, facts.character)}};
}

ordered_json scene_json(const AnatomyScene& scene) {
    ordered_json bodies = ordered_json::array(), muscles = ordered_json::array();
    for (const AnatomyScene::Body& body : scene.bodies)
        bodies.push_back({{"name", body.name}, {"joint", body.joint}, {"free", body.free}});
    for (const AnatomyScene::Muscle& muscle : scene.muscles)
        muscles.push_back({{"name", muscle.name},
                           {"hexahedra", muscle.hexahedra.size() / 8},
                           {"tetrahedra", muscle.tetrahedra.size() / 4}});
    return {{"bodies", std::move(bodies)},
            {"muscles", std::move(muscles)},
            {"joints", scene.joints.size()},
            {"actuators", scene.actuators.size()},
            {"springs", scene.springs.size()}};
}

}  // namespace

std::string facts_json(const FileFacts& facts) {
    const Character& c = facts.character;
    ordered_json out{{"fascia", FASCIA_VERSION_STRING},
                     {"file", facts.file},
                     {"name", c.name},
                     {"rigged", facts.rigged},
                     {"size", number(c.size())},
                     {"box", {{"min", vector_json(facts.box_min)}, {"max", vector_json(facts.box_max)}}},
                     {"vertices", c.mesh.vertex_count()},
                     {"triangles", c.mesh.triangle_count()},
                     {"influences", c.weights.influences},
                     {"skins", facts.skins},
                     {"humanoid_bones", c.humanoid.size()},
                     {"textures", c.textures.size()},
                     {"joints", joints_json(c)},
                     {"clips", clips_json(c)},
                     {"parts", parts_json(c.mesh)},
                     {"rigid_parts", parts_json(c.rigid)},
                     {"materials", materials_json(c)},
                     {"surface", check_json(facts.check)},
                     {"would_build", build_json(facts)},
                     {"remarks", remarks_json(c)},
                     {"warnings", facts.warnings},
                     {"methods", ordered_json::parse(methods_to_json())}};
    if (c.scene) out["scene"] = scene_json(*c.scene);
    return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace fascia::cli
