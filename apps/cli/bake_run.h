// Baking, as done by bake and demo: options in, files out, a table at the end.
#pragma once

#include <string>
#include <vector>

#include "bake_options.h"
#include "fascia/result.h"

namespace fascia::cli {

/// What was written, for the summary.
struct BakeSummary {
    std::vector<std::string> files;
    std::vector<std::string> warnings;
    std::vector<std::vector<std::string>> rows;  ///< with headings
};

Result<BakeSummary> run_bake(const BakeOptions& options);

}  // namespace fascia::cli
