#include "methods/volumetric/dual_surface.h"

#include <algorithm>

#include "methods/shared/corner_surface.h"

namespace fascia {

namespace {

struct DualSurfaceScratch {
    std::vector<Affine> maps;  ///< [2 * joints]
    Floats duals, lines, tangents, joint_rows, point_rows, stretched;
};

constexpr std::size_t stretch_grain = 256;  ///< vertices that one thread takes at a time

std::vector<Vec3> about(std::span<const Vec3> positions, Vec3 centre) {
    std::vector<Vec3> out;
    for (const Vec3 p : positions) out.push_back(p - centre);
    return out;
}

}  // namespace

DualSurface::DualSurface(const VolumetricBody& body, const PointWeights& weights, std::span<const Affine> rest)
    : rest_(body.surface.positions, rest),
      bound_(body.bound),
      positions_(pack_for_dqs(about(body.surface.positions, rest_.centre))),
      normals_(pack_for_dqs(body.surface.normals)) {
    std::vector<Vec3> along;
    for (const Vec4 t : body.surface.tangents) along.push_back({t.x, t.y, t.z}), handedness_.push_back(t.w);
    tangents_ = pack_for_dqs(along);
    choose_points(body);
    bind_points(body, weights);
}

DualSurface::DualSurface(const VolumetricBody& body, const PointWeights& weights, const CarriedMesh& mesh,
                         std::span<const Affine> rest)
    : rest_(body.surface.positions, rest),
      bound_(mesh.bound),
      positions_(pack_for_dqs(about(mesh.tied.surface.positions, rest_.centre))),
      normals_(pack_for_dqs(mesh.tied.surface.normals)) {
    choose_points(body);
    bind_points(body, weights);
}

void DualSurface::choose_points(const VolumetricBody& body) {
    points_ = bound_.points;
    std::sort(points_.begin(), points_.end());
    points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
    std::vector<std::uint32_t> place(body.point_count(), 0);
    for (std::uint32_t k = 0; k < points_.size(); ++k) place[points_[k]] = k;
    for (std::uint32_t& point : bound_.points) point = place[point];
    cells_ = pack_dual_cells(bound_.points, bound_.weights);
}

void DualSurface::bind_points(const VolumetricBody& body, const PointWeights& given) {
    constexpr std::size_t slots = PointWeights::slots;
    std::vector<Vec3> places;
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    for (const std::uint32_t p : points_) {
        places.push_back(to_float(body.place(p)));
        for (std::size_t k = slots * p; k < slots * (p + std::size_t(1)); ++k) {
            joints.push_back(given.joints[k]);
            weights.push_back(given.weights[k]);
        }
    }
    weights_ = bind_weights({places, {}, {}, joints, weights, int(slots)});
    duals_ = pack_dual_points(weights_, rest_.joint_count());
}

void DualSurface::skin(std::span<const Affine> pose, const Surface& out, Workspace& work) const {
    auto& scratch = work.impl().scratch<DualSurfaceScratch>();
    const std::size_t joints = rest_.joint_count(), vertices = vertex_count();
    const std::span<Affine> both = sized(scratch.maps, 2 * joints);
    const std::span<float> duals = sized(scratch.duals, joints * dual_floats);
    DualCarry carry;
    carry.origin = pose_origin(pose[0], rest_.inverse_rest[0]);
    joint_maps(pose, rest_.inverse_rest, carry.origin, both.first(joints));
    const RigidSplit split = split_rigid(both.first(joints), rest_.pivots, duals, both.last(joints));
    carry.scale = split.common_scale;
    const std::span<float> lines = sized(scratch.lines, cells_.cells.size() * cell_dual_floats);
    lines_of_cells(duals_, cells_, duals, lines, work);

    const bool positions = out.positions.size() >= vertices, normals = out.normals.size() >= vertices,
               tangents = out.tangents.size() >= vertices && !tangents_.empty();
    const std::span<const Affine> stretch = both.last(joints);
    const std::span<float> rows = sized(scratch.joint_rows, joints * row_floats);
    const auto place = [&](const float* from) {
        carry.positions = from, carry.out_positions = reinterpret_cast<float*>(out.positions.data());
    };
    const auto turn = [&](const float* from, float* to) { carry.directions = from, carry.out_directions = to; };
    const auto go = [&] {
        if (carry.positions != nullptr || carry.directions != nullptr) carry_by_dual_cells(cells_, lines, carry, work);
        carry.positions = carry.directions = nullptr;
    };
    float* const normals_to = reinterpret_cast<float*>(out.normals.data());
    if (!split.has_phase1) {
        if (positions) place(positions_.data());
        if (normals && !normals_.empty()) turn(normals_.data(), normals_to);
        go();
    } else {
        matrix_rows(stretch, rows);
        if (positions) place(stretched(positions_, rows, 1, work).data());
        go();
        cofactor_rows(stretch, rows);
        if (normals && !normals_.empty()) turn(stretched(normals_, rows, 0, work).data(), normals_to);
        go();
        matrix_rows(stretch, rows);
    }
    if (!tangents) return;
    const std::span<float> turned = sized(scratch.tangents, 3 * vertices);
    turn(split.has_phase1 ? stretched(tangents_, rows, 0, work).data() : tangents_.data(), turned.data());
    go();
    for (std::size_t v = 0; v < vertices; ++v)
        out.tangents[v] = {turned[3 * v], turned[3 * v + 1], turned[3 * v + 2], handedness_[v]};
}

/// If bones are scaled, rest vectors are stretched first, by a linear blend of the scales at the points around them.
/// Directions (fourth 0) are unit vectors again.
std::span<const float> DualSurface::stretched(const Floats& rest, std::span<const float> joint_rows, float fourth,
                                              Workspace& work) const {
    auto& scratch = work.impl().scratch<DualSurfaceScratch>();
    constexpr std::size_t three_rows = 12;
    const std::size_t slots = duals_.slots;
    const std::span<float> rows = sized(scratch.point_rows, points_.size() * three_rows);
    for (std::size_t p = 0; p < points_.size(); ++p)
        for (std::size_t e = 0; e < three_rows; ++e) {
            float sum = 0;
            for (std::size_t k = slots * p; k < slots * (p + 1); ++k)
                sum += weights_.weights[k] * joint_rows[row_floats * weights_.joints[k] + e];
            rows[three_rows * p + e] = sum;
        }
    const std::span<float> out = sized(scratch.stretched, rest.size());
    work.impl().pool.for_ranges(vertex_count(), stretch_grain, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t v = begin; v < end; ++v) {
            float row[three_rows] = {};
            for (std::size_t k = 8 * v; k < 8 * v + 8; ++k)
                for (std::size_t e = 0; e < three_rows; ++e)
                    row[e] += bound_.weights[k] * rows[three_rows * bound_.points[k] + e];
            const std::size_t at = v / skin_block * 3 * skin_block + v % skin_block;
            const Vec3 from{rest[at], rest[at + skin_block], rest[at + 2 * skin_block]};
            Vec3 to;
            to.x = row[0] * from.x + row[1] * from.y + row[2] * from.z + row[3] * fourth;
            to.y = row[4] * from.x + row[5] * from.y + row[6] * from.z + row[7] * fourth;
            to.z = row[8] * from.x + row[9] * from.y + row[10] * from.z + row[11] * fourth;
            if (fourth == 0) to = normalized(to, from);
            out[at] = to.x, out[at + skin_block] = to.y, out[at + 2 * skin_block] = to.z;
        }
    });
    return out;
}

}  // namespace fascia
