// How zones move each vertex, and what they fall back to where that would show.
#pragma once

#include <span>
#include <vector>

#include "character/blend_zones.h"
#include "fascia/character.h"

namespace fascia {

/// Blends three ways to move a vertex: by the zone alone (alone 1, fade 1); by turning only what the weights assign to
/// the joint and its parent, which keeps the volume of the joint and is as smooth as the weights (alone 0, fade 1); by
/// plain skinning (fade 0).
struct ZoneVertex {
    int joint = -1;  ///< -1: none
    double zone_t = 0, painted_t = 0, painted_share = 0;
    double alone = 0, fade = 0;
    int owner = -1;      ///< the joint in whose zone it lies, -1: none
    bool asked = false;  ///< the settings ask for this zone

    Attachment attachment() const;
    /// Does the zone move the vertex visibly?
    bool turns() const;
};

/// [vertices]
std::vector<ZoneVertex> zone_vertices(const Character& character, std::span<const BlendZone> zones);

}  // namespace fascia
