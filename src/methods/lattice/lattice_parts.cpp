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
constexpr float least_agreement = 0.3f;  ///< if outward directions cancel out further than this, the move stays small
constexpr int membrane_rounds = 60;
constexpr float membrane_pull = 0.3f;  ///< back to its place, so that a bulge spreads over about two cells
constexpr double furthest_move = 2;    ///< the most cells that a part may move
// Bones may compress flesh more than it can compensate without a fold or a bump. Limits, in cells:
constexpr double steepest_step = 1;       ///< from neighbour to neighbour
constexpr double sharpest_bend = 0.4;     ///< from the mean of the neighbours
constexpr double nearest_approach = 0.6;  ///< of neighbours, a cell apart at rest
constexpr int least_particles = 48;       ///< in a part: a smaller one is all border
constexpr double flattest_part = 0.6;     ///< length over width: a slab of a trunk cannot keep a volume of its own
constexpr double furthest_swell =
    2;  ///< of a part's width; a stub of an arm that is pressed against a belly needs more than one

/// Joints ordered so that parents come first.
std::vector<int> from_the_root(const std::vector<int>& parents) {
    std::vector<int> depth(parents.size(), -1), order(parents.size()), line;
    for (std::size_t j = 0; j < parents.size(); ++j) {
        line.clear();
        int up = int(j);
        for (; up >= 0 && depth[std::size_t(up)] < 0 && line.size() < parents.size(); up = parents[std::size_t(up)])
            line.push_back(up);
        int above = up >= 0 ? std::max(depth[std::size_t(up)], -1) : -1;
        for (std::size_t k = line.size(); k-- > 0;) depth[std::size_t(line[k])] = ++above;
    }
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return depth[a] < depth[b]; });
    return order;
}

/// Answers which joints are below which.
class Family {
public:
    explicit Family(const std::vector<int>& parents) : rank_(parents.size(), 0), size_(parents.size(), 1) {
        const std::vector<int> order = from_the_root(parents);
        for (std::size_t k = order.size(); k-- > 0;)
            if (const int up = parents[std::size_t(order[k])]; up >= 0)
                size_[std::size_t(up)] += size_[std::size_t(order[k])];
        // A joint comes first in its family; the families of its children follow one after the other.
        std::vector<std::size_t> next(parents.size(), 0);
        std::size_t roots = 0;
        for (const int joint : order) {
            const int up = parents[std::size_t(joint)];
            std::size_t& start = up >= 0 ? next[std::size_t(up)] : roots;
            rank_[std::size_t(joint)] = start;
            next[std::size_t(joint)] = start + 1;
            start += size_[std::size_t(joint)];
        }
    }
    /// Is `joint` equal to the other one, or below it?
    bool is_within(int other, int joint) const {
        const std::size_t first = rank_[std::size_t(other)], at = rank_[std::size_t(joint)];
        return at >= first && at < first + size_[std::size_t(other)];
    }

private:
    std::vector<std::size_t> rank_, size_;
};

/// [joints] the particles of each, ascending. joint: [particles] or -1
std::vector<std::vector<std::uint32_t>> particles_by_joint(const std::vector<std::int32_t>& joint, std::size_t joints) {
    std::vector<std::vector<std::uint32_t>> out(joints);
    for (std::uint32_t p = 0; p < joint.size(); ++p)
        if (joint[p] >= 0) out[std::size_t(joint[p])].push_back(p);
    return out;
}

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

/// 0 if a single bone holds a particle, 1 if no bone holds more than half of it: only bending flesh loses volume, and
/// only there is it restored.
float blended_share(const weights::Influences& influences, std::size_t particle) {
    const float t = std::min(1.0f, 2 * (1 - influences.weights[particle * std::size_t(influences.slots)]));
    return 0.1f + 0.9f * t * (2 - t);
}

/// The part that each particle moves with: a joint, or -1. Moving a particle changes the volumes of its own part and of
/// the adjacent parts, so it moves with the lowest joint that has all of them at or below it. That way restored volumes
/// stay restored, and an arm cannot move a leg.
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

/// How far each particle moves for lambda = 1: like a membrane that is pushed out where flesh bends and held where
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

/// Scales the directions so that lambda is the distance that the farthest-moving particle of a part moves.
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

/// [joints] Limited by how close neighbours come to each other, by the largest difference between neighbours on the
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

/// All such boxes, those with the most octants first.
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

/// The ends of a box of octants; no value where the body forks, with two particles in the same direction.
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

/// Covers the octants of a particle with as few boxes as possible.
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

/// How far each joint's part reaches along its bones, in cells: halfway to the joints above and below it, to the end of
/// the bone at a leaf.
std::vector<double> part_lengths(const std::vector<Joint>& joints, double h) {
    std::vector<double> up(joints.size(), 0), down(joints.size(), -1);
    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (joints[j].parent < 0) continue;
        const auto parent = std::size_t(joints[j].parent);
        up[j] = 0.5 * length(translation_of(joints[j].rest) - translation_of(joints[parent].rest)) / h;
        down[parent] = std::max(down[parent], up[j]);
    }
    for (std::size_t j = 0; j < joints.size(); ++j)
        up[j] += down[j] >= 0 ? down[j] : length(joints[j].tail - translation_of(joints[j].rest)) / h;
    return up;
}

}  // namespace

/// [Chen 2012, fig. 6]
std::vector<std::int32_t> joint_parts(const weights::Influences& influences, const std::vector<Vec3d>& places,
                                      const std::vector<JointBone>& bones) {
    std::vector<std::int32_t> out(places.size());
    // The bones of a joint are next to one another in the list.
    const auto before = [](const JointBone& bone, std::uint16_t joint) { return bone.joint < joint; };
    for (std::size_t p = 0; p < out.size(); ++p) {
        const std::uint16_t strongest = influences.joints[p * std::size_t(influences.slots)];
        out[p] = strongest;
        double least = 1e300;
        for (auto it = std::lower_bound(bones.begin(), bones.end(), strongest, before);
             it != bones.end() && it->joint == strongest; ++it) {
            const JointBone& bone = *it;
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

void join_small_parts(const std::vector<Joint>& joints, double h, std::vector<std::int32_t>& part) {
    std::vector<int> parents;
    for (const Joint& joint : joints) parents.push_back(joint.parent);
    const std::vector<double> along = part_lengths(joints, h);
    std::vector<double> held(joints.size(), 0), below(joints.size(), 0);
    for (const std::int32_t joint : part) ++held[std::size_t(joint)];
    std::vector<std::int32_t> goes_to(joints.size());
    std::iota(goes_to.begin(), goes_to.end(), 0);
    const std::vector<int> order = from_the_root(parents);
    for (std::size_t k = order.size(); k-- > 0;) {
        const auto joint = std::size_t(order[k]);
        const double length = std::max(along[joint] + below[joint], 1e-3), width = std::sqrt(held[joint] / length);
        if (held[joint] == 0 || (held[joint] >= least_particles && length >= flattest_part * width)) continue;
        int up = parents[joint];
        while (up >= 0 && held[std::size_t(up)] == 0) up = parents[std::size_t(up)];
        if (up < 0) continue;
        goes_to[joint] = up;
        held[std::size_t(up)] += held[joint];
        below[std::size_t(up)] = std::max(below[std::size_t(up)], length);
    }
    for (const int joint : order) goes_to[std::size_t(joint)] = goes_to[std::size_t(goes_to[std::size_t(joint)])];
    for (std::int32_t& joint : part) joint = goes_to[std::size_t(joint)];
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
    const auto of_part = particles_by_joint(plan.part, parents.size()),
               moved_by = particles_by_joint(mover, parents.size());
    for (const int joint : from_the_root(parents)) {
        VolumePart next;
        next.joint = joint;
        next.furthest_in = room[std::size_t(joint)].in;
        next.furthest_out = room[std::size_t(joint)].out;
        next.box_first = std::uint32_t(out.boxes.size());
        next.moved_first = std::uint32_t(out.moved.size());
        for (const std::uint32_t p : of_part[std::size_t(joint)]) add_boxes(corners, p, kinds, out.boxes);
        for (const std::uint32_t p : moved_by[std::size_t(joint)]) out.moved.push_back(places.slots[p]);
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

SwollenParts swollen_parts(const LatticeBlueprint& plan, const VolumeParts& volumes, const ParticlePlaces& places) {
    const CornerLattice& corners = plan.corners;
    std::vector<std::uint32_t> border;
    for (std::uint32_t p = 0; p < corners.size(); ++p)
        if (std::any_of(&corners.edges[corners.edge_first[p]], &corners.edges[corners.edge_first[p + 1]],
                        [&](std::uint32_t q) { return plan.part[q] != plan.part[p]; }))
            border.push_back(p);
    const std::vector<std::int32_t> to_border = lattice::steps_along_edges(corners, border);
    const auto place = [&](std::size_t p) {
        const std::size_t i = places.slots[p];
        return Vec3d{places.rest[i], places.rest[places.stride + i], places.rest[2 * places.stride + i]};
    };
    SwollenParts out;
    const auto of_part = particles_by_joint(plan.part, plan.surface.joints.size());
    for (const VolumePart& part : volumes.parts) {
        const std::vector<std::uint32_t>& own = of_part[std::size_t(part.joint)];
        Vec3d centre;
        for (const std::size_t p : own) centre += place(p);
        centre = centre * (1.0 / double(own.size()));
        double longest = 0;
        std::vector<Vec3d> ways;
        for (const std::size_t p : own) {
            // Less towards the border with another part, which stays in place.
            const double steps = to_border[p] < 0 ? 1e3 : to_border[p];
            ways.push_back((place(p) - centre) * ((steps + 1) / (steps + 2)));
            longest = std::max(longest, length(ways.back()));
        }
        SwollenPart next;
        next.first = std::uint32_t(out.places.size());
        for (std::size_t k = 0; k < own.size(); ++k) {
            out.places.push_back(places.slots[own[k]]);
            out.directions.push_back(longest > 0 ? to_float(ways[k] * (1 / longest)) : Vec3{});
        }
        next.last = std::uint32_t(out.places.size());
        next.furthest = furthest_swell * std::cbrt(std::max(part.rest_volume, 0.0));
        out.parts.push_back(next);
    }
    return out;
}

}  // namespace fascia
