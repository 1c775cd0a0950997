// The point of a surface that is closest to a given point.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fascia/math.h"

namespace fascia {

struct SurfacePoint {
    std::uint32_t triangle = 0;
    std::array<double, 3> share{1, 0, 0};  ///< barycentric coordinates
    Vec3d point;
    double distance = 0;
};

/// A tree of boxes over triangles. Spans must outlive it; there must be a triangle.
class ClosestTriangle {
public:
    ClosestTriangle(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles);
    /// Among equally near triangles, the one with the lowest number.
    SurfacePoint find(Vec3d p) const;

private:
    struct Box {
        Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
        void add(Vec3d p);
        double distance2(Vec3d p) const;
    };
    struct Branch {
        Box box;
        std::uint32_t first = 0, count = 0;  ///< triangles of a leaf
        std::uint32_t second = 0;            ///< the other child; the first one follows directly
    };
    void build(std::uint32_t first, std::uint32_t count, std::span<const Vec3d> centers);
    Vec3d corner(std::uint32_t triangle, int k) const { return to_double(positions_[triangles_[3 * triangle + k]]); }
    void search(std::uint32_t branch, Vec3d p, SurfacePoint& best) const;

    std::span<const Vec3> positions_;
    std::span<const std::uint32_t> triangles_;
    std::vector<std::uint32_t> order_;
    std::vector<Branch> branches_;
};

/// Shares of the corners a, b, c at the point of the triangle that is nearest to p.
std::array<double, 3> nearest_shares(Vec3d p, Vec3d a, Vec3d b, Vec3d c);

}  // namespace fascia
