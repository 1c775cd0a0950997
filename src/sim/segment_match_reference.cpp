#include <cmath>

#include "sim/rotation_fit.h"
#include "sim/segment_reference.h"

namespace fascia::sim {

namespace {

/// Sums over one region about its own point, in units of h.
struct Moments {
    float first[3] = {};      ///< sum of m y,     y = p_i - p_r
    float second[3][3] = {};  ///< sum of m y o^T, o = rest_i - rest_r
};

Moments moments(const ReferenceBody& rig, std::span<const float> p, std::size_t r) {
    const std::size_t n = rig.stride;
    const float inverse = 1.0f / rig.h;
    Moments out;
    for (std::uint32_t k = rig.member_first[r]; k < rig.member_first[r + 1]; ++k) {
        const std::size_t i = rig.members[k];
        const float m = rig.mass[i];
        float y[3], o[3];
        for (std::size_t c = 0; c < 3; ++c) {
            y[c] = m * ((p[c * n + i] - p[c * n + r]) * inverse);
            o[c] = (rig.rest[c * n + i] - rig.rest[c * n + r]) * inverse;
        }
        for (int a = 0; a < 3; ++a) {
            out.first[a] += y[a];
            for (int b = 0; b < 3; ++b) out.second[a][b] += y[a] * o[b];
        }
    }
    return out;
}

/// The rigid map of every region, from its fit: x -> R (x - rest centre) + centre.
void fit_regions(const ReferenceBody& rig, ReferenceArrays& arrays, std::span<const float> p) {
    const std::size_t n = rig.stride;
    for (const std::size_t r : rig.points) {
        if (rig.member_first[r] == rig.member_first[r + 1]) continue;
        const Moments sums = moments(rig, p, r);
        const float inverse_mass = rig.region[r], kappa = rig.region[4 * n + r];
        const float rest_center[3] = {rig.region[n + r], rig.region[2 * n + r], rig.region[3 * n + r]};
        const Rotation turned{arrays.turned[r], arrays.turned[n + r], arrays.turned[2 * n + r],
                              arrays.turned[3 * n + r]};
        const Matrix bone = matrix_of(turned);
        Matrix a;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                a.m[i][j] = (sums.second[i][j] - sums.first[i] * rest_center[j]) + kappa * bone.m[i][j];
        const Rotation guess = turned * Rotation{arrays.rotations[r], arrays.rotations[n + r],
                                                 arrays.rotations[2 * n + r], arrays.rotations[3 * n + r]};
        const Rotation q = fit_rotation(a, guess);
        const Rotation relative = unit(conjugate(turned) * q);
        arrays.rotations[r] = relative.w;
        arrays.rotations[n + r] = relative.x;
        arrays.rotations[2 * n + r] = relative.y;
        arrays.rotations[3 * n + r] = relative.z;
        const Matrix rotation = matrix_of(q);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) arrays.transforms[(3 * i + j) * n + r] = rotation.m[i][j];
            arrays.transforms[(9 + i) * n + r] = p[i * n + r] + rig.h * (sums.first[i] * inverse_mass);
        }
    }
}

/// g = mean over the regions r that hold i of  R_r (rest_i - rest centre_r) + centre_r
/// [Iwamoto 2015, eq. 4] [Iwamoto 2015, eq. 5]
void apply_goals(const ReferenceBody& rig, const ReferenceTuning& tuning, const ReferenceArrays& arrays,
                 std::span<const float> from, std::span<float> to) {
    const std::size_t n = rig.stride;
    const auto t = arrays.transforms;
    for (const std::size_t i : rig.points) {
        float goal[3] = {};
        for (std::uint32_t k = rig.owner_first[i]; k < rig.owner_first[i + 1]; ++k) {
            const std::size_t r = rig.owners[k];
            float o[3];
            for (std::size_t c = 0; c < 3; ++c)
                o[c] = (rig.rest[c * n + i] - rig.rest[c * n + r]) - rig.h * rig.region[(1 + c) * n + r];
            // Relative to the point itself: small numbers add up without loss of precision.
            for (std::size_t c = 0; c < 3; ++c)
                goal[c] += (t[(3 * c) * n + r] * o[0] + t[(3 * c + 1) * n + r] * o[1] + t[(3 * c + 2) * n + r] * o[2]) +
                           (t[(9 + c) * n + r] - from[c * n + i]);
        }
        const float scale = rig.softness[i] * tuning.match[i] / float(rig.owner_first[i + 1] - rig.owner_first[i]);
        for (std::size_t c = 0; c < 3; ++c) to[c * n + i] = from[c * n + i] + scale * goal[c];
    }
}

/// If there are fewer regions than points, a point turns with the mean of those that hold it.
void share_rotations(const ReferenceBody& rig, ReferenceArrays& arrays) {
    const std::size_t n = rig.stride;
    for (const std::size_t i : rig.points) {
        double sum[4] = {};
        for (std::uint32_t k = rig.owner_first[i]; k < rig.owner_first[i + 1]; ++k) {
            const std::size_t r = rig.owners[k];
            const double side = arrays.rotations[r] < 0 ? -1 : 1;
            for (std::size_t c = 0; c < 4; ++c) sum[c] += side * arrays.rotations[c * n + r];
        }
        const double length = std::sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3]);
        for (std::size_t c = 0; c < 4; ++c) arrays.gradients[c * n + i] = float(sum[c] / length);
    }
    for (const std::size_t i : rig.points)
        for (std::size_t c = 0; c < 4; ++c) arrays.rotations[c * n + i] = arrays.gradients[c * n + i];
}

}  // namespace

void match_reference(const ReferenceBody& rig, const ReferenceTuning& tuning, ReferenceArrays& arrays,
                     std::span<const float> from, std::span<float> to) {
    fit_regions(rig, arrays, from);
    apply_goals(rig, tuning, arrays, from, to);
    if (rig.shared_rotations) share_rotations(rig, arrays);
}

}  // namespace fascia::sim
