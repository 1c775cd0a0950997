#include "sim/grid_arap.h"
#include "sim/rotation_lanes.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

namespace {

constexpr std::size_t arap_lanes = lane_count;
constexpr std::size_t column_floats = 16;

/// Three floats at from[record * index], one index per lane; reads eight.
template <std::size_t record>
FASCIA_LANES_INLINE V3 gather_three(const float* from, const std::uint32_t* index) {
    F8 rows[arap_lanes];
    for (std::size_t k = 0; k < arap_lanes; ++k) rows[k] = load(from + record * index[k]);
    transpose(rows);
    return {rows[0], rows[1], rows[2]};
}

FASCIA_LANES_INLINE F8 height(const Columns<F8>& r, const Columns<F8>& a) {
    return dot(r.x, a.x) + dot(r.y, a.y) + dot(r.z, a.z);
}

FASCIA_LANES_INLINE void store_columns(const Columns<F8>& r, float* out) {
    const F8 none = splat(0);
    F8 low[arap_lanes] = {r.x.x, r.x.y, r.x.z, none, r.y.x, r.y.y, r.y.z, none};
    F8 high[arap_lanes] = {r.z.x, r.z.y, r.z.z, none, none, none, none, none};
    transpose(low);
    transpose(high);
    for (std::size_t k = 0; k < arap_lanes; ++k) {
        store(out + column_floats * k, low[k]);
        store(out + column_floats * k + arap_lanes, high[k]);
    }
}

}  // namespace

/// R = the rotation nearest to sum_j e'_ij e_ij^T. Along an axis the edges of a grid add up to the difference of both
/// ends; where one is missing the point itself stands in for it.
void fit_arap(const ArapFit& task, std::size_t begin, std::size_t end) {
    const I8 live = mask_of_bits(0xff);
    for (std::size_t g = begin; g < end; ++g) {
        const std::uint32_t* ends = task.ends + 6 * arap_lanes * g;
        V3 along[3];
        for (std::size_t axis = 0; axis < 3; ++axis)
            along[axis] = gather_three<arap_floats>(task.places, ends + arap_lanes * (2 * axis + 1)) -
                          gather_three<arap_floats>(task.places, ends + arap_lanes * (2 * axis));
        const Columns<F8> a{along[0], along[1], along[2]};
        const Quat8 before = load_quat(task.rotations + arap_lanes * g, task.stride);
        const Quat8 best = best_rotation(a, live, before);
        // Turned inside out, an element may send the search downhill: then it keeps what it had.
        const Columns<F8> was = columns_of(before), is = columns_of(best);
        const I8 better = height(is, a) > height(was, a);
        store_quat(task.rotations + arap_lanes * g, task.stride, select_quat(better, best, before));
        store_columns({select(better, is.x, was.x), select(better, is.y, was.y), select(better, is.z, was.z)},
                      task.columns + column_floats * arap_lanes * g);
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
