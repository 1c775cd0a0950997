// The main function of an experiments program: NAME [FOLDER].
#pragma once

#include <span>
#include <string>

namespace fascia::experiments {

struct Experiment {
    const char* name;
    /// Prints its table; draws its pictures where `folder` is not empty.
    void (*run)(const std::string& folder);
};

int run_one(int argc, char** argv, std::span<const Experiment> experiments);

}  // namespace fascia::experiments
