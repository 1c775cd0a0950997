// Finite elements of a corotated linear material (docs/formulas.md C5): tetrahedra, and hexahedra with eight points of
// integration. Every point of integration has its own rotation, so that forces are exactly the gradient of the energy,
// in hexahedra too.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/block_matrix.h"

namespace fascia::sim {

/// Lame's constants.
struct Stiffness {
    double lambda = 0, mu = 0;
};
/// young: E; poisson: nu, below 0.5
Stiffness stiffness_of(double young, double poisson);

class ElasticMesh {
public:
    /// Corners with a positive volume: det(b - a, c - a, d - a) > 0. Returns whether it has one; elements without are
    /// left out.
    bool add_tetrahedron(const std::array<std::uint32_t, 4>& nodes, std::span<const Vec3d> rest, Stiffness stiffness);
    /// Corners are numbered by bits: 1 for the upper side along x, 2 along y, 4 along z.
    bool add_hexahedron(const std::array<std::uint32_t, 8>& nodes, std::span<const Vec3d> rest, Stiffness stiffness);

    std::size_t point_count() const { return points_.size(); }
    std::size_t element_count() const { return elements_; }
    double rest_volume() const;
    double volume(std::span<const Vec3d> x) const;

    double energy(std::span<const Vec3d> x) const;
    /// Adds the forces; rotations: [point_count()] of this shape, for add_stiffness and everything that turns with an
    /// element
    void add_forces(std::span<const Vec3d> x, std::span<Matrix3> rotations, std::span<Vec3d> forces) const;
    /// Adds s K u, with the rotations held: K is minus the derivative of the forces.
    void add_stiffness(double s, std::span<const Matrix3> rotations, std::span<const Vec3d> u,
                       std::span<Vec3d> out) const;
    /// The pairs of nodes that K couples, and where their blocks are in a pattern that has them, for `linearise`.
    void add_pairs(std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) const;
    std::vector<std::uint32_t> slots_in(const BlockPattern& pattern) const;
    /// Adds the forces, and s K to `blocks` of the pattern, in one pass; rotations as in add_forces.
    void linearise(double s, std::span<const Vec3d> x, std::span<const std::uint32_t> slots,
                   std::span<Matrix3> rotations, std::span<Vec3d> forces, std::span<Matrix3> blocks) const;
    /// A point of integration of the last element added.
    std::uint32_t last_point() const { return std::uint32_t(points_.size() - 1); }
    /// Adds each node's share of the volume.
    void add_volumes(std::span<double> volumes) const;
    /// Calls edge(i, j, k) for springs between nodes whose scalar matrix is near K however elements turn.
    template <class Edge>
    void for_each_spring(Edge edge) const {
        for (const Point& p : points_)
            for (int a = 0; a < p.nodes; ++a)
                for (int b = 0; b < a; ++b)
                    edge(p.node[a], p.node[b],
                         -p.volume * dot(p.gradient[a], p.gradient[b]) *
                             (p.stiffness.mu + (p.stiffness.lambda + p.stiffness.mu) / 3));
    }

private:
    /// Rows are not below columns.
    template <class Act>
    void for_each_pair(Act act) const {
        for (const Point& p : points_)
            for (int a = 0; a < p.nodes; ++a)
                for (int b = 0; b <= a; ++b) act(std::max(p.node[a], p.node[b]), std::min(p.node[a], p.node[b]));
    }
    /// A point of integration.
    struct Point {
        std::array<std::uint32_t, 8> node{};
        std::array<Vec3d, 8> gradient{};  ///< of the shape functions
        int nodes = 4;
        double volume = 0;
        Stiffness stiffness;
    };
    static Matrix3 gradient_of(const Point& p, std::span<const Vec3d> x);

    std::vector<Point> points_;
    std::size_t elements_ = 0;
};

}  // namespace fascia::sim
