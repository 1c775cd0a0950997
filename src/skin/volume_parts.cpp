#include "skin/volume_parts.h"

#include <algorithm>
#include <cmath>

#include "fascia/math.h"

namespace fascia {

namespace {

Vec3 load(std::span<const float> channels, std::size_t stride, std::size_t i) {
    return {channels[i], channels[stride + i], channels[2 * stride + i]};
}

float det(Vec3 a, Vec3 b, Vec3 c) {
    return dot(a, cross(b, c));
}

/// det of the edges m + lambda n, summed.
class CubicSum {
public:
    void add(const Vec3 (&m)[3], const Vec3 (&n)[3], float scale) {
        const Vec3 mm = cross(m[1], m[2]), nn = cross(n[1], n[2]);
        const Vec3 mixed = cross(m[1], n[2]) + cross(n[1], m[2]);
        sum_.a[0] += double(scale * dot(m[0], mm));
        sum_.a[1] += double(scale * (dot(n[0], mm) + dot(m[0], mixed)));
        sum_.a[2] += double(scale * (dot(m[0], nn) + dot(n[0], mixed)));
        sum_.a[3] += double(scale * dot(n[0], nn));
    }
    const Cubic& sum() const { return sum_; }

private:
    Cubic sum_;
};

/// Half the differences of opposite neighbours: the product of three halves.
constexpr float eighth = 0.125f;

Vec3 turned(std::span<const float> q, std::size_t stride, std::size_t i, Vec3 v) {
    const Vec3 u{q[stride + i], q[2 * stride + i], q[3 * stride + i]};
    const Vec3 t = cross(u, v) * 2.0f;
    return v + t * q[i] + cross(u, t);
}

}  // namespace

Cubic volume_polynomial(const VolumeParts& all, const VolumePart& part, std::size_t stride,
                        std::span<const float> positions, std::span<const float> moves) {
    CubicSum sum;
    for (std::uint32_t k = part.whole_first; k < part.whole_last; ++k) {
        const std::uint32_t* q = all.wholes[k].neighbours;
        Vec3 m[3], n[3];
        for (int axis = 0; axis < 3; ++axis) {
            m[axis] = load(positions, stride, q[2 * axis + 1]) - load(positions, stride, q[2 * axis]);
            n[axis] = load(moves, stride, q[2 * axis + 1]) - load(moves, stride, q[2 * axis]);
        }
        sum.add(m, n, eighth);
    }
    for (std::uint32_t k = part.octant_first; k < part.octant_last; ++k) {
        const OctantVolume& octant = all.octants[k];
        const Vec3 place = load(positions, stride, octant.corner), move = load(moves, stride, octant.corner);
        Vec3 m[3], n[3];
        for (int axis = 0; axis < 3; ++axis) {
            m[axis] = load(positions, stride, octant.along[axis]) - place;
            n[axis] = load(moves, stride, octant.along[axis]) - move;
        }
        sum.add(m, n, octant.sign * eighth);
    }
    return sum.sum();
}

double part_volume(const VolumeParts& all, const VolumePart& part, std::size_t stride,
                   std::span<const float> positions) {
    double sum = 0;
    for (std::uint32_t k = part.whole_first; k < part.whole_last; ++k) {
        const std::uint32_t* q = all.wholes[k].neighbours;
        Vec3 m[3];
        for (int axis = 0; axis < 3; ++axis)
            m[axis] = load(positions, stride, q[2 * axis + 1]) - load(positions, stride, q[2 * axis]);
        sum += double(eighth * det(m[0], m[1], m[2]));
    }
    for (std::uint32_t k = part.octant_first; k < part.octant_last; ++k) {
        const OctantVolume& octant = all.octants[k];
        const Vec3 place = load(positions, stride, octant.corner);
        Vec3 m[3];
        for (int axis = 0; axis < 3; ++axis) m[axis] = load(positions, stride, octant.along[axis]) - place;
        sum += double(octant.sign * eighth * det(m[0], m[1], m[2]));
    }
    return sum;
}

double nearest_root(const Cubic& cubic, double volume, double limit) {
    const double start = cubic.at(0) - volume;
    double lambda = 0;
    for (int round = 0; round < 10; ++round) {
        const double off = cubic.at(lambda) - volume;
        const double slope = cubic.a[1] + lambda * (2 * cubic.a[2] + lambda * 3 * cubic.a[3]);
        if (std::abs(off) < 1e-7 * volume || slope == 0) break;
        lambda = std::clamp(lambda - off / slope, -limit, limit);
    }
    return std::abs(cubic.at(lambda) - volume) < std::abs(start) ? lambda : 0;
}

void preserve_volumes(const VolumeParts& all, std::size_t stride, std::span<const float> rotations,
                      std::span<float> moves, std::span<float> positions, std::span<float> lambdas) {
    for (std::size_t k = 0; k < all.parts.size(); ++k) {
        const VolumePart& part = all.parts[k];
        const auto members = std::span(all.members).subspan(part.member_first, part.member_last - part.member_first);
        for (const std::size_t i : members) {
            const Vec3 v = turned(rotations, stride, i, load(all.directions, stride, i));
            moves[i] = v.x, moves[stride + i] = v.y, moves[2 * stride + i] = v.z;
        }
        const Cubic cubic = volume_polynomial(all, part, stride, positions, moves);
        lambdas[k] = float(nearest_root(cubic, part.rest_volume, furthest_move));
        for (const std::size_t i : members)
            for (std::size_t c = i; c < 3 * stride; c += stride) {
                positions[c] += lambdas[k] * moves[c];
                moves[c] = 0;
            }
    }
}

void move_parts(const VolumeParts& all, std::size_t stride, std::span<const float> rotations,
                std::span<const float> lambdas, std::span<float> positions) {
    for (std::size_t k = 0; k < all.parts.size(); ++k)
        for (std::uint32_t m = all.parts[k].member_first; m < all.parts[k].member_last; ++m) {
            const std::size_t i = all.members[m];
            const Vec3 v = turned(rotations, stride, i, load(all.directions, stride, i));
            positions[i] += lambdas[k] * v.x;
            positions[stride + i] += lambdas[k] * v.y;
            positions[2 * stride + i] += lambdas[k] * v.z;
        }
}

}  // namespace fascia
