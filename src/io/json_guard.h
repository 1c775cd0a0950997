// Reads a JSON text once, into a tree of values, and stops as soon as nesting or sheer numbers of tiny values would
// exhaust memory.
#pragma once

#include <string>
#include <string_view>

#include "fascia/result.h"
#include "io/kept_json.h"
#include "io/memory_budget.h"

namespace fascia::io {

/// Refuses what is not JSON, nests deeper than any real file, or outgrows `budget` as a tree of values.
Result<KeptJson> parse_json(std::string_view text, const std::string& name, MemoryBudget& budget);

}  // namespace fascia::io
