// What the zones do to each vertex, and what they may fall back to where that would show.
#pragma once

#include <span>
#include <vector>

#include "character/blend_zones.h"
#include "fascia/character.h"

namespace fascia {

/// Between three ways to move a vertex: by the zone alone (alone 1, fade 1); only what the weights share out between
/// the joint and its parent is turned, and other joints keep theirs (alone 0, fade 1), which keeps the volume of the
/// joint and is as smooth as the weights; plain skinning (fade 0).
struct ZoneVertex {
    int joint = -1;  ///< -1: none
    double zone_t = 0, painted_t = 0, painted_share = 0;
    double alone = 0, fade = 0;
    int owner = -1;      ///< the joint in whose zone it lies, -1: none
    bool asked = false;  ///< the settings say what the zone is to be

    Attachment attachment() const;
    /// Does the zone move it visibly?
    bool turns() const;
};

/// [vertices]
std::vector<ZoneVertex> zone_vertices(const Character& character, std::span<const BlendZone> zones);

}  // namespace fascia
