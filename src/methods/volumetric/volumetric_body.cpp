#include "methods/volumetric/volumetric_body.h"

#include <cmath>

#include "body/body_cells.h"
#include "body/fineness.h"
#include "body/joint_tree.h"
#include "body/opened_overlaps.h"
#include "lattice/layers.h"
#include "lattice/locate.h"
#include "lattice/seams.h"
#include "methods/shared/blueprint_bytes.h"
#include "methods/shared/corner_surface.h"
#include "methods/shared/corner_weights.h"
#include "methods/shared/skinned_character.h"

namespace fascia {

namespace {

/// Corners of the voxels that bones pass through.
std::vector<std::uint8_t> points_at_bones(const BodyCells& filled, const lattice::CornerLattice& corners,
                                          std::span<const lattice::Bone> bones) {
    std::vector<std::uint8_t> out(corners.size(), 0);
    for (const auto& core : lattice::find_cores(filled.grid, filled.tissue, bones))
        for (const std::uint32_t cell : core)
            for (std::size_t k = 8 * std::size_t(cell); k < 8 * std::size_t(cell) + 8; ++k) out[corners.of_cell[k]] = 1;
    return out;
}

embedding::Trilinear bind_surface(const Mesh& mesh, const BodyCells& filled, const lattice::CornerLattice& corners) {
    const std::vector<std::uint32_t> homes =
        lattice::locate_vertices(filled.grid, filled.tissue, mesh.positions, mesh.triangles);
    embedding::Trilinear out = embedding::bind_in_cells({.lower = lower_corners(filled.grid, filled.tissue.cells),
                                                         .corners = corners.of_cell,
                                                         .h = filled.grid.h,
                                                         .positions = mesh.positions,
                                                         .homes = homes});
    const std::vector<std::uint32_t> carrier = lattice::without_seams(corners, homes, mesh.triangles);
    for (std::uint32_t& point : out.points) point = carrier[point];
    return out;
}

}  // namespace

int VolumetricBody::resolution() const {
    return int(std::lround(size / grid.h));
}

Result<std::shared_ptr<const VolumetricBody>> build_volumetric_body(const Character& given,
                                                                    const VolumetricSettings& settings,
                                                                    const char* method) {
    if (const Status checked = check_skinned(given, method); !checked) return checked.error();
    const std::optional<Character> opened = with_overlaps_opened(given);
    const Character& character = opened ? *opened : given;
    const std::string who = std::string(method) + ": ";
    auto body = std::make_shared<VolumetricBody>();
    body->size = character.size();
    if (!(body->size > 0)) return input_error(who + "the surface of '" + character.name + "' has no extent");
    if (character.mesh.triangles.empty()) return input_error(who + "'" + character.name + "' has no triangles to fill");
    const std::vector<std::uint8_t> used = used_joints(character, true);
    const auto bones = bones_of<lattice::Bone>(character, used);
    const auto segments = bones_of<weights::Segment>(character, used);
    const std::vector<std::uint16_t> followed = triangle_joints(character, bones, true);
    const BodyCells filled =
        fill_body(BodySurface(character, followed), bones, {settings.resolution, settings.point_budget},
                  [](const lattice::Tissue& tissue) { return lattice::find_corners(tissue).size(); });
    if (filled.tissue.size() == 0) return input_error(who + "the surface of '" + character.name + "' fills no voxel");
    body->grid = filled.grid;
    body->corners = lattice::find_corners(filled.tissue);
    std::vector<Vec3d> places;
    for (std::size_t p = 0; p < body->point_count(); ++p) places.push_back(body->place(p));
    body->influences =
        painted_corner_weights(character, {filled.tissue, body->corners, places, filled.grid.h, segments});
    body->at_bone = points_at_bones(filled, body->corners, bones);
    body->surface = RestSurface(given);
    body->bound = bind_surface(character.mesh, filled, body->corners);
    if (opened) warn_of_overlaps(given, *opened, body->warnings);
    warn_of_meetings(character, filled.tissue, body->size, body->warnings);
    return std::shared_ptr<const VolumetricBody>(std::move(body));
}

namespace {

// Structured bindings name every member, so that a new member does not compile until it is written and read, too.
template <class Body, class Bytes>
void exchange_members(Body& body, Bytes& bytes) {
    auto& [size, grid, corners, influences, at_bone, surface, bound, warnings] = body;
    exchange(bytes, size, grid, corners, influences, at_bone, bound);
}

}  // namespace

void write_volumetric_body(const VolumetricBody& body, ByteWriter& out) {
    write_texts(body.warnings, out);
    exchange_members(body, out);
    write_rest_surface(body.surface, out);
}

Result<std::shared_ptr<const VolumetricBody>> read_volumetric_body(ByteReader& in) {
    auto body = std::make_shared<VolumetricBody>();
    body->warnings = read_texts(in);
    exchange_members(*body, in);
    if (!in.ok()) return input_error("it ends too early");
    Result<RestSurface> surface = read_rest_surface(in);
    if (!surface) return surface.error();
    body->surface = std::move(*surface);
    if (!is_sound(body->grid, body->size, body->grid.origin)) return input_error("its grid is damaged");
    if (!is_sound(body->corners, body->grid)) return input_error("its voxels are damaged");
    const std::size_t points = body->point_count();
    if (!is_sound(body->influences, points, body->surface.joints.size()) || !are_shares(body->influences) ||
        body->at_bone.size() != points || !all_pass(body->at_bone, [](std::uint8_t b) { return b <= 1; }))
        return input_error("its weights are damaged");
    if (!is_sound(body->bound, body->surface.positions.size(), points)) return input_error("its embedding is damaged");
    lattice::complete_corners(body->corners);
    return std::shared_ptr<const VolumetricBody>(std::move(body));
}

}  // namespace fascia
