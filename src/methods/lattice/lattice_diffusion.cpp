// Weights that diffuse from the bones through the particles, as published.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "base/distinct.h"
#include "base/thread_pool.h"
#include "body/joint_tree.h"
#include "methods/lattice/lattice_kin.h"
#include "methods/lattice/lattice_weights.h"
#include "weights/chamfer.h"
#include "weights/diffusion.h"
#include "weights/nearest.h"

namespace fascia {

namespace {

using lattice::CornerLattice;

constexpr float least_weight = 0.01f;  ///< less than this is a leak, not an influence
/// The most length left free at each end, as a share of the bone's: around a joint the flesh belongs to no single bone.
constexpr double free_end = 0.3;
constexpr double bone_share = 0.35;  ///< of the limb's thickness: flesh this near to a bone belongs to it alone
/// In a stout body, a sharper change of weights would show the cells; in a thin limb, a smoother one would bend it like
/// a hose.
constexpr int fewest_rounds = 3, most_rounds = 10;
constexpr double rounds_per_cell = 1.5;  ///< of thickness
constexpr int diffused_slots = 10;       ///< joints of a particle before unrelated ones are reconciled

/// Which joints may hold a particle at all: those that the surface in its cells follows, and their relatives.
class Relatives {
public:
    explicit Relatives(const WeightInput& in) : related_(related_joints(in.character)) {
        std::vector<std::uint16_t> here;
        for (std::size_t particle = 0; particle < in.corners.size(); ++particle) {
            here.clear();
            for (std::size_t k = 8 * particle; k < 8 * particle + 8; ++k)
                if (in.corners.octants[k] != lattice::no_cell)
                    for (const std::uint32_t t : in.filled.tissue.triangles_of(in.corners.octants[k]))
                        here.push_back(in.followed[t]);
            keep_distinct(here);
            followed_.insert(followed_.end(), here.begin(), here.end());
            first_.push_back(followed_.size());
        }
    }

    /// May `joint` hold the particle? Deep inside, any joint may.
    bool may_hold(std::size_t particle, std::uint16_t joint) const {
        const std::size_t begin = first_[particle], end = first_[particle + 1];
        return begin == end ||
               std::any_of(followed_.begin() + std::ptrdiff_t(begin), followed_.begin() + std::ptrdiff_t(end),
                           [&](std::uint16_t own) { return related_.related(own, joint); });
    }

private:
    Relations related_;
    std::vector<std::size_t> first_{0};    ///< [particles + 1]
    std::vector<std::uint16_t> followed_;  ///< by the surface in each particle's cells, ascending
};

struct NearestBone {
    std::size_t bone = 0;
    double distance2 = 1e300;
};

/// The nearest of the bones that may hold the particle; the first of several equally near ones.
NearestBone nearest_bone(Vec3d p, std::size_t particle, const std::vector<JointBone>& bones,
                         const Relatives& relatives) {
    // Checking whether a bone may hold the particle takes longer than measuring its distance, so the nearest come
    // first.
    std::vector<std::pair<double, std::size_t>> heap;
    heap.reserve(bones.size());
    for (std::size_t b = 0; b < bones.size(); ++b)
        heap.emplace_back(weights::squared_distance(p, {bones[b].a, bones[b].b, bones[b].joint}), b);
    std::make_heap(heap.begin(), heap.end(), std::greater<>());
    for (; !heap.empty(); heap.pop_back()) {
        std::pop_heap(heap.begin(), heap.end(), std::greater<>());
        const auto [distance2, bone] = heap.back();
        if (distance2 < 1e300 && relatives.may_hold(particle, bones[bone].joint)) return {bone, distance2};
    }
    return {};
}

/// Is p clear of the ends at which the bone meets another one?
bool in_the_middle(Vec3d p, const JointBone& bone, bool has_parent, double end) {
    const Vec3d along = bone.b - bone.a;
    const double l = length(along), keep = std::min(end, free_end * l), t = l > 0 ? dot(p - bone.a, along) / l : 0;
    return (!has_parent || t >= keep) && (bone.child < 0 || t <= l - keep);
}

/// How thick the body is at each particle, in scene units: the largest ball of cells that covers one of its cells.
std::vector<double> find_thickness(const BodyCells& body, const CornerLattice& corners) {
    const std::vector<float> radius = lattice::inscribed_radius(body.grid, body.tissue);
    std::vector<double> out(corners.size(), 0);
    for (std::size_t k = 0; k < corners.octants.size(); ++k)
        if (corners.octants[k] != lattice::no_cell)
            out[k / 8] = std::max(out[k / 8], double(radius[corners.octants[k]]));
    return out;
}

/// The particles around each bone itself, ascending by joint; a bone too short to have any gets the nearest free one.
std::vector<weights::NodeJoint> find_cores(const std::vector<JointBone>& bones, const Relatives& relatives,
                                           const std::vector<Vec3d>& places, double h) {
    std::vector<weights::NodeJoint> out;
    std::vector<std::uint8_t> holds(bones.size(), 0), taken(places.size(), 0);
    std::size_t free = places.size();
    for (std::uint32_t p = 0; p < places.size(); ++p) {
        const NearestBone best = nearest_bone(places[p], p, bones, relatives);
        if (best.distance2 > h * h) continue;
        out.push_back({p, bones[best.bone].joint});
        holds[best.bone] = taken[p] = 1;
        --free;
    }
    for (std::size_t b = 0; b < bones.size() && free > 0; ++b) {
        if (holds[b]) continue;
        const Vec3d middle = (bones[b].a + bones[b].b) * 0.5;
        std::int64_t best = -1;
        double least = 1e300;
        for (std::uint32_t p = 0; p < places.size(); ++p) {
            if (taken[p]) continue;
            const double away = length(places[p] - middle);
            if (away < least && relatives.may_hold(p, bones[b].joint)) best = p, least = away;
        }
        if (best < 0) continue;
        out.push_back({std::uint32_t(best), bones[b].joint});
        taken[std::size_t(best)] = 1;
        --free;
    }
    std::sort(out.begin(), out.end(), [](const weights::NodeJoint& a, const weights::NodeJoint& b) {
        return a.joint != b.joint ? a.joint < b.joint : a.node < b.node;
    });
    return out;
}

/// Smooths the borders left by keeping only four of many influences. thickness: [particles] in scene units
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

/// Drops tiny weights, which smoothing has spread beyond the reach of any joint.
void drop_crumbs(weights::Influences& particles) {
    weights::Mixture mixture;
    for (std::size_t p = 0; p < particles.size(); ++p) {
        mixture.clear();
        for (std::size_t k = 4 * p; k < 4 * p + 4; ++k)
            if (particles.weights[k] >= least_weight) mixture.add(particles.joints[k], particles.weights[k]);
        mixture.store({&particles.joints[4 * p], 4}, {&particles.weights[4 * p], 4});
    }
}

/// Particles that one bone holds alone.
struct HeldParticles {
    std::vector<weights::Clamp> clamps;  ///< ascending by particle
    std::vector<std::uint8_t> bone;      ///< [particles] inside the cylinder of a bone
};

/// Around the middle of each bone, the flesh belongs to it alone.
HeldParticles hold_around_bones(const WeightInput& in, const std::vector<weights::NodeJoint>& cores,
                                const std::vector<double>& thickness) {
    HeldParticles out;
    out.bone.assign(in.places.size(), 0);
    const weights::NearestBone nearest = weights::nearest_bones(in.corners.neighbours, cores);
    std::vector<std::uint8_t> is_core(in.places.size(), 0);
    for (const weights::NodeJoint& core : cores) is_core[core.node] = 1;
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
        const double width = std::max(bone_width(in, joint), in.h());
        out.bone[p] = least <= width * width;
    }
    return out;
}

/// Gives each joint that holds no particle yet one from its core.
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

/// Pieces that no bone runs through follow the nearest bone across the gap.
void follow_through_air(const WeightInput& in, const Relatives& relatives, weights::Influences& influences) {
    for (std::size_t p = 0; p < in.places.size(); ++p)
        if (!(influences.weights[4 * p] > 0)) {
            influences.joints[4 * p] = in.bones[nearest_bone(in.places[p], p, in.bones, relatives).bone].joint;
            influences.weights[4 * p] = 1;
        }
}

}  // namespace

ParticleWeights diffused_weights(const WeightInput& in) {
    const Relatives relatives(in);
    const std::vector<weights::NodeJoint> cores = find_cores(in.bones, relatives, in.places, in.h());
    const std::vector<double> thickness = find_thickness(in.filled, in.corners);
    HeldParticles held = hold_around_bones(in, cores, thickness);
    hold_one_each(cores, in.character.joints.size(), held);
    ThreadPool pool(1);
    const Kin kin(in.character);
    ParticleWeights out;
    out.bone = std::move(held.bone);
    out.influences = reconcile(
        kin, weights::largest_diffusion_weights({in.corners.neighbours, held.clamps, in.character.joints.size()},
                                                diffused_slots, least_weight, pool));
    follow_through_air(in, relatives, out.influences);
    smooth(in.corners, thickness, in.h(), out.influences);
    out.influences = reconcile(kin, out.influences);
    drop_crumbs(out.influences);
    return out;
}

}  // namespace fascia
