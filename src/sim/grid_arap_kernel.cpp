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
        const V3 pull = turned * splat(0.5f) + apart;
        store3(task.values + arap_lanes * g, task.stride, pull);
    }
}

}  // namespace fascia::sim::FASCIA_ISA_NAMESPACE
