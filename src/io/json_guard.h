// Looks at a JSON text without building anything, so that no nesting or mass of tiny values can exhaust the machine.
#pragma once

#include <string>
#include <string_view>

#include "fascia/result.h"
#include "io/memory_budget.h"

namespace fascia::io {

/// Refuses what is not JSON, nests deeper than any real file, or would outgrow `budget` as a tree of values.
Status guard_json(std::string_view text, const std::string& name, MemoryBudget& budget);

}  // namespace fascia::io
