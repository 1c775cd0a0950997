#include "methods/particles/particles_body.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/number_text.h"
#include "base/portable_math.h"
#include "body/body_cells.h"
#include "body/flesh_depth.h"
#include "body/joint_tree.h"
#include "methods/particles/particle_layers.h"
#include "methods/particles/particle_parts.h"
#include "methods/particles/particle_surface.h"
#include "methods/particles/particles_file.h"
#include "methods/shared/flesh_settings.h"
#include "methods/shared/thin_flesh.h"
#include "methods/shared/vertex_amounts.h"
#include "sim/segments.h"

namespace fascia {

namespace {

constexpr double thinnest_flesh = 0.15, deepest_flesh = 0.8;  ///< of the distance from skin to bone
constexpr double free_depth = 0.12;                           ///< of the size: deeper flesh swings freely
constexpr double limp_depth = 0.09;    ///< of the size: thin flesh far from its bone counts as this deep
constexpr double least_depth = 0.016;  ///< of the size
constexpr double skin_share = 0.2;     ///< of the depth, if no layer states its share
constexpr double hold_reach = 1.5;     ///< of the limb's radius at a joint: particles within it keep their distance
constexpr float least_held = 0.05f;    ///< weight of the joint or its parent at a particle that the joint keeps away
constexpr double worth_saying = 0.01;  ///< of the surface: less is not worth a warning
constexpr int thinness_smoothing = 4;

// ---- flesh -----------------------------------------------------------------------------------------------------
/// The four strongest joints of each vertex of the particles.
weights::Influences influences_of(const Character& character, std::span<const std::uint32_t> vertices) {
    weights::Influences out;
    out.joints.assign(4 * vertices.size(), 0);
    out.weights.assign(4 * vertices.size(), 0);
    const auto slots = std::size_t(character.weights.influences);
    weights::Mixture mixture;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        mixture.clear();
        for (std::size_t k = vertices[v] * slots; k < (vertices[v] + 1) * slots; ++k)
            if (character.weights.weights[k] > 0)
                mixture.add(character.weights.joints[k], character.weights.weights[k]);
        if (!mixture.store({&out.joints[4 * v], 4}, {&out.weights[4 * v], 4})) out.weights[4 * v] = 1;
    }
    return out;
}

/// Bones that flesh hangs on: the flesh of a handle hangs on the joints above it.
class HardBones {
public:
    HardBones(const Character& character, const FleshSettings& settings)
        : bones_(bones_of<lattice::Bone>(character, used_joints(character, true))), of_joint_(character.joints.size()) {
        std::vector<std::uint8_t> handle(of_joint_.size(), 0);
        if (settings.mode == Mode::physical) handle = handle_joints(character, settings);
        for (std::size_t k = 0; k < bones_.size(); ++k) of_joint_[bones_[k].part].push_back(k);
        for (std::size_t j = 0; j < of_joint_.size(); ++j) {
            int hard = int(j);
            while (hard >= 0 && (handle[std::size_t(hard)] || of_joint_[std::size_t(hard)].empty()))
                hard = character.joints[std::size_t(hard)].parent;
            hard_.push_back(hard);
        }
    }

    std::span<const lattice::Bone> all() const { return bones_; }
    /// The joint that stands in for j.
    std::uint16_t joint_for(std::uint16_t j) const { return hard_[j] >= 0 ? std::uint16_t(hard_[j]) : j; }
    /// The point on the bones of joint j that is nearest to p.
    Vec3d nearest(std::uint16_t j, Vec3d p) const {
        Vec3d out = p;
        double least = 1e300;
        const auto look = [&](const lattice::Bone& bone) {
            const Vec3d along = bone.b - bone.a;
            const double l2 = dot(along, along), t = l2 > 0 ? std::clamp(dot(p - bone.a, along) / l2, 0.0, 1.0) : 0;
            const Vec3d q = bone.a + along * t;
            if (dot(q - p, q - p) < least) least = dot(q - p, q - p), out = q;
        };
        if (hard_[j] >= 0)
            for (const std::size_t k : of_joint_[std::size_t(hard_[j])]) look(bones_[k]);
        else
            for (const lattice::Bone& bone : bones_) look(bone);
        return out;
    }

private:
    std::vector<lattice::Bone> bones_;
    std::vector<std::vector<std::size_t>> of_joint_;
    std::vector<int> hard_;
};

/// A property of joints at a vertex, blended by its weights.
template <class Value, class OfJoint>
Value blended(const weights::Influences& influences, std::size_t v, OfJoint&& of_joint) {
    Value out{};
    for (std::size_t k = 4 * v; k < 4 * v + 4; ++k)
        if (influences.weights[k] > 0) out = out + of_joint(influences.joints[k]) * double(influences.weights[k]);
    return out;
}

/// How much of the flesh each layer takes, from the bone outwards; sum 1. muscle: its share at the vertex
std::vector<double> thicknesses(const std::vector<LayerSettings>& layers, double muscle) {
    std::vector<double> out;
    double sum = 0;
    for (const LayerSettings& layer : layers) {
        const double rest = 1 - skin_share;
        const double usual = layer.name == "muscle" ? rest * muscle
                             : layer.name == "fat"  ? rest * (1 - muscle)
                             : layer.name == "skin" ? skin_share
                                                    : 0.5;
        out.push_back(std::max(layer.share > 0 ? layer.share : usual, 1e-3));
        sum += out.back();
    }
    for (double& each : out) each /= sum;
    return out;
}

/// Where flesh hangs and how deep it is, vertex by vertex.
struct FleshPlan {
    std::vector<Vec3d> cores;
    std::vector<double> deepest, shares, bone;  ///< shares: [layers * vertices]; bone: radius
};
FleshPlan plan_flesh(const Character& character, const ParticlesSettings& settings, const HardBones& bones,
                     const ParticleSurface& surface, const weights::Influences& influences) {
    FleshPlan out;
    const std::size_t n = surface.positions.size(), layers = settings.layers.size() + 1;
    const std::vector<double> widths = joint_bone_widths(character.joints, settings);
    const double size = character.size();
    out.shares.assign(layers * n, 0);
    for (std::size_t v = 0; v < n; ++v) {
        const Vec3d p = surface.positions[v];
        out.cores.push_back(blended<Vec3d>(influences, v, [&](std::uint16_t j) { return bones.nearest(j, p); }));
        const double far = length(out.cores[v] - p);
        const double bone = blended<double>(influences, v, [&](std::uint16_t j) { return widths[j]; }) * size;
        out.bone.push_back(bone);
        out.deepest.push_back(settings.mode == Mode::physical
                                  ? std::clamp(far - bone, thinnest_flesh * far, deepest_flesh * far)
                                  : settings.bone_depth * far);
        const double muscle = blended<double>(influences, v, [&](std::uint16_t j) {
            return at_joint(settings.parts, character.joints[j].name, &PartSettings::muscle, settings.muscle);
        });
        const std::vector<double> thick = thicknesses(settings.layers, muscle);
        double left = 1;
        for (std::size_t layer = 0; layer + 1 < layers; ++layer) {
            out.shares[layer * n + v] = left;
            left -= thick[layer];
        }
    }
    return out;
}

/// g in (0, 1]: how deep flesh is, or how far it stands out from its bone.
std::vector<float> find_flesh_thinness(const FleshPlan& plan, const ParticleSurface& surface,
                                       const ProjectedLayers& layers, const Links& edges, double size) {
    const std::size_t n = surface.positions.size();
    std::vector<double> depth(n), next(n);
    for (std::size_t v = 0; v < n; ++v) {
        depth[v] = std::min(plan.deepest[v], layers.rooms[v] / 2);
        // Flesh that stands out far from its bone (an ear, the tip of a wing) bends however thin it is.
        const double far = length(plan.cores[v] - surface.positions[v]);
        const double off = layers.rooms[v] < 1e299 ? far - plan.bone[v] - 1.5 * layers.rooms[v] : 0;
        depth[v] = std::max({depth[v], std::min(off, limp_depth * size), least_depth * size});
    }
    for (int round = 0; round < thinness_smoothing; ++round) {
        for (std::size_t v = 0; v < n; ++v) {
            double sum = depth[v];
            for (const std::uint32_t w : edges.of(v)) sum += depth[w];
            next[v] = sum / double(edges.of(v).size() + 1);
        }
        depth.swap(next);
    }
    std::vector<float> out;
    for (const double d : depth) out.push_back(float(std::min(1.0, d / (free_depth * size))));
    return out;
}

/// The joint that each triangle follows most, leaving out handles.
std::vector<std::uint16_t> followed_joints(const ParticleSurface& surface, const weights::Influences& influences,
                                           const HardBones& bones) {
    std::vector<std::uint16_t> out;
    weights::Mixture mixture;
    for (std::size_t t = 0; t < surface.triangles.size(); t += 3) {
        mixture.clear();
        for (std::size_t c = t; c < t + 3; ++c)
            for (std::size_t k = 4 * std::size_t(surface.triangles[c]); k < 4 * std::size_t(surface.triangles[c]) + 4;
                 ++k)
                if (influences.weights[k] > 0)
                    mixture.add(bones.joint_for(influences.joints[k]), influences.weights[k]);
        std::uint16_t joint = 0;
        float weight = 0;
        mixture.store({&joint, 1}, {&weight, 1});
        out.push_back(joint);
    }
    return out;
}

/// Averages values of the character's vertices over those that were merged into each vertex of the particles.
std::vector<float> mean_of_vertices(const std::vector<float>& values, const ParticleSurface& surface) {
    if (values.empty()) return {};
    std::vector<float> sum(surface.positions.size(), 0), count(surface.positions.size(), 0);
    for (std::size_t v = 0; v < surface.into.size(); ++v) sum[surface.into[v]] += values[v], ++count[surface.into[v]];
    for (std::size_t k = 0; k < sum.size(); ++k)
        sum[k] = count[k] > 0 ? sum[k] / count[k] : values[surface.vertices[k]];
    return sum;
}

std::string share_text(std::size_t part, std::size_t whole) {
    return number_text(100.0 * double(part) / double(whole), 2) + " %";
}

void say_what_differs(const ParticleSurface& surface, const ProjectedLayers& layers, const SurfaceParts& parts,
                      std::vector<std::string>& warnings) {
    const std::size_t n = surface.positions.size();
    if (double(layers.thinned) > worth_saying * double(n))
        warnings.push_back("layers lie close below " + share_text(layers.thinned, n) +
                           " of the surface: there is no room for more between skin and bone");
    if (parts.open > 0)
        warnings.push_back(std::to_string(parts.open) +
                           (parts.open == 1 ? " piece of the surface is" : " pieces of the surface are") +
                           " open: flesh moves there, but no volume is kept");
    if (surface.riding > 0)
        warnings.push_back(std::to_string(surface.riding) +
                           (surface.riding == 1 ? " small stiff piece is" : " small stiff pieces are") +
                           " skinned and carried along by the surface");
}

// ---- channels --------------------------------------------------------------------------------------------------
std::vector<Vec3d> local_places(const ParticlesBlueprint& plan) {
    std::vector<Vec3d> out;
    // In the same floats that the particles start from, so that the rest pose is exactly at rest.
    for (const Vec3 p : plan.places)
        out.push_back(portable::rounded_to_float((to_double(p) - plan.centre) * (1 / plan.spacing)));
    return out;
}

void store_particles(const ParticlesBlueprint& plan, std::span<const Vec3d> local, ParticlesBody& body) {
    const std::size_t n = body.stride(), vertices = plan.vertex_count(), padded = body.regions.padded;
    body.rest.assign(3 * n, 0);
    body.weights.assign(4 * n, 0);
    body.joints.assign(4 * n, 0);
    for (std::size_t layer = 0; layer < plan.layers; ++layer)
        for (std::size_t v = 0; v < vertices; ++v) {
            const std::size_t i = layer * padded + v;
            const Vec3 p = to_float(local[layer * vertices + v]);
            body.slots.push_back(std::uint32_t(i));
            body.layer.push_back(std::uint8_t(layer));
            body.thinness.push_back(plan.thinness[v]);
            body.rest[i] = p.x, body.rest[n + i] = p.y, body.rest[2 * n + i] = p.z;
            for (std::size_t k = 0; k < 4; ++k) {
                body.joints[k * n + i] = plan.influences.joints[4 * v + k];
                body.weights[k * n + i] = plan.influences.weights[4 * v + k];
            }
        }
}

/// The joints of eight vertices at a time, ascending, with a weight for each of the eight.
void store_drive(const ParticlesBlueprint& plan, ParticlesBody& body) {
    const std::size_t vertices = plan.vertex_count();
    body.drive_first = {0};
    for (std::size_t first = 0; first < body.regions.padded; first += 8) {
        std::vector<std::uint16_t> joints;
        const std::size_t last = std::min(first + 8, vertices);
        for (std::size_t k = 4 * first; k < 4 * last; ++k)
            if (plan.influences.weights[k] > 0) joints.push_back(plan.influences.joints[k]);
        std::sort(joints.begin(), joints.end());
        joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
        for (const std::uint16_t joint : joints) {
            float lanes[8] = {};
            for (std::size_t v = first; v < last; ++v)
                for (std::size_t k = 4 * v; k < 4 * v + 4; ++k)
                    if (plan.influences.joints[k] == joint) lanes[v - first] += plan.influences.weights[k];
            body.drive_joints.push_back(joint);
            body.drive_weights.insert(body.drive_weights.end(), lanes, lanes + 8);
        }
        body.drive_first.push_back(std::uint32_t(body.drive_joints.size()));
    }
}

/// Edges on each layer, and between siblings.
LinkLists links_of_points(const LinkLists& edges, std::size_t vertices, std::size_t layers) {
    LinkLists out;
    for (std::uint32_t layer = 0; layer < layers; ++layer)
        for (std::uint32_t v = 0; v < vertices; ++v) {
            const auto n = std::uint32_t(vertices);
            for (const std::uint32_t w : edges.view().of(v)) out.to.push_back(layer * n + w);
            if (layer > 0) out.to.push_back((layer - 1) * n + v);
            if (layer + 1 < layers) out.to.push_back((layer + 1) * n + v);
            out.first.push_back(std::uint32_t(out.to.size()));
        }
    return out;
}

void store_joints(ParticlesBody& body) {
    const std::vector<Joint>& joints = body.blueprint->surface.joints;
    body.gate = PoseGate(joints);
    for (const Joint& joint : joints) {
        body.inverse_rest.push_back(inverse(joint.rest));
        body.parents.push_back(joint.parent);
        body.pivots.push_back((translation_of(joint.rest) - body.centre) * (1 / body.h));
    }
}

/// [Deul 2013, fig. 3]
void store_volumes(std::span<const Vec3d> skin, ParticlesBody& body) {
    const ParticlesBlueprint& plan = *body.blueprint;
    const sim::DividedSurface divided{skin, plan.triangles, plan.part, plan.part_joint.size()};
    body.border_first = {0};
    // An apex is the mean of its border as driven by the skeleton.
    body.volumes = sim::divide_volume(divided, [&](const std::vector<std::uint32_t>& border) {
        Vec3d sum;
        for (const std::uint32_t v : border) sum += skin[v];
        body.border.insert(body.border.end(), border.begin(), border.end());
        body.border_first.push_back(std::uint32_t(body.border.size()));
        return sim::SubVolumes::Apex{sum * (1 / double(border.size())), 0};
    });
}

float weight_of(const weights::Influences& influences, std::size_t vertex, int joint) {
    float out = 0;
    for (std::size_t k = 4 * vertex; k < 4 * vertex + 4; ++k)
        if (joint >= 0 && influences.joints[k] == joint) out += influences.weights[k];
    return out;
}

/// [joints] the vertices of which a joint holds at least least_held, ascending.
std::vector<std::vector<std::uint32_t>> vertices_of_joints(const ParticlesBlueprint& plan, std::size_t joints) {
    std::vector<std::vector<std::uint32_t>> out(joints);
    for (std::uint32_t v = 0; v < plan.vertex_count(); ++v)
        for (std::size_t k = 4 * v; k < 4 * std::size_t(v) + 4; ++k) {
            const std::uint16_t j = plan.influences.joints[k];
            if (j < joints && weight_of(plan.influences, v, j) >= least_held && (out[j].empty() || out[j].back() != v))
                out[j].push_back(v);
        }
    return out;
}

/// Particles near a joint between two bones keep their distance from it.
void store_holds(std::span<const Vec3d> local, ParticlesBody& body) {
    const ParticlesBlueprint& plan = *body.blueprint;
    const std::size_t n = plan.vertex_count();
    const std::vector<std::vector<std::uint32_t>> vertices = vertices_of_joints(plan, body.parents.size());
    std::vector<std::uint32_t> near;
    for (std::size_t j = 0; j < body.parents.size(); ++j) {
        if (body.parents[j] < 0) continue;
        std::vector<std::uint32_t> held;
        std::vector<double> distances;
        near.clear();
        const std::vector<std::uint32_t>&its = vertices[j], &of_parent = vertices[std::size_t(body.parents[j])];
        std::set_union(its.begin(), its.end(), of_parent.begin(), of_parent.end(), std::back_inserter(near));
        for (const std::uint32_t v : near) {
            const float own = weight_of(plan.influences, v, int(j)),
                        above = weight_of(plan.influences, v, body.parents[j]);
            if (own + above < 0.5f) continue;
            held.push_back(v);
            distances.push_back(length(local[(plan.layers - 1) * n + v] - body.pivots[j]));
        }
        if (distances.size() < 8) continue;
        std::vector<double> sorted = distances;
        std::nth_element(sorted.begin(), sorted.begin() + 7, sorted.end());
        const double reach = hold_reach * sorted[7];
        for (std::size_t k = 0; k < held.size(); ++k)
            for (std::size_t layer = 1; layer < plan.layers && distances[k] <= reach; ++layer) {
                const double distance = length(local[layer * n + held[k]] - body.pivots[j]);
                if (distance > 1e-3)
                    body.holds.push_back(
                        {std::uint32_t(layer * body.regions.padded + held[k]), std::uint16_t(j), float(distance)});
            }
    }
    std::stable_sort(body.holds.begin(), body.holds.end(),
                     [](const JointHold& a, const JointHold& b) { return a.place < b.place; });
}

}  // namespace

LinkLists edges_of(std::span<const std::uint32_t> triangles, std::size_t vertices) {
    std::vector<std::vector<std::uint32_t>> around(vertices);
    for (std::size_t t = 0; t < triangles.size(); t += 3)
        for (std::size_t c = 0; c < 3; ++c) {
            around[triangles[t + c]].push_back(triangles[t + (c + 1) % 3]);
            around[triangles[t + c]].push_back(triangles[t + (c + 2) % 3]);
        }
    LinkLists out;
    for (std::vector<std::uint32_t>& list : around) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        out.to.insert(out.to.end(), list.begin(), list.end());
        out.first.push_back(std::uint32_t(out.to.size()));
    }
    return out;
}

std::shared_ptr<const ParticlesBody> assemble_particles_body(std::shared_ptr<const ParticlesBlueprint> blueprint,
                                                             embedding::Trilinear bound,
                                                             std::vector<std::string> warnings) {
    const ParticlesBlueprint& plan = *blueprint;
    auto body = std::make_shared<ParticlesBody>();
    const std::size_t n = plan.vertex_count(), layers = plan.layers;
    body->blueprint = blueprint;
    body->fingerprint = fingerprint_of(plan);
    body->size = plan.size;
    body->h = plan.spacing;
    body->centre = plan.centre;
    body->edges = edges_of(plan.triangles, n);
    body->links = links_of_points(body->edges, n, layers);
    const std::vector<Vec3d> local = local_places(plan);
    body->masses = particle_masses(local, plan.triangles, n, layers);
    body->areas = voronoi_areas(std::span(local).subspan((layers - 1) * n, n), plan.triangles);
    const auto ellipsoids = particle_ellipsoids(local, plan.triangles, body->edges.view(), layers);
    body->regions =
        sim::make_particle_regions({n, layers, body->edges.view(), local, body->masses, ellipsoids}, plan.region_rings);
    store_particles(plan, local, *body);
    store_drive(plan, *body);
    store_joints(*body);
    store_volumes(std::span(local).subspan((layers - 1) * n, n), *body);
    store_holds(local, *body);
    if (plan.linear)
        body->linear_surface = LbsSurface(plan.surface.source(), body->gate.rest());
    else
        body->surface = DqsSurface(plan.surface.source(), body->gate.rest());
    body->bound = std::move(bound);
    for (std::uint32_t& p : body->bound.points) p = body->slots[p];
    body->carriers = embedding::carriers_of(body->bound);
    body->carried = pack_carriers(body->bound.points, body->bound.weights, embedding::Trilinear::slots);
    body->warnings = std::move(warnings);
    return body;
}

embedding::Trilinear bound_to_points(const ParticlesBody& body) {
    std::vector<std::uint32_t> point_at(body.stride(), 0);
    for (std::uint32_t i = 0; i < body.slots.size(); ++i) point_at[body.slots[i]] = i;
    embedding::Trilinear out = body.bound;
    for (std::uint32_t& p : out.points) p = point_at[p];
    return out;
}

Result<std::shared_ptr<const ParticlesBody>> build_particles_body(const Character& character,
                                                                  const ParticlesSettings& settings,
                                                                  const BindInputs& inputs) {
    auto plan = std::make_shared<ParticlesBlueprint>();
    plan->size = character.size();
    if (!(plan->size > 0)) return input_error("particles: the surface of '" + character.name + "' has no extent");
    const std::size_t layers = settings.layers.size() + 1;
    Shells shells = shells_for(character, settings, inputs);
    const Result<VertexAmounts> amounts = vertex_amounts(character, settings, inputs, shells);
    if (!amounts) return amounts.error();
    const ParticleSurface surface = find_particle_surface(character, settings, layers, shells);
    if (surface.triangles.empty())
        return input_error("particles: '" + character.name + "' has no triangles to put particles on");
    const std::size_t n = surface.positions.size();
    const LinkLists edges = edges_of(surface.triangles, n);
    plan->layers = std::uint32_t(layers);
    plan->region_rings = settings.region_rings;
    plan->linear = settings.mode != Mode::physical;
    plan->triangles = surface.triangles;
    plan->influences = influences_of(character, surface.vertices);

    // Layers.
    const HardBones bones(character, settings);
    plan->depth = deep_flesh(character, bones.all());
    const FleshPlan flesh = plan_flesh(character, settings, bones, surface, plan->influences);
    const ProjectedLayers projected = project_layers(
        {surface.positions, surface.triangles, edges.view(), flesh.cores, flesh.deepest, flesh.shares, layers},
        settings.mode == Mode::physical);
    for (const Vec3d p : projected.places) plan->places.push_back(to_float(p));
    plan->thinness = find_flesh_thinness(flesh, surface, projected, edges.view(), plan->size);
    plan->mask = mean_of_vertices(amounts->mask, surface);
    plan->own_amount = mean_of_vertices(amounts->own, surface);

    // Volumes.
    const std::vector<std::uint16_t> follows = followed_joints(surface, plan->influences, bones);
    std::vector<int> parents;
    for (const Joint& joint : character.joints) parents.push_back(joint.parent);
    SurfaceParts parts = find_parts({surface.positions, surface.triangles, edges.view(), follows, parents, plan->size});

    double length_of_edges = 0;
    Vec3d low = surface.positions[0], high = low;
    for (std::size_t v = 0; v < n; ++v) {
        const Vec3d p = surface.positions[v];
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        for (const std::uint32_t w : edges.view().of(v)) length_of_edges += length(surface.positions[w] - p);
    }
    plan->spacing = length_of_edges / double(edges.to.size());
    plan->centre = (low + high) * 0.5;
    std::vector<std::string> warnings;
    say_what_differs(surface, projected, parts, warnings);
    plan->part = std::move(parts.part);
    plan->part_joint = std::move(parts.joint);
    plan->surface = RestSurface(character);
    embedding::Trilinear bound = surface.bound;
    for (std::uint32_t& point : bound.points) point += std::uint32_t((layers - 1) * n);
    return assemble_particles_body(std::move(plan), std::move(bound), std::move(warnings));
}

}  // namespace fascia
