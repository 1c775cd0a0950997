#include "program.h"

#include <cstdio>
#include <cstring>

namespace fascia::experiments {

int run_one(int argc, char** argv, std::span<const Experiment> experiments) {
    for (const Experiment& experiment : experiments)
        if (argc > 1 && std::strcmp(argv[1], experiment.name) == 0)
            return experiment.run(argc > 2 ? argv[2] : std::string()), 0;
    std::fprintf(stderr, "%s EXPERIMENT [FOLDER]; experiments:", argv[0]);
    for (const Experiment& experiment : experiments) std::fprintf(stderr, " %s", experiment.name);
    std::fputs("\n", stderr);
    return 2;
}

}  // namespace fascia::experiments
