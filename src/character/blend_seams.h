// Zones end without a seam: bones blending fades out before it reaches neighbours on the surface that turn with another
// joint, or with none.
#pragma once

#include <span>

#include "character/blend_zones.h"
#include "fascia/character.h"

namespace fascia {

/// Lowers fades so that they change slowly along the edges and reach 0 where neighbours would move apart. attached:
/// [vertices]
void fade_towards_seams(const Character& character, std::span<const BlendZone> zones, std::span<Attachment> attached);

}  // namespace fascia
