#include "file_facts.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "inputs.h"
#include "output_paths.h"

namespace fascia::cli {

namespace {

bool is_static_mesh(const std::string& path) {
    const std::string extension = extension_of(path);
    return extension == ".obj" || extension == ".ply" || extension == ".off";
}

Result<Character> open_mesh(const std::string& path) {
    Result<Mesh> mesh = load_mesh(path);
    if (!mesh) return mesh.error();
    Character out;
    out.name = std::filesystem::path(path).stem().string();
    out.mesh = std::move(*mesh);
    return out;
}

void measure_box(FileFacts& facts) {
    const auto& positions = facts.character.mesh.positions;
    if (positions.empty()) return;
    facts.box_min = facts.box_max = to_double(positions.front());
    for (const Vec3 p : positions) {
        facts.box_min = {std::min<double>(facts.box_min.x, p.x), std::min<double>(facts.box_min.y, p.y),
                         std::min<double>(facts.box_min.z, p.z)};
        facts.box_max = {std::max<double>(facts.box_max.x, p.x), std::max<double>(facts.box_max.y, p.y),
                         std::max<double>(facts.box_max.z, p.z)};
    }
}

double surface_area(const Mesh& mesh) {
    double twice = 0;
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const Vec3d a = to_double(mesh.positions[mesh.triangles[t]]);
        const Vec3d b = to_double(mesh.positions[mesh.triangles[t + 1]]);
        const Vec3d c = to_double(mesh.positions[mesh.triangles[t + 2]]);
        twice += length(cross(b - a, c - a));
    }
    return twice / 2;
}

/// A conservative solid voxelisation contains the volume plus three quarters of a voxel over the whole surface
/// (docs/formulas.md A1: 1 + 2.25 h/r for a sphere).
void estimate_points(FileFacts& facts) {
    BuildEstimate& out = facts.build;
    out.voxel_size = facts.character.size() * (1 + 1e-6) / out.resolution;
    if (!(out.voxel_size > 0)) return;
    const double h = out.voxel_size;
    const double inside = std::fabs(facts.check.signed_volume) / (h * h * h), shell = 0.75 * facts.area / (h * h);
    out.estimated_points = static_cast<std::size_t>(std::llround(inside + shell));
}

/// Actually binds it: there is no other way to know what is fused or clamped.
void bind_for_facts(FileFacts& facts) {
    const Result<RigPtr> rig = fascia::bind(facts.character, "layers", *preset("default"));
    if (!rig) {
        facts.warnings.push_back("the method layers cannot be used: " + rig.error().message);
        return;
    }
    facts.build.resolution = (*rig)->inside()->resolution();
    facts.build.points = (*rig)->point_count();
    facts.build.layers = layer_counts(**rig);
    if (const Inside* inside = (*rig)->inside()) {
        facts.build.frequencies = inside->layer_frequencies();
        facts.build.anatomy = inside->anatomy();
    }
    for (const std::string& warning : (*rig)->warnings()) facts.warnings.push_back(warning);
}

std::size_t count_skins(const Character& character) {
    std::set<int> skins;
    for (const Part& part : character.mesh.parts)
        if (part.skin >= 0) skins.insert(part.skin);
    return skins.size();
}

void gather_warnings(FileFacts& facts) {
    const MeshCheck& check = facts.check;
    const auto warn = [&](std::size_t count, const char* text) {
        if (count > 0) facts.warnings.push_back(fmt::format("{} {}", count, text));
    };
    warn(check.border_edges, "border edges: the surface is open, so its volume cannot be measured there");
    warn(check.nonmanifold_edges, "edges with more than two triangles");
    warn(check.degenerate_triangles, "triangles without an area");
    warn(check.unreferenced_vertices, "vertices that no triangle uses");
    warn(check.overlapping_components, "parts that lie inside or across one another");
    if (!facts.rigged) facts.warnings.push_back("there is no skeleton: the file cannot be baked as it is");
    if (facts.rigged && facts.character.clips.empty())
        facts.warnings.push_back("there is no clip: bake it with --motion FILE.bvh");
}

}  // namespace

Result<FileFacts> gather_facts(const std::string& file_or_name) {
    FileFacts facts;
    facts.file = file_or_name;
    facts.rigged = !is_static_mesh(file_or_name);
    Result<Character> character = facts.rigged ? open_character(file_or_name) : open_mesh(file_or_name);
    if (!character) return character.error();
    facts.character = std::move(*character);
    measure_box(facts);
    facts.skins = count_skins(facts.character);
    facts.check = check_mesh(facts.character.mesh);
    facts.area = surface_area(facts.character.mesh);
    gather_warnings(facts);
    if (facts.rigged) bind_for_facts(facts);
    estimate_points(facts);
    return facts;
}

}  // namespace fascia::cli
