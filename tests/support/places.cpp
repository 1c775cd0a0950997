#include "support/places.h"

namespace fascia::test {

std::string source_folder() {
    return FASCIA_SOURCE_DIR;
}

std::string tested_program() {
    return FASCIA_PROGRAM_PATH;
}

}  // namespace fascia::test
