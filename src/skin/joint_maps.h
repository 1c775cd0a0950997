// From joint matrices to what the skinning kernels read. All of this happens once per frame and joint, in double.
#pragma once

#include <span>

#include "fascia/math.h"

namespace fascia {

/// Floats per joint in a palette of matrices: rows (a, b, c, t) of the 3x4 map, then one row of zeros: one cache line.
constexpr std::size_t row_floats = 16;
/// Floats per joint in a palette of dual quaternions: real w, x, y, z, then dual w, x, y, z.
constexpr std::size_t dual_floats = 8;

/// The constant half of a joint's map: inverse(rest) after the shift by the rest centre.
Affine centred_inverse(const Affine& rest, Vec3 centre);

/// Where the first joint carries the rest centre, rounded to float. Maps are taken relative to it and it is added last,
/// so that a character 10 km away loses no more than the rounding of its distance.
Vec3 pose_origin(const Affine& pose, const Affine& centred_inverse);

/// maps[j] = pose[j] * inverse(rest[j]), from coordinates about the rest centre to coordinates about `origin`.
void joint_maps(std::span<const Affine> pose, std::span<const Affine> centred_inverses, Vec3 origin,
                std::span<Affine> maps);

/// rows: [maps * row_floats]
void matrix_rows(std::span<const Affine> maps, std::span<float> rows);
/// Rows of the cofactors, which carry normals if a map scales unevenly; no translation.
void cofactor_rows(std::span<const Affine> maps, std::span<float> rows);
/// True when some map scales unevenly or shears, so that normals need the cofactors.
bool scales_unevenly(std::span<const Affine> maps);

/// Rotation and symmetric stretch of the linear part of `map` (det > 0): map = rotation * stretch.
struct Polar {
    Affine rotation, stretch;
};
Polar polar(const Affine& map);

/// Two-phase split for dual quaternions (docs/formulas.md C1 wants rigid maps): a stretch about each joint, blended
/// linearly, then one common scale, then a rigid map.
///     map v = rotation (common * phase1 v) + translation,    phase1 v = p + stretch (v - p) / common
struct RigidSplit {
    float common_scale = 1;   ///< scale of the first joint: a scaled armature is not bone scale
    bool has_phase1 = false;  ///< some joint is stretched relative to the first one
};
/// pivots: [maps] the joints at rest about the rest centre. duals: [maps * dual_floats]. phase1: [maps] scratch and
/// result.
RigidSplit split_rigid(std::span<const Affine> maps, std::span<const Vec3d> pivots, std::span<float> duals,
                       std::span<Affine> phase1);

}  // namespace fascia
