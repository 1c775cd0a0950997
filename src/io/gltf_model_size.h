// How much memory the lists of a glTF will take once they are read: "{}," is three bytes in the file and several
// hundred in memory.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "fascia/result.h"
#include "io/memory_budget.h"

namespace fascia::io {

/// Takes what our lists will need for `gltf` from the budget.
Status take_model_size(const nlohmann::json& gltf, const std::string& name, MemoryBudget& budget);

}  // namespace fascia::io
