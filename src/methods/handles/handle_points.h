// The points of a surface that handles pose, each with its weights: one point for all vertices at the same place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "methods/shared/rest_surface.h"
#include "sim/surface_arap.h"

namespace fascia {

struct HandlePoints {
    sim::SurfaceArap arap;              ///< lengths in units, about the centre
    std::vector<std::uint32_t> places;  ///< [vertices] slot of each vertex's point in the solver
    std::vector<std::uint32_t> pieces;  ///< [points] lowest place of the piece that each belongs to
    std::vector<Vec3> rest;             ///< [points] scene space
    std::vector<std::uint16_t> joints;  ///< [points * influences]
    std::vector<float> weights;         ///< [points * influences]
    std::size_t influences = 0;
    Vec3d centre;
    double unit = 1;  ///< mean length of an edge

    HandlePoints() = default;
    HandlePoints(const RestSurface& surface, const SkinWeights& of_handles);

    std::size_t size() const { return rest.size(); }
    SkinSource source() const { return {rest, {}, {}, joints, weights, int(influences)}; }
};

/// Which points the handles of an enabled set hold: those whose weight for one of them is above `proximal`. A handle
/// that would hold no point holds the one where its weight is largest and the points around it; a piece without any
/// held point is held as a whole. [points]
std::vector<std::uint8_t> held_by(const HandlePoints& points, std::span<const std::uint8_t> enabled, double proximal,
                                  std::vector<std::size_t>& without_points);

}  // namespace fascia
