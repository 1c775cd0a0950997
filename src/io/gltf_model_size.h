// How much memory a glTF's JSON will take once it is parsed: "{}," in a list is three bytes in the file and two
// thousand in memory.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "fascia/result.h"
#include "io/memory_budget.h"

namespace fascia::io {

/// Takes what our lists will need for `gltf` from the budget.
Status take_model_size(const nlohmann::json& gltf, const std::string& name, MemoryBudget& budget);

}  // namespace fascia::io
