#include <algorithm>

#include "sim/segment_reference.h"
#include "sim/segment_step.h"

namespace fascia::sim {

namespace {

struct Vec {
    float x = 0, y = 0, z = 0;
};
Vec operator-(Vec a, Vec b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec operator+(Vec a, Vec b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vec operator*(float s, Vec a) {
    return {s * a.x, s * a.y, s * a.z};
}
float dot(Vec a, Vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vec cross(Vec a, Vec b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Places of the face neighbours below and above along each axis.
constexpr int below[3] = {12, 10, 4}, above[3] = {14, 16, 22};

Vec load(std::span<const float> channels, std::size_t stride, std::size_t i) {
    return {channels[i], channels[stride + i], channels[2 * stride + i]};
}

/// Edge of a point's box along one axis: half the vector from neighbour to neighbour, mirrored if one is missing.
struct Edge {
    Vec along;
    float above = 0, below = 0, self = 0;  ///< derivative of `along` by the neighbours and the point itself
};

Edge edge_of(const ReferenceBody& rig, std::span<const float> p, std::span<const float> turned, std::size_t i,
             int axis) {
    const std::size_t n = rig.stride;
    const std::int32_t lo = rig.neighbours[i * 27 + below[axis]], hi = rig.neighbours[i * 27 + above[axis]];
    if (lo >= 0 && hi >= 0) return {0.5f * (load(p, n, hi) - load(p, n, lo)), 0.5f, -0.5f, 0};
    if (hi >= 0) return {load(p, n, hi) - load(p, n, i), 1, 0, -1};
    if (lo >= 0) return {load(p, n, i) - load(p, n, lo), 0, -1, 1};
    // No neighbour on this axis: the edge turns with the driven point and is constant here.
    const float w = turned[i], x = turned[n + i], y = turned[2 * n + i], z = turned[3 * n + i];
    const Vec columns[3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                            {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                            {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    return {rig.h * columns[axis], 0, 0, 0};
}

float weight_at(const ReferenceBody& rig, std::int32_t j) {
    return j >= 0 ? rig.volume_weight[j] : 0.0f;
}

/// How easily a point itself is moved by volumes.
float own_weight(const ReferenceBody& rig, const ReferenceTuning& tuning, std::size_t i) {
    return rig.volume_weight[i] * tuning.volume_share[i];
}

/// How much of its volume a point asks for: bones may press it flat or inside out, and there it yields.
float firmness(float volume) {
    return std::clamp(volume * crushed_rate, 0.0f, 1.0f);
}

/// Scaled gradients of each point's volume: lambda * dV/d(edge), with lambda = C / sum of w |gradient|^2.
/// [Iwamoto 2015, eq. 6] [Iwamoto 2015, eq. 10] [Iwamoto 2015, eq. 11] [Iwamoto 2015, eq. 12]
void gradients(const ReferenceBody& rig, const ReferenceTuning& tuning, const ReferenceArrays& arrays,
               std::span<const float> p) {
    const std::size_t n = rig.stride;
    const float rest = rig.h * rig.h * rig.h, even = rest * rig.h;
    for (const std::size_t i : rig.points) {
        Edge edge[3];
        for (int axis = 0; axis < 3; ++axis) edge[axis] = edge_of(rig, p, arrays.turned, i, axis);
        const Vec g[3] = {cross(edge[1].along, edge[2].along), cross(edge[2].along, edge[0].along),
                          cross(edge[0].along, edge[1].along)};
        const float volume = dot(edge[0].along, g[0]), excess = (volume - rest) * firmness(volume / rest);
        float sum = 0, weight = rig.volume_weight[i];
        Vec own;
        for (int axis = 0; axis < 3; ++axis) {
            const float wl = weight_at(rig, rig.neighbours[i * 27 + below[axis]]);
            const float wh = weight_at(rig, rig.neighbours[i * 27 + above[axis]]);
            const Edge& e = edge[axis];
            weight += wl + wh;
            sum += (wh * e.above * e.above + wl * e.below * e.below) * dot(g[axis], g[axis]);
            own = own + e.self * g[axis];
        }
        sum += own_weight(rig, tuning, i) * dot(own, own);
        // A crushed voxel has almost no gradient, and its push would grow without bound: the gradient counts as at
        // least a fifth of that of a cube.
        const float lambda = weight > 0 ? excess / std::max(sum, std::max(0.05f * weight, 1e-6f) * even) : 0.0f;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            arrays.gradients[3 * axis * n + i] = lambda * g[axis].x;
            arrays.gradients[(3 * axis + 1) * n + i] = lambda * g[axis].y;
            arrays.gradients[(3 * axis + 2) * n + i] = lambda * g[axis].z;
        }
    }
}

/// Sums the corrections that the point's own volume and those of its six neighbours ask for.
void apply(const ReferenceBody& rig, const ReferenceTuning& tuning, float relaxation, const ReferenceArrays& arrays,
           std::span<const float> from, std::span<float> to) {
    const std::size_t n = rig.stride;
    for (const std::size_t i : rig.points) {
        Vec sum;
        for (int axis = 0; axis < 3; ++axis) {
            const auto g = arrays.gradients.subspan(3 * axis * n, 3 * n);
            const std::int32_t lo = rig.neighbours[i * 27 + below[axis]], hi = rig.neighbours[i * 27 + above[axis]];
            const float self = (hi >= 0 ? 0.0f : 1.0f) - (lo >= 0 ? 0.0f : 1.0f);
            if (hi >= 0 || lo >= 0) sum = sum + self * load(g, n, i);
            // This point is the upper neighbour of the one below and the lower neighbour of the one above.
            if (lo >= 0)
                sum = sum + (rig.neighbours[std::size_t(lo) * 27 + below[axis]] >= 0 ? 0.5f : 1.0f) * load(g, n, lo);
            if (hi >= 0)
                sum = sum + (rig.neighbours[std::size_t(hi) * 27 + above[axis]] >= 0 ? -0.5f : -1.0f) * load(g, n, hi);
        }
        const float scale = relaxation * own_weight(rig, tuning, i);
        to[i] = from[i] - scale * sum.x;
        to[n + i] = from[n + i] - scale * sum.y;
        to[2 * n + i] = from[2 * n + i] - scale * sum.z;
    }
}

}  // namespace

void volume_reference(const ReferenceBody& rig, const ReferenceTuning& tuning, float relaxation,
                      const ReferenceArrays& arrays, std::span<const float> from, std::span<float> to) {
    gradients(rig, tuning, arrays, from);
    apply(rig, tuning, relaxation, arrays, from, to);
}

}  // namespace fascia::sim
