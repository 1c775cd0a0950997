#include "sim/arap_lanes.h"
#include "sim/grid_arap.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

/// R = the rotation nearest to sum_j e'_ij e_ij^T. Along an axis the edges of a grid add up to the difference of both
/// ends; the point itself stands in for a missing one.
void fit_arap(const ArapFit& task, std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
        const std::uint32_t* ends = task.ends + 6 * arap_lanes * g;
        V3 along[3];
        for (std::size_t axis = 0; axis < 3; ++axis)
            along[axis] = gather_three<arap_floats>(task.places, ends + arap_lanes * (2 * axis + 1)) -
                          gather_three<arap_floats>(task.places, ends + arap_lanes * (2 * axis));
        const Columns<F8> a{along[0], along[1], along[2]};
        const Quat8 before = load_quat(task.rotations + arap_lanes * g, task.stride);
        Columns<F8> columns;
        store_quat(task.rotations + arap_lanes * g, task.stride, turn_to_fit(a, before, columns));
        store_columns(columns, task.columns + column_floats * arap_lanes * g);
    }
}

/// Of a body that has changed its shape by F, whose columns are the mean edges along each axis, and its volume by J =
/// det F: F + (1 - J) / |cof F|^2 cof F has its volume back, to first order by the smallest change.
void swell_arap(const ArapSwell& task, std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
        const std::uint32_t* ends = task.ends + 6 * arap_lanes * g;
        const Columns<F8> turned = columns_of(load_quat(task.rotations + arap_lanes * g, task.stride));
        const V3 without[3] = {turned.x, turned.y, turned.z};
        V3 f[3];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const V3 along = gather_three<arap_floats>(task.places, ends + arap_lanes * (2 * axis + 1)) -
                             gather_three<arap_floats>(task.places, ends + arap_lanes * (2 * axis));
            const F8 share = load(task.shares + arap_lanes * (3 * g + axis));
            const I8 any_edge = share > splat(0);
            f[axis] = {select(any_edge, along.x * share, without[axis].x),
                       select(any_edge, along.y * share, without[axis].y),
                       select(any_edge, along.z * share, without[axis].z)};
        }
        const Columns<F8> cofactor{cross(f[1], f[2]), cross(f[2], f[0]), cross(f[0], f[1])};
        const F8 lost = splat(1) - dot(f[0], cofactor.x);
        const F8 size = dot(cofactor.x, cofactor.x) + dot(cofactor.y, cofactor.y) + dot(cofactor.z, cofactor.z);
        // What is crushed, or inside out, comes back slowly.
        const F8 least = splat(-0.5f);
        const F8 gain = -lane_max(-lane_max(lost / lane_max(size, splat(1)), least), least);
        store_columns({cofactor.x * gain, cofactor.y * gain, cofactor.z * gain},
                      task.columns + column_floats * arap_lanes * g);
    }
}

/// sum_j | e'_ij - R_i e_ij |^2
void measure_arap(const ArapMeasure& task, std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
        const V3 at = gather_three<arap_floats>(task.places, task.own + arap_lanes * g);
        const Columns<F8> turned = columns_of(load_quat(task.rotations + arap_lanes * g, task.stride));
        const V3 along[3] = {turned.x, turned.y, turned.z};
        F8 sum = splat(0);
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t upper = 0; upper < 2; ++upper) {
                const std::size_t side = arap_lanes * (6 * g + 2 * axis + upper);
                const V3 edge = gather_three<arap_floats>(task.places, task.ends + side) - at;
                const V3 off = upper == 1 ? edge - along[axis] : edge + along[axis];
                sum = sum + dot(off, off) * load(task.has_end + side);
            }
        store(task.energies + arap_lanes * g, sum);
    }
}

/// The rotation R that fits edges A best fits A + dA best after a further turn by w:
///     (trace(B) I - sym(B)) w = axial(R^T dA),  B = R^T A,      so that dR = R [w]x.
/// A point that is crushed or inside out, where this has no solution or an enormous one, does not turn.
void lean_arap(const ArapLean& task, std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
        const std::uint32_t* ends = task.ends + 6 * arap_lanes * g;
        V3 edges[3], change[3];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::uint32_t *upper = ends + arap_lanes * (2 * axis + 1), *lower = ends + arap_lanes * (2 * axis);
            edges[axis] = gather_three<arap_floats>(task.places, upper) - gather_three<arap_floats>(task.places, lower);
            change[axis] = gather_three<arap_floats>(task.moves, upper) - gather_three<arap_floats>(task.moves, lower);
        }
        const Quat8 q = load_quat(task.rotations + arap_lanes * g, task.stride);
        const Columns<F8> r = columns_of(q);
        const V3 w = turn_that_follows(r, {edges[0], edges[1], edges[2]}, {change[0], change[1], change[2]});
        float* columns = task.columns + column_floats * arap_lanes * g;
        if (!task.turn) {
            store_columns({r.y * w.z - r.z * w.y, r.z * w.x - r.x * w.z, r.x * w.y - r.y * w.x}, columns);
            continue;
        }
        const Quat8 turned = turned_by_half(q, w * splat(0.5f));
        store_quat(task.rotations + arap_lanes * g, task.stride, turned);
        store_columns(columns_of(turned), columns);
    }
}

/// values = sum_j (R_i + R_j) / 2 (p_i - p_j) - sum_j (x_i - x_j)
void pull_arap(const ArapPull& task, std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
        const V3 at = gather_three<arap_floats>(task.places, task.own + arap_lanes * g);
        V3 turned = splat3(0), apart = splat3(0);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const float* column = task.columns + 4 * axis;
            const V3 own = gather_three<column_floats>(column, task.turn + arap_lanes * g);
            for (std::size_t upper = 0; upper < 2; ++upper) {
                const std::size_t side = arap_lanes * (6 * g + 2 * axis + upper);
                apart = apart + (gather_three<arap_floats>(task.places, task.ends + side) - at);
                const V3 both =
                    (own + gather_three<column_floats>(column, task.end_turns + side)) * load(task.has_end + side);
                turned = upper == 1 ? turned - both : turned + both;
            }
        }
        const V3 pull = turned * splat(0.5f) + apart * splat(task.edges);
        store3(task.values + arap_lanes * g, task.stride, pull);
    }
}

}  // namespace fascia::sim::FASCIA_ISA_NAMESPACE
