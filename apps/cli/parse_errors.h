// What a command line that cannot be understood is answered with: one sentence, with the nearest right word.
#pragma once

#include <CLI/App.hpp>

#include "fascia/result.h"

namespace fascia::cli {

/// --help and --version.
Status print_asked(const CLI::App& root, const CLI::Success& asked);
Error explain(const CLI::App& root, const CLI::ParseError& error);
Error explain_missing_command(const CLI::App& root);

}  // namespace fascia::cli
