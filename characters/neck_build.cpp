// The bust as a character: from the drawing's units to metres, with normals that suit its creases.
#include "neck_anatomy.h"

namespace fascia::characters {
namespace {

Vec3d normal_of(const Mesh& mesh, std::size_t t) {
    const std::uint32_t* corner = &mesh.triangles[t];
    const Vec3d a = to_double(mesh.positions[corner[0]]);
    return cross(to_double(mesh.positions[corner[1]]) - a, to_double(mesh.positions[corner[2]]) - a);
}

/// Means of the triangles around each vertex. Creases are narrower than the triangles beside them: the field's own
/// normals would jump from vertex to vertex there.
void smooth_normals(Mesh& mesh) {
    std::vector<Vec3d> sums(mesh.positions.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
        const Vec3d n = normal_of(mesh, t);
        for (int k = 0; k < 3; ++k) sums[mesh.triangles[t + k]] += n;
    }
    for (std::size_t v = 0; v < sums.size(); ++v)
        mesh.normals[v] = to_float(normalized(sums[v], to_double(mesh.normals[v])));
}

/// Corners of triangles that face away from those around them; none when the mesh lies flat everywhere. [vertices]
std::vector<bool> folded_vertices(const Mesh& mesh) {
    std::vector<bool> folded(mesh.positions.size(), false);
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
        const Vec3d n = normalized(normal_of(mesh, t));
        for (int k = 0; k < 3; ++k)
            if (dot(n, to_double(mesh.normals[mesh.triangles[t + k]])) < 0.25)
                for (int i = 0; i < 3; ++i) folded[mesh.triangles[t + i]] = true;
    }
    return folded;
}

/// In the folds of an ear the first, rough mesh may tangle: its vertices move to the middle of their neighbours.
void unfold(Mesh& mesh) {
    constexpr int most_rounds = 30;
    smooth_normals(mesh);
    for (int round = 0; round < most_rounds; ++round) {
        const std::vector<bool> folded = folded_vertices(mesh);
        std::vector<Vec3d> sums(mesh.positions.size());
        std::vector<int> count(mesh.positions.size(), 0);
        for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
            for (int k = 0; k < 3; ++k) {
                const std::uint32_t v = mesh.triangles[t + k], next = mesh.triangles[t + (k + 1) % 3];
                sums[v] += to_double(mesh.positions[next]);
                ++count[v];
            }
        }
        bool any = false;
        for (std::size_t v = 0; v < folded.size(); ++v) {
            if (!folded[v]) continue;
            any = true;
            mesh.positions[v] = to_float((to_double(mesh.positions[v]) + sums[v] * (1.0 / count[v])) * 0.5);
        }
        if (!any) return;
        smooth_normals(mesh);
    }
}

void scale_by(double factor, Character& character) {
    for (Vec3& p : character.mesh.positions) p = to_float(to_double(p) * factor);
    for (Node& node : character.nodes) node.translation = node.translation * factor;
    for (Joint& joint : character.joints) {
        for (auto& row : joint.rest.m) row[3] *= factor;
        joint.tail = joint.tail * factor;
    }
}

}  // namespace

Character build_neck() {
    const Design design = neck_design();
    Character character = build_still(design);
    unfold(character.mesh);
    scale_by(neck_metres_per_unit, character);
    character.clips = neck_clips(design.skeleton);
    character.scene = std::make_shared<AnatomyScene>(neck_scene(Field(design.sculpture)));
    return character;
}

}  // namespace fascia::characters
