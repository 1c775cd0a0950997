#include "body/body_cells.h"

#include <algorithm>
#include <cmath>

#include "body/joint_tree.h"
#include "fascia/measure.h"
#include "lattice/voxelise.h"
#include "lattice/winding.h"
#include "weights/influences.h"

namespace fascia {

namespace {

std::uint16_t nearest_bone(Vec3d p, const std::vector<lattice::Bone>& bones) {
    std::uint16_t best = 0;
    double least = 1e300;
    for (const lattice::Bone& bone : bones) {
        const Vec3d along = bone.b - bone.a;
        const double l2 = dot(along, along);
        const double t = l2 > 0 ? std::clamp(dot(p - bone.a, along) / l2, 0.0, 1.0) : 0.0;
        const Vec3d off = p - (bone.a + along * t);
        if (dot(off, off) < least) least = dot(off, off), best = bone.part;
    }
    return best;
}

double volume_below(const Mesh& mesh, std::size_t triangle) {
    const std::uint32_t* corner = &mesh.triangles[3 * triangle];
    return dot(to_double(mesh.positions[corner[0]]),
               cross(to_double(mesh.positions[corner[1]]), to_double(mesh.positions[corner[2]])));
}

/// The triangles of all components that face the same way as the largest one. Inner walls face the other way, but what
/// they enclose is still meant to be body.
std::vector<std::uint32_t> outward_triangles(const Mesh& mesh, const Components& components) {
    std::vector<double> volume(components.closed.size(), 0);
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t) volume[components.of_triangle[t]] += volume_below(mesh, t);
    const auto largest =
        std::max_element(volume.begin(), volume.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    std::vector<std::uint32_t> out;
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
        if (volume[components.of_triangle[t]] * *largest > 0)
            out.insert(out.end(), mesh.triangles.begin() + std::ptrdiff_t(3 * t),
                       mesh.triangles.begin() + std::ptrdiff_t(3 * t + 3));
    return out;
}

/// Which way each triangle faces (lattice/folds.h), judged by the volume that its component encloses. Even with a hole
/// or an extra seam a component encloses most of its volume; a sheet encloses none.
std::vector<std::int32_t> shells_of(const Mesh& mesh, const Components& components) {
    constexpr double least = 0.002;  // of area^1.5; a ball has 0.094
    const std::size_t count = components.closed.size();
    std::vector<Vec3d> centre(count);
    std::vector<double> corners(count, 0), volume(count, 0), area(count, 0);
    const auto at = [&](std::size_t t, int k) { return to_double(mesh.positions[mesh.triangles[3 * t + k]]); };
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
        const std::size_t c = components.of_triangle[t];
        for (int k = 0; k < 3; ++k) centre[c] = centre[c] + at(t, k);
        corners[c] += 3;
    }
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
        const std::size_t c = components.of_triangle[t];
        const Vec3d middle = centre[c] * (1 / corners[c]), p = at(t, 0), q = at(t, 1), r = at(t, 2);
        volume[c] += dot(p - middle, cross(q - middle, r - middle)) / 6;
        area[c] += length(cross(q - p, r - p)) / 2;
    }
    std::vector<std::int32_t> out(mesh.triangle_count());
    for (std::size_t t = 0; t < out.size(); ++t) {
        const std::size_t c = components.of_triangle[t];
        const double enough = components.closed[c] ? 0 : least * area[c] * std::sqrt(area[c]);
        if (std::abs(volume[c]) > enough) out[t] = (volume[c] > 0 ? 1 : -1) * std::int32_t(c + 1);
    }
    return out;
}

}  // namespace

std::vector<std::uint8_t> used_joints(const Character& character, bool from_file) {
    std::vector<std::uint8_t> used(character.joints.size(), from_file ? 0 : 1);
    for (std::size_t k = 0; k < character.weights.weights.size(); ++k)
        if (character.weights.weights[k] > 0) used[character.weights.joints[k]] = 1;
    return used;
}

std::vector<std::uint16_t> triangle_joints(const Character& character, const std::vector<lattice::Bone>& bones,
                                           bool from_file) {
    const Mesh& mesh = character.mesh;
    std::vector<std::uint16_t> out(mesh.triangle_count());
    weights::Mixture mixture;
    for (std::size_t t = 0; t < out.size(); ++t) {
        const std::uint32_t* corner = &mesh.triangles[3 * t];
        if (!from_file) {
            out[t] = nearest_bone((to_double(mesh.positions[corner[0]]) + to_double(mesh.positions[corner[1]]) +
                                   to_double(mesh.positions[corner[2]])) *
                                      (1.0 / 3),
                                  bones);
            continue;
        }
        mixture.clear();
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < character.weights.influences; ++k) {
                const std::size_t slot = std::size_t(corner[c]) * character.weights.influences + k;
                mixture.add(character.weights.joints[slot], character.weights.weights[slot]);
            }
        float weight;
        mixture.store({&out[t], 1}, {&weight, 1});
    }
    return out;
}

BodyCells fill_body(const Character& character, std::span<const std::uint16_t> followed, int resolution) {
    const Mesh& mesh = character.mesh;
    const std::vector<std::uint8_t> related = related_joints(character);
    const Weld weld = weld_by_position(mesh.positions);
    std::vector<std::uint32_t> corners(mesh.triangles.size());
    for (std::size_t k = 0; k < corners.size(); ++k) corners[k] = weld.id[mesh.triangles[k]];
    const Components components = find_components(mesh.triangles, weld);

    Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const Vec3 p : mesh.positions) {
        low = {std::min(low.x, double(p.x)), std::min(low.y, double(p.y)), std::min(low.z, double(p.z))};
        high = {std::max(high.x, double(p.x)), std::max(high.y, double(p.y)), std::max(high.z, double(p.z))};
    }
    BodyCells out;
    out.open = std::find(components.closed.begin(), components.closed.end(), false) != components.closed.end();
    out.grid = lattice::make_grid(low, high, resolution);
    out.centre = (low + high) * 0.5;
    const lattice::SurfaceCells surface = lattice::conservative_cells(mesh.positions, mesh.triangles, out.grid);
    lattice::SolidCells solid = lattice::solid_cells(mesh.positions, mesh.triangles, out.grid, surface, out.open);
    if (!out.open) {
        const std::vector<std::uint32_t> outward = outward_triangles(mesh, components);
        lattice::empty_pockets(lattice::WindingField(mesh.positions, outward), out.grid, solid);
    }
    const std::vector<std::int32_t> shell = shells_of(mesh, components);
    out.tissue = lattice::connect(mesh.positions, mesh.triangles, out.grid, surface, solid,
                                  {corners, followed, character.joints.size(), related, shell});
    return out;
}

void warn_of_meetings(const Character& character, const lattice::Tissue& tissue, double size,
                      std::vector<std::string>& warnings) {
    for (const lattice::Meeting& m : tissue.meetings) {
        const double needed = m.gap > 0 ? std::ceil(1.7320508 * size / m.gap) : 0;
        std::string text = "'" + character.joints[m.a].name + "' and '" + character.joints[m.b].name + "' share " +
                           std::to_string(m.cells) + " voxels, which are split between them";
        text += needed > 0 && needed <= 512 ? "; resolution " + std::to_string(int(needed)) + " would part them"
                                            : "; they touch, so that no resolution parts them";
        warnings.push_back(text);
    }
}

}  // namespace fascia
