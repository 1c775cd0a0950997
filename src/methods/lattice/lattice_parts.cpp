// Parts around joints, and their volumes.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

#include "methods/lattice/lattice_body.h"
#include "weights/nearest.h"

namespace fascia {

namespace {

using lattice::CornerLattice;

constexpr int smoothing_rounds = 6;
constexpr float least_agreement = 0.3f;  ///< where outward directions cancel out more than this, the move stays small
constexpr int membrane_rounds = 60;
constexpr float membrane_pull = 0.3f;  ///< back to where it was: a bulge spreads over about two cells
constexpr double furthest_move = 2;    ///< cells that a part may move at most
// Bones may compress flesh more than it can make up for without a fold or a bump. Limits, in cells:
constexpr double steepest_step = 1;       ///< from neighbour to neighbour
constexpr double sharpest_bend = 0.4;     ///< from the mean of the neighbours
constexpr double nearest_approach = 0.6;  ///< by which neighbours, a cell apart at rest, may come closer

/// Joints in an order in which parents come first.
std::vector<int> from_the_root(const std::vector<int>& parents) {
    std::vector<int> depth(parents.size(), 0), order(parents.size());
    for (std::size_t j = 0; j < parents.size(); ++j)
        for (int p = parents[j]; p >= 0 && depth[j] <= int(parents.size()); p = parents[std::size_t(p)]) ++depth[j];
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return depth[a] < depth[b]; });
    return order;
}

/// Which joint is below which.
class Family {
public:
    explicit Family(const std::vector<int>& parents) : joints_(parents.size()), within_(joints_ * joints_, 0) {
        for (std::size_t joint = 0; joint < joints_; ++joint) {
            std::size_t left = joints_;
            for (int up = int(joint); up >= 0 && left-- > 0; up = parents[std::size_t(up)])
                within_[std::size_t(up) * joints_ + joint] = 1;
        }
    }
    /// Is `joint` the other one or below it?
    bool is_within(int other, int joint) const { return within_[std::size_t(other) * joints_ + std::size_t(joint)]; }

private:
    std::size_t joints_;
    std::vector<std::uint8_t> within_;
};

/// Averages each vector with those of its neighbours along edges.
void even_out(const CornerLattice& corners, int rounds, std::vector<Vec3>& values) {
    for (int round = 0; round < rounds; ++round) {
        const std::vector<Vec3> before = values;
        for (std::size_t p = 0; p < corners.size(); ++p) {
            Vec3 sum = before[p] * 2.0f;
            for (std::uint32_t e = corners.edge_first[p]; e < corners.edge_first[p + 1]; ++e)
                sum += before[corners.edges[e]];
            values[p] = sum * (1.0f / float(2 + corners.edge_first[p + 1] - corners.edge_first[p]));
        }
    }
}

/// 0 where one bone alone holds a particle, 1 where no bone holds more than half of it: only flesh that bends loses
/// volume, and only there is it given back.
float blended_share(const weights::Influences& influences, std::size_t particle) {
    const float t = std::min(1.0f, 2 * (1 - influences.weights[particle * std::size_t(influences.slots)]));
    return 0.1f + 0.9f * t * (2 - t);
}

/// The part that each particle moves with: a joint, or -1. Moving a particle changes the volumes of its own part and of
/// the parts next to it, so it goes with the lowest joint that has all of them at or below it. That way volumes already
/// restored stay restored, and an arm cannot move a leg.
std::vector<std::int32_t> find_movers(const CornerLattice& corners, const std::vector<std::int32_t>& part,
                                      const std::vector<int>& parents) {
    const Family family(parents);
    std::vector<std::uint8_t> holds(parents.size(), 0);
    for (const std::int32_t joint : part) holds[std::size_t(joint)] = 1;
    std::vector<std::int32_t> out(corners.size(), -1);
    for (std::size_t p = 0; p < corners.size(); ++p) {
        const auto has_all = [&](int joint) {
            for (std::uint32_t e = corners.edge_first[p]; e < corners.edge_first[p + 1]; ++e)
                if (!family.is_within(joint, part[corners.edges[e]])) return false;
            return true;
        };
        int joint = part[p];
        while (joint >= 0 && !(holds[std::size_t(joint)] && has_all(joint))) joint = parents[std::size_t(joint)];
        out[p] = joint;
    }
    return out;
}

/// How far each particle moves for lambda = 1: as a membrane that is pushed out where flesh bends and held where
/// another part begins. It is equally stiff everywhere, so that a wide area bulges and a narrow one hardly moves.
std::vector<float> bulges(const CornerLattice& corners, const std::vector<std::int32_t>& mover,
                          const weights::Influences& influences) {
    std::vector<float> push(corners.size(), 0), out(corners.size(), 0), before;
    for (std::size_t p = 0; p < corners.size(); ++p)
        if (mover[p] >= 0) push[p] = blended_share(influences, p);
    for (int round = 0; round < membrane_rounds; ++round) {
        before = out;
        for (std::size_t p = 0; p < corners.size(); ++p) {
            if (mover[p] < 0) continue;
            float sum = push[p];
            for (std::uint32_t e = corners.edge_first[p]; e < corners.edge_first[p + 1]; ++e)
                if (mover[corners.edges[e]] == mover[p]) sum += before[corners.edges[e]];
            out[p] = sum / (float(corners.edge_first[p + 1] - corners.edge_first[p]) + membrane_pull);
        }
    }
    return out;
}

/// Where lambda = 1 moves each particle at rest: outwards, and less inside. The boundary of the cells is stepped where
/// the body is round, so outward directions are smoothed.
/// [Chen 2012, eq. 9] [Chen 2012, fig. 7]
std::vector<Vec3> moving_directions(const CornerLattice& corners, const std::vector<std::int32_t>& mover,
                                    const weights::Influences& influences) {
    std::vector<std::uint32_t> boundary;
    for (std::uint32_t p = 0; p < corners.size(); ++p)
        if (corners.on_boundary(p)) boundary.push_back(p);
    const std::vector<std::int32_t> to_boundary = lattice::steps_along_edges(corners, boundary);
    std::vector<Vec3> out = lattice::outward_directions(corners, to_boundary);
    even_out(corners, smoothing_rounds, out);
    const std::vector<float> far = bulges(corners, mover, influences);
    for (std::size_t p = 0; p < corners.size(); ++p)
        out[p] = out[p] * (far[p] / (std::max(length(out[p]), least_agreement) * float(1 + to_boundary[p])));
    return out;
}

/// Scales the directions so that lambda is how far the particle of a part that moves most goes.
void normalise(const std::vector<std::int32_t>& mover, std::size_t joints, std::vector<Vec3>& directions) {
    std::vector<float> longest(joints, 0);
    for (std::size_t p = 0; p < mover.size(); ++p)
        if (mover[p] >= 0)
            longest[std::size_t(mover[p])] = std::max(longest[std::size_t(mover[p])], length(directions[p]));
    for (std::size_t p = 0; p < mover.size(); ++p)
        if (mover[p] >= 0 && longest[std::size_t(mover[p])] > 0)
            directions[p] = directions[p] * (1 / longest[std::size_t(mover[p])]);
}

/// How far lambda may go inwards and outwards.
struct Room {
    double in = furthest_move, out = furthest_move;
};

/// By joint: limited by how close neighbours come to each other, by the largest difference between neighbours on the
/// body's boundary, and by the difference from the mean of the neighbours.
std::vector<Room> find_room(const CornerLattice& corners, const std::vector<std::int32_t>& mover,
                            const std::vector<Vec3>& directions, std::size_t joints) {
    std::vector<Room> out(joints);
    const auto limit = [](double bound, double move, double& room) {
        if (move > 0) room = std::min(room, bound / move);
    };
    for (std::uint32_t p = 0; p < corners.size(); ++p) {
        if (mover[p] < 0) continue;
        Room& room = out[std::size_t(mover[p])];
        const double own = length(directions[p]);
        double most = furthest_move, sum = 0, count = 0;
        for (std::uint32_t e = corners.edge_first[p]; e < corners.edge_first[p + 1]; ++e) {
            const std::uint32_t q = corners.edges[e];
            // Neighbours that move with another part count as fixed.
            const Vec3 there = mover[q] == mover[p] ? directions[q] : Vec3{};
            const lattice::Cell a = corners.places[p], b = corners.places[q];
            const double apart = dot(there - directions[p], Vec3{float(b.x - a.x), float(b.y - a.y), float(b.z - a.z)});
            limit(nearest_approach, -apart, room.out);
            limit(nearest_approach, apart, room.in);
            if (!corners.on_boundary(p) || !corners.on_boundary(q)) continue;
            limit(steepest_step, std::abs(own - double(length(there))), most);
            sum += double(length(there)), ++count;
        }
        if (count > 0) limit(sharpest_bend, std::abs(own - sum / count), most);
        room = {std::min(room.in, most), std::min(room.out, most)};
    }
    return out;
}

/// A box of octants around a particle: one or both sides along each axis. Sides are numbered by bits (docs/formulas.md
/// 0.5).
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

/// All such boxes, those with most octants first.
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

/// The ends of a box of octants; no value where the body forks and has two particles in one direction.
/// [Chen 2012, eq. 6]
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

/// Covers the octants of a particle with few boxes.
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

/// [Chen 2012, fig. 6]
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
    const std::vector<std::int32_t> mover = find_movers(corners, plan.part, parents);
    std::vector<Vec3> directions = moving_directions(corners, mover, plan.influences);
    normalise(mover, parents.size(), directions);
    const std::vector<Room> room = find_room(corners, mover, directions, parents.size());
    const std::vector<SideBox> kinds = side_boxes();
    VolumeParts out;
    const std::size_t stride = places.stride;
    out.places.assign(places.slots.begin(), places.slots.end());
    out.directions.assign(3 * stride, 0);
    std::vector<std::uint16_t> number(parents.size(), 0);
    for (const int joint : from_the_root(parents)) {
        VolumePart next;
        next.joint = joint;
        next.furthest_in = room[std::size_t(joint)].in;
        next.furthest_out = room[std::size_t(joint)].out;
        next.box_first = std::uint32_t(out.boxes.size());
        next.moved_first = std::uint32_t(out.moved.size());
        for (std::uint32_t p = 0; p < corners.size(); ++p) {
            if (plan.part[p] == joint) add_boxes(corners, p, kinds, out.boxes);
            if (mover[p] == joint) out.moved.push_back(places.slots[p]);
        }
        if (out.boxes.size() == next.box_first) continue;
        next.box_last = std::uint32_t(out.boxes.size());
        next.moved_last = std::uint32_t(out.moved.size());
        number[std::size_t(joint)] = std::uint16_t(out.parts.size());
        out.parts.push_back(next);
    }
    for (BoxVolume& box : out.boxes)
        for (std::uint32_t& end : box.ends) end = places.slots[end];
    for (VolumePart& each : out.parts) each.rest_volume = part_volume(out, each, stride, places.rest);
    out.mover.assign(stride, std::uint16_t(out.parts.size()));
    for (std::size_t p = 0; p < corners.size(); ++p) {
        if (mover[p] < 0) continue;
        const std::size_t at = places.slots[p];
        const Vec3 v = directions[p];
        out.directions[at] = v.x, out.directions[stride + at] = v.y, out.directions[2 * stride + at] = v.z;
        out.mover[at] = number[std::size_t(mover[p])];
    }
    return out;
}

}  // namespace fascia
