#include "embed/in_cells.h"

#include <algorithm>
#include <cmath>

namespace fascia::embedding {

namespace {

Vec3 load(std::span<const float> channels, std::size_t stride, std::size_t i) {
    return {channels[i], channels[stride + i], channels[2 * stride + i]};
}

/// Columns of the gradient of the trilinear map at a vertex, in units of 1 / h.
struct Gradient {
    Vec3 x, y, z;
};

Gradient gradient_at(const Trilinear& bound, std::size_t vertex, std::size_t stride, std::span<const float> to) {
    const float* w = &bound.weights[vertex * Trilinear::slots];
    // Where in the cell the vertex lies follows from its weights.
    const float x = w[1] + w[3] + w[5] + w[7], y = w[2] + w[3] + w[6] + w[7], z = w[4] + w[5] + w[6] + w[7];
    Gradient out;
    for (std::size_t k = 0; k < Trilinear::slots; ++k) {
        const Vec3 p = load(to, stride, bound.points[vertex * Trilinear::slots + k]);
        const float sx = k & 1 ? 1.0f : -1.0f, sy = k & 2 ? 1.0f : -1.0f, sz = k & 4 ? 1.0f : -1.0f;
        const float fx = k & 1 ? x : 1 - x, fy = k & 2 ? y : 1 - y, fz = k & 4 ? z : 1 - z;
        out.x += p * (sx * fy * fz);
        out.y += p * (sy * fx * fz);
        out.z += p * (sz * fx * fy);
    }
    return out;
}

/// The blended line of a vertex.
struct Line {
    Gradient gradient;
    Vec3 move;
};

Line blended_line(const Trilinear& bound, std::size_t vertex, std::span<const std::uint32_t> line,
                  std::span<const float> lines) {
    Line out;
    for (std::size_t k = vertex * Trilinear::slots; k < (vertex + 1) * Trilinear::slots; ++k) {
        const float* g = &lines[line_floats * line[k]];
        const float w = bound.weights[k];
        out.gradient.x += Vec3{g[0], g[1], g[2]} * w;
        out.gradient.y += Vec3{g[3], g[4], g[5]} * w;
        out.gradient.z += Vec3{g[6], g[7], g[8]} * w;
        out.move += Vec3{g[9], g[10], g[11]} * w;
    }
    return out;
}

/// One vertex among lines of 16.
void put(Vec3 v, std::size_t vertex, std::span<float> out) {
    float* block = &out[vertex / 16 * 48 + vertex % 16];
    block[0] = v.x, block[16] = v.y, block[32] = v.z;
}

}  // namespace

Trilinear bind_in_cells(const CellsInput& input) {
    Trilinear out;
    for (std::size_t v = 0; v < input.positions.size(); ++v) {
        const std::size_t cell = input.homes[v];
        const Vec3d t = (to_double(input.positions[v]) - input.lower[cell]) * (1 / input.h);
        for (std::size_t k = 0; k < Trilinear::slots; ++k) {
            out.points.push_back(input.corners[8 * cell + k]);
            out.weights.push_back(float((k & 1 ? t.x : 1 - t.x) * (k & 2 ? t.y : 1 - t.y) * (k & 4 ? t.z : 1 - t.z)));
        }
    }
    return out;
}

void arms_in_cells(const Trilinear& bound, std::size_t stride, std::span<const float> to, double h,
                   std::span<const Vec3> arms, std::size_t begin, std::size_t end, std::span<float> out) {
    const float unit = float(1 / h);
    for (std::size_t v = begin; v < end; ++v) {
        put({}, v, out);
        if (arms[v].x == 0 && arms[v].y == 0 && arms[v].z == 0) continue;
        const Gradient g = gradient_at(bound, v, stride, to);
        const float volume = dot(g.x, cross(g.y, g.z)) * unit * unit * unit;
        // Normals of the cell's faces, each made orthogonal to the ones before it, without preferring an axis.
        const Vec3 x = normalized(g.x + cross(g.y, g.z) * unit, {1, 0, 0});
        const Vec3 toward_y = g.y + cross(g.z, g.x) * unit;
        const Vec3 y = normalized(toward_y - x * dot(x, toward_y), {0, 1, 0});
        const Vec3 turned = x * arms[v].x + y * arms[v].y + cross(x, y) * arms[v].z;
        put(turned * std::cbrt(std::clamp(volume, 0.125f, 1e9f)), v, out);
    }
}

void moves_of_arms_in_cells(const Trilinear& bound, std::size_t stride, std::span<const float> moves, double h,
                            std::span<const Vec3> arms, std::size_t begin, std::size_t end, std::span<float> out) {
    for (std::size_t v = begin; v < end; ++v) {
        put({}, v, out);
        const float far = length(arms[v]);
        if (!(far > 0)) continue;
        const Gradient g = gradient_at(bound, v, stride, moves);
        const Vec3 move = (g.x * arms[v].x + g.y * arms[v].y + g.z * arms[v].z) * float(1 / h);
        put(move * std::min(1.0f, far / std::max(length(move), 1e-30f)), v, out);
    }
}

void lines_of_places(const PointSides& sides, std::size_t stride, std::span<const float> to, std::size_t begin,
                     std::size_t end, std::span<float> lines) {
    for (std::size_t k = begin; k < end; ++k) {
        float* out = &lines[line_floats * k];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::uint32_t low = sides.ends[6 * k + 2 * axis], high = sides.ends[6 * k + 2 * axis + 1];
            const bool both = low != sides.points[k] && high != sides.points[k];
            const Vec3 along = (load(to, stride, high) - load(to, stride, low)) * (both ? 0.5f : 1.0f);
            out[3 * axis] = along.x, out[3 * axis + 1] = along.y, out[3 * axis + 2] = along.z;
        }
        const Vec3 move = load(to, stride, sides.points[k]);
        out[9] = move.x, out[10] = move.y, out[11] = move.z;
    }
}

void lines_of_moves_reference(const PointSides& sides, std::size_t stride, std::span<const float> moves,
                              std::span<const float> rotations, double h, std::span<float> lines) {
    lines_of_places(sides, stride, moves, 0, sides.points.size(), lines);
    const float unit = float(1 / h);
    for (std::size_t k = 0; k < sides.points.size(); ++k) {
        const std::size_t i = sides.points[k];
        float* g = &lines[line_floats * k];
        const float w = rotations[i], x = rotations[stride + i], y = rotations[2 * stride + i],
                    z = rotations[3 * stride + i];
        // Rows of the rotation: column c of (gradient times its transpose) mixes the columns by row c.
        const float rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                                  {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                                  {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
        float turned[9];
        for (int c = 0; c < 3; ++c)
            for (int r = 0; r < 3; ++r)
                turned[3 * c + r] =
                    (c == r ? 1.0f : 0.0f) + unit * (g[r] * rows[c][0] + g[3 + r] * rows[c][1] + g[6 + r] * rows[c][2]);
        std::copy(turned, turned + 9, g);
    }
}

void carry_in_cells_reference(const Trilinear& bound, std::span<const std::uint32_t> line, std::span<const float> lines,
                              std::span<const Vec3> in, std::span<Vec3> out) {
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = in[v] + blended_line(bound, v, line, lines).move;
}

void turn_normals_reference(const Trilinear& bound, std::span<const std::uint32_t> line, std::span<const float> lines,
                            std::span<const Vec3> in, std::span<Vec3> out) {
    for (std::size_t v = 0; v < out.size(); ++v) {
        const Gradient g = blended_line(bound, v, line, lines).gradient;
        const Vec3 n = cross(g.y, g.z) * in[v].x + cross(g.z, g.x) * in[v].y + cross(g.x, g.y) * in[v].z;
        out[v] = normalized(n, in[v]);
    }
}

void turn_tangents_reference(const Trilinear& bound, std::span<const std::uint32_t> line, std::span<const float> lines,
                             std::span<const Vec3> in, std::span<Vec3> out) {
    for (std::size_t v = 0; v < out.size(); ++v) {
        const Gradient g = blended_line(bound, v, line, lines).gradient;
        out[v] = normalized(g.x * in[v].x + g.y * in[v].y + g.z * in[v].z, in[v]);
    }
}

}  // namespace fascia::embedding
