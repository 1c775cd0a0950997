#include "methods/lattice/lattice_body.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/hash.h"
#include "base/thread_pool.h"
#include "body/body_cells.h"
#include "body/body_of.h"
#include "body/fineness.h"
#include "body/flesh_depth.h"
#include "body/joint_tree.h"
#include "body/mask_in_body.h"
#include "lattice/locate.h"
#include "lattice/seams.h"
#include "methods/lattice/lattice_kin.h"
#include "methods/shared/flesh_settings.h"
#include "methods/shared/vertex_amounts.h"
#include "weights/chamfer.h"
#include "weights/diffusion.h"
#include "weights/nearest.h"

namespace fascia {

namespace {

using lattice::CornerLattice;
using lattice::Tissue;

constexpr float least_weight = 0.01f;  ///< anything smaller is a leak, not an influence
/// At most this share of a bone's length: flesh around a joint does not belong to one bone alone.
constexpr double free_end = 0.3;
constexpr double bone_share = 0.35;  ///< of the limb's thickness: flesh around a bone that belongs to it alone
/// Rounds of smoothing. With too few, the cells show through in a stout body; with too many, a thin limb bends like a
/// hose.
constexpr int fewest_rounds = 3, most_rounds = 10;
constexpr double rounds_per_cell = 1.5;  ///< of thickness
constexpr int diffused_slots = 10;       ///< joints per particle before unrelated ones among them are reconciled

// ---- weights ---------------------------------------------------------------------------------------------------
/// Which joints may hold a particle at all: those that the surface in its cells follows, and their relatives.
class Relatives {
public:
    Relatives(const Character& character, const Tissue& tissue, const CornerLattice& corners,
              std::span<const std::uint16_t> followed)
        : joints_(character.joints.size()),
          related_(related_joints(character)),
          tissue_(tissue),
          corners_(corners),
          followed_(followed) {}

    /// May `joint` hold the particle? Deep inside, where no cell touches the surface, every joint may.
    bool may_hold(std::size_t particle, std::uint16_t joint) const {
        bool any = false;
        for (std::size_t k = 8 * particle; k < 8 * particle + 8; ++k) {
            if (corners_.octants[k] == lattice::no_cell) continue;
            for (const std::uint32_t t : tissue_.triangles_of(corners_.octants[k])) {
                any = true;
                if (related_[std::size_t(followed_[t]) * joints_ + joint]) return true;
            }
        }
        return !any;
    }

private:
    std::size_t joints_;
    std::vector<std::uint8_t> related_;
    const Tissue& tissue_;
    const CornerLattice& corners_;
    std::span<const std::uint16_t> followed_;
};

struct NearestBone {
    std::size_t bone = 0;
    double distance2 = 1e300;
};

NearestBone nearest_bone(Vec3d p, std::size_t particle, const std::vector<JointBone>& bones,
                         const Relatives& relatives) {
    NearestBone best;
    for (std::size_t b = 0; b < bones.size(); ++b) {
        const double d = weights::squared_distance(p, {bones[b].a, bones[b].b, bones[b].joint});
        if (d < best.distance2 && relatives.may_hold(particle, bones[b].joint)) best = {b, d};
    }
    return best;
}

/// Not near an end where the bone meets another one.
bool in_the_middle(Vec3d p, const JointBone& bone, bool has_parent, double end) {
    const Vec3d along = bone.b - bone.a;
    const double l = length(along), keep = std::min(end, free_end * l), t = l > 0 ? dot(p - bone.a, along) / l : 0;
    return (!has_parent || t >= keep) && (bone.child < 0 || t <= l - keep);
}

/// How thick the body is at each particle, scene units: radius of the largest ball of cells that covers one of its
/// cells.
std::vector<double> find_thickness(const BodyCells& body, const CornerLattice& corners) {
    const std::vector<float> radius = lattice::inscribed_radius(body.grid, body.tissue);
    std::vector<double> out(corners.size(), 0);
    for (std::size_t k = 0; k < corners.octants.size(); ++k)
        if (corners.octants[k] != lattice::no_cell)
            out[k / 8] = std::max(out[k / 8], double(radius[corners.octants[k]]));
    return out;
}

/// The particles right around each bone, ascending by joint; a bone too short to have any gets the nearest free one.
std::vector<weights::NodeJoint> find_cores(const std::vector<JointBone>& bones, const Relatives& relatives,
                                           const std::vector<Vec3d>& places, double h) {
    std::vector<weights::NodeJoint> out;
    std::vector<std::uint8_t> holds(bones.size(), 0), taken(places.size(), 0);
    for (std::uint32_t p = 0; p < places.size(); ++p) {
        const NearestBone best = nearest_bone(places[p], p, bones, relatives);
        if (best.distance2 > h * h) continue;
        out.push_back({p, bones[best.bone].joint});
        holds[best.bone] = taken[p] = 1;
    }
    for (std::size_t b = 0; b < bones.size(); ++b) {
        if (holds[b]) continue;
        const Vec3d middle = (bones[b].a + bones[b].b) * 0.5;
        std::int64_t best = -1;
        for (std::uint32_t p = 0; p < places.size(); ++p)
            if (!taken[p] && relatives.may_hold(p, bones[b].joint) &&
                (best < 0 || length(places[p] - middle) < length(places[std::size_t(best)] - middle)))
                best = p;
        if (best < 0) continue;
        out.push_back({std::uint32_t(best), bones[b].joint});
        taken[std::size_t(best)] = 1;
    }
    std::sort(out.begin(), out.end(), [](const weights::NodeJoint& a, const weights::NodeJoint& b) {
        return a.joint != b.joint ? a.joint < b.joint : a.node < b.node;
    });
    return out;
}

/// Smooths the seams left by keeping only four of many influences. thickness: [particles] in scene units
void smooth(const CornerLattice& corners, const std::vector<double>& thickness, double h,
            weights::Influences& particles) {
    weights::Mixture mixture;
    for (int round = 0; round < most_rounds; ++round) {
        const weights::Influences before = particles;
        const auto add = [&](std::size_t particle, double share) {
            for (std::size_t k = 4 * particle; k < 4 * particle + 4; ++k)
                if (before.weights[k] > 0) mixture.add(before.joints[k], share * double(before.weights[k]));
        };
        for (std::size_t p = 0; p < corners.size(); ++p) {
            if (round >= fewest_rounds && round >= rounds_per_cell * thickness[p] / h) continue;
            mixture.clear();
            add(p, 2);
            for (std::uint32_t e = corners.edge_first[p]; e < corners.edge_first[p + 1]; ++e) add(corners.edges[e], 1);
            mixture.store({&particles.joints[4 * p], 4}, {&particles.weights[4 * p], 4});
        }
    }
}

/// Drops tiny weights that were spread further than any joint reaches.
void drop_crumbs(weights::Influences& particles) {
    weights::Mixture mixture;
    for (std::size_t p = 0; p < particles.size(); ++p) {
        mixture.clear();
        for (std::size_t k = 4 * p; k < 4 * p + 4; ++k)
            if (particles.weights[k] >= least_weight) mixture.add(particles.joints[k], particles.weights[k]);
        mixture.store({&particles.joints[4 * p], 4}, {&particles.weights[4 * p], 4});
    }
}

/// Everything that the weights are computed from.
struct WeightInput {
    const Character& character;
    const std::vector<JointBone>& bones;
    const Relatives& relatives;
    const BodyCells& filled;
    const CornerLattice& corners;
    const std::vector<Vec3d>& places;
    const LatticeSettings& settings;
    double size;

    double h() const { return filled.grid.h; }
};

/// Particles held by one bone alone.
struct HeldParticles {
    std::vector<weights::Clamp> clamps;  ///< ascending by particle
    std::vector<std::uint8_t> bone;      ///< [particles] inside the cylinder of a bone
};

/// The nearest of the bones of a joint; null if it has none.
const JointBone* nearest_of_joint(const std::vector<JointBone>& bones, std::uint16_t joint, Vec3d p,
                                  double& distance2) {
    const JointBone* out = nullptr;
    distance2 = 1e300;
    for (const JointBone& bone : bones) {
        if (bone.joint != joint) continue;
        const double d = weights::squared_distance(p, {bone.a, bone.b, bone.joint});
        if (d < distance2) distance2 = d, out = &bone;
    }
    return out;
}

/// Around the middle of each bone the flesh belongs to that bone alone.
HeldParticles hold_around_bones(const WeightInput& in, const std::vector<weights::NodeJoint>& cores,
                                const std::vector<double>& thickness) {
    HeldParticles out;
    out.bone.assign(in.places.size(), 0);
    const weights::NearestBone nearest = weights::nearest_bones(in.corners.neighbours, cores);
    std::vector<std::uint8_t> is_core(in.places.size(), 0);
    for (const weights::NodeJoint& core : cores) is_core[core.node] = 1;
    // Widths are shares of the size in physical mode, cells in the modes that follow the publication.
    const double unit = in.settings.mode == Mode::physical ? in.size : in.h();
    for (std::uint32_t p = 0; p < in.places.size(); ++p) {
        if (nearest.distance[p] < 0) continue;
        const std::uint16_t joint = nearest.joint[p];
        double least = 0;
        const JointBone* bone = nearest_of_joint(in.bones, joint, in.places[p], least);
        const double off = nearest.distance[p] / weights::chamfer_unit * in.h(), reach = bone_share * thickness[p];
        if (bone == nullptr || (off > reach && !is_core[p]) ||
            !in_the_middle(in.places[p], *bone, in.character.joints[joint].parent >= 0, std::max(reach, in.h())))
            continue;
        out.clamps.push_back({p, joint, 1});
        const double asked = at_joint(in.settings.parts, in.character.joints[joint].name, &PartSettings::bone_width,
                                      in.settings.bone_width);
        const double width = std::max(asked * unit, in.h());
        out.bone[p] = least <= width * width;
    }
    return out;
}

/// A joint that holds no particle yet gets one of its core.
void hold_one_each(const std::vector<weights::NodeJoint>& cores, std::size_t joints, HeldParticles& held) {
    std::vector<std::uint8_t> holds(joints, 0), clamped(held.bone.size(), 0);
    for (const weights::Clamp& c : held.clamps) holds[c.joint] = clamped[c.node] = 1;
    for (const weights::NodeJoint& core : cores)
        if (!holds[core.joint] && !clamped[core.node]) {
            held.clamps.push_back({core.node, core.joint, 1});
            holds[core.joint] = clamped[core.node] = held.bone[core.node] = 1;
        }
    std::sort(held.clamps.begin(), held.clamps.end(),
              [](const weights::Clamp& a, const weights::Clamp& b) { return a.node < b.node; });
}

/// A piece without a bone follows the bone that is nearest through the air.
void follow_through_air(const WeightInput& in, weights::Influences& influences) {
    for (std::size_t p = 0; p < in.places.size(); ++p)
        if (!(influences.weights[4 * p] > 0)) {
            influences.joints[4 * p] = in.bones[nearest_bone(in.places[p], p, in.bones, in.relatives).bone].joint;
            influences.weights[4 * p] = 1;
        }
}

ParticleWeights find_weights(const WeightInput& in) {
    const std::vector<weights::NodeJoint> cores = find_cores(in.bones, in.relatives, in.places, in.h());
    const std::vector<double> thickness = find_thickness(in.filled, in.corners);
    HeldParticles held = hold_around_bones(in, cores, thickness);
    hold_one_each(cores, in.character.joints.size(), held);
    ThreadPool pool(1);
    const Kin kin(in.character);
    ParticleWeights out;
    out.bone = std::move(held.bone);
    out.influences = reconcile(
        kin, weights::keep_largest(
                 weights::diffusion_weights({in.corners.neighbours, held.clamps, in.character.joints.size()}, pool),
                 diffused_slots, least_weight));
    follow_through_air(in, out.influences);
    smooth(in.corners, thickness, in.h(), out.influences);
    out.influences = reconcile(kin, out.influences);
    drop_crumbs(out.influences);
    return out;
}

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

/// The joint between the two strongest bones of each particle; any point will do where one bone holds it alone.
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

/// What each particle has of the cells around it on average. of_cells: [cells] or empty
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

/// Black particles follow the skeleton like bone.
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

/// The character with its handle joints attached where their flesh is; no value if they are already.
std::optional<Character> with_flesh_parents(const Character& character) {
    const std::vector<int> parents = flesh_parents(character);
    const auto same = [](const Joint& joint, int parent) { return joint.parent == parent; };
    if (std::equal(character.joints.begin(), character.joints.end(), parents.begin(), same)) return {};
    Character out = body_of(character);
    for (std::size_t j = 0; j < parents.size(); ++j) out.joints[j].parent = parents[j];
    return out;
}

}  // namespace

std::vector<JointBone> find_bones(const Character& character, const std::vector<std::uint8_t>& used) {
    std::vector<JointBone> bones = bones_of<JointBone>(character, used);
    for (JointBone& bone : bones)
        for (std::size_t k = 0; k < character.joints.size(); ++k) {
            const Vec3d off = translation_of(character.joints[k].rest) - bone.b;
            if (character.joints[k].parent == int(bone.joint) && used[k] && off.x == 0 && off.y == 0 && off.z == 0)
                bone.child = int(k);
        }
    return bones;
}

embedding::PointSides sides_of_carriers(const embedding::Trilinear& bound, const CornerLattice& corners,
                                        std::span<const std::uint32_t> slots) {
    embedding::PointSides out;
    for (const std::uint32_t particle : embedding::carriers_of(bound)) {
        std::uint32_t ends[6];
        std::fill(std::begin(ends), std::end(ends), slots[particle]);
        for (int side = 0; side < 8; ++side) {
            const std::uint32_t cell = corners.octants[8 * std::size_t(particle) + std::size_t(side)];
            if (cell == lattice::no_cell) continue;
            for (int axis = 0; axis < 3; ++axis)
                ends[2 * axis + (side >> axis & 1)] = slots[corners.across(cell, 7 - side, axis)];
        }
        out.points.push_back(slots[particle]);
        out.ends.insert(out.ends.end(), std::begin(ends), std::end(ends));
    }
    return out;
}

std::shared_ptr<const LatticeBody> assemble_lattice_body(std::shared_ptr<const LatticeBlueprint> blueprint,
                                                         embedding::Trilinear bound,
                                                         const std::vector<std::string>& warnings) {
    auto body = std::make_shared<LatticeBody>();
    const LatticeBlueprint& plan = *blueprint;
    body->blueprint = blueprint;
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
    body->volumes = volume_parts(plan, body->parents, {body->stride(), body->slots(), body->rest});
    body->bound = std::move(bound);
    body->sides = sides_of_carriers(body->bound, plan.corners, body->slots());
    for (std::uint32_t& point : body->bound.points) point = body->slots()[point];
    body->carriers = embedding::carriers_of(body->bound);
    for (const std::uint8_t bone : plan.bone) body->flesh.push_back(bone ? 0 : 1);
    Hasher hasher;
    hasher.values(std::span<const std::uint32_t>(body->slots()));
    hasher.values(std::span<const std::uint32_t>(body->regions.layout.rows));
    body->layout_hash = hasher.value();
    return body;
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
    const Character& character = rehung ? *rehung : given;
    const Mesh& mesh = character.mesh;
    auto plan = std::make_shared<LatticeBlueprint>();
    plan->size = character.size();
    if (!(plan->size > 0)) return input_error("lattice: the surface of '" + character.name + "' has no extent");
    if (mesh.triangles.empty()) return input_error("lattice: '" + character.name + "' has no triangles to fill");
    plan->region_radius = settings.region_radius;
    plan->pivoted = settings.pivoted;

    // Cells, and particles at their corners.
    const std::vector<std::uint8_t> used = used_joints(character, true);
    const std::vector<JointBone> bones = find_bones(character, used);
    const auto segments = bones_of<lattice::Bone>(character, used);
    plan->depth = deep_flesh(character, segments);
    const std::vector<std::uint16_t> followed = triangle_joints(character, segments, true);
    const BodyCells filled =
        fill_body(BodySurface(character, followed), segments, {settings.resolution, settings.point_budget},
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

    // Weights, and the parts that follow from them.
    const Relatives relatives(character, tissue, plan->corners, followed);
    ParticleWeights particles =
        find_weights({character, bones, relatives, filled, plan->corners, places, settings, plan->size});
    plan->bone = std::move(particles.bone);
    plan->influences = std::move(particles.influences);
    plan->part = joint_parts(plan->influences, places, bones);
    Shells shells = shells_for(character, settings, inputs);
    const Result<VertexAmounts> amounts = vertex_amounts(character, settings, inputs, shells);
    if (!amounts) return amounts.error();
    if (!amounts->empty()) mask_particles(mesh, *amounts, filled, *plan);

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
    plan->surface = RestSurface(character);
    std::vector<std::string> warnings;
    warn_of_meetings(character, tissue, plan->size, warnings);
    return assemble_lattice_body(std::move(plan), std::move(bound), warnings);
}

}  // namespace fascia
