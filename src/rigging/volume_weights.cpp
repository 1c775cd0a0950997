// Automatic weights: voxelise, connect, solve on the nodes, transfer to the vertices.
#include <algorithm>
#include <cmath>

#include "body/body_cells.h"
#include "body/joint_tree.h"
#include "embed/trilinear.h"
#include "fascia/settings.h"
#include "fascia/weights.h"
#include "lattice/connectivity.h"
#include "lattice/layers.h"
#include "lattice/locate.h"
#include "lattice/overlaps.h"
#include "weights/biharmonic.h"
#include "weights/chamfer.h"
#include "weights/dense.h"
#include "weights/diffusion.h"
#include "weights/nearest.h"

namespace fascia {

namespace {

using lattice::Tissue;
using weights::Influences;

constexpr int working_slots = 8;
constexpr float least_weight = 0.01f;  ///< anything smaller is a leak, not an influence
/// For geodesic weights, in limb thicknesses: how far a joint bends the skin, and how smoothly.
constexpr double distance_unit = 0.3, distance_eps = 0.75, distance_cutoff = 2;
/// Share of the limb's thickness: flesh around a bone that belongs to it alone when weights diffuse.
constexpr double bone_share = 0.7;
constexpr int smoothing_rounds = 2;
/// If no resolution is asked for, weights of points are solved on hardly more voxels than this, fewer if there are more
/// than 16 points: they are smooth, and the work grows faster than the number of voxels.
constexpr double enough_voxels = 16000;
/// In place of the joint that holds a voxel: no joint, or several.
constexpr std::uint16_t none = 0xFFFF, shared = 0xFFFE;

// ---- the skeleton ----------------------------------------------------------------------------------------------

/// Joints that may exchange weight: related ones, and siblings whose bones begin at one point (neck and shoulders).
std::vector<std::uint8_t> sharing_joints(const Character& character) {
    const std::size_t n = character.joints.size();
    const Relations relations = related_joints(character);
    std::vector<std::uint8_t> out(n * n, 0);
    const auto head = [&](std::size_t j) { return translation_of(character.joints[j].rest); };
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) out[a * n + b] = relations.related(a, b);
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const bool siblings = character.joints[a].parent == character.joints[b].parent;
            const double near =
                0.25 * std::min(length(character.joints[a].tail - head(a)), length(character.joints[b].tail - head(b)));
            if (siblings && length(head(a) - head(b)) <= near) out[a * n + b] = out[b * n + a] = 1;
        }
    return out;
}

// ---- the body --------------------------------------------------------------------------------------------------

struct Volume {
    lattice::Grid grid;
    Tissue tissue;
    std::vector<Vec3d> centers;
    Links links() const { return {tissue.link_first, tissue.links, 6}; }
};

Volume fill(const Character& character, std::span<const weights::Segment> segments, int resolution, bool& open) {
    const Mesh& mesh = character.mesh;
    const weights::NearestSegment nearest(segments);
    std::vector<std::uint16_t> followed(mesh.triangle_count());
    for (std::size_t t = 0; t < followed.size(); ++t) {
        const std::uint32_t* c = &mesh.triangles[3 * t];
        const Vec3d middle =
            (to_double(mesh.positions[c[0]]) + to_double(mesh.positions[c[1]]) + to_double(mesh.positions[c[2]])) *
            (1.0 / 3);
        followed[t] = nearest.joint_at(middle);
    }
    BodyCells cells = BodySurface(character, followed, BodySurface::OfOneJoint::is_one).fill(resolution);
    open = cells.open;
    Volume out{cells.grid, std::move(cells.tissue), {}};
    for (const lattice::Cell c : out.tissue.cells) out.centers.push_back(out.grid.center(c));
    return out;
}

/// Warns about bones that have no voxel to themselves. Bones that meet in a joint may share that joint's voxel.
void note_crowded_bones(const Character& character, const Volume& volume, std::span<const weights::NodeJoint> cores,
                        std::vector<std::string>& notes) {
    std::vector<std::uint16_t> holder(volume.tissue.size(), none);
    for (const weights::NodeJoint& c : cores)
        holder[c.node] = holder[c.node] == none || holder[c.node] == c.joint ? c.joint : shared;
    std::vector<std::uint8_t> has_core(character.joints.size(), 0), has_own(has_core);
    for (const weights::NodeJoint& c : cores) has_core[c.joint] = 1, has_own[c.joint] |= holder[c.node] == c.joint;
    std::string first;
    std::size_t crowded = 0;
    for (std::size_t j = 0; j < has_core.size(); ++j) {
        if (!has_core[j] || has_own[j]) continue;
        if (crowded++ == 0) first = character.joints[j].name;
    }
    if (crowded > 0)
        notes.push_back(std::to_string(crowded) + " bones lie in the same voxels as others (the first is '" + first +
                        "'); they share them in equal parts");
}

/// The nodes of each bone in the body; warns about bones outside.
std::vector<weights::NodeJoint> cores_of(const Character& character, const Volume& volume,
                                         std::span<const weights::Segment> segments, std::vector<std::string>& notes) {
    std::vector<lattice::Bone> bones;  // ascending by joint, as the segments are
    for (const weights::Segment& s : segments) bones.push_back({s.a, s.b, s.joint});
    const auto cores = lattice::find_cores(volume.grid, volume.tissue, bones);
    std::vector<weights::NodeJoint> out;
    std::vector<std::string> outside;
    for (std::size_t b = 0; b < bones.size(); ++b) {
        for (const std::uint32_t node : cores[b]) out.push_back({node, bones[b].part});
        const bool touches =
            cores[b].size() != 1 ||
            weights::squared_distance(volume.centers[cores[b][0]], segments[b]) < 0.75 * volume.grid.h * volume.grid.h;
        const std::string& name = character.joints[bones[b].part].name;
        if (!touches && (outside.empty() || outside.back() != name)) outside.push_back(name);
    }
    if (!outside.empty())
        notes.push_back(std::to_string(outside.size()) + " bones lie outside the body (the first is '" + outside[0] +
                        "'); each holds the voxel nearest to it");
    note_crowded_bones(character, volume, out, notes);
    return out;
}

/// Every joint as a point.
std::vector<weights::Segment> points_of(const Character& character) {
    std::vector<weights::Segment> out;
    for (std::size_t j = 0; j < character.joints.size(); ++j) {
        const Vec3d at = translation_of(character.joints[j].rest);
        out.push_back({at, at, std::uint16_t(j)});
    }
    return out;
}

/// One voxel for each point: the nearest not taken by an earlier point. Warns about points outside and about those that
/// had to give way.
std::vector<weights::NodeJoint> point_cores(const Character& character, const Volume& volume,
                                            std::vector<std::string>& notes) {
    std::vector<std::uint8_t> taken(volume.tissue.size(), 0);
    std::vector<weights::NodeJoint> out;
    std::vector<std::string> outside, moved;
    for (std::size_t j = 0; j < std::min(character.joints.size(), taken.size()); ++j) {
        const Vec3d at = translation_of(character.joints[j].rest);
        double nearest = 1e300, nearest_free = 1e300;
        std::uint32_t best = 0;
        for (std::uint32_t node = 0; node < taken.size(); ++node) {
            const Vec3d off = volume.centers[node] - at;
            const double far = dot(off, off);
            nearest = std::min(nearest, far);
            if (!taken[node] && far < nearest_free) nearest_free = far, best = node;
        }
        taken[best] = 1;
        out.push_back({best, std::uint16_t(j)});
        if (nearest > 0.75 * volume.grid.h * volume.grid.h) outside.push_back(character.joints[j].name);
        if (nearest_free > nearest) moved.push_back(character.joints[j].name);
    }
    if (!outside.empty())
        notes.push_back(std::to_string(outside.size()) + " handles lie outside the body (the first is '" + outside[0] +
                        "'); each holds the voxel nearest to it");
    if (!moved.empty())
        notes.push_back(std::to_string(moved.size()) + " handles lie in the voxel of another (the first is '" +
                        moved[0] + "'); each holds the nearest one that is free");
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.node < b.node; });
    return out;
}

// ---- solving ---------------------------------------------------------------------------------------------------

/// Thick bones: everything within a share of the limb's thickness belongs to the nearest one.
std::vector<weights::Clamp> thick_cores(const weights::NearestBone& nearest, std::span<const float> thickness) {
    std::vector<weights::Clamp> out;
    for (std::uint32_t i = 0; i < nearest.distance.size(); ++i)
        if (nearest.distance[i] >= 0 && nearest.distance[i] / weights::chamfer_unit <= bone_share * thickness[i])
            out.push_back({i, nearest.joint[i], 1});
    return out;
}

Influences solve(const std::string& method, const Character& character, const Volume& volume,
                 std::span<const weights::NodeJoint> cores, const weights::NearestBone& nearest, ThreadPool& pool) {
    std::vector<float> thickness = lattice::inscribed_radius(volume.grid, volume.tissue);
    for (float& t : thickness) t = std::max(float(t / volume.grid.h), 1.0f);
    if (method == "geodesic")
        return weights::spread_weights({.neighbours = volume.tissue.neighbours,
                                        .cores = cores,
                                        .thickness = thickness,
                                        .unit = distance_unit,
                                        .eps = distance_eps,
                                        .cutoff = distance_cutoff,
                                        .slots = working_slots},
                                       nearest);
    if (method == "diffusion") {
        const auto clamps = thick_cores(nearest, thickness);
        return weights::largest_diffusion_weights({volume.tissue.neighbours, clamps, character.joints.size()},
                                                  working_slots, 1e-4f, pool);
    }
    const auto clamps = weights::equal_shares(std::vector<weights::NodeJoint>(cores.begin(), cores.end()));
    const weights::BiharmonicResult result =
        weights::biharmonic_weights({volume.links(), clamps, character.joints.size()}, pool);
    return weights::keep_largest(result.dense, working_slots, 1e-3f);
}

/// Which joints share flesh, and what to do with weights that do not belong together.
class Kinship {
public:
    /// falls_off: the weights (from distances) reach no further than the limb is thick. If two limbs meet in the same
    /// flesh, they smoothly hand it to the joint that both hang on. Harmonic weights reach everywhere: joints unrelated
    /// to the nearest bone are cut off, and the rest goes to the parent of the stronger one. all: every joint shares
    /// flesh with every other.
    Kinship(const Character& character, bool falls_off, bool all)
        : joints_(character.joints.size()), sharing_(sharing_joints(character)), falls_off_(falls_off) {
        if (all) sharing_.assign(sharing_.size(), 1);
        for (const Joint& joint : character.joints) parent_.push_back(joint.parent);
    }
    bool share(std::size_t a, std::size_t b) const { return sharing_[a * joints_ + b] != 0; }
    bool falls_off() const { return falls_off_; }

    /// Between two legs, or two fingers, the weaker one hands its weight, and the same amount of the stronger one's, to
    /// a joint above: halfway between them only that joint is left. One pass over the slots, which are then sorted
    /// again.
    void part(std::span<std::uint16_t> joints, std::span<float> weights) const {
        weights::Mixture mixture;
        for (std::size_t a = 0; a < joints.size(); ++a)
            for (std::size_t b = a + 1; b < joints.size(); ++b) {
                if (!(weights[b] > 0) || share(joints[a], joints[b])) continue;
                const int above = falls_off_ ? common_ancestor(joints[a], joints[b]) : parent_[joints[a]];
                if (above < 0) continue;
                const float both = std::min(weights[a], weights[b]);
                weights[a] -= both;
                weights[b] -= both;
                mixture.add(std::uint16_t(above), 2 * double(both));
            }
        if (mixture.empty()) return;
        for (std::size_t s = 0; s < joints.size(); ++s)
            if (weights[s] > 0) mixture.add(joints[s], weights[s]);
        mixture.store(joints, weights);
    }

private:
    /// -1 if they are in different trees.
    int common_ancestor(int a, int b) const {
        for (int up = a; up >= 0; up = parent_[std::size_t(up)])
            for (int other = b; other >= 0; other = parent_[std::size_t(other)])
                if (up == other) return up;
        return -1;
    }

    std::size_t joints_;
    std::vector<std::uint8_t> sharing_;
    bool falls_off_;
    std::vector<int> parent_;
};

/// Drops weight that has leaked to joints sharing no flesh with the node's own joint, then smooths the border.
void stop_leaks(const Kinship& kin, const Volume& volume, const weights::NearestBone& nearest, Influences& nodes) {
    const std::size_t slots = std::size_t(nodes.slots);
    weights::Mixture mixture;
    const auto add = [&](const Influences& from, std::size_t node, double share, bool strict) {
        for (std::size_t s = node * slots; s < (node + 1) * slots; ++s)
            if (from.weights[s] > 0 && (!strict || kin.share(nearest.joint[node], from.joints[s])))
                mixture.add(from.joints[s], share * from.weights[s]);
    };
    const auto keep = [&](Influences& to, std::size_t node) {
        if (mixture.empty()) return;
        mixture.store({&to.joints[node * slots], slots}, {&to.weights[node * slots], slots});
        kin.part({&to.joints[node * slots], slots}, {&to.weights[node * slots], slots});
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nearest.distance[i] < 0) continue;
        mixture.clear();
        add(nodes, i, 1, !kin.falls_off());
        if (mixture.empty()) mixture.add(nearest.joint[i], 1);
        keep(nodes, i);
    }
    for (int round = 0; round < smoothing_rounds; ++round) {
        const Influences before = nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (nearest.distance[i] < 0) continue;
            mixture.clear();
            add(before, i, 2, false);
            for (const std::uint32_t k : volume.links().of(i)) add(before, k, 1, false);
            keep(nodes, i);
        }
    }
}

// ---- to the vertices -------------------------------------------------------------------------------------------

class VertexTable {
public:
    VertexTable(const Kinship& kin, std::size_t vertices, int influences) : kin_(kin) {
        table_.influences = influences;
        table_.joints.assign(vertices * influences, 0);
        table_.weights.assign(vertices * influences, 0);
    }
    /// Small shares are dropped before the rest is normalised to a sum of 1.
    void store(std::size_t vertex, weights::Mixture& mixture) {
        const auto slots = static_cast<std::size_t>(table_.influences);
        std::uint16_t* joints = &table_.joints[vertex * slots];
        float* values = &table_.weights[vertex * slots];
        if (!mixture.store({joints, slots}, {values, slots})) {
            values[0] = 1;
            return;
        }
        kin_.part({joints, slots}, {values, slots});
        float sum = 0;
        for (std::size_t s = 0; s < slots; ++s) {
            if (values[s] < least_weight) joints[s] = 0, values[s] = 0;
            sum += values[s];
        }
        for (std::size_t s = 0; s < slots; ++s) values[s] /= sum;
    }
    SkinWeights take() { return std::move(table_); }

private:
    const Kinship& kin_;
    SkinWeights table_;
};

SkinWeights nearest_weights(const Character& character, const Kinship& kin, std::span<const weights::Segment> segments,
                            int influences) {
    const weights::NearestSegment nearest(segments);
    VertexTable table(kin, character.mesh.vertex_count(), influences);
    weights::Mixture mixture;
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
        mixture.clear();
        mixture.add(nearest.joint_at(to_double(character.mesh.positions[v])), 1);
        table.store(v, mixture);
    }
    return table.take();
}

/// The reached node nearest to p; -1 if there is none.
std::int64_t nearest_reached(const Volume& volume, std::span<const std::int32_t> steps, Vec3d p) {
    std::int64_t best = -1;
    double least = 1e300;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i] < 0) continue;
        const Vec3d off = volume.centers[i] - p;
        if (dot(off, off) < least) least = dot(off, off), best = std::int64_t(i);
    }
    return best;
}

void carry(const Character& character, const Kinship& kin, const Volume& volume, const Influences& nodes,
           std::span<const std::int32_t> steps, std::span<const weights::Segment> segments, int influences,
           ComputedWeights& out) {
    const Mesh& mesh = character.mesh;
    const auto homes = lattice::locate_vertices(volume.grid, volume.tissue, mesh.positions, mesh.triangles);
    const embedding::Trilinear bound = embedding::bind_trilinear({.links = volume.links(),
                                                                  .centers = volume.centers,
                                                                  .h = volume.grid.h,
                                                                  .positions = mesh.positions,
                                                                  .homes = homes});
    const weights::NearestSegment nearest(segments);
    VertexTable table(kin, mesh.vertex_count(), influences);
    weights::Mixture mixture;
    const auto add_node = [&](std::size_t node, double share) {
        for (int s = 0; s < nodes.slots; ++s)
            if (nodes.weights[node * nodes.slots + s] > 0)
                mixture.add(nodes.joints[node * nodes.slots + s], share * nodes.weights[node * nodes.slots + s]);
    };
    // A piece without a bone moves as one: it follows the flesh nearest to its first vertex.
    std::vector<std::int64_t> stand_in(volume.tissue.size(), -2);
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
        mixture.clear();
        if (steps[homes[v]] >= 0) {
            for (int k = 0; k < embedding::Trilinear::slots; ++k)
                add_node(bound.points[v * embedding::Trilinear::slots + k],
                         bound.weights[v * embedding::Trilinear::slots + k]);
        } else {
            ++out.fallback_vertices;
            if (stand_in[homes[v]] == -2) {
                const std::uint32_t home = homes[v];
                const std::int64_t near = nearest_reached(volume, steps, volume.centers[home]);
                const auto piece = lattice::steps_from(volume.tissue, {&home, 1});
                for (std::size_t i = 0; i < piece.size(); ++i)
                    if (piece[i] >= 0) stand_in[i] = near;
            }
            if (stand_in[homes[v]] >= 0) add_node(std::size_t(stand_in[homes[v]]), 1);
        }
        if (mixture.empty()) mixture.add(nearest.joint_at(to_double(mesh.positions[v])), 1);
        table.store(v, mixture);
    }
    out.weights = table.take();
}

int default_resolution(const std::string& method) {
    return method == "biharmonic" || method == "points" ? 40 : 64;
}

}  // namespace

const std::vector<std::string>& weight_methods() {
    static const std::vector<std::string> names{"file", "geodesic", "diffusion", "biharmonic", "nearest", "points"};
    return names;
}

Result<ComputedWeights> compute_weights(const Character& character, const WeightOptions& options) {
    const auto& names = weight_methods();
    if (std::find(names.begin(), names.end(), options.method) == names.end())
        return usage_error("there are no weights '" + options.method + "'; did you mean '" +
                           nearest_name(options.method, names) + "'?");
    if (options.influences != 4 && options.influences != 8)
        return usage_error("weights have 4 or 8 influences, not " + std::to_string(options.influences));
    if (character.mesh.positions.empty()) return input_error(character.name + ": has no vertices to give weights to");
    if (character.joints.empty()) return input_error(character.name + ": has no joints to take weights from");
    ComputedWeights out;
    if (options.method == "file") {
        if (character.weights.influences == 0)
            return input_error(character.name + ": has no weights of its own; choose geodesic instead");
        out.weights = character.weights;
        return out;
    }
    const auto reached = [&](double share) { return !options.progress || options.progress(share); };
    const Error cancelled = usage_error("the computation of weights was cancelled");
    if (!reached(0)) return cancelled;
    const bool points = options.method == "points";
    const std::vector<weights::Segment> segments =
        points ? points_of(character) : bones_of<weights::Segment>(character);
    const Kinship kin(character, options.method == "geodesic", points);
    const bool flat = !(character.size() > 0) || character.mesh.triangles.empty();
    if (options.method == "nearest" || flat) {
        if (flat) out.notes.push_back("the mesh has no triangles or no extent: its vertices follow the nearest bone");
        out.weights = nearest_weights(character, kin, segments, options.influences);
        return out;
    }
    bool open = false;
    const int resolution = options.resolution > 0 ? options.resolution : default_resolution(options.method);
    Volume volume = fill(character, segments, resolution, open);
    const double enough = enough_voxels / std::sqrt(std::max(double(segments.size()) / 16, 1.0));
    if (const auto filled = double(volume.tissue.size()); points && options.resolution == 0 && filled > enough)
        volume = fill(character, segments, std::max(1, int(resolution * std::cbrt(enough / filled))), open);
    out.voxels = volume.tissue.size();
    if (open) out.notes.push_back("the surface is open or not manifold somewhere: holes are closed by winding numbers");
    if (const std::size_t cells =
            lattice::count_overlapped_cells(character.mesh.positions, character.mesh.triangles, volume.grid);
        cells > 0)
        out.notes.push_back("the surface runs through itself, or parts of it lie in one another: " +
                            std::to_string(cells) + " voxels are enclosed more than once and count once");
    if (out.voxels == 0) {
        out.notes.push_back("the surface fills no voxel: its vertices follow the nearest bone");
        out.weights = nearest_weights(character, kin, segments, options.influences);
        return out;
    }
    if (!reached(0.2)) return cancelled;
    ThreadPool pool(std::max(options.threads, 1));
    const auto cores =
        points ? point_cores(character, volume, out.notes) : cores_of(character, volume, segments, out.notes);
    const weights::NearestBone nearest = weights::nearest_bones(volume.tissue.neighbours, cores);
    if (!reached(0.3)) return cancelled;
    Influences nodes = solve(options.method, character, volume, cores, nearest, pool);
    if (!reached(0.9)) return cancelled;
    stop_leaks(kin, volume, nearest, nodes);
    carry(character, kin, volume, nodes, nearest.distance, segments, options.influences, out);
    out.fallback_share = double(out.fallback_vertices) / double(character.mesh.vertex_count());
    if (out.fallback_vertices > 0)
        out.notes.push_back(std::to_string(out.fallback_vertices) +
                            " vertices lie in pieces without a bone: each piece follows the flesh nearest to it");
    return out;
}

}  // namespace fascia
