// Facts about a file, for people.
#include <fmt/format.h>

#include "console.h"
#include "file_facts.h"

namespace fascia::cli {

namespace {

constexpr std::size_t longest_list = 20;  // one known character has 840 joints, another 76 clips

std::string line(const char* label, const std::string& value) {
    return fmt::format("{:<12}{}\n", label, value);
}

/// "1 skin", "2 skins".
std::string counted(std::size_t count, const char* thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string vector_text(Vec3d v) {
    return fmt::format("({:.4g}, {:.4g}, {:.4g})", v.x, v.y, v.z);
}

std::string more(std::size_t count) {
    return count > longest_list ? line("", fmt::format("… and {} more (see --json)", count - longest_list)) : "";
}

std::string clips_text(const Character& character) {
    if (character.clips.empty()) return line("clips", "none");
    std::string out;
    for (std::size_t i = 0; i < std::min(longest_list, character.clips.size()); ++i) {
        const Clip& clip = character.clips[i];
        out += line(i == 0 ? "clips" : "", fmt::format("{:>2}  {} ({:.2f} s)", i, printable(clip.name), clip.duration));
    }
    return out + more(character.clips.size());
}

std::string parts_text(const char* label, const Character& character, const Mesh& mesh) {
    std::string out;
    for (std::size_t i = 0; i < std::min(longest_list, mesh.parts.size()); ++i) {
        const Part& part = mesh.parts[i];
        const bool has_material =
            part.material >= 0 && static_cast<std::size_t>(part.material) < character.materials.size();
        const std::string material =
            has_material ? printable(character.materials[static_cast<std::size_t>(part.material)].name) : "none";
        out += line(i == 0 ? label : "", fmt::format("{}: {} vertices, {} triangles, material {}", printable(part.name),
                                                     part.vertex_count, part.triangle_count, material));
    }
    return out + more(mesh.parts.size());
}

std::string check_text(const MeshCheck& check) {
    std::string out = fmt::format("{}, {} ({} closed)", counted(check.welded_vertices, "distinct position"),
                                  counted(check.components, "component"), check.closed_components);
    if (check.closed_components > 0) out += fmt::format(", volume {:.4g}", check.signed_volume);
    return line("surface", out);
}

std::string list_text(const char* label, const std::vector<std::string>& sentences) {
    std::string out;
    for (const std::string& sentence : sentences) out += line(out.empty() ? label : "", printable(sentence));
    return out;
}

std::string skeleton_text(const FileFacts& facts) {
    if (!facts.rigged) return line("skeleton", "none");
    const Character& c = facts.character;
    std::string text = fmt::format("{}, {}, {} influences per vertex", counted(c.joints.size(), "joint"),
                                   counted(facts.skins, "skin"), c.weights.influences);
    if (!c.humanoid.empty()) text += fmt::format(", {} humanoid bones named", c.humanoid.size());
    return line("skeleton", text);
}

/// "3.1 Hz muscle, 1.5 Hz fat".
std::string frequencies_text(const BuildEstimate& build) {
    std::vector<std::string> out;
    for (const LayerFrequency& each : build.frequencies)
        out.push_back(fmt::format("{:.3g} Hz {}", each.hz, each.layer));
    return out.empty() ? "" : line("swings at", fmt::format("{}", fmt::join(out, ", ")));
}

/// What is stiff and what is soft, by the joints that hold it.
std::string anatomy_text(const BuildEstimate& build, const Character& character) {
    std::string out;
    const auto name = [&](std::size_t joint) { return printable(character.joints[joint].name); };
    std::vector<std::string> stiff, soft;
    for (const auto& [joint, shells, vertices] : build.anatomy.stiff)
        if (stiff.size() < longest_list)
            stiff.push_back(fmt::format("{} ({}, {} vertices)", name(joint), counted(shells, "shell"), vertices));
    for (const auto& [joint, vertices, softness] : build.anatomy.soft)
        if (soft.size() < longest_list) soft.push_back(fmt::format("{} {:.0f} %", name(joint), 100 * softness));
    if (build.anatomy.plates) out += line("stiff", "a machine of rigid plates: nearly nothing swings");
    if (!stiff.empty()) out += line(out.empty() ? "stiff" : "", fmt::format("on {}", fmt::join(stiff, ", ")));
    if (!soft.empty()) out += line("soft", fmt::format("{}", fmt::join(soft, ", ")));
    return out;
}

/// What lies under the skin.
std::string scene_text(const Character& character) {
    if (!character.scene) return "";
    const AnatomyScene& scene = *character.scene;
    std::size_t elements = 0;
    for (const AnatomyScene::Muscle& muscle : scene.muscles)
        elements += muscle.hexahedra.size() / 8 + muscle.tetrahedra.size() / 4;
    return line("anatomy",
                fmt::format("{}, {}, {} of {}, {}, {}",
                            scene.bodies.size() == 1 ? "1 body" : fmt::format("{} bodies", scene.bodies.size()),
                            counted(scene.joints.size(), "joint"), counted(scene.muscles.size(), "muscle"),
                            counted(elements, "element"), counted(scene.actuators.size(), "actuator"),
                            counted(scene.springs.size(), "spring")));
}

std::string build_text(const BuildEstimate& build) {
    const std::string grid = fmt::format("resolution {}, voxels of {:.4g}, ", build.resolution, build.voxel_size);
    if (build.points == 0) return line("would build", grid + fmt::format("about {} points", build.estimated_points));
    std::vector<std::string> layers;
    for (const LayerCount& layer : build.layers) layers.push_back(fmt::format("{} {}", layer.points, layer.name));
    return line("would build", grid + fmt::format("{} points ({})", build.points, fmt::join(layers, ", ")));
}

}  // namespace

std::string remark_text(const Remark& remark) {
    return remark.count > 1 ? fmt::format("{} ({} times)", remark.text, remark.count) : remark.text;
}

std::string facts_text(const FileFacts& facts) {
    const Character& c = facts.character;
    std::string out = line("name", printable(c.name));
    out += line("mesh", fmt::format("{} vertices, {}, {}, {}", c.mesh.vertex_count(),
                                    counted(c.mesh.triangle_count(), "triangle"),
                                    counted(c.materials.size(), "material"), counted(c.textures.size(), "texture")));
    out += skeleton_text(facts);
    out += line("size", fmt::format("{:.4g}", c.size()));
    out += line("box", vector_text(facts.box_min) + " to " + vector_text(facts.box_max));
    out += parts_text("parts", c, c.mesh);
    out += parts_text("rigid parts", c, c.rigid);
    if (facts.rigged) out += clips_text(c);
    out += check_text(facts.check);
    if (facts.rigged)
        out += build_text(facts.build) + frequencies_text(facts.build) + anatomy_text(facts.build, c) + scene_text(c);
    std::vector<std::string> remarks;
    for (const Remark& remark : c.remarks) remarks.push_back(remark_text(remark));
    out += list_text("remarks", remarks);
    out += list_text("warnings", facts.warnings);
    return out;
}

}  // namespace fascia::cli
