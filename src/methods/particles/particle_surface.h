// The surface that the layers of particles copy: the character's own if it is coarse enough, otherwise a simplified one
// that carries it.
#pragma once

#include <cstdint>
#include <vector>

#include "body/shells.h"
#include "embed/trilinear.h"
#include "fascia/character.h"
#include "fascia/settings.h"

namespace fascia {

struct ParticleSurface {
    std::vector<std::uint32_t> vertices;   ///< [particles of a layer] the character's vertex at the same place
    std::vector<Vec3d> positions;          ///< [vertices]
    std::vector<std::uint32_t> triangles;  ///< [triangles * 3]
    std::vector<std::uint32_t> into;       ///< [the character's vertices] the nearest one along the surface
    /// [the character's vertices] the vertices that carry each, by number
    embedding::Trilinear bound;
    std::size_t riding = 0;  ///< small stiff shells that are not part of the surface, but move along with it
};

/// Vertices are numbered along paths (sim/path_order.h). Empty if the character has no triangle with an area.
ParticleSurface find_particle_surface(const Character& character, const FleshSettings& settings, std::size_t layers,
                                      const Shells& shells);

}  // namespace fascia
