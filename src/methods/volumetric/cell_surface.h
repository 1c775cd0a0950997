// A surface embedded in voxels whose corners move: the body's own, or that of clothes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "embed/in_cells.h"
#include "methods/volumetric/volumetric_body.h"
#include "skin/cell_carriers.h"

namespace fascia {

struct CarriedMesh;

class CellSurface {
public:
    CellSurface() = default;
    /// The body's own surface.
    explicit CellSurface(const VolumetricBody& body);
    /// A further mesh.
    CellSurface(const VolumetricBody& body, const CarriedMesh& mesh);

    std::size_t vertex_count() const { return bound_.vertex_count(); }
    /// The points of the body that it reads, ascending: they carry it, or are neighbours of one that does.
    const std::vector<std::uint32_t>& points() const { return points_; }
    /// By place in points().
    const embedding::Trilinear& bound() const { return bound_; }

    /// places: [3 * points()] channels, scene units about `origin`. Arrays of `out` that are too short, or that do not
    /// exist at rest, are left alone.
    void place(std::span<const float> places, Vec3d origin, const Surface& out, Workspace& work) const;

private:
    void choose_points(const VolumetricBody& body);
    /// Which arrays have room and exist at rest.
    struct Asked {
        bool positions = false, normals = false, tangents = false;
    };
    Asked asked(const Surface& out) const;
    void write_tangents(std::span<const float> turned, std::span<Vec4> out) const;

    double h_ = 1;
    std::vector<std::uint32_t> points_;
    embedding::Trilinear bound_;   ///< points are places in `points_`
    embedding::PointSides sides_;  ///< the same
    CellCarriers cells_;
    std::vector<Vec3> arms_;  ///< [vertices] from where a vertex is bound, or empty
    Floats normals_, tangents_;
    std::vector<float> handedness_;
};

}  // namespace fascia
