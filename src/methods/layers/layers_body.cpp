#include "methods/layers/layers_body.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "base/glob.h"
#include "body/body_cells.h"
#include "body/fineness.h"
#include "body/flesh_depth.h"
#include "body/joint_tree.h"
#include "body/opened_overlaps.h"
#include "body/shells.h"
#include "fascia/measure.h"
#include "lattice/connectivity.h"
#include "lattice/layers.h"
#include "lattice/locate.h"
#include "lattice/nearer_sheet.h"
#include "lattice/voxelise.h"
#include "methods/layers/layers_file.h"
#include "methods/shared/bind_progress.h"
#include "methods/shared/flesh_settings.h"
#include "methods/shared/skinned_character.h"
#include "methods/shared/thin_flesh.h"
#include "methods/shared/vertex_amounts.h"
#include "weights/from_surface.h"
#include "weights/geodesic.h"

namespace fascia {

namespace {

using lattice::Tissue;

constexpr double weight_unit = 1.0 / 32;  ///< of the size: unit of the distances in geodesic weights

// ---- flesh -----------------------------------------------------------------------------------------------------
/// In the modes that follow the publication, points are driven linearly, as published.
bool is_linear(const LayersSettings& flesh) {
    return flesh.primary == "lbs" || (flesh.primary == "auto" && flesh.mode != Mode::physical);
}

bool has_skin_layer(const LayersSettings& flesh) {
    return flesh.layers.size() > 1 && glob_match("skin", flesh.layers.back().name);
}

lattice::LayerPlan layer_plan(const Character& character, const LayersSettings& flesh, double size, double h) {
    lattice::LayerPlan plan;
    plan.skin = has_skin_layer(flesh);
    plan.flesh_layers = int(flesh.layers.size()) - (plan.skin ? 1 : 0);
    for (int k = 0; k < plan.flesh_layers; ++k) plan.shares.push_back(flesh.layers[k].share);
    // Widths are shares of the size in physical mode, voxels in the modes that follow the publication.
    const double unit = flesh.mode == Mode::physical ? size : h;
    const std::vector<double> widths = joint_bone_widths(character.joints, flesh);
    for (std::size_t j = 0; j < widths.size(); ++j)
        plan.parts.push_back(
            {widths[j] * unit, at_joint(flesh.parts, character.joints[j].name, &PartSettings::muscle, flesh.muscle)});
    return plan;
}

// ---- weights ---------------------------------------------------------------------------------------------------
std::vector<Vec3d> centers_of(const lattice::Grid& grid, const Tissue& tissue) {
    std::vector<Vec3d> centers;
    centers.reserve(tissue.size());
    for (const lattice::Cell c : tissue.cells) centers.push_back(grid.center(c));
    return centers;
}

weights::Influences painted_weights(const Character& character, const lattice::Grid& grid, const Tissue& tissue,
                                    std::span<const Vec3d> centers) {
    return weights::weights_from_surface({.positions = character.mesh.positions,
                                          .triangles = character.mesh.triangles,
                                          .slots = character.weights.influences,
                                          .joints = character.weights.joints,
                                          .weights = character.weights.weights},
                                         {.links = {tissue.link_first, tissue.links, 6},
                                          .centers = centers,
                                          .h = grid.h,
                                          .triangle_first = tissue.triangle_first,
                                          .triangles = tissue.triangles});
}

weights::Influences distance_weights(const lattice::Grid& grid, const Tissue& tissue, std::span<const Vec3d> centers,
                                     const std::vector<lattice::Bone>& bones, const LayersSettings& flesh,
                                     double size) {
    const auto cores = lattice::find_cores(grid, tissue, bones);
    std::vector<weights::JointCore> joints;
    for (std::size_t b = 0; b < bones.size(); ++b) {
        if (joints.empty() || joints.back().joint != bones[b].part)
            joints.push_back({bones[b].part, bones[b].a, bones[b].b, {}});
        joints.back().nodes.insert(joints.back().nodes.end(), cores[b].begin(), cores[b].end());
    }
    const bool physical = flesh.mode == Mode::physical;
    return weights::geodesic_weights({.links = {tissue.link_first, tissue.links, 6},
                                      .centers = centers,
                                      .step = physical ? grid.h / (weight_unit * size) : 1.0,
                                      .eps = physical ? 1.0 : 0.5},
                                     joints);
}

// ---- surface ------------------------------------------------------------------------------------------------------
/// Weights of the vertices from the nodes around them, if the file's own are not used.
SkinWeights vertex_weights(const embedding::Trilinear& bound, const weights::Influences& nodes) {
    SkinWeights out;
    out.influences = 8;
    out.joints.resize(bound.vertex_count() * 8);
    out.weights.resize(bound.vertex_count() * 8);
    weights::Mixture mixture;
    for (std::size_t v = 0; v < bound.vertex_count(); ++v) {
        mixture.clear();
        for (int k = 0; k < embedding::Trilinear::slots; ++k) {
            const std::size_t node = bound.points[v * embedding::Trilinear::slots + k];
            const float share = bound.weights[v * embedding::Trilinear::slots + k];
            for (int s = 0; s < nodes.slots; ++s)
                mixture.add(nodes.joints[node * nodes.slots + s],
                            double(share) * nodes.weights[node * nodes.slots + s]);
        }
        mixture.store({&out.joints[v * 8], 8}, {&out.weights[v * 8], 8});
    }
    return out;
}

/// The one node that carries each stiff shell: among those that it lies in, the nearest to its centre. [vertices]
std::vector<std::uint32_t> carriers_of_shells(const Shells& shells, const std::vector<std::uint32_t>& homes,
                                              std::span<const Vec3d> centers) {
    std::vector<std::uint32_t> nearest(shells.all.size(), embedding::no_point), out(shells.of_vertex.size());
    const auto distance = [&](std::uint32_t node, std::size_t s) {
        return length(centers[node] - shells.all[s].centre);
    };
    for (std::size_t v = 0; v < out.size(); ++v) {
        if (!shells.is_stiff(v)) continue;
        const std::size_t s = shells.of_vertex[v];
        if (nearest[s] == embedding::no_point || distance(homes[v], s) < distance(nearest[s], s)) nearest[s] = homes[v];
    }
    for (std::size_t v = 0; v < out.size(); ++v)
        out[v] = shells.is_stiff(v) ? nearest[shells.of_vertex[v]] : embedding::no_point;
    return out;
}

void store_joints(const std::vector<Joint>& joints, LayersBody& body) {
    body.gate = PoseGate(joints);
    for (const Joint& joint : joints) {
        body.inverse_rest.push_back(inverse(joint.rest));
        body.parents.push_back(joint.parent);
        body.pivots.push_back(to_axes((translation_of(joint.rest) - body.centre) * (1 / body.grid.h), body.turn));
    }
}

// ---- what a person should know ---------------------------------------------------------------------------------
std::string part_name(const Character& character, std::uint32_t triangle) {
    for (const Part& part : character.mesh.parts)
        if (int(triangle) >= part.first_triangle && int(triangle) < part.first_triangle + part.triangle_count)
            return part.name;
    return "the mesh";
}

void warn_of_boneless(const Character& character, const Tissue& tissue, const lattice::Layers& layers,
                      std::vector<std::string>& warnings) {
    std::vector<std::string> names;
    for (const std::uint32_t i : layers.boneless) {
        if (tissue.triangles_of(i).empty()) continue;
        std::string name = part_name(character, tissue.triangles_of(i)[0]);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
    for (const std::string& name : names)
        warnings.push_back("a piece of '" + name +
                           "' holds no bone: it follows its weights rigidly, without secondary motion");
}

}  // namespace

Result<std::shared_ptr<const LayersBody>> build_layers_body(const Character& given, const LayersSettings& flesh,
                                                            const BindInputs& inputs, Engine engine) {
    const std::optional<Character> opened = with_overlaps_opened(given);
    const Character& character = opened ? *opened : given;
    const Mesh& mesh = character.mesh;
    const bool from_file = inputs.weights != "geodesic";
    auto plan = std::make_shared<LayersBlueprint>();
    plan->size = character.size();
    if (!(plan->size > 0)) return input_error("layers: the surface of '" + character.name + "' has no extent");
    if (mesh.triangles.empty()) return input_error("layers: '" + character.name + "' has no triangles to fill");

    // The joint that each triangle follows.
    const std::vector<std::uint8_t> used = used_joints(character, from_file);
    const auto bones = bones_of<lattice::Bone>(character, used);
    const std::vector<std::uint16_t> followed = triangle_joints(character, bones, from_file);
    if (!reached(inputs, 0.03)) return cancelled();
    // Voxels, and which of them are connected.
    const BodySurface surface(character, followed);
    if (!reached(inputs, 0.3)) return cancelled();
    BodyCells filled = fill_body(surface, bones, {flesh.resolution, flesh.point_budget},
                                 [](const Tissue& tissue) { return tissue.size(); });
    plan->grid = filled.grid;
    plan->centre = filled.centre;
    plan->linear = is_linear(flesh);
    plan->engine = plan->linear ? Engine::reference : engine;
    plan->region_width = flesh.region_width;
    plan->depth = deep_flesh(character, bones);
    Tissue& tissue = filled.tissue;
    if (tissue.size() == 0) return input_error("layers: the surface of '" + character.name + "' fills no voxel");

    if (!reached(inputs, 0.6)) return cancelled();
    // Layers and depth.
    std::vector<lattice::Bone> hard = bones;
    if (flesh.mode == Mode::physical) {
        const std::vector<std::uint8_t> handle = handle_joints(character, flesh);
        std::erase_if(hard, [&](const lattice::Bone& bone) { return handle[bone.part] != 0; });
        if (hard.empty()) hard = bones;
    }
    const lattice::LayerPlan layering = layer_plan(character, flesh, plan->size, plan->grid.h);
    const lattice::Layers layers = lattice::find_layers(plan->grid, tissue, hard, layering);
    plan->layer = layers.layer;
    plan->to_skin = layers.to_skin;
    plan->thinness = find_thinness(mesh, {plan->grid, tissue, layers, layering}, plan->size);

    if (!reached(inputs, 0.62)) return cancelled();
    // Weights of all nodes, and the surface embedded in them.
    const std::vector<Vec3d> centers = centers_of(plan->grid, tissue);
    const weights::Influences influences =
        from_file ? painted_weights(character, plan->grid, tissue, centers)
                  : distance_weights(plan->grid, tissue, centers, bones, flesh, plan->size);
    if (!reached(inputs, 0.67)) return cancelled();
    const std::vector<std::uint32_t> homes =
        lattice::locate_vertices(plan->grid, tissue, mesh.positions, mesh.triangles);
    embedding::Trilinear bound = embedding::bind_trilinear(
        {.links = {tissue.link_first, tissue.links, 6},
         .centers = centers,
         .h = plan->grid.h,
         .positions = mesh.positions,
         .homes = homes,
         .nearer = lattice::NearerSheet(mesh.positions, mesh.triangles, tissue, homes, plan->grid.h)});
    if (!reached(inputs, 0.74)) return cancelled();
    Shells shells = shells_for(character, flesh, inputs);
    const Result<VertexAmounts> amounts = vertex_amounts(given, flesh, inputs, shells);
    if (!amounts) return amounts.error();
    const NodeAmounts of_nodes = amounts_in_body(mesh, *amounts, plan->grid, tissue, centers);
    plan->mask = of_nodes.mask;
    plan->own_amount = of_nodes.own;
    for (std::size_t i = 0; i < tissue.size(); ++i) {
        if (of_nodes.is_still(i)) plan->layer[i] = lattice::bone_layer;
        // Whatever swings by itself is not bone, however close to the skull it hangs.
        if (of_nodes.swings(i) && plan->layer[i] == lattice::bone_layer && !layers.core[i])
            plan->layer[i] = std::uint8_t(layering.flesh_layers);
    }
    embedding::carry_by_one(carriers_of_shells(shells, homes, centers), bound);
    plan->surface = RestSurface(given);
    if (!from_file) plan->surface.weights = vertex_weights(bound, influences);
    plan->influences = influences;

    if (!reached(inputs, 0.8)) return cancelled();
    std::vector<std::string> warnings;
    warn_of_boneless(character, tissue, layers, warnings);
    if (opened) warn_of_overlaps(given, *opened, warnings);
    warn_of_meetings(character, tissue, plan->size, warnings);
    plan->tissue.cells = std::move(tissue.cells);
    plan->tissue.link_first = std::move(tissue.link_first);
    plan->tissue.links = std::move(tissue.links);
    plan->tissue.neighbours = std::move(tissue.neighbours);
    return assemble_layers_body(plan, std::move(bound), std::move(warnings));
}

std::shared_ptr<const LayersBody> assemble_layers_body(std::shared_ptr<const LayersBlueprint> blueprint,
                                                       embedding::Trilinear bound, std::vector<std::string> warnings) {
    const LayersBlueprint& plan = *blueprint;
    auto body = std::make_shared<LayersBody>();
    body->blueprint = blueprint;
    body->fingerprint = fingerprint_of(plan);
    body->size = plan.size;
    body->grid = plan.grid;
    body->centre = plan.centre;
    body->engine = plan.engine;
    store_in_channels(plan, *body);
    store_joints(plan.surface.joints, *body);
    if (plan.linear)
        body->linear_surface = LbsSurface(plan.surface.source(), body->gate.rest());
    else
        body->surface = DqsSurface(plan.surface.source(), body->gate.rest());
    body->bound = std::move(bound);
    body->carrying_segments = segments_of(*body, body->bound.points);
    for (std::uint32_t& p : body->bound.points) p = body->layout.slots[p];
    body->carriers = embedding::carriers_of(body->bound);
    body->carried = pack_carriers(body->bound.points, body->bound.weights, embedding::Trilinear::slots);
    body->warnings = std::move(warnings);
    return body;
}

std::vector<std::uint32_t> segments_of(const LayersBody& body, std::span<const std::uint32_t> nodes) {
    std::vector<std::uint8_t> found(body.layout.segments(), 0);
    for (const std::uint32_t node : nodes) found[body.layout.lane_of[node] / sim::SegmentLayout::lanes] = 1;
    std::vector<std::uint32_t> out;
    for (std::uint32_t k = 0; k < found.size(); ++k)
        if (found[k] != 0) out.push_back(k);
    return out;
}

embedding::Trilinear bound_to_nodes(const LayersBody& body) {
    std::vector<std::uint32_t> node_at(body.stride(), 0);
    for (std::uint32_t i = 0; i < body.node_count(); ++i) node_at[body.layout.slots[i]] = i;
    embedding::Trilinear out = body.bound;
    for (std::uint32_t& p : out.points) p = node_at[p];
    return out;
}

}  // namespace fascia
