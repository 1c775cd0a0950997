// What a written file keeps of a source's JSON: members that the format knows, with values that it allows. Anything
// else is dropped, so that a flaw of the source does not become one of ours.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace fascia::io {

/// Cleans asset, cameras, materials, nodes, samplers, scenes and textures; lists keep their length, because other
/// objects index them. Extras and extensions stay as they are if they have the right form.
void keep_valid_members(nlohmann::json& root);

}  // namespace fascia::io
