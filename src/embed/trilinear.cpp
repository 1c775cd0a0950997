#include "embed/trilinear.h"

#include <algorithm>
#include <cmath>

namespace fascia::embedding {

namespace {

/// Trilinear weight of a point for a vertex: 1 at the point, 0 one cell away along any axis.
double tent(Vec3d point, Vec3d vertex, double h) {
    const double x = 1 - std::abs(point.x - vertex.x) / h, y = 1 - std::abs(point.y - vertex.y) / h,
                 z = 1 - std::abs(point.z - vertex.z) / h;
    return x > 0 && y > 0 && z > 0 ? x * y * z : 0;
}

/// Points around one vertex, found by walking links from its home along shortest paths only: a point that can be
/// reached only by a detour (from an arm to the side below the armpit) is across a gap.
class Surroundings {
public:
    explicit Surroundings(const TrilinearInput& input) : input_(input) {}

    void walk(std::uint32_t home, std::uint32_t number, Vec3d vertex) {
        number_ = number;
        points_.clear();
        weights_.clear();
        steps_.clear();
        visit(home, vertex, home, 0);
        for (std::size_t k = 0; k < points_.size(); ++k)
            for (const std::uint32_t next : input_.links.of(points_[k])) visit(next, vertex, home, steps_[k] + 1);
    }

    std::span<const std::uint32_t> points() const { return points_; }
    std::span<const double> weights() const { return weights_; }

private:
    void visit(std::uint32_t point, Vec3d vertex, std::uint32_t home, int steps) {
        const double weight = tent(input_.centers[point], vertex, input_.h);
        if (weight <= 0 || steps > steps_between(home, point)) return;
        for (std::uint32_t& other : points_) {
            // Two sheets of one cell: one stands for both.
            const Vec3d apart = input_.centers[other] - input_.centers[point];
            if (dot(apart, apart) >= 0.25 * input_.h * input_.h) continue;
            if (other != point && other != home && input_.nearer && input_.nearer(number_, other, point)) other = point;
            return;
        }
        if (points_.size() >= Trilinear::slots) return;
        points_.push_back(point);
        weights_.push_back(weight);
        steps_.push_back(steps);
    }

    /// Faces that the shortest path crosses.
    int steps_between(std::uint32_t a, std::uint32_t b) const {
        const Vec3d d = input_.centers[b] - input_.centers[a];
        return int(std::lround((std::abs(d.x) + std::abs(d.y) + std::abs(d.z)) / input_.h));
    }

    const TrilinearInput& input_;
    std::uint32_t number_ = 0;  ///< of the vertex
    std::vector<std::uint32_t> points_;
    std::vector<double> weights_;
    std::vector<int> steps_;
};

struct Turn {
    float w, x, y, z;
    Vec3 operator()(Vec3 v) const {
        const Vec3 u{x, y, z};
        const Vec3 t = cross(u, v) + v * w;
        return v + cross(u, t) * 2.0f;
    }
};

Turn turn_of(const Carriers& c, std::size_t i) {
    return {c.rotations[i], c.rotations[c.stride + i], c.rotations[2 * c.stride + i], c.rotations[3 * c.stride + i]};
}

Vec3 load(std::span<const float> channels, std::size_t stride, std::size_t i) {
    return {channels[i], channels[stride + i], channels[2 * stride + i]};
}

}  // namespace

Trilinear bind_trilinear(const TrilinearInput& input) {
    Trilinear out;
    out.points.resize(input.positions.size() * Trilinear::slots);
    out.weights.assign(input.positions.size() * Trilinear::slots, 0);
    Surroundings around(input);
    for (std::size_t v = 0; v < input.positions.size(); ++v) {
        around.walk(input.homes[v], std::uint32_t(v), to_double(input.positions[v]));
        double sum = 0;
        for (const double w : around.weights()) sum += w;
        for (std::size_t k = 0; k < Trilinear::slots; ++k) {
            const bool used = k < around.points().size();
            out.points[v * Trilinear::slots + k] = used ? around.points()[k] : input.homes[v];
            out.weights[v * Trilinear::slots + k] = used ? float(around.weights()[k] / sum) : 0.0f;
        }
        // Outside all cells: carried by the nearest point alone.
        if (around.points().empty()) out.weights[v * Trilinear::slots] = 1;
    }
    return out;
}

void carry_by_one(std::span<const std::uint32_t> point, Trilinear& bound) {
    for (std::size_t v = 0; v < point.size(); ++v) {
        if (point[v] == no_point) continue;
        for (std::size_t k = v * Trilinear::slots; k < (v + 1) * Trilinear::slots; ++k) {
            bound.points[k] = point[v];
            bound.weights[k] = k == v * Trilinear::slots ? 1.0f : 0.0f;
        }
    }
}

void carry_positions_reference(const Trilinear& bound, const Carriers& c, std::span<const Vec3> in,
                               std::span<Vec3> out) {
    for (std::size_t v = 0; v < in.size(); ++v) {
        const Vec3 p = in[v];
        Vec3 moved;  // summed as a difference from p, to keep the digits of small motions
        for (int k = 0; k < Trilinear::slots; ++k) {
            const float w = bound.weights[v * Trilinear::slots + k];
            if (w == 0) break;
            const std::size_t i = bound.points[v * Trilinear::slots + k];
            const Vec3 arm = p - load(c.from, c.stride, i);
            const Vec3 goal = turn_of(c, i)(arm) - arm + (load(c.to, c.stride, i) - load(c.from, c.stride, i));
            moved += goal * w;
        }
        out[v] = p + moved;
    }
}

void carry_directions_reference(const Trilinear& bound, const Carriers& c, std::span<const Vec3> in,
                                std::span<Vec3> out) {
    for (std::size_t v = 0; v < in.size(); ++v) {
        Vec3 sum;
        for (int k = 0; k < Trilinear::slots; ++k) {
            const float w = bound.weights[v * Trilinear::slots + k];
            if (w == 0) break;
            sum += turn_of(c, bound.points[v * Trilinear::slots + k])(in[v]) * w;
        }
        out[v] = normalized(sum, in[v]);
    }
}

std::vector<std::uint32_t> carriers_of(const Trilinear& bound) {
    std::vector<std::uint32_t> carriers = bound.points;
    std::sort(carriers.begin(), carriers.end());
    carriers.erase(std::unique(carriers.begin(), carriers.end()), carriers.end());
    return carriers;
}

}  // namespace fascia::embedding
