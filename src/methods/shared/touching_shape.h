// A lattice as contact sees it: samples of its outer surface, carried by its points, and how deep places are at rest.
#pragma once

#include <memory>
#include <span>

#include "base/links.h"
#include "contact/touching_body.h"
#include "fascia/math.h"

namespace fascia {

/// Points on a grid of edge h, in channels, axes permuted as in SteppedBody.
struct TouchingLattice {
    double h = 1;
    Vec3d centre;
    int turn = 0;
    std::size_t stride = 0;
    std::span<const std::uint32_t> slots;      ///< [points]
    std::span<const float> rest;               ///< [3 * stride]
    Links links;                               ///< six groups of each point: by face direction
    std::span<const std::int32_t> neighbours;  ///< [points * 27] or -1
    std::span<const std::uint16_t> joints;     ///< [4 * stride] joints that carry a point
    std::span<const float> weights;            ///< [4 * stride]
    std::span<const Vec3> positions;           ///< [vertices] the surface at rest
    std::span<const std::uint32_t> triangles;
};

std::shared_ptr<const contact::TouchingBody> touching_body(const TouchingLattice& lattice);

}  // namespace fascia
