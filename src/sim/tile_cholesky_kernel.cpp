#include <cmath>

#include "sim/lanes.h"
#include "sim/tile_cholesky.h"

namespace fascia::sim::FASCIA_ISA_NAMESPACE {

namespace {

constexpr std::size_t side = 8, tile_floats = side * side;

/// Where the tiles of a column begin: each column has one tile less than the one before it.
FASCIA_LANES_INLINE std::size_t column_at(std::size_t column, std::size_t all) {
    return tile_floats * (column * all - column * (column - 1) / 2);
}

// ---- factor ----------------------------------------------------------------------------------------------------
/// a -= u v^T
FASCIA_LANES_INLINE void subtract_product(const float* u, const float* v, F8 (&a)[side]) {
    for (std::size_t j = 0; j < side; ++j) {
        const F8 column = load(u + side * j);
        for (std::size_t k = 0; k < side; ++k) a[k] = a[k] - column * splat(v[side * j + k]);
    }
}

/// The inverse of the Cholesky factor of a tile, in place. A pivot made too small by rounding is kept away from zero:
/// whatever the matrix, solving gives finite numbers.
void invert_factor(float* tile) {
    double l[side][side] = {}, inverse[side][side] = {};
    for (std::size_t c = 0; c < side; ++c)
        for (std::size_t r = c; r < side; ++r) {
            double sum = double(tile[side * c + r]);
            for (std::size_t k = 0; k < c; ++k) sum -= l[r][k] * l[c][k];
            l[r][c] = r == c ? std::sqrt(sum > 1e-6 ? sum : 1e-6) : sum / l[c][c];
        }
    for (std::size_t c = 0; c < side; ++c)
        for (std::size_t r = c; r < side; ++r) {
            double sum = r == c ? 1.0 : 0.0;
            for (std::size_t k = c; k < r; ++k) sum -= l[r][k] * inverse[k][c];
            inverse[r][c] = sum / l[r][r];
        }
    for (std::size_t c = 0; c < side; ++c)
        for (std::size_t r = 0; r < side; ++r) tile[side * c + r] = float(inverse[r][c]);
}

/// tile := tile inverse^T, with the inverse of the diagonal's factor
FASCIA_LANES_INLINE void divide_by(const float* inverse, float* tile) {
    F8 in[side];
    for (std::size_t j = 0; j < side; ++j) in[j] = load(tile + side * j);
    for (std::size_t k = 0; k < side; ++k) {
        F8 sum = in[0] * splat(inverse[k]);
        for (std::size_t j = 1; j <= k; ++j) sum = sum + in[j] * splat(inverse[side * j + k]);
        store(tile + side * k, sum);
    }
}

// ---- solve -----------------------------------------------------------------------------------------------------
struct Three {
    float *x, *y, *z;
};

FASCIA_LANES_INLINE V3 load_three(const Three& v, std::size_t tile) {
    return {load(v.x + side * tile), load(v.y + side * tile), load(v.z + side * tile)};
}
FASCIA_LANES_INLINE void store_three(const Three& v, std::size_t tile, V3 value) {
    store(v.x + side * tile, value.x);
    store(v.y + side * tile, value.y);
    store(v.z + side * tile, value.z);
}
/// tile v
FASCIA_LANES_INLINE V3 product(const float* tile, const float* x, const float* y, const float* z) {
    const F8 first = load(tile);
    V3 sum{first * splat(x[0]), first * splat(y[0]), first * splat(z[0])};
    for (std::size_t j = 1; j < side; ++j) {
        const F8 column = load(tile + side * j);
        sum = {sum.x + column * splat(x[j]), sum.y + column * splat(y[j]), sum.z + column * splat(z[j])};
    }
    return sum;
}
FASCIA_LANES_INLINE V3 product(const float* tile, const Three& v, std::size_t at) {
    return product(tile, v.x + side * at, v.y + side * at, v.z + side * at);
}
/// Sums over the lanes of eight vectors, one in each lane.
FASCIA_LANES_INLINE F8 sums_of(F8 (&of)[side]) {
    transpose(of);
    return ((of[0] + of[1]) + (of[2] + of[3])) + ((of[4] + of[5]) + (of[6] + of[7]));
}

FASCIA_LANES_INLINE void forward(const TileFront& front, const float* tiles, const Three& v) {
    const std::size_t pivots = front.pivot_tiles(), all = front.all_tiles();
    for (std::size_t j = 0; j < pivots; ++j) {
        const float* tile = tiles + column_at(j, all);
        store_three(v, j, product(tile, v, j));
        for (std::size_t i = j + 1; i < all; ++i) {
            tile += tile_floats;
            store_three(v, i, load_three(v, i) - product(tile, v, j));
        }
    }
}

/// Half of the columns of (tiles below)^T v, lane by lane: as many sums as there are registers for.
FASCIA_LANES_INLINE void gather_below(const float* column, std::size_t half, std::size_t j, std::size_t all,
                                      const Three& v, F8* x, F8* y, F8* z) {
    constexpr std::size_t width = side / 2;
    const F8 none = splat(0);
    F8 sx[width], sy[width], sz[width];
    for (std::size_t k = 0; k < width; ++k) sx[k] = sy[k] = sz[k] = none;
    const float* tile = column + width * side * half;
    for (std::size_t i = j + 1; i < all; ++i) {
        tile += tile_floats;
        const V3 at = load_three(v, i);
        for (std::size_t k = 0; k < width; ++k) {
            const F8 l = load(tile + side * k);
            sx[k] = sx[k] + l * at.x;
            sy[k] = sy[k] + l * at.y;
            sz[k] = sz[k] + l * at.z;
        }
    }
    for (std::size_t k = 0; k < width; ++k)
        x[width * half + k] = sx[k], y[width * half + k] = sy[k], z[width * half + k] = sz[k];
}

FASCIA_LANES_INLINE void backward(const TileFront& front, const float* tiles, const Three& v) {
    const std::size_t pivots = front.pivot_tiles(), all = front.all_tiles();
    for (std::size_t j = pivots; j-- > 0;) {
        const float* column = tiles + column_at(j, all);
        F8 x[side], y[side], z[side];
        for (std::size_t half = 0; half < 2; ++half) gather_below(column, half, j, all, v, x, y, z);
        const V3 left = load_three(v, j) - V3{sums_of(x), sums_of(y), sums_of(z)};
        // The transposed inverse of the diagonal.
        for (std::size_t k = 0; k < side; ++k) {
            const F8 l = load(column + side * k);
            x[k] = l * left.x, y[k] = l * left.y, z[k] = l * left.z;
        }
        store_three(v, j, {sums_of(x), sums_of(y), sums_of(z)});
    }
}

/// Pivots, then room for more up to a whole tile.
FASCIA_LANES_INLINE void load_pivots(const TileSolve& task, const TileFront& front, const Three& v) {
    const float* from = task.values + front.first;
    for (float* to : {v.x, v.y, v.z}) {
        std::memcpy(to, from, front.pivots * sizeof(float));
        for (std::size_t k = front.pivots; k < side * front.pivot_tiles(); ++k) to[k] = 0;
        from += task.size;
    }
}
FASCIA_LANES_INLINE void store_pivots(const TileSolve& task, const TileFront& front, const Three& v) {
    float* to = task.values + front.first;
    for (const float* from : {v.x, v.y, v.z}) {
        std::memcpy(to, from, front.pivots * sizeof(float));
        to += task.size;
    }
}

}  // namespace

void eliminate_tiles(const TileElimination& task) {
    const std::size_t pivots = task.pivot_tiles, all = task.all_tiles;
    float* rest = task.rest;
    for (std::size_t column = 0; column < all; ++column) {
        float* const own = column < pivots ? task.factor + column_at(column, all) : rest;
        const std::size_t before = column < pivots ? column : pivots;
        for (std::size_t row = column; row < all; ++row) {
            float* tile = own + tile_floats * (row - column);
            F8 sum[side];
            for (std::size_t k = 0; k < side; ++k) sum[k] = load(tile + side * k);
            for (std::size_t j = 0; j < before; ++j) {
                const float* line = task.factor + column_at(j, all);
                subtract_product(line + tile_floats * (row - j), line + tile_floats * (column - j), sum);
            }
            for (std::size_t k = 0; k < side; ++k) store(tile + side * k, sum[k]);
            if (column >= pivots) continue;
            if (row == column)
                invert_factor(tile);
            else
                divide_by(own, tile);
        }
        if (column >= pivots) rest += tile_floats * (all - column);
    }
}

void solve_tiles(const TileSolve& task) {
    const Three v{task.scratch, task.scratch + task.stride, task.scratch + 2 * task.stride};
    for (std::size_t f = 0; f < task.count; ++f) {
        const TileFront& front = task.fronts[f];
        const std::size_t pivots = side * front.pivot_tiles(), all = side * front.all_tiles();
        load_pivots(task, front, v);
        for (float* to : {v.x, v.y, v.z})
            for (std::size_t k = pivots; k < all; ++k) to[k] = 0;
        forward(front, task.tiles + front.tiles, v);
        store_pivots(task, front, v);
        const std::uint32_t* rows = task.rows + front.rows_first;
        for (std::size_t k = 0; k < front.rows; ++k) {
            float* to = task.values + rows[k];
            to[0] += v.x[pivots + k], to[task.size] += v.y[pivots + k], to[2 * task.size] += v.z[pivots + k];
        }
    }
    for (std::size_t f = task.count; f-- > 0;) {
        const TileFront& front = task.fronts[f];
        const std::size_t pivots = side * front.pivot_tiles(), all = side * front.all_tiles();
        load_pivots(task, front, v);
        const std::uint32_t* rows = task.rows + front.rows_first;
        for (std::size_t k = 0; k < front.rows; ++k) {
            const float* from = task.values + rows[k];
            v.x[pivots + k] = from[0], v.y[pivots + k] = from[task.size], v.z[pivots + k] = from[2 * task.size];
        }
        for (float* to : {v.x, v.y, v.z})
            for (std::size_t k = pivots + front.rows; k < all; ++k) to[k] = 0;
        backward(front, task.tiles + front.tiles, v);
        store_pivots(task, front, v);
    }
}

}  // namespace fascia::sim::FASCIA_ISA_NAMESPACE
