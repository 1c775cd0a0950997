// Flesh inside other flesh of the same body at rest, such as an arm bound half buried in the side.
//
// Such a place belongs to two parts, and no cell can be both. Before a body is filled, both walls therefore give way by
// half, until they just touch. Only cells are made from this shape: skinning starts from the file's own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fascia/character.h"

namespace fascia {

/// The character with its overlaps opened, reduced to what filling needs; no value if nothing overlaps. Only a closed
/// piece of surface that passes through itself counts: shells that reach into one another are meant to be one body.
/// Overlaps of a few percent of the size are opened; of deeper ones some may remain.
std::optional<Character> with_overlaps_opened(const Character& character);

/// A sentence for a person about what overlapped.
void warn_of_overlaps(const Character& given, const Character& opened, std::vector<std::string>& warnings);

}  // namespace fascia
