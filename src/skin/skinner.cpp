#include "skin/skinner.h"

#include "skin/skin_reference.h"

namespace fascia {

SkinnedSurface::SkinnedSurface(const SkinSource& source, std::span<const Affine> rest)
    : weights_(bind_weights(source)),
      centre_(rest_centre(source.positions)),
      normals_(source.normals.begin(), source.normals.end()) {
    for (const Vec3 p : source.positions) positions_.push_back(to_float(to_double(p) - to_double(centre_)));
    for (const Vec4 t : source.tangents) {
        tangents_.push_back({t.x, t.y, t.z});
        handedness_.push_back(t.w);
    }
    for (const Affine& r : rest) {
        inverse_rest_.push_back(centred_inverse(r, centre_));
        pivots_.push_back(translation_of(r) - to_double(centre_));
    }
}

namespace {

enum Scratch { rows_at, cofactors_at, duals_at, vectors_at, moved_at };

std::span<float> scratch(Workspace& work, Scratch index, std::size_t size) {
    return {work.impl().array(index, size).data(), size};
}

std::span<Vec3> scratch_vectors(Workspace& work, Scratch index, std::size_t size) {
    return {reinterpret_cast<Vec3*>(work.impl().array(index, 3 * size).data()), size};
}

std::span<Affine> scratch_maps(Workspace& work, std::size_t size) {
    auto& maps = work.impl().matrices;
    if (maps.size() < size) maps.resize(size);
    return {maps.data(), size};
}

void write_tangents(std::span<const Vec3> directions, std::span<const float> handedness, std::span<Vec4> out) {
    for (std::size_t i = 0; i < directions.size(); ++i)
        out[i] = {directions[i].x, directions[i].y, directions[i].z, handedness[i]};
}

}  // namespace

void SkinnedSurface::lbs(std::span<const Affine> pose, const Surface& out, Workspace& work) const {
    const std::size_t n = vertex_count(), joints = inverse_rest_.size();
    const Vec3 origin = pose_origin(pose[0], inverse_rest_[0]);
    const auto maps = scratch_maps(work, joints);
    joint_maps(pose, inverse_rest_, origin, maps);
    const auto rows = scratch(work, rows_at, joints * row_floats);
    matrix_rows(maps, rows);
    if (out.positions.size() >= n) lbs_reference(rows, weights_, positions_, origin, out.positions);
    if (out.normals.size() >= n && !normals_.empty()) {
        auto normal_rows = rows;
        if (scales_unevenly(maps)) {
            normal_rows = scratch(work, cofactors_at, joints * row_floats);
            cofactor_rows(maps, normal_rows);
        }
        lbs_directions_reference(normal_rows, weights_, normals_, out.normals);
    }
    if (out.tangents.size() >= n && !tangents_.empty()) {
        const auto directions = scratch_vectors(work, vectors_at, n);
        lbs_directions_reference(rows, weights_, tangents_, directions);
        write_tangents(directions, handedness_, out.tangents);
    }
}

void SkinnedSurface::dqs(std::span<const Affine> pose, const Surface& out, Workspace& work) const {
    const std::size_t n = vertex_count(), joints = inverse_rest_.size();
    const Vec3 origin = pose_origin(pose[0], inverse_rest_[0]);
    const auto both = scratch_maps(work, 2 * joints);
    const auto maps = both.first(joints), phase1 = both.last(joints);
    joint_maps(pose, inverse_rest_, origin, maps);
    const auto duals = scratch(work, duals_at, joints * dual_floats);
    const RigidSplit split = split_rigid(maps, pivots_, duals, phase1);

    const auto moved = scratch_vectors(work, moved_at, n);
    const auto rows = scratch(work, rows_at, joints * row_floats);
    const auto stretched = [&](std::span<const Vec3> in, bool is_position, bool is_normal) -> std::span<const Vec3> {
        if (!split.has_phase1) return in;
        is_normal ? cofactor_rows(phase1, rows) : matrix_rows(phase1, rows);
        if (is_position) {
            lbs_reference(rows, weights_, in, {}, moved);
        } else {
            lbs_directions_reference(rows, weights_, in, moved);
        }
        return moved;
    };
    if (out.positions.size() >= n)
        dqs_reference(duals, weights_, stretched(positions_, true, false), split.common_scale, origin, out.positions);
    if (out.normals.size() >= n && !normals_.empty())
        dqs_directions_reference(duals, weights_, stretched(normals_, false, true), out.normals);
    if (out.tangents.size() >= n && !tangents_.empty()) {
        const auto directions = scratch_vectors(work, vectors_at, n);
        dqs_directions_reference(duals, weights_, stretched(tangents_, false, false), directions);
        write_tangents(directions, handedness_, out.tangents);
    }
}

}  // namespace fascia
