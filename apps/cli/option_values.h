// Options whose values are checked while the command line is parsed, with error messages of our own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace fascia::cli {

/// A number between two limits, or an error that CLI11 shows.
double number_between(const std::string& name, const std::string& text, double min, double max, bool whole);

/// A number between two limits.
CLI::Option* add_number(CLI::App& app, const std::string& name, std::optional<double>& target, double min, double max,
                        const std::string& description);
/// A whole number between two limits.
CLI::Option* add_count(CLI::App& app, const std::string& name, int& target, int min, int max,
                       const std::string& description);
/// One of a few words; for a misspelt one, the error suggests the nearest.
CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& target,
                        const std::vector<std::string>& choices, const std::string& description);
/// Text; the option may be repeated, with one word each time.
CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& target,
                      const std::string& description);

}  // namespace fascia::cli
