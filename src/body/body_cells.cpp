#include "body/body_cells.h"

#include <algorithm>
#include <cmath>

#include "body/joint_tree.h"
#include "fascia/measure.h"
#include "lattice/sheets.h"
#include "lattice/voxelise.h"
#include "weights/influences.h"

namespace fascia {

namespace {

/// Fewer voxels are only a crease, not worth a warning.
constexpr std::size_t least_fold = 4;
constexpr double finest_resolution = 512;

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

BodySurface::BodySurface(const Character& character, std::span<const std::uint16_t> followed, OfOneJoint of_one_joint)
    : mesh_(character.mesh),
      followed_(followed),
      of_one_joint_(of_one_joint),
      related_(related_joints(character)),
      low_{1e300, 1e300, 1e300},
      high_{-1e300, -1e300, -1e300} {
    const Weld weld = weld_by_position(mesh_.positions);
    corners_.resize(mesh_.triangles.size());
    for (std::size_t k = 0; k < corners_.size(); ++k) corners_[k] = weld.id[mesh_.triangles[k]];
    const Components components = find_components(mesh_.triangles, weld);
    open_ = std::find(components.closed.begin(), components.closed.end(), false) != components.closed.end();
    if (!open_) outward_.emplace(mesh_.positions, outward_triangles(mesh_, components));
    shells_ = find_body_shells(mesh_, components);
    fans_ = lattice::find_fans(mesh_.positions, mesh_.triangles, corners_);
    for (const Vec3 p : mesh_.positions) {
        low_ = {std::min(low_.x, double(p.x)), std::min(low_.y, double(p.y)), std::min(low_.z, double(p.z))};
        high_ = {std::max(high_.x, double(p.x)), std::max(high_.y, double(p.y)), std::max(high_.z, double(p.z))};
    }
}

BodyCells BodySurface::fill(int resolution) const {
    BodyCells out;
    out.resolution = resolution;
    out.open = open_;
    out.grid = lattice::make_grid(low_, high_, resolution);
    out.centre = (low_ + high_) * 0.5;
    const lattice::SurfaceCells surface = lattice::conservative_cells(mesh_.positions, mesh_.triangles, out.grid);
    lattice::SolidCells solid = lattice::solid_cells(mesh_.positions, mesh_.triangles, out.grid, surface, open_);
    if (outward_) lattice::empty_pockets(*outward_, out.grid, solid);
    out.tissue = lattice::connect(mesh_.positions, mesh_.triangles, out.grid, surface, solid,
                                  {.corners = corners_,
                                   .part = followed_,
                                   .related = related_,
                                   .shell = shells_.shell,
                                   .body = shells_.body,
                                   .fans = &fans_,
                                   .parts_fold = of_one_joint_ == OfOneJoint::may_part});
    return out;
}

double BodySurface::distance(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const {
    double least2 = 1e300;
    for (const std::uint32_t s : a)
        for (const std::uint32_t t : b)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) {
                    const Vec3d off = to_double(mesh_.positions[mesh_.triangles[3 * s + i]]) -
                                      to_double(mesh_.positions[mesh_.triangles[3 * t + j]]);
                    least2 = std::min(least2, dot(off, off));
                }
    return std::sqrt(least2);
}

BodyCells fill_body(const Character& character, std::span<const std::uint16_t> followed, int resolution) {
    return BodySurface(character, followed).fill(resolution);
}

void warn_of_meetings(const Character& character, const lattice::Tissue& tissue, double size,
                      std::vector<std::string>& warnings) {
    // Cells whose diagonal is shorter than the gap; 0 where there are none.
    const auto finer_than = [size](double gap) {
        const double needed = gap > 0 ? std::floor(std::sqrt(3.0) * size / gap) + 1 : 0;
        return needed <= finest_resolution ? int(needed) : 0;
    };
    const auto parted_at = [&](const lattice::Meeting& m) -> std::string {
        if (const int all = finer_than(m.gap)) return "; resolution " + std::to_string(all) + " would part them";
        if (const int most = finer_than(m.usual_gap))
            return "; where they do not touch, resolution " + std::to_string(most) + " would part them";
        return "; they touch, so that no resolution parts them";
    };
    const auto name = [&](std::uint16_t joint) { return "'" + character.joints[joint].name + "'"; };
    if (tissue.crowded > 0)
        warnings.push_back(std::to_string(tissue.crowded) + " voxels hold more than " +
                           std::to_string(lattice::SheetFinder::most_patches) +
                           " separate pieces of surface each, too many to tell apart: those of one joint move as one "
                           "there; a higher resolution may part them");
    for (const lattice::Meeting& m : tissue.meetings)
        warnings.push_back(name(m.a) + " and " + name(m.b) + " share " + std::to_string(m.cells) +
                           " voxels, which are split between them" + parted_at(m));
    for (const lattice::Meeting& m : tissue.folds)
        if (m.cells >= least_fold)
            warnings.push_back((m.a == m.b ? "folds of " + name(m.a) : name(m.a) + " and " + name(m.b)) +
                               " lie together in " + std::to_string(m.cells) + " voxels, which are split between them" +
                               parted_at(m));
}

}  // namespace fascia
