// Places that are mixed from points: centres of cells, samples of a surface.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "embed/point_embedding.h"
#include "embed/surface_samples.h"

namespace fascia::embedding {

struct CombinedPoints {
    std::vector<std::uint32_t> first{0};  ///< [places + 1]
    std::vector<std::uint32_t> points;
    std::vector<double> weights;  ///< of each place they add up to 1

    std::size_t size() const { return first.size() - 1; }
    /// Points may repeat. The weights are divided by their sum.
    void add(std::span<const std::uint32_t> from, std::span<const double> shares);
    /// Position of place k, from the points' positions relative to an origin.
    template <class Place>
    Vec3d at(std::size_t k, Place place) const {
        Vec3d out;
        for (std::uint32_t e = first[k]; e < first[k + 1]; ++e) out += place(points[e]) * weights[e];
        return out;
    }
};

/// By the eight points around each corner of its triangle.
void add_in_cells(const Trilinear& bound, const SurfaceSample& sample, CombinedPoints& out);
/// By the eight nearest points, with larger weights for nearer ones (docs/formulas.md C14).
void add_nearest(std::span<const Vec3d> points, Vec3d place, CombinedPoints& out);

/// A set of points that moves nearly rigidly, at rest, for fitting a rotation.
struct RigidSet {
    std::vector<std::uint32_t> points;
    Vec3d middle;

    RigidSet() = default;
    RigidSet(std::vector<std::uint32_t> members, std::span<const Vec3d> rest);
    /// now: middle of the moved points
    Quat turn(std::span<const Vec3d> rest, std::span<const Vec3> moved, Vec3d& now) const;
};

}  // namespace fascia::embedding
