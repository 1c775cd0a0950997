// Zones end without a seam: where neighbours on the surface turn with different joints, or with none, bones blending
// fades out before it gets there.
#pragma once

#include <span>

#include "character/blend_zones.h"
#include "fascia/character.h"

namespace fascia {

/// Lowers fades so that they change slowly along the edges, to 0 where neighbours would move apart. attached:
/// [vertices]
void fade_towards_seams(const Character& character, std::span<const BlendZone> zones, std::span<Attachment> attached);

}  // namespace fascia
