// Skinning vertex by vertex, without vectors: the kernels must match it bit for bit.
#pragma once

#include <span>

#include "skin/bound_weights.h"
#include "skin/joint_maps.h"

namespace fascia {

/// Linear blend skinning (docs/formulas.md B2): v' = (sum_k w_k M_k) v + origin, added to v if `onto`.
/// rows: [joints * row_floats]
void lbs_reference(std::span<const float> rows, const BoundWeights& weights, std::span<const Vec3> in, Vec3 origin,
                   std::span<Vec3> out, bool onto = false);
/// The same for directions, normalised; (0, 1, 0) for zero vectors.
void lbs_directions_reference(std::span<const float> rows, const BoundWeights& weights, std::span<const Vec3> in,
                              std::span<Vec3> out, bool onto = false);

/// Dual quaternion skinning (docs/formulas.md C1) of `scale` * in. duals: [joints * dual_floats]
void dqs_reference(std::span<const float> duals, const BoundWeights& weights, std::span<const Vec3> in, float scale,
                   Vec3 origin, std::span<Vec3> out);
void dqs_directions_reference(std::span<const float> duals, const BoundWeights& weights, std::span<const Vec3> in,
                              std::span<Vec3> out);

/// +1 or -1: the sign that aligns the quaternion of one joint with that of another.
float aligned_sign(const float* dual, const float* pivot);

}  // namespace fascia
