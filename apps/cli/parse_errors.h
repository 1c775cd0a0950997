// The answer to a command line that cannot be parsed: one sentence, with the nearest valid word.
#pragma once

#include <CLI/App.hpp>

#include "fascia/result.h"

namespace fascia::cli {

/// Also handles --help and --version.
Status print_asked(const CLI::App& root, const CLI::Success& asked);
Error explain(const CLI::App& root, const CLI::ParseError& error);
Error explain_missing_command(const CLI::App& root);

}  // namespace fascia::cli
