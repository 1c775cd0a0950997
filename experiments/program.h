// The main function of an experiments program: NAME [FOLDER].
#pragma once

#include <span>
#include <string>

namespace fascia::experiments {

struct Experiment {
    const char* name;
    /// Prints its table, and draws its pictures if `folder` is not empty.
    void (*run)(const std::string& folder);
};

int run_one(int argc, char** argv, std::span<const Experiment> experiments);

}  // namespace fascia::experiments
