// Parts around joints, and their volumes.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

#include "methods/lattice_body.h"
#include "weights/nearest.h"

namespace fascia {

namespace {

using lattice::CornerLattice;

constexpr int smoothing_rounds = 6;
constexpr double furthest_move = 2;    ///< cells that a part may move
constexpr double steepest_step = 0.4;  ///< cells from neighbour to neighbour: bones may press flesh harder than it can
                                       ///< give way without a fold

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
std::vector<std::int32_t> steps_to_others(const CornerLattice& corners, const std::vector<std::int32_t>& part,
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
std::vector<float> moving_shares(const CornerLattice& corners, const std::vector<std::int32_t>& part,
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
void normalise(const std::vector<std::int32_t>& part, std::vector<Vec3>& directions) {
    std::vector<float> longest(std::size_t(*std::max_element(part.begin(), part.end())) + 1, 0);
    for (std::size_t p = 0; p < part.size(); ++p)
        longest[std::size_t(part[p])] = std::max(longest[std::size_t(part[p])], length(directions[p]));
    for (std::size_t p = 0; p < part.size(); ++p)
        if (longest[std::size_t(part[p])] > 0) directions[p] = directions[p] * (1 / longest[std::size_t(part[p])]);
}

/// Where lambda = 1 moves each particle at rest.
std::vector<Vec3> moving_directions(const CornerLattice& corners, const std::vector<std::int32_t>& part,
                                    const weights::Influences& influences, const std::vector<int>& parents) {
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
    return directions;
}

/// By joint: the largest difference between how far neighbours on the body's boundary go for lambda = 1.
std::vector<double> steepest_moves(const CornerLattice& corners, const std::vector<std::int32_t>& part,
                                   const std::vector<Vec3>& directions, std::size_t joints) {
    std::vector<double> out(joints, 0);
    for (std::uint32_t p = 0; p < corners.size(); ++p)
        for (std::uint32_t e = corners.edge_first[p]; e < corners.edge_first[p + 1]; ++e) {
            const std::uint32_t q = corners.edges[e];
            if (!corners.on_boundary(p) || !corners.on_boundary(q)) continue;
            // A neighbour in another part stays for all this part knows.
            const float far = part[q] == part[p] ? length(directions[q]) : 0.0f;
            out[std::size_t(part[p])] =
                std::max(out[std::size_t(part[p])], double(std::abs(length(directions[p]) - far)));
        }
    return out;
}

/// Sides of a particle as bits (docs/formulas.md 0.5): every combination of some sides along each axis.
struct SideBox {
    bool along[3][2];  ///< by axis: lower and upper side
    std::uint8_t sides() const {
        std::uint8_t out = 0;
        for (int side = 0; side < 8; ++side)
            if (along[0][side & 1] && along[1][side >> 1 & 1] && along[2][side >> 2 & 1])
                out |= std::uint8_t(1u << side);
        return out;
    }
};

/// All of them, those of most sides first.
std::vector<SideBox> side_boxes() {
    std::vector<SideBox> out;
    for (int k = 0; k < 27; ++k) {
        const int choice[3] = {k % 3, k / 3 % 3, k / 9};
        SideBox box;
        for (int axis = 0; axis < 3; ++axis)
            box.along[axis][0] = choice[axis] != 1, box.along[axis][1] = choice[axis] != 2;
        out.push_back(box);
    }
    std::stable_sort(out.begin(), out.end(), [](const SideBox& a, const SideBox& b) {
        return std::popcount(a.sides()) > std::popcount(b.sides());
    });
    return out;
}

/// The ends of a box of octants, or nothing where the body forks and has two particles in one direction.
std::optional<BoxVolume> box_volume(const CornerLattice& corners, std::uint32_t particle, const SideBox& box) {
    BoxVolume out;
    std::fill(std::begin(out.ends), std::end(out.ends), particle);
    for (int side = 0; side < 8; ++side) {
        if (!(box.sides() >> side & 1)) continue;
        const std::uint32_t cell = corners.octants[8 * std::size_t(particle) + std::size_t(side)];
        for (int axis = 0; axis < 3; ++axis) {
            std::uint32_t& end = out.ends[2 * axis + (side >> axis & 1)];
            const std::uint32_t there = corners.across(cell, 7 - side, axis);
            if (end != particle && end != there) return std::nullopt;
            end = there;
        }
    }
    return out;
}

/// The octants of a particle as few boxes.
void add_boxes(const CornerLattice& corners, std::uint32_t particle, const std::vector<SideBox>& kinds,
               std::vector<BoxVolume>& out) {
    std::uint8_t left = 0;
    for (int side = 0; side < 8; ++side)
        if (corners.octants[8 * std::size_t(particle) + std::size_t(side)] != lattice::no_cell)
            left |= std::uint8_t(1u << side);
    for (const SideBox& kind : kinds) {
        if ((kind.sides() & left) != kind.sides()) continue;
        const auto box = box_volume(corners, particle, kind);
        if (!box) continue;
        out.push_back(*box);
        left &= std::uint8_t(~kind.sides());
    }
}

}  // namespace

std::vector<std::int32_t> joint_parts(const weights::Influences& influences, const std::vector<Vec3d>& places,
                                      const std::vector<JointBone>& bones) {
    std::vector<std::int32_t> out(places.size());
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

VolumeParts volume_parts(const LatticeBlueprint& plan, const std::vector<int>& parents, const ParticlePlaces& places) {
    const CornerLattice& corners = plan.corners;
    const std::vector<std::int32_t>& part = plan.part;
    VolumeParts out;
    const std::size_t stride = places.stride;
    const std::vector<Vec3> directions = moving_directions(corners, part, plan.influences, parents);
    out.directions.assign(3 * stride, 0);
    for (std::size_t p = 0; p < corners.size(); ++p) {
        const Vec3 v = directions[p];
        const std::size_t at = places.slots[p];
        out.directions[at] = v.x, out.directions[stride + at] = v.y, out.directions[2 * stride + at] = v.z;
    }

    const std::vector<SideBox> kinds = side_boxes();
    std::vector<std::uint16_t> number(parents.size(), 0);
    for (const int joint : from_the_root(parents)) {
        VolumePart next;
        next.joint = joint;
        next.member_first = std::uint32_t(out.members.size());
        next.box_first = std::uint32_t(out.boxes.size());
        for (std::uint32_t p = 0; p < corners.size(); ++p) {
            if (part[p] != joint) continue;
            out.members.push_back(places.slots[p]);
            add_boxes(corners, p, kinds, out.boxes);
        }
        if (out.members.size() == next.member_first) continue;
        next.member_last = std::uint32_t(out.members.size());
        next.box_last = std::uint32_t(out.boxes.size());
        number[std::size_t(joint)] = std::uint16_t(out.parts.size());
        out.parts.push_back(next);
    }
    for (BoxVolume& box : out.boxes)
        for (std::uint32_t& end : box.ends) end = places.slots[end];
    out.part_at.assign(stride, std::uint16_t(out.parts.size()));
    for (std::size_t p = 0; p < corners.size(); ++p) out.part_at[places.slots[p]] = number[std::size_t(part[p])];
    const std::vector<double> steepest = steepest_moves(corners, part, directions, parents.size());
    for (VolumePart& each : out.parts) {
        each.rest_volume = part_volume(out, each, stride, places.rest);
        each.furthest = std::min(furthest_move, steepest_step / std::max(steepest[std::size_t(each.joint)], 1e-6));
    }
    return out;
}

}  // namespace fascia
