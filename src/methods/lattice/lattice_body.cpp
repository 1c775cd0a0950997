#include "methods/lattice/lattice_body.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/hash.h"
#include "body/body_cells.h"
#include "body/body_of.h"
#include "body/fineness.h"
#include "body/flesh_depth.h"
#include "body/joint_tree.h"
#include "body/mask_in_body.h"
#include "body/opened_overlaps.h"
#include "lattice/locate.h"
#include "lattice/seams.h"
#include "methods/lattice/lattice_file.h"
#include "methods/lattice/lattice_weights.h"
#include "methods/shared/bind_progress.h"
#include "methods/shared/flesh_settings.h"
#include "methods/shared/vertex_amounts.h"

namespace fascia {

namespace {

using lattice::CornerLattice;
using lattice::Tissue;

// ---- channels --------------------------------------------------------------------------------------------------
/// Particles of cells that only touch share a position; sheet numbers keep them apart.
std::vector<sim::Site> sites_of(const CornerLattice& corners) {
    std::vector<sim::Site> out;
    for (std::size_t p = 0; p < corners.size(); ++p) {
        const lattice::Cell c = corners.places[p];
        const bool again = p > 0 && corners.places[p - 1] == c;
        out.push_back({c.x, c.y, c.z, again ? out.back().sheet + 1 : 0});
    }
    return out;
}

void store_particles(const LatticeBlueprint& plan, LatticeBody& body) {
    const std::size_t n = body.stride();
    body.rest.assign(3 * n, 0);
    body.joints.assign(4 * n, 0);
    body.weights.assign(4 * n, 0);
    for (std::size_t p = 0; p < plan.particle_count(); ++p) {
        const std::size_t i = body.slots()[p];
        const lattice::Cell c = plan.corners.places[p];
        const Vec3d place = plan.grid.origin + Vec3d{double(c.x), double(c.y), double(c.z)} * body.h;
        const Vec3 at = to_float((place - body.centre) * (1 / body.h));
        body.rest[i] = at.x, body.rest[n + i] = at.y, body.rest[2 * n + i] = at.z;
        for (std::size_t k = 0; k < 4; ++k) {
            body.joints[k * n + i] = plan.influences.joints[4 * p + k];
            body.weights[k * n + i] = plan.influences.weights[4 * p + k];
        }
    }
    body.blend = sim::make_blend_table(body.regions.layout, plan.influences.joints, plan.influences.weights);
}

void store_joints(LatticeBody& body) {
    body.gate = PoseGate(body.surface().joints);
    for (const Joint& joint : body.surface().joints) {
        body.inverse_rest.push_back(inverse(joint.rest));
        body.parents.push_back(joint.parent);
        body.joint_pivots.push_back((translation_of(joint.rest) - body.centre) * (1 / body.h));
    }
}

/// The joint between the two strongest bones of each particle; any point will do if a single bone holds it.
Floats find_pivots(const LatticeBody& body) {
    const std::size_t n = body.stride();
    Floats out = body.rest;
    for (const std::size_t i : body.slots()) {
        if (!(body.weights[n + i] > 0)) continue;
        const std::size_t a = body.joints[i], b = body.joints[n + i];
        const Vec3 c = to_float(body.joint_pivots[is_above(body.parents, a, b) ? b : a]);
        out[i] = c.x, out[n + i] = c.y, out[2 * n + i] = c.z;
    }
    return out;
}

/// The mean over the cells around each particle. of_cells: [cells] or empty
std::vector<float> mean_of_cells(const std::vector<float>& of_cells, const LatticeBlueprint& plan) {
    if (of_cells.empty()) return {};
    std::vector<float> out(plan.particle_count(), 0);
    for (std::size_t p = 0; p < out.size(); ++p) {
        float sum = 0, count = 0;
        for (std::size_t k = 8 * p; k < 8 * p + 8; ++k)
            if (plan.corners.octants[k] != lattice::no_cell) sum += of_cells[plan.corners.octants[k]], ++count;
        out[p] = count > 0 ? sum / count : 1;
    }
    return out;
}

/// Particles with mask 0 follow the skeleton like bone.
void mask_particles(const Mesh& mesh, const VertexAmounts& amounts, const BodyCells& filled, LatticeBlueprint& plan) {
    std::vector<Vec3d> centers;
    for (const lattice::Cell c : filled.tissue.cells) centers.push_back(filled.grid.center(c));
    const NodeAmounts of_cells = amounts_in_body(mesh, amounts, filled.grid, filled.tissue, centers);
    const NodeAmounts of_particles{mean_of_cells(of_cells.mask, plan), mean_of_cells(of_cells.own, plan)};
    for (std::size_t p = 0; p < plan.particle_count(); ++p)
        if (of_particles.is_still(p)) plan.bone[p] = 1;
    plan.mask = of_particles.mask;
    plan.own_amount = of_particles.own;
}

/// The one particle that carries each stiff shell: among those around it, the nearest to its centre. [vertices]
std::vector<std::uint32_t> particles_of_shells(const Shells& shells, const embedding::Trilinear& bound,
                                               const std::vector<Vec3d>& places) {
    std::vector<std::uint32_t> nearest(shells.all.size(), embedding::no_point), out(shells.of_vertex.size());
    for (std::size_t v = 0; v < out.size(); ++v) {
        if (!shells.is_stiff(v)) continue;
        const std::size_t s = shells.of_vertex[v];
        const auto distance = [&](std::uint32_t p) { return length(places[p] - shells.all[s].centre); };
        for (std::size_t k = v * bound.slots; k < (v + 1) * bound.slots; ++k)
            if (nearest[s] == embedding::no_point || distance(bound.points[k]) < distance(nearest[s]))
                nearest[s] = bound.points[k];
    }
    for (std::size_t v = 0; v < out.size(); ++v)
        out[v] = shells.is_stiff(v) ? nearest[shells.of_vertex[v]] : embedding::no_point;
    return out;
}

/// The character with its handle joints attached where their flesh is; no value if they already are.
std::optional<Character> with_flesh_parents(const Character& character) {
    const std::vector<int> parents = flesh_parents(character);
    const auto same = [](const Joint& joint, int parent) { return joint.parent == parent; };
    if (std::equal(character.joints.begin(), character.joints.end(), parents.begin(), same)) return {};
    Character out = body_of(character);
    for (std::size_t j = 0; j < parents.size(); ++j) out.joints[j].parent = parents[j];
    return out;
}

}  // namespace

bool has_weights(const Character& character) {
    return std::any_of(character.weights.weights.begin(), character.weights.weights.end(),
                       [](float w) { return w > 0; });
}

std::vector<JointBone> find_bones(const Character& character, const std::vector<std::uint8_t>& used) {
    std::vector<JointBone> bones = bones_of<JointBone>(character, used);
    std::vector<std::vector<std::size_t>> children(character.joints.size());
    for (std::size_t k = 0; k < character.joints.size(); ++k)
        if (character.joints[k].parent >= 0 && used[k]) children[std::size_t(character.joints[k].parent)].push_back(k);
    for (JointBone& bone : bones)
        for (const std::size_t k : children[bone.joint]) {
            const Vec3d off = translation_of(character.joints[k].rest) - bone.b;
            if (off.x == 0 && off.y == 0 && off.z == 0) bone.child = int(k);
        }
    return bones;
}

std::shared_ptr<const LatticeBody> assemble_lattice_body(std::shared_ptr<const LatticeBlueprint> blueprint,
                                                         embedding::Trilinear bound,
                                                         const std::vector<std::string>& warnings) {
    auto body = std::make_shared<LatticeBody>();
    const LatticeBlueprint& plan = *blueprint;
    body->blueprint = blueprint;
    body->fingerprint = fingerprint_of(plan);
    body->size = plan.size;
    body->h = plan.grid.h;
    body->centre = plan.centre;
    body->warnings = warnings;
    const lattice::Balls balls = lattice::edge_balls(plan.corners, plan.region_radius);
    body->regions =
        sim::make_swing_regions(sites_of(plan.corners), {balls.first, balls.members}, plan.region_radius, plan.bone);
    store_particles(plan, *body);
    store_joints(*body);
    if (plan.pivoted) body->pivots = find_pivots(*body);
    const ParticlePlaces places{body->stride(), body->slots(), body->rest};
    body->volumes = volume_parts(plan, body->parents, places);
    if (plan.painted) body->swollen = swollen_parts(plan, body->volumes, places);
    body->bound = std::move(bound);
    if (plan.painted) body->skin = LbsSurface(plan.surface.source(), body->gate.rest());
    body->sides = sides_of_carriers(body->bound, plan.corners, body->slots());
    for (std::uint32_t& point : body->bound.points) point = body->slots()[point];
    body->carriers = embedding::carriers_of(body->bound);
    body->cells = pack_cell_carriers(body->bound.points, body->bound.weights, body->sides.points);
    body->segments = segments_of(*body, body->sides);
    if (!plan.painted) {
        body->normals = pack_for_dqs(plan.surface.normals);
        std::vector<Vec3> along;
        for (const Vec4 t : plan.surface.tangents) along.push_back({t.x, t.y, t.z});
        body->tangents = pack_for_dqs(along);
    }
    for (const std::uint8_t bone : plan.bone) body->flesh.push_back(bone ? 0 : 1);
    Hasher hasher;
    hasher.values(std::span<const std::uint32_t>(body->slots()));
    hasher.values(std::span<const std::uint32_t>(body->regions.layout.rows));
    body->layout_hash = hasher.value();
    return body;
}

std::vector<std::uint32_t> segments_of(const LatticeBody& body, const embedding::PointSides& sides) {
    std::vector<std::uint8_t> found(body.regions.segments(), 0);
    for (const auto* places : {&sides.points, &sides.ends})
        for (const std::uint32_t place : *places) found[place / sim::SegmentLayout::lanes] = 1;
    std::vector<std::uint32_t> out;
    for (std::uint32_t k = 0; k < found.size(); ++k)
        if (found[k] != 0) out.push_back(k);
    return out;
}

embedding::Trilinear bound_to_particles(const LatticeBody& body) {
    std::vector<std::uint32_t> particle_at(body.stride(), 0);
    for (std::uint32_t p = 0; p < body.particle_count(); ++p) particle_at[body.slots()[p]] = p;
    embedding::Trilinear out = body.bound;
    for (std::uint32_t& point : out.points) point = particle_at[point];
    return out;
}

Result<std::shared_ptr<const LatticeBody>> build_lattice_body(const Character& given, const LatticeSettings& settings,
                                                              const BindInputs& inputs) {
    const std::optional<Character> rehung = with_flesh_parents(given);
    const Character& whole = rehung ? *rehung : given;
    const std::optional<Character> opened = with_overlaps_opened(whole);
    const Character& character = opened ? *opened : whole;
    const Mesh& mesh = character.mesh;
    auto plan = std::make_shared<LatticeBlueprint>();
    plan->size = character.size();
    if (!(plan->size > 0)) return input_error("lattice: the surface of '" + character.name + "' has no extent");
    if (mesh.triangles.empty()) return input_error("lattice: '" + character.name + "' has no triangles to fill");
    plan->region_radius = settings.region_radius;
    plan->pivoted = settings.pivoted;

    // Cells, and particles at their corners.
    const bool has_any = has_weights(character);
    plan->painted = has_any && inputs.weights != "diffusion";
    const std::vector<std::uint8_t> used = used_joints(character, has_any);
    const std::vector<JointBone> bones = find_bones(character, used);
    const auto segments = bones_of<lattice::Bone>(character, used);
    plan->depth = deep_flesh(character, segments);
    const std::vector<std::uint16_t> followed = triangle_joints(character, segments, has_any);
    if (!reached(inputs, 0.03)) return cancelled();
    const BodySurface surface(character, followed);
    if (!reached(inputs, 0.3)) return cancelled();
    const BodyCells filled = fill_body(surface, segments, {settings.resolution, settings.point_budget},
                                       [](const Tissue& tissue) { return lattice::find_corners(tissue).size(); });
    const Tissue& tissue = filled.tissue;
    if (tissue.size() == 0) return input_error("lattice: the surface of '" + character.name + "' fills no cell");
    plan->grid = filled.grid;
    plan->centre = filled.centre;
    plan->corners = lattice::find_corners(tissue);
    const auto corner = [&](lattice::Cell c) {
        return filled.grid.origin + Vec3d{double(c.x), double(c.y), double(c.z)} * filled.grid.h;
    };
    std::vector<Vec3d> places, lower;
    for (const lattice::Cell c : plan->corners.places) places.push_back(corner(c));
    for (const lattice::Cell c : tissue.cells) lower.push_back(corner(c));

    if (!reached(inputs, 0.55)) return cancelled();
    // Weights, and the parts that follow from them.
    const WeightInput weighed{character, bones, followed, filled, plan->corners, places, settings, plan->size};
    ParticleWeights particles = plan->painted ? painted_weights(weighed) : diffused_weights(weighed);
    if (inputs.weights != "diffusion" && settings.mode == Mode::physical) plan->thinness = particle_thinness(weighed);
    plan->bone = std::move(particles.bone);
    plan->influences = std::move(particles.influences);
    plan->part = joint_parts(plan->influences, places, bones);
    if (plan->painted) join_small_parts(character.joints, filled.grid.h, plan->part);
    if (!reached(inputs, 0.7)) return cancelled();
    Shells shells = shells_for(character, settings, inputs);
    const Result<VertexAmounts> amounts = vertex_amounts(given, settings, inputs, shells);
    if (!amounts) return amounts.error();
    if (!amounts->empty()) mask_particles(mesh, *amounts, filled, *plan);

    if (!reached(inputs, 0.78)) return cancelled();
    // The surface, embedded in the cells.
    const std::vector<std::uint32_t> homes =
        lattice::locate_vertices(filled.grid, tissue, mesh.positions, mesh.triangles);
    embedding::Trilinear bound = embedding::bind_in_cells({.lower = lower,
                                                           .corners = plan->corners.of_cell,
                                                           .h = filled.grid.h,
                                                           .positions = mesh.positions,
                                                           .homes = homes});
    const std::vector<std::uint32_t> carrier = lattice::without_seams(plan->corners, homes, mesh.triangles);
    for (std::uint32_t& point : bound.points) point = carrier[point];
    // Skinned by one joint and moved by one particle, so that eyes, teeth and plates keep their shape.
    if (plan->painted) embedding::carry_by_one(particles_of_shells(shells, bound, places), bound);
    if (!reached(inputs, 0.85)) return cancelled();
    plan->surface = RestSurface(whole);
    std::vector<std::string> warnings;
    if (opened) warn_of_overlaps(whole, *opened, warnings);
    warn_of_meetings(character, tissue, plan->size, warnings);
    return assemble_lattice_body(std::move(plan), std::move(bound), warnings);
}

}  // namespace fascia
