#include "skin/volume_parts.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fascia/math.h"

namespace fascia {

namespace {

Vec3 load(std::span<const float> channels, std::size_t stride, std::size_t i) {
    return {channels[i], channels[stride + i], channels[2 * stride + i]};
}

Vec3 turned(std::span<const float> q, std::size_t stride, std::size_t i, Vec3 v) {
    const Vec3 u{q[stride + i], q[2 * stride + i], q[3 * stride + i]};
    const Vec3 t = cross(u, v) * 2.0f;
    return v + t * q[i] + cross(u, t);
}

/// The volume uses half the difference of opposite neighbours on three axes: the product of three halves.
constexpr double eighth = 0.125;

// ---- vectors of four: x y z and padding ------------------------------------------------------------------------
typedef float F4 __attribute__((vector_size(16)));

inline F4 load4(const float* p) {
    F4 out;
    std::memcpy(&out, p, sizeof out);
    return out;
}
inline void store4(float* p, F4 v) {
    std::memcpy(p, &v, sizeof v);
}
/// y z x
inline F4 next_axis(F4 v) {
    return __builtin_shufflevector(v, v, 1, 2, 0, 3);
}
/// z x y
inline F4 last_axis(F4 v) {
    return __builtin_shufflevector(v, v, 2, 0, 1, 3);
}

/// a and its next axes, for cross products.
struct Turning {
    F4 v, next;
    explicit Turning(F4 a) : v(a), next(next_axis(a)) {}
};
/// The cross product with its axes in the order z x y.
inline F4 cross_zxy(const Turning& a, const Turning& b) {
    return a.v * b.next - a.next * b.v;
}

/// Sums of the coefficients, by axis.
struct CoefficientSums {
    F4 a[4] = {};

    /// det of the edges m + lambda n.
    void add(const F4 (&m)[3], const F4 (&n)[3]) {
        const Turning my(m[1]), mz(m[2]), ny(n[1]), nz(n[2]);
        const F4 mm = cross_zxy(my, mz), nn = cross_zxy(ny, nz), mixed = cross_zxy(my, nz) + cross_zxy(ny, mz);
        const F4 mx = last_axis(m[0]), nx = last_axis(n[0]);
        a[0] += mx * mm;
        a[1] += nx * mm + mx * mixed;
        a[2] += mx * nn + nx * mixed;
        a[3] += nx * nn;
    }
    void add_to(Cubic& cubic) const {
        for (int k = 0; k < 4; ++k) cubic.a[k] += eighth * (double(a[k][0]) + double(a[k][1]) + double(a[k][2]));
    }
};

/// Records of one particle.
struct Record {
    float* at;
    F4 place() const { return load4(at); }
    F4 move() const { return load4(at + 4); }
    void set_place(F4 v) { store4(at, v); }
    void set_move(F4 v) { store4(at + 4, v); }
};

}  // namespace

/// [Chen 2012, eq. 11] [Chen 2012, eq. 12]
Cubic volume_polynomial(const VolumeParts& all, const VolumePart& part, std::span<const float> records) {
    constexpr std::uint32_t block = 64;  // number of boxes that are added up in float
    Cubic out;
    for (std::uint32_t first = part.box_first; first < part.box_last; first += block) {
        CoefficientSums sums;
        for (std::uint32_t k = first; k < std::min(first + block, part.box_last); ++k) {
            const std::uint32_t* q = all.boxes[k].ends;
            F4 m[3], n[3];
            for (int axis = 0; axis < 3; ++axis) {
                const float *low = &records[volume_record * q[2 * axis]],
                            *high = &records[volume_record * q[2 * axis + 1]];
                m[axis] = load4(high) - load4(low);
                n[axis] = load4(high + 4) - load4(low + 4);
            }
            sums.add(m, n);
        }
        sums.add_to(out);
    }
    return out;
}

/// [Chen 2012, eq. 7] [Chen 2012, eq. 8]
double part_volume(const VolumeParts& all, const VolumePart& part, std::size_t stride,
                   std::span<const float> positions) {
    double sum = 0;
    for (std::uint32_t k = part.box_first; k < part.box_last; ++k) {
        const std::uint32_t* q = all.boxes[k].ends;
        Vec3 m[3];
        for (int axis = 0; axis < 3; ++axis)
            m[axis] = load(positions, stride, q[2 * axis + 1]) - load(positions, stride, q[2 * axis]);
        sum += eighth * double(dot(m[0], cross(m[1], m[2])));
    }
    return sum;
}

double nearest_root(const Cubic& cubic, double volume, double least, double most) {
    const double start = cubic.at(0) - volume;
    double lambda = 0;
    for (int round = 0; round < 10; ++round) {
        const double off = cubic.at(lambda) - volume;
        const double slope = cubic.a[1] + lambda * (2 * cubic.a[2] + lambda * 3 * cubic.a[3]);
        if (std::abs(off) < 1e-7 * volume || slope == 0) break;
        lambda = std::clamp(lambda - off / slope, least, most);
    }
    return std::abs(cubic.at(lambda) - volume) < std::abs(start) ? lambda : 0;
}

/// [Chen 2012, eq. 10]
double solve_volumes(const VolumeParts& all, std::size_t stride, std::span<const float> rotations,
                     std::span<const float> positions, std::span<float> records, std::span<float> lambdas) {
    double worst = 0;
    for (const std::size_t i : all.places) {
        const Vec3 place = load(positions, stride, i);
        Record record{&records[volume_record * i]};
        record.set_place(F4{place.x, place.y, place.z, 0});
        record.set_move(F4{});
    }
    for (std::size_t k = 0; k < all.parts.size(); ++k) {
        const VolumePart& part = all.parts[k];
        const auto moved = std::span(all.moved).subspan(part.moved_first, part.moved_last - part.moved_first);
        for (const std::size_t i : moved) {
            const Vec3 way = turned(rotations, stride, i, load(all.directions, stride, i));
            Record{&records[volume_record * i]}.set_move(F4{way.x, way.y, way.z, 0});
        }
        const Cubic cubic = volume_polynomial(all, part, records);
        lambdas[k] = float(nearest_root(cubic, part.rest_volume, -part.furthest_in, part.furthest_out));
        worst = std::max(worst, std::abs(cubic.at(double(lambdas[k])) / part.rest_volume - 1));
        for (const std::size_t i : moved) {
            Record record{&records[volume_record * i]};
            record.set_place(record.place() + record.move() * lambdas[k]);
            record.set_move(F4{});
        }
    }
    return worst;
}

void move_parts(const VolumeParts& all, std::size_t stride, std::span<const float> rotations,
                std::span<const float> lambdas, std::span<float> positions) {
    for (const std::size_t i : all.moved) {
        const float lambda = lambdas[all.mover[i]];
        const Vec3 v = turned(rotations, stride, i, load(all.directions, stride, i));
        positions[i] += lambda * v.x;
        positions[stride + i] += lambda * v.y;
        positions[2 * stride + i] += lambda * v.z;
    }
}

}  // namespace fascia
