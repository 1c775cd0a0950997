#include "design.h"
#include "mesher.h"

namespace fascia::characters {
namespace {

void write_surface(const Field& field, const SurfaceMesh& surface, Character& character) {
    Mesh& mesh = character.mesh;
    for (const Vec3d& p : surface.points) {
        const Vec3d normal = normalized(field.gradient(p), {0, 1, 0});
        const Color c = field.color(p, normal);
        mesh.positions.push_back(to_float(p));
        mesh.normals.push_back(to_float(normal));
        mesh.colors.push_back({static_cast<float>(c.r), static_cast<float>(c.g), static_cast<float>(c.b), 1});
    }
    mesh.triangles.assign(surface.corners().begin(), surface.corners().end());
}

}  // namespace

void add_part_and_material(Character& character) {
    Material material;
    material.name = character.name;
    material.base_color = {1, 1, 1, 1};  // the vertex colours carry the paint
    character.materials.push_back(material);

    Part part;
    part.name = character.name;
    part.node = static_cast<int>(character.nodes.size()) - 1;
    part.mesh = 0;
    part.material = 0;
    part.skin = 0;
    part.vertex_count = static_cast<int>(character.mesh.vertex_count());
    part.triangle_count = static_cast<int>(character.mesh.triangle_count());
    character.mesh.parts.push_back(part);
}

Character build_still(const Design& design) {
    Character character;
    character.name = design.name;
    const Field field(design.sculpture);
    SurfaceMesh surface = polygonise(field, design.sculpture.cell);
    remesh(field, surface);
    write_surface(field, surface, character);
    character.weights = design.skinning.weights(design.skeleton, field, surface);
    design.skeleton.write_to(character);
    add_part_and_material(character);
    return character;
}

Character build(const Design& design) {
    Character character = build_still(design);
    character.clips = make_clips(design.skeleton, design.style, character.mesh);
    return character;
}

}  // namespace fascia::characters
