// Which required extensions the reader understands or may ignore without harm.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "fascia/result.h"

namespace fascia::io {

/// Refuses, by name, a file that requires an extension we cannot honour.
Status check_required_extensions(const nlohmann::json& gltf, const std::string& name);

}  // namespace fascia::io
