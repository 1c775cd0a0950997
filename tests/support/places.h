// Where the sources and the program under test lie. Only one small file knows these paths: in a definition for all
// tests they would keep clones from sharing what ccache has compiled.
#pragma once

#include <string>

namespace fascia::test {

std::string source_folder();
std::string tested_program();

}  // namespace fascia::test
