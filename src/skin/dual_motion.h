// Motions by blended dual quaternions, lanes are vertices (docs/formulas.md C1):
//     v' = v + 2 / |b|^2 (u x (u x v + w v + e) + w e - we u),    b = (w, u), dual part (we, e)
// which is rotation and translation of the normalised b without a square root. For kernels: everything has internal
// linkage.
#pragma once

#include "skin/kernel_vectors.h"

namespace {

template <class V>
struct Duals {
    V w, x, y, z, we, xe, ye, ze;
};

template <class V>
inline V square_of(const Duals<V>& b) {
    return (b.w * b.w + b.x * b.x) + (b.y * b.y + b.z * b.z);
}

/// s: 2 / |b|^2
template <class V>
inline ThreeOf<V> moved(const Duals<V>& b, V s, V vx, V vy, V vz) {
    const V cx = ((b.y * vz - b.z * vy) + b.w * vx) + b.xe;
    const V cy = ((b.z * vx - b.x * vz) + b.w * vy) + b.ye;
    const V cz = ((b.x * vy - b.y * vx) + b.w * vz) + b.ze;
    const V dx = (b.y * cz - b.z * cy) + (b.w * b.xe - b.we * b.x);
    const V dy = (b.z * cx - b.x * cz) + (b.w * b.ye - b.we * b.y);
    const V dz = (b.x * cy - b.y * cx) + (b.w * b.ze - b.we * b.z);
    return {vx + s * dx, vy + s * dy, vz + s * dz};
}

template <class V>
inline ThreeOf<V> turned(const Duals<V>& b, V s, V vx, V vy, V vz) {
    const V cx = (b.y * vz - b.z * vy) + b.w * vx;
    const V cy = (b.z * vx - b.x * vz) + b.w * vy;
    const V cz = (b.x * vy - b.y * vx) + b.w * vz;
    // Adding +0 removes negative zeros, whose sign would depend on the order of the blend.
    return {(vx + s * (b.y * cz - b.z * cy)) + 0.0f, (vy + s * (b.z * cx - b.x * cz)) + 0.0f,
            (vz + s * (b.x * cy - b.y * cx)) + 0.0f};
}

}  // namespace
