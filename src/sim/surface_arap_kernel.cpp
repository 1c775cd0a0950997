#include "sim/arap_lanes.h"
#include "sim/surface_arap.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

/// R = the rotation nearest to sum_j w_ij e'_ij e_ij^T
void fit_surface(const SurfaceArapTask& task, std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
        const V3 at = gather_three<arap_floats>(task.places, task.own + arap_lanes * g);
        Columns<F8> a{splat3(0), splat3(0), splat3(0)};
        for (std::size_t e = task.group_first[g]; e < task.group_first[g + 1]; ++e) {
            const V3 moved = at - gather_three<arap_floats>(task.places, task.ends + arap_lanes * e);
            const float* edge = task.edges + 4 * arap_lanes * e;
            a.x = a.x + moved * load(edge);
            a.y = a.y + moved * load(edge + arap_lanes);
            a.z = a.z + moved * load(edge + 2 * arap_lanes);
        }
        const Quat8 before = load_quat(task.rotations + arap_lanes * g, task.stride);
        Columns<F8> columns;
        store_quat(task.rotations + arap_lanes * g, task.stride, turn_to_fit(a, before, columns));
        store_columns(columns, task.columns + column_floats * arap_lanes * g);
    }
}

/// values = sum_j w_ij ((R_i + R_j) / 2 (p_i - p_j) - (x_i - x_j))
void pull_surface(const SurfaceArapTask& task, std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
        const std::uint32_t* own = task.own + arap_lanes * g;
        const float* sums = task.sums + 3 * arap_lanes * g;
        const V3 at = gather_three<arap_floats>(task.places, own);
        V3 turned = gather_three<column_floats>(task.columns, own) * load(sums) +
                    gather_three<column_floats>(task.columns + 4, own) * load(sums + arap_lanes) +
                    gather_three<column_floats>(task.columns + 8, own) * load(sums + 2 * arap_lanes);
        V3 apart = splat3(0);
        for (std::size_t e = task.group_first[g]; e < task.group_first[g + 1]; ++e) {
            const std::uint32_t* ends = task.ends + arap_lanes * e;
            const float* edge = task.edges + 4 * arap_lanes * e;
            apart = apart + (gather_three<arap_floats>(task.places, ends) - at) * load(edge + 3 * arap_lanes);
            turned = turned + gather_three<column_floats>(task.columns, ends) * load(edge) +
                     gather_three<column_floats>(task.columns + 4, ends) * load(edge + arap_lanes) +
                     gather_three<column_floats>(task.columns + 8, ends) * load(edge + 2 * arap_lanes);
        }
        store3(task.values + arap_lanes * g, task.stride, turned * splat(0.5f) + apart);
    }
}

}  // namespace fascia::sim::FASCIA_ISA_NAMESPACE
