#include "methods/volumetric/point_skin.h"

#include <cmath>

#include "base/portable_math.h"

namespace fascia {

namespace {

struct PointSkinScratch {
    Floats duals;
    std::vector<Affine> maps;  ///< [2 * joints]
    std::vector<Affine> near;  ///< [joints]
    std::vector<Vec3> posed;   ///< [points]
};

}  // namespace

PointSkin::PointSkin(const VolumetricBody& body, std::span<const std::uint32_t> points, std::span<const Affine> rest,
                     Blend blend)
    : size_(points.size()), inverse_rest_(inverse(rest[0])) {
    const double half = 0.5 * body.grid.h;
    centre_ = body.grid.origin + Vec3d{half * body.grid.nx, half * body.grid.ny, half * body.grid.nz};
    std::vector<Vec3> places;
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    for (const std::uint32_t p : points) {
        places.push_back(to_float(body.place(p)));
        for (std::size_t k = 4 * std::size_t(p); k < 4 * std::size_t(p) + 4; ++k) {
            joints.push_back(body.influences.joints[k]);
            weights.push_back(body.influences.weights[k]);
        }
    }
    const SkinSource source{places, {}, {}, joints, weights, 4};
    if (blend == Blend::linear)
        skin_.emplace<LbsSurface>(source, rest);
    else
        skin_.emplace<DqsSurface>(source, rest);
}

Vec3d PointSkin::origin(std::span<const Affine> pose) const {
    // Exactly representable in float, so that adding it last costs no more than the rounding of the sum.
    return portable::rounded_to_float(transform_point(pose[0], transform_point(inverse_rest_, centre_)));
}

void PointSkin::pose(std::span<const Affine> pose, std::span<float> places, Workspace& work) const {
    auto& scratch = work.impl().scratch<PointSkinScratch>();
    const Vec3d from = origin(pose);
    const std::span<Affine> near = sized(scratch.near, pose.size());
    for (std::size_t j = 0; j < pose.size(); ++j) {
        near[j] = pose[j];
        near[j].m[0][3] -= from.x, near[j].m[1][3] -= from.y, near[j].m[2][3] -= from.z;
    }
    const std::span<Vec3> posed = sized(scratch.posed, size_);
    std::visit([&](const auto& skin) { skin.skin(near, {posed, {}, {}}, work); }, skin_);
    for (std::size_t p = 0; p < size_; ++p)
        places[p] = posed[p].x, places[size_ + p] = posed[p].y, places[2 * size_ + p] = posed[p].z;
}

PointTurns::PointTurns(const VolumetricBody& body, std::span<const std::uint32_t> points, std::span<const Affine> rest)
    : rest_(body.surface.positions, rest) {
    for (const std::uint32_t p : points)
        for (std::size_t k = 4 * std::size_t(p); k < 4 * std::size_t(p) + 4; ++k) {
            joints_.push_back(body.influences.joints[k]);
            weights_.push_back(body.influences.weights[k]);
        }
}

bool PointTurns::turn(std::span<const Affine> pose, std::span<float> rotations, Workspace& work) const {
    auto& scratch = work.impl().scratch<PointSkinScratch>();
    const std::size_t joints = pose.size(), n = size();
    const std::span<Affine> both = sized(scratch.maps, 2 * joints);
    const std::span<float> duals = sized(scratch.duals, joints * dual_floats);
    joint_maps(pose, rest_.inverse_rest, pose_origin(pose[0], rest_.inverse_rest[0]), both.first(joints));
    const RigidSplit split = split_rigid(both.first(joints), rest_.pivots, duals, both.last(joints));
    for (std::size_t p = 0; p < n; ++p) {
        const float* first = &duals[dual_floats * joints_[4 * p]];
        float sum[4] = {0, 0, 0, 0};
        for (std::size_t k = 4 * p; k < 4 * p + 4; ++k) {
            const float* q = &duals[dual_floats * joints_[k]];
            const float along = (q[0] * first[0] + q[1] * first[1]) + (q[2] * first[2] + q[3] * first[3]);
            const float w = along < 0 ? -weights_[k] : weights_[k];
            for (std::size_t e = 0; e < 4; ++e) sum[e] += w * q[e];
        }
        const float square = (sum[0] * sum[0] + sum[1] * sum[1]) + (sum[2] * sum[2] + sum[3] * sum[3]);
        const float size = square > 1e-8f ? 1 / std::sqrt(square) : 0;
        for (std::size_t e = 0; e < 4; ++e) rotations[e * n + p] = size > 0 ? size * sum[e] : first[e];
    }
    return !split.has_phase1;
}

}  // namespace fascia
