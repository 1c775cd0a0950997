// Parts around joints, and their volumes.
#include <algorithm>
#include <numeric>

#include "methods/lattice_body.h"
#include "weights/nearest.h"

namespace fascia {

namespace {

using lattice::CornerLattice;

constexpr int smoothing_rounds = 6;

/// Joints in an order in which parents come first.
std::vector<int> from_the_root(const std::vector<int>& parents) {
    std::vector<int> depth(parents.size(), 0), order(parents.size());
    for (std::size_t j = 0; j < parents.size(); ++j)
        for (int p = parents[j]; p >= 0 && depth[j] <= int(parents.size()); p = parents[std::size_t(p)]) ++depth[j];
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return depth[a] < depth[b]; });
    return order;
}

/// Which part hangs below which: its joint is a descendant of the other's.
class Family {
public:
    explicit Family(const std::vector<int>& parents) : parents_(parents) {}
    bool is_below(int joint, int other) const {
        std::size_t left = parents_.size();
        for (int up = parents_[std::size_t(joint)]; up >= 0 && left-- > 0; up = parents_[std::size_t(up)])
            if (up == other) return true;
        return false;
    }

private:
    const std::vector<int>& parents_;
};

/// Steps along edges inside the own part from the particles that touch a part below it, or one that is not. -1 where
/// there is none.
std::vector<std::int32_t> steps_to_others(const CornerLattice& corners, const std::vector<int>& part,
                                          const Family& family, bool below) {
    std::vector<std::int32_t> steps(corners.size(), -1);
    std::vector<std::uint32_t> queue;
    const auto each_edge = [&](std::uint32_t p, auto&& visit) {
        for (std::uint32_t e = corners.edge_first[p]; e < corners.edge_first[p + 1]; ++e) visit(corners.edges[e]);
    };
    for (std::uint32_t p = 0; p < corners.size(); ++p)
        each_edge(p, [&](std::uint32_t q) {
            if (steps[p] < 0 && part[p] != part[q] && family.is_below(part[q], part[p]) == below)
                steps[p] = 0, queue.push_back(p);
        });
    for (std::size_t k = 0; k < queue.size(); ++k)
        each_edge(queue[k], [&](std::uint32_t q) {
            if (part[q] == part[queue[k]] && steps[q] < 0) steps[q] = steps[queue[k]] + 1, queue.push_back(q);
        });
    return steps;
}

/// 0..1: how far a particle may take part. 0 where it touches a part that does not hang below its own: what was put
/// right stays right, and an arm cannot move a leg. Less towards the other parts, so that there is no crease, and
/// inside.
std::vector<float> moving_shares(const CornerLattice& corners, const std::vector<int>& part,
                                 const std::vector<int>& parents, const std::vector<std::int32_t>& to_boundary) {
    const Family family(parents);
    const auto fixed = steps_to_others(corners, part, family, false),
               below = steps_to_others(corners, part, family, true);
    constexpr int far = 1 << 20;
    const auto room = [&](std::size_t p) {
        return std::min(fixed[p] < 0 ? far : fixed[p], below[p] < 0 ? far : below[p] + 1);
    };
    std::vector<int> widest(parents.size(), 1);
    for (std::size_t p = 0; p < part.size(); ++p)
        if (room(p) < far) widest[std::size_t(part[p])] = std::max(widest[std::size_t(part[p])], room(p));
    std::vector<float> out(part.size());
    for (std::size_t p = 0; p < part.size(); ++p) {
        const float t = std::min(1.0f, float(room(p)) / (0.5f * float(widest[std::size_t(part[p])] + 1)));
        out[p] = t * t * (3 - 2 * t) / float(1 + to_boundary[p]);
    }
    return out;
}

/// 0 where one bone alone holds a particle, 1 where no bone holds more than half of it: only flesh that bends loses
/// volume, and only there it is given back.
float blended_share(const weights::Influences& influences, std::size_t particle) {
    const float t = std::min(1.0f, 2 * (1 - influences.weights[particle * std::size_t(influences.slots)]));
    return 0.1f + 0.9f * t * (2 - t);
}

/// Cells make steps where the body is round: directions are evened out, but what may not move stays.
void smooth(const CornerLattice& corners, const std::vector<float>& shares, std::vector<Vec3>& directions) {
    for (int round = 0; round < smoothing_rounds; ++round) {
        const std::vector<Vec3> before = directions;
        for (std::size_t p = 0; p < corners.size(); ++p) {
            if (!(shares[p] > 0)) continue;
            Vec3 sum = before[p] * 2.0f;
            for (std::uint32_t e = corners.edge_first[p]; e < corners.edge_first[p + 1]; ++e)
                sum += before[corners.edges[e]];
            directions[p] = sum * (1.0f / float(2 + corners.edge_first[p + 1] - corners.edge_first[p]));
        }
    }
}

/// Lambda is how far the particle that moves most in a part goes.
void normalise(const std::vector<int>& part, std::vector<Vec3>& directions) {
    std::vector<float> longest(std::size_t(*std::max_element(part.begin(), part.end())) + 1, 0);
    for (std::size_t p = 0; p < part.size(); ++p)
        longest[std::size_t(part[p])] = std::max(longest[std::size_t(part[p])], length(directions[p]));
    for (std::size_t p = 0; p < part.size(); ++p)
        if (longest[std::size_t(part[p])] > 0) directions[p] = directions[p] * (1 / longest[std::size_t(part[p])]);
}

/// The six neighbours of a particle that all eight cells surround and that has one neighbour in each direction.
bool whole_volume(const CornerLattice& corners, std::uint32_t particle, WholeVolume& out) {
    std::fill(std::begin(out.neighbours), std::end(out.neighbours), lattice::no_cell);
    for (int side = 0; side < 8; ++side) {
        const std::uint32_t cell = corners.octants[8 * std::size_t(particle) + std::size_t(side)];
        if (cell == lattice::no_cell) return false;
        for (int axis = 0; axis < 3; ++axis) {
            std::uint32_t& slot = out.neighbours[2 * axis + (side >> axis & 1)];
            const std::uint32_t there = corners.across(cell, 7 - side, axis);
            if (slot != lattice::no_cell && slot != there) return false;
            slot = there;
        }
    }
    return true;
}

void add_octants(const CornerLattice& corners, std::uint32_t particle, std::vector<OctantVolume>& out) {
    for (int side = 0; side < 8; ++side) {
        const std::uint32_t cell = corners.octants[8 * std::size_t(particle) + std::size_t(side)];
        if (cell == lattice::no_cell) continue;
        OctantVolume octant;
        octant.corner = particle;
        for (int axis = 0; axis < 3; ++axis) {
            octant.along[axis] = corners.across(cell, 7 - side, axis);
            if (!(side >> axis & 1)) octant.sign = -octant.sign;
        }
        out.push_back(octant);
    }
}

}  // namespace

std::vector<int> joint_parts(const weights::Influences& influences, const std::vector<Vec3d>& places,
                             const std::vector<JointBone>& bones) {
    std::vector<int> out(places.size());
    for (std::size_t p = 0; p < out.size(); ++p) {
        const std::uint16_t strongest = influences.joints[p * std::size_t(influences.slots)];
        out[p] = strongest;
        double least = 1e300;
        for (const JointBone& bone : bones) {
            if (bone.joint != strongest) continue;
            const double d = weights::squared_distance(places[p], {bone.a, bone.b, bone.joint});
            if (d >= least) continue;
            least = d;
            const Vec3d along = bone.b - bone.a;
            const bool upper = bone.child >= 0 && dot(places[p] - bone.a, along) > 0.5 * dot(along, along);
            out[p] = upper ? bone.child : int(strongest);
        }
    }
    return out;
}

VolumeParts volume_parts(const CornerLattice& corners, const std::vector<int>& part,
                         const weights::Influences& influences, const std::vector<int>& parents,
                         std::span<const float> rest, std::size_t stride) {
    VolumeParts out;
    std::vector<std::uint32_t> boundary;
    for (std::uint32_t p = 0; p < corners.size(); ++p)
        if (corners.on_boundary(p)) boundary.push_back(p);
    const std::vector<std::int32_t> to_boundary = lattice::steps_along_edges(corners, boundary);
    const std::vector<Vec3> outward = lattice::outward_directions(corners, to_boundary);
    const std::vector<float> shares = moving_shares(corners, part, parents, to_boundary);
    std::vector<Vec3> directions(corners.size());
    for (std::size_t p = 0; p < corners.size(); ++p)
        directions[p] = outward[p] * (shares[p] * blended_share(influences, p));
    smooth(corners, shares, directions);
    normalise(part, directions);
    out.directions.assign(3 * stride, 0);
    for (std::size_t p = 0; p < corners.size(); ++p) {
        const Vec3 v = directions[p];
        out.directions[p] = v.x, out.directions[stride + p] = v.y, out.directions[2 * stride + p] = v.z;
    }

    for (const int joint : from_the_root(parents)) {
        VolumePart next;
        next.joint = joint;
        next.member_first = std::uint32_t(out.members.size());
        next.whole_first = std::uint32_t(out.wholes.size());
        next.octant_first = std::uint32_t(out.octants.size());
        for (std::uint32_t p = 0; p < corners.size(); ++p) {
            if (part[p] != joint) continue;
            out.members.push_back(p);
            WholeVolume whole;
            if (whole_volume(corners, p, whole))
                out.wholes.push_back(whole);
            else
                add_octants(corners, p, out.octants);
        }
        if (out.members.size() == next.member_first) continue;
        next.member_last = std::uint32_t(out.members.size());
        next.whole_last = std::uint32_t(out.wholes.size());
        next.octant_last = std::uint32_t(out.octants.size());
        next.rest_volume = part_volume(out, next, stride, rest);
        out.parts.push_back(next);
    }
    return out;
}

}  // namespace fascia
