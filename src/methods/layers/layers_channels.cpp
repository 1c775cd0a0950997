// Puts nodes into channels: the layout in segments, the constants of each lane, and lists for nodes whose neighbourhood
// is not the full box.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/hash.h"
#include "lattice/regions.h"
#include "methods/layers/layers_body.h"
#include "sim/segment_constants.h"

namespace fascia {

namespace {

using lattice::Tissue;
using sim::IrregularLane;
using sim::SegmentConstants;
using sim::Site;

constexpr double bone_kappa = 4;      ///< weight of a bone node's rotation in a region's fit, voxels squared
constexpr double least_kappa = 0.02;  ///< weight of the driven rotation in a region too flat to have one
constexpr int lanes = SegmentConstants::lanes;
constexpr std::size_t ring_block = 1024;         ///< segments between thread barriers, so that these cost little
constexpr std::size_t most_without_ring = 2500;  ///< segments whose scratch fits into a core's own cache

/// Sheets of one cell are numbered so that no two nodes share a site.
std::vector<Site> sites_of(const Tissue& tissue, int& turn) {
    std::vector<Site> sites;
    sites.reserve(tissue.size());
    for (std::size_t i = 0; i < tissue.size(); ++i) {
        const lattice::Cell c = tissue.cells[i];
        const bool again = i > 0 && tissue.cells[i - 1] == c;
        sites.push_back({c.x, c.y, c.z, again ? sites.back().sheet + 1 : 0});
    }
    turn = sim::best_row_axis(sites);
    for (Site& s : sites) s = sim::turned(s, turn);
    return sites;
}

/// The regions of width 3: the neighbours of each node.
lattice::Regions neighbour_regions(const Tissue& tissue) {
    lattice::Regions out;
    out.member_first.push_back(0);
    for (std::size_t i = 0; i < tissue.size(); ++i) {
        for (int place = 0; place < 27; ++place)
            if (tissue.neighbours[27 * i + place] >= 0)
                out.members.push_back(std::uint32_t(tissue.neighbours[27 * i + place]));
        out.member_first.push_back(std::uint32_t(out.members.size()));
    }
    out.owner_first = out.member_first;
    out.owners = out.members;
    return out;
}

lattice::Regions regions_of(const LayersBlueprint& nodes) {
    if (nodes.region_width == 3) return neighbour_regions(nodes.tissue);
    return lattice::find_regions(nodes.tissue, nodes.region_width, lattice::region_spacing(nodes.region_width));
}

/// Constants of a region's fit.
struct RegionNumbers {
    double mass = 0, kappa = 0;
    Vec3d center;  ///< rest centre from the node, voxels
};

Vec3d offset_of(const std::vector<Site>& sites, std::size_t from, std::size_t to) {
    return {double(sites[to].x - sites[from].x), double(sites[to].y - sites[from].y),
            double(sites[to].z - sites[from].z)};
}

std::vector<RegionNumbers> region_numbers(const LayersBlueprint& nodes, const std::vector<Site>& sites,
                                          const lattice::Regions& regions, const std::vector<double>& share) {
    std::vector<RegionNumbers> out(sites.size());
    for (std::size_t r = 0; r < out.size(); ++r) {
        double bone = 0;
        Vec3d spread;
        for (std::uint32_t k = regions.member_first[r]; k < regions.member_first[r + 1]; ++k) {
            const std::uint32_t i = regions.members[k];
            const Vec3d o = offset_of(sites, r, i);
            out[r].mass += share[i];
            out[r].center += o * share[i];
            spread += Vec3d{o.x * o.x, o.y * o.y, o.z * o.z} * share[i];
            if (nodes.layer[i] == lattice::bone_layer) bone += share[i];
        }
        if (out[r].mass <= 0) continue;  // region without members
        out[r].center = out[r].center * (1 / out[r].mass);
        const Vec3d c = out[r].center;
        const double thinnest = std::min({spread.x / out[r].mass - c.x * c.x, spread.y / out[r].mass - c.y * c.y,
                                          spread.z / out[r].mass - c.z * c.z});
        out[r].kappa = bone_kappa * bone + (thinnest < 0.15 ? least_kappa : 0);
    }
    return out;
}

/// The offset at place `place` (0..26) of the 3x3x3 block, in the nodes' turned axes.
Site turned_place(int place, int turn) {
    return sim::turned({place % 3 - 1, place / 3 % 3 - 1, place / 9 - 1, 0}, turn);
}

// ---- vectors ---------------------------------------------------------------------------------------------------
/// The joints of each segment, and their weights in each lane.
void store_joints(LayersBody& body) {
    std::vector<std::map<std::uint16_t, std::array<float, lanes>>> shares(body.layout.segments());
    for (std::size_t i = 0; i < body.node_count(); ++i)
        for (std::size_t k = 0; k < 4; ++k) {
            const std::size_t at = k * body.stride() + body.layout.slots[i];
            if (body.weights[at] == 0) continue;
            const std::uint32_t lane = body.layout.lane_of[i];
            shares[lane / lanes][body.joints[at]][lane % lanes] += body.weights[at];
        }
    body.joint_first.push_back(0);
    for (const auto& segment : shares) {
        for (const auto& [joint, weights] : segment) {
            body.segment_joints.push_back(joint);
            body.joint_weights.insert(body.joint_weights.end(), weights.begin(), weights.end());
        }
        body.joint_first.push_back(std::uint32_t(body.segment_joints.size()));
    }
}

void store_constants(const LayersBlueprint& nodes, const std::vector<RegionNumbers>& numbers, LayersBody& body) {
    const std::size_t stride = body.stride();
    body.constants.assign(body.layout.segments(), {});
    body.boxes.assign(body.layout.segments(), {});
    body.traits.assign(body.layout.segments(), 0);
    body.face_lanes.assign(body.layout.segments(), {});
    body.pair_weight.assign(stride, 0);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t slot = body.layout.slots[i];
        SegmentConstants& c = body.constants[body.layout.lane_of[i] / lanes];
        const int lane = int(body.layout.lane_of[i] % lanes);
        const bool bone = nodes.layer[i] == lattice::bone_layer;
        sim::SegmentBox& box = body.boxes[body.layout.lane_of[i] / lanes];
        box.mass[lane] = float(numbers[i].mass);
        box.inverse_mass[lane] = numbers[i].mass > 0 ? float(1 / numbers[i].mass) : 0.0f;
        box.center[0][lane] = float(numbers[i].center.x);
        box.center[1][lane] = float(numbers[i].center.y);
        box.center[2][lane] = float(numbers[i].center.z);
        box.bone_pull[lane] = float(numbers[i].kappa);
        c.soft[lane] = bone ? 0.0f : 1.0f;
        if (lane == 0)
            for (int axis = 0; axis < 3; ++axis) c.first[axis] = body.rest[axis * stride + slot];
        if (numbers[i].kappa > 0) body.traits[body.layout.lane_of[i] / lanes] |= sim::SegmentTrait::pulled;
        body.pair_weight[slot] = bone ? 1.0f : 0.5f;
    }
    store_joints(body);
}

/// Slot of the neighbour at offset d from a node, on the node's own sheet.
std::uint32_t box_slot(const LayersBody& body, std::size_t i, Site d) {
    const std::uint32_t segment = body.layout.lane_of[i] / lanes, lane = body.layout.lane_of[i] % lanes;
    return body.layout.rows[9 * segment + std::uint32_t(3 * (d.z + 1) + d.y + 1)] + lane + std::uint32_t(d.x);
}

/// A node is regular if its neighbours are exactly the nodes in its box on its own sheet.
bool is_regular(const LayersBlueprint& nodes, const LayersBody& body, std::size_t i) {
    for (int place = 0; place < 27; ++place) {
        const std::uint32_t slot = box_slot(body, i, turned_place(place, body.turn));
        const std::int32_t j = nodes.tissue.neighbours[27 * i + place];
        const bool there = body.volume_weight[slot] >= 0;
        if (there != (j >= 0) || (there && body.layout.slots[j] != slot)) return false;
    }
    return true;
}

/// How the neighbourhood of one node differs from its box.
class Differences {
public:
    explicit Differences(std::vector<sim::BoxDifference>& all) : all_(all), first_(all.size()) {}

    sim::BoxDifference& at(std::uint32_t slot, Site d) {
        for (std::size_t k = first_; k < all_.size(); ++k)
            if (all_[k].slot == slot) return all_[k];
        all_.push_back({slot, std::int8_t(d.x), std::int8_t(d.y), std::int8_t(d.z), 0, 0});
        return all_.back();
    }
    /// Drops entries that make no difference.
    void drop_equal() {
        all_.erase(std::remove_if(all_.begin() + std::ptrdiff_t(first_), all_.end(),
                                  [](const sim::BoxDifference& d) { return d.neighbour == 0 && d.member == 0; }),
                   all_.end());
    }

private:
    std::vector<sim::BoxDifference>& all_;
    std::size_t first_;
};

void list_differences(const LayersBlueprint& nodes, const std::vector<Site>& sites, const lattice::Regions& regions,
                      std::size_t i, LayersBody& body) {
    Differences differences(body.differences);
    const auto& slots = body.layout.slots;
    for (int place = 0; place < 27; ++place) {
        const Site d = turned_place(place, body.turn);
        const std::uint32_t slot = box_slot(body, i, d);
        const std::int32_t j = nodes.tissue.neighbours[27 * i + place];
        if (place == 13) continue;
        if (body.volume_weight[slot] >= 0) --differences.at(slot, d).neighbour, --differences.at(slot, d).member;
        if (j >= 0) ++differences.at(slots[std::size_t(j)], d).neighbour;
    }
    for (std::uint32_t k = regions.member_first[i]; k < regions.member_first[i + 1]; ++k) {
        const std::uint32_t j = regions.members[k];
        const Site d{sites[j].x - sites[i].x, sites[j].y - sites[i].y, sites[j].z - sites[i].z, 0};
        if (j != i) ++differences.at(slots[j], d).member;
    }
    differences.drop_equal();
}

/// Bits -x +x -y +y -z +z of the face neighbours that a node is connected to.
std::uint8_t connected_faces(const LayersBlueprint& nodes, const std::vector<Site>& sites, int turn, std::size_t i) {
    std::uint8_t out = 0;
    for (const int place : {12, 14, 10, 16, 4, 22}) {
        const Site d = turned_place(place, turn);
        const std::int32_t j = nodes.tissue.neighbours[27 * i + std::size_t(place)];
        // The volume passes do not reach across sheets: a face that leads to another sheet counts as open.
        const int axis = d.x != 0 ? 0 : d.y != 0 ? 1 : 2, up = d.x + d.y + d.z > 0;
        if (j >= 0 && sites[std::size_t(j)].sheet == sites[i].sheet) out |= std::uint8_t(1 << (2 * axis + up));
    }
    return out;
}

void store_irregular(const LayersBlueprint& nodes, const std::vector<Site>& sites, const lattice::Regions& regions,
                     LayersBody& body) {
    std::vector<std::uint32_t> by_lane(sites.size());
    for (std::uint32_t i = 0; i < sites.size(); ++i) by_lane[i] = i;
    std::sort(by_lane.begin(), by_lane.end(),
              [&](std::uint32_t a, std::uint32_t b) { return body.layout.lane_of[a] < body.layout.lane_of[b]; });
    body.irregular_first.assign(body.layout.segments() + 1, 0);
    for (const std::uint32_t i : by_lane) {
        if (is_regular(nodes, body, i)) continue;
        IrregularLane lane;
        lane.lane = std::uint8_t(body.layout.lane_of[i] % lanes);
        lane.faces = connected_faces(nodes, sites, body.turn, i);
        lane.first = std::uint32_t(body.differences.size());
        list_differences(nodes, sites, regions, i, body);
        lane.count = std::uint32_t(body.differences.size()) - lane.first;
        body.irregular.push_back(lane);
        ++body.irregular_first[body.layout.lane_of[i] / lanes + 1];
    }
    for (std::size_t k = 0; k < body.layout.segments(); ++k) body.irregular_first[k + 1] += body.irregular_first[k];
}

// ---- regions as lists ------------------------------------------------------------------------------------------
/// Members of a region as runs along x; members on other sheets are elsewhere in memory and form runs of their own.
void store_runs(const std::vector<Site>& sites, const LayersBody& body, const lattice::Regions& regions,
                std::uint32_t anchor, std::vector<std::uint32_t>& order, sim::ListedRegions& out) {
    order.assign(regions.members.begin() + regions.member_first[anchor],
                 regions.members.begin() + regions.member_first[anchor + 1]);
    const auto& slots = body.layout.slots;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return slots[a] < slots[b]; });
    for (std::size_t k = 0; k < order.size(); ++k) {
        const Site &own = sites[anchor], &at = sites[order[k]];
        const Site* last = k > 0 ? &sites[order[k - 1]] : nullptr;
        if (last != nullptr && slots[order[k]] == slots[order[k - 1]] + 1 && at.x == last->x + 1 && at.y == last->y &&
            at.z == last->z) {
            ++out.runs.back().count;
            continue;
        }
        out.runs.push_back(
            {slots[order[k]], std::int8_t(at.x - own.x), std::int8_t(at.y - own.y), std::int8_t(at.z - own.z), 1});
    }
    out.run_first.push_back(std::uint32_t(out.runs.size()));
}

void store_listed(const std::vector<Site>& sites, const lattice::Regions& regions,
                  const std::vector<RegionNumbers>& numbers, LayersBody& body) {
    sim::ListedRegions& out = body.listed;
    std::vector<std::uint32_t> order, number(sites.size(), 0), anchors;
    for (std::uint32_t i = 0; i < sites.size(); ++i)
        if (regions.member_first[i] < regions.member_first[i + 1]) anchors.push_back(i);
    out.run_first.push_back(0);
    out.center.resize(3 * anchors.size());
    for (std::size_t k = 0; k < anchors.size(); ++k) {
        const std::uint32_t i = anchors[k];
        number[i] = std::uint32_t(k);
        out.anchors.push_back(body.layout.slots[i]);
        out.inverse_mass.push_back(float(1 / numbers[i].mass));
        out.pull.push_back(float(numbers[i].kappa));
        const double center[3] = {numbers[i].center.x, numbers[i].center.y, numbers[i].center.z};
        for (std::size_t c = 0; c < 3; ++c) out.center[c * anchors.size() + k] = float(center[c]);
        store_runs(sites, body, regions, i, order, out);
    }
    out.owner_first.push_back(0);
    for (std::size_t i = 0; i < sites.size(); ++i) {
        out.points.push_back(body.layout.slots[i]);
        for (std::uint32_t k = regions.owner_first[i]; k < regions.owner_first[i + 1]; ++k)
            out.owners.push_back(number[regions.owners[k]]);
        out.owner_first.push_back(std::uint32_t(out.owners.size()));
    }
}

// ---- plain loops -----------------------------------------------------------------------------------------------
void store_lists(const LayersBody& body, const std::vector<std::uint32_t>& first,
                 const std::vector<std::uint32_t>& list, std::vector<std::uint32_t>& out_first,
                 std::vector<std::uint32_t>& out) {
    const auto slots = body.slots();
    out_first.assign(body.stride() + 1, 0);
    for (std::size_t i = 0; i < slots.size(); ++i) out_first[slots[i] + 1] = first[i + 1] - first[i];
    for (std::size_t k = 0; k < body.stride(); ++k) out_first[k + 1] += out_first[k];
    out.resize(list.size());
    for (std::size_t i = 0; i < slots.size(); ++i)
        for (std::uint32_t k = 0; k < first[i + 1] - first[i]; ++k)
            out[out_first[slots[i]] + k] = slots[list[first[i] + k]];
}

void store_reference(const LayersBlueprint& nodes, const lattice::Regions& regions,
                     const std::vector<RegionNumbers>& numbers, LayersBody& body) {
    const std::size_t stride = body.stride();
    const auto slots = body.slots();
    store_lists(body, regions.member_first, regions.members, body.member_first, body.members);
    store_lists(body, regions.owner_first, regions.owners, body.owner_first, body.owners);
    body.softness.assign(stride, 0);
    body.region.assign(5 * stride, 0);
    body.neighbours.assign(27 * stride, -1);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const std::size_t at = slots[i];
        body.softness[at] = nodes.layer[i] == lattice::bone_layer ? 0.0f : 1.0f;
        const double values[5] = {numbers[i].mass > 0 ? 1 / numbers[i].mass : 0, numbers[i].center.x,
                                  numbers[i].center.y, numbers[i].center.z, numbers[i].kappa};
        for (std::size_t k = 0; k < 5; ++k) body.region[k * stride + at] = float(values[k]);
        for (int place = 0; place < 27; ++place) {
            const std::int32_t j = nodes.tissue.neighbours[27 * i + place];
            const Site d = turned_place(place, body.turn);
            if (j >= 0) body.neighbours[27 * at + lattice::block_place(d.x, d.y, d.z)] = std::int32_t(slots[j]);
        }
    }
}

}  // namespace

sim::ReferenceBody LayersBody::reference() const {
    return {.stride = stride(),
            .points = layout.slots,
            .h = 1,
            .rest = rest,
            .joints = joints,
            .weights = weights,
            .neighbours = neighbours,
            .softness = softness,
            .volume_weight = volume_weight,
            .member_first = member_first,
            .members = members,
            .owner_first = owner_first,
            .owners = owners,
            .mass = mass,
            .region = region,
            .shared_rotations = lattice::region_spacing(blueprint->region_width) > 1,
            .linear = blueprint->linear};
}

/// [Iwamoto 2015, eq. 13]
void store_in_channels(const LayersBlueprint& nodes, LayersBody& body) {
    const std::size_t n = nodes.tissue.size();
    const std::vector<Site> sites = sites_of(nodes.tissue, body.turn);
    body.layout = sim::build_segments(sites);
    // Lists may reach anywhere, so they need the scratch of all slices at once.
    const bool small = body.layout.segments() <= most_without_ring || nodes.region_width != 3;
    body.ring = sim::build_ring(
        body.layout, small ? int(body.layout.slice_places.size()) : sim::ring_slices(body.layout, ring_block));
    Hasher hasher;
    hasher.values(std::span<const std::uint32_t>(body.layout.slots));
    body.layout_hash = hasher.value();
    const std::size_t stride = body.stride();
    const lattice::Regions regions = regions_of(nodes);

    body.rest.assign(3 * stride, 0);
    body.joints.assign(4 * stride, 0);
    body.weights.assign(4 * stride, 0);
    body.volume_weight.assign(stride, -1);
    body.mass.assign(stride, 0);
    body.neighbour_count.assign(n, 0);
    body.region_count.assign(n, 0);
    const double deepest = *std::max_element(nodes.to_skin.begin(), nodes.to_skin.end());
    std::vector<double> share(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = body.layout.slots[i];
        const Vec3d rest =
            to_axes((body.grid.center(nodes.tissue.cells[i]) - body.centre) * (1 / body.grid.h), body.turn);
        body.rest[at] = float(rest.x);
        body.rest[stride + at] = float(rest.y);
        body.rest[2 * stride + at] = float(rest.z);
        for (int k = 0; k < 4; ++k) {
            // Unused slots repeat the first joint, so that no pass needs a special case.
            const bool used = nodes.influences.weights[4 * i + k] > 0;
            body.joints[k * stride + at] = nodes.influences.joints[4 * i + (used ? k : 0)];
            body.weights[k * stride + at] = nodes.influences.weights[4 * i + k];
        }
        const bool bone = nodes.layer[i] == lattice::bone_layer;
        body.volume_weight[at] = bone ? 0.0f : deepest > 0 ? float(1 - nodes.to_skin[i] / deepest) : 1.0f;
        for (int place = 0; place < 27; ++place)
            body.neighbour_count[i] += place != 13 && nodes.tissue.neighbours[27 * i + place] >= 0;
        // Multiples of 2^-16: sums of them are exact.
        body.region_count[i] = std::uint16_t(regions.owner_first[i + 1] - regions.owner_first[i]);
        share[i] = std::floor(65536.0 / body.region_count[i] + 0.5) / 65536;
        body.mass[at] = float(share[i]);
    }
    // Exactly one voxel apart along a row, because segments store only the position of their first lane.
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = body.layout.slots[i], lane = body.layout.lane_of[i] % lanes;
        body.rest[at] = body.rest[at - lane] + float(lane);
    }
    const std::vector<RegionNumbers> numbers = region_numbers(nodes, sites, regions, share);
    if (body.engine == Engine::segments) {
        store_constants(nodes, numbers, body);
        const bool boxes = nodes.region_width == 3;
        store_irregular(nodes, sites, boxes ? regions : neighbour_regions(nodes.tissue), body);
        if (!boxes) store_listed(sites, regions, numbers, body);
        sim::set_volume_constants(body.layout, body.volume_weight, body.irregular_first, body.irregular, body.constants,
                                  body.boxes, body.traits, body.face_lanes);
        body.box_of = sim::share_boxes(body.boxes);
    } else {
        store_reference(nodes, regions, numbers, body);
    }
}

}  // namespace fascia
