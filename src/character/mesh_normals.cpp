#include "character/mesh_normals.h"

#include <cmath>

#include "fascia/measure.h"

namespace fascia {

namespace {

constexpr double most_contrary = 1.0 / 3;  ///< of a piece's area

bool usable(Vec3 normal) {
    const float l = length(normal);
    return std::isfinite(l) && l > 1e-12f;
}

/// Twice the area times the unit normal; in doubles, since areas of small meshes underflow in float.
Vec3d triangle_normal(const Mesh& mesh, std::size_t first_corner) {
    const Vec3d a = to_double(mesh.positions[mesh.triangles[first_corner]]);
    return cross(to_double(mesh.positions[mesh.triangles[first_corner + 1]]) - a,
                 to_double(mesh.positions[mesh.triangles[first_corner + 2]]) - a);
}

/// Normals of the triangles, weighted by area and summed at the welded vertices.
std::vector<Vec3d> position_normals(const Mesh& mesh, const Weld& weld) {
    std::vector<Vec3d> sum(weld.count);
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const Vec3d normal = triangle_normal(mesh, t);
        for (int c = 0; c < 3; ++c) sum[weld.id[mesh.triangles[t + static_cast<std::size_t>(c)]]] += normal;
    }
    return sum;
}

/// Areas by how the normals at the corners lie to the face.
struct Agreement {
    double all = 0, agrees = 0;
    bool is_contrary() const { return all - agrees > most_contrary * all; }
};

/// Are two directions near one another? Normals that were turned by a quarter are off by more than this for most of a
/// body, but nowhere point to the other side.
bool agrees(Vec3d one, Vec3d other) {
    constexpr double least_cosine = 0.5;
    return dot(one, other) > least_cosine * length(one) * length(other);
}

/// A corner agrees if its normal lies near that of its face, or near the mean normal around its place: on a pyramid
/// with smooth normals, those of the rim are far from the face below. `smooth`: [vertices] normals made from the faces;
/// empty: only faces count
std::vector<Agreement> agreement_of(const Mesh& mesh, const std::vector<Vec3>& normals, const std::vector<Vec3>& smooth,
                                    const Components& pieces) {
    std::vector<Agreement> out(pieces.closed.size());
    for (std::size_t t = 0; 3 * t + 2 < mesh.triangles.size(); ++t) {
        const Vec3d face = triangle_normal(mesh, 3 * t);
        const double share = length(face) / 3;
        Agreement& piece = out[pieces.of_triangle[t]];
        for (std::size_t c = 3 * t; c < 3 * t + 3; ++c) {
            const std::uint32_t v = mesh.triangles[c];
            const Vec3d normal = to_double(normals[v]);
            piece.all += share;
            if (agrees(face, normal) || (!smooth.empty() && agrees(to_double(smooth[v]), normal)))
                piece.agrees += share;
        }
    }
    return out;
}

bool all_agree(const Mesh& mesh) {
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        Vec3d corners;
        for (std::size_t c = t; c < t + 3; ++c) corners += to_double(mesh.normals[mesh.triangles[c]]);
        if (const Vec3d face = triangle_normal(mesh, t); length(face) > 0 && !agrees(face, corners)) return false;
    }
    return true;
}

std::vector<Vec3> normals_of_faces(const Mesh& mesh, const Weld& weld) {
    const std::vector<Vec3d> sum = position_normals(mesh, weld);
    std::vector<Vec3> out(mesh.positions.size());
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = to_float(normalized(sum[weld.id[v]], Vec3d{0, 1, 0}));
    return out;
}

}  // namespace

bool replace_contrary_normals(Mesh& mesh) {
    if (all_agree(mesh)) return false;
    const Weld weld = weld_by_position(mesh.positions);
    const Components pieces = find_components(mesh.triangles, weld);
    const std::vector<Vec3> anew = normals_of_faces(mesh, weld);
    const std::vector<Agreement> now = agreement_of(mesh, mesh.normals, anew, pieces),
                                 then = agreement_of(mesh, anew, {}, pieces);
    std::vector<std::uint8_t> replaced(mesh.positions.size(), 0);
    for (std::size_t t = 0; 3 * t + 2 < mesh.triangles.size(); ++t) {
        const std::size_t piece = pieces.of_triangle[t];
        if (now[piece].is_contrary() && !then[piece].is_contrary())
            for (std::size_t c = 3 * t; c < 3 * t + 3; ++c) replaced[mesh.triangles[c]] = 1;
    }
    bool any = false;
    for (std::size_t v = 0; v < replaced.size(); ++v) {
        if (!replaced[v]) continue;
        // Seen from the other side a texture is mirrored.
        if (v < mesh.tangents.size() && dot(anew[v], mesh.normals[v]) < 0) mesh.tangents[v].w = -mesh.tangents[v].w;
        mesh.normals[v] = anew[v];
        any = true;
    }
    return any;
}

std::size_t make_missing_normals(Mesh& mesh) {
    mesh.normals.resize(mesh.positions.size());
    std::vector<std::uint32_t> missing;
    for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
        if (usable(mesh.normals[v])) {
            mesh.normals[v] = normalized(mesh.normals[v]);
        } else {
            missing.push_back(static_cast<std::uint32_t>(v));
        }
    }
    if (missing.empty()) return 0;
    const Weld weld = weld_by_position(mesh.positions);
    const std::vector<Vec3d> sum = position_normals(mesh, weld);
    for (std::uint32_t v : missing) mesh.normals[v] = to_float(normalized(sum[weld.id[v]], Vec3d{0, 1, 0}));
    return missing.size();
}

}  // namespace fascia
