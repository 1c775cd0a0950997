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

/// The same for files that people write. kind: what it should be, such as "world file".
Result<KeptJson> parse_written_json(std::string_view text, const std::string& name, const std::string& kind);

/// "line 3, column 7" of the byte, counted from 1.
std::string place_in_text(std::string_view text, std::size_t byte);

}  // namespace fascia::io
