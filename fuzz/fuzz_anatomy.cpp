// Anatomy files from memory, and back; one that fits the character must also run.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "support/tried_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string flaw = fascia::test::flaw_of_anatomy({reinterpret_cast<const char*>(data), size});
    if (flaw.empty()) return 0;
    std::fprintf(stderr, "%s\n", flaw.c_str());
    std::abort();
}
