// What the commands share: how they are registered, what they return, where their output goes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <CLI/App.hpp>

#include "fascia/result.h"

namespace fascia::cli {

enum ExitStatus { exit_done = 0, exit_usage = 2, exit_input = 3, exit_output = 4, exit_interrupted = 130 };

/// What the chosen command will do once the whole command line has been parsed.
using Action = std::function<Status()>;

void add_info_command(CLI::App& root, Action& action);
void add_bake_command(CLI::App& root, Action& action);
void add_compare_command(CLI::App& root, Action& action);
void add_rig_command(CLI::App& root, Action& action);
void add_handles_command(CLI::App& root, Action& action);
void add_neck_command(CLI::App& root, Action& action);
void add_bench_command(CLI::App& root, Action& action);
void add_demo_command(CLI::App& root, Action& action);
void add_characters_command(CLI::App& root, Action& action);

}  // namespace fascia::cli
