#include "sim/segment_constants.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>

namespace fascia::sim {

namespace {

constexpr int lanes = SegmentConstants::lanes;
constexpr std::uint8_t all_faces = 0x3f;

/// Bits of the face neighbours (-x +x -y +y -z +z) that each lane of a segment is connected to, according to the lists.
std::array<std::uint8_t, lanes> connected_faces(std::span<const IrregularLane> irregular) {
    std::array<std::uint8_t, lanes> faces;
    faces.fill(all_faces);
    for (const IrregularLane& lane : irregular) faces[lane.lane] = lane.faces;
    return faces;
}

/// Weights of the six face neighbours of a point, -1 if there is none.
std::array<float, 6> face_weights(const std::uint32_t* rows, std::size_t lane, std::uint8_t faces,
                                  std::span<const float> volume_weight) {
    const std::size_t places[6] = {rows[4] + lane - 1, rows[4] + lane + 1, rows[3] + lane,
                                   rows[5] + lane,     rows[1] + lane,     rows[7] + lane};
    std::array<float, 6> out;
    for (int face = 0; face < 6; ++face) out[face] = faces >> face & 1 ? volume_weight[places[face]] : -1.0f;
    return out;
}

/// Returns whether some axis has no neighbour at all.
bool set_lane(const std::array<float, 6>& around, float own, std::size_t lane, SegmentConstants& c, SegmentBox& box) {
    float total = c.volume_weights[3][lane] = own;
    bool thin = false;
    for (int axis = 0; axis < 3; ++axis) {
        const bool below = around[2 * axis] >= 0, above = around[2 * axis + 1] >= 0;
        const float reach = below && above ? 0.5f : below || above ? 1.0f : 0.0f;
        const float weight = std::max(around[2 * axis], 0.0f) + std::max(around[2 * axis + 1], 0.0f);
        box.reach[axis][lane] = reach;
        box.lean[axis][lane] = float(below) - float(above);
        c.volume_weights[axis][lane] = weight * reach * reach;
        total += weight;
        thin |= !below && !above;
    }
    if (total > 0) c.least_gradient[lane] = std::max(total * 0.05f, 1e-6f);
    return thin;
}

}  // namespace

void set_volume_constants(const SegmentLayout& layout, std::span<const float> volume_weight,
                          std::span<const std::uint32_t> irregular_first, std::span<const IrregularLane> irregular,
                          std::span<SegmentConstants> constants, std::span<SegmentBox> boxes,
                          std::span<std::uint8_t> traits, std::span<FaceLanes> face_lanes) {
    for (std::size_t k = 0; k < constants.size(); ++k) {
        const auto listed = irregular.subspan(irregular_first[k], irregular_first[k + 1] - irregular_first[k]);
        const auto faces = connected_faces(listed);
        for (std::size_t lane = 0; lane < lanes; ++lane)
            for (std::size_t face = 0; face < 6; ++face)
                face_lanes[k].of[face] |= std::uint8_t((faces[lane] >> face & 1) << lane);
        if (!listed.empty()) traits[k] |= SegmentTrait::irregular;
        const std::uint32_t* rows = &layout.rows[9 * k];
        SegmentConstants& c = constants[k];
        std::fill(c.least_gradient, c.least_gradient + lanes, std::numeric_limits<float>::infinity());
        for (std::size_t lane = 0; lane < lanes; ++lane)
            if (layout.live[k] >> lane & 1 && set_lane(face_weights(rows, lane, faces[lane], volume_weight),
                                                       volume_weight[rows[4] + lane], lane, c, boxes[k]))
                traits[k] |= SegmentTrait::thin;
    }
}

std::vector<std::uint32_t> share_boxes(BoxArray& boxes) {
    const auto before = [](const SegmentBox* a, const SegmentBox* b) { return std::memcmp(a, b, sizeof *a) < 0; };
    std::map<const SegmentBox*, std::uint32_t, decltype(before)> kinds(before);
    std::vector<std::uint32_t> box_of;
    BoxArray shared;
    for (const SegmentBox& box : boxes) {
        const auto [kind, is_new] = kinds.emplace(&box, std::uint32_t(shared.size()));
        if (is_new) shared.push_back(box);
        box_of.push_back(kind->second);
    }
    boxes = std::move(shared);
    return box_of;
}

}  // namespace fascia::sim
