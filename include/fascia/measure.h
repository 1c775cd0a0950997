// Measurements on a deformed surface. All lengths and volumes in scene units, all sums in double.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fascia/api.h"
#include "fascia/math.h"

FASCIA_API_BEGIN
namespace fascia {

/// Vertices at equal positions share one id: the topology behind seams and flat shading.
struct Weld {
    std::vector<std::uint32_t> id;  ///< [vertices] id of the welded vertex
    std::size_t count = 0;
};
Weld weld_by_position(std::span<const Vec3> positions);

/// Connected components of the welded triangles, and which of them are closed (every edge used once in each direction).
struct Components {
    std::vector<std::uint32_t> of_triangle;  ///< [triangles]
    std::vector<bool> closed;                ///< [components]
};
Components find_components(std::span<const std::uint32_t> triangles, const Weld& weld);

/// V = 1/6 sum x_a . (x_b x x_c) about the centroid, over the triangles of closed components; no value if there are
/// none.
std::optional<double> closed_volume(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles,
                                    const Components& components);

/// |length / rest length - 1| over the distinct welded edges.
struct EdgeStrain {
    double p99 = 0, max = 0, rms = 0;
};

/// Everything that is measured on one surface frame by frame; built once from the rest shape.
class SurfaceMeter {
public:
    SurfaceMeter(std::span<const Vec3> rest, std::span<const std::uint32_t> triangles, double size);

    /// Signed volume over rest volume of the closed components; no value if they fill less than 1e-4 of the box around
    /// the rest surface.
    std::optional<double> volume_ratio(std::span<const Vec3> positions) const;
    EdgeStrain edge_strain(std::span<const Vec3> positions) const;
    /// Per-vertex strain for colouring: mean |strain| of the edges at each vertex. out: [vertices]
    void vertex_strain(std::span<const Vec3> positions, std::span<float> out) const;
    /// Triangles that have turned by more than 90 degrees against the same triangle of `reference` (the fully skinned
    /// surface).
    std::size_t flipped_triangles(std::span<const Vec3> positions, std::span<const Vec3> reference) const;
    double size() const { return size_; }

private:
    std::vector<Vec3> rest_;
    std::vector<std::uint32_t> triangles_;
    Weld weld_;
    Components components_;
    std::optional<double> rest_volume_;
    struct Edge {
        std::uint32_t a, b;
        float rest_length;
    };
    std::vector<Edge> edges_;
    double size_ = 1;
};

/// RMS and largest distance between two surfaces, divided by the size.
struct Offset {
    double rms = 0, max = 0;
};
Offset surface_offset(std::span<const Vec3> a, std::span<const Vec3> b, double size);

/// Largest distance between consecutive frames, divided by the size, counted only while the skeleton rests.
class JitterMeter {
public:
    /// `resting`: the pose has not changed since the last frame.
    void frame(std::span<const Vec3> positions, bool resting, double size);
    double value() const { return value_; }

private:
    std::vector<Vec3> last_;
    double value_ = 0;
};

/// docs/formulas.md B7: largest angle (radians) between the normal of a triangle of `connected` and those of its edge
/// neighbours.
double joint_curvature(std::span<const Vec3> positions, std::span<const std::uint32_t> triangles, const Weld& weld,
                       std::span<const std::uint32_t> connected);

}  // namespace fascia
FASCIA_API_END
