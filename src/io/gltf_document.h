// From bytes to a SourceDocument: JSON checked, buffers and images found, compression undone, every accessor plain.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "fascia/result.h"
#include "io/memory_budget.h"
#include "io/remarks.h"
#include "io/source_document.h"

namespace fascia::io {

Result<std::shared_ptr<SourceDocument>> read_gltf_document(std::span<const std::uint8_t> bytes, const std::string& name,
                                                           const std::string& base_dir, MemoryBudget& budget,
                                                           Remarks& remarks);

}  // namespace fascia::io
