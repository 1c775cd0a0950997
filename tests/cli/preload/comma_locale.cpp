// Preloaded into the program, this makes it a host with decimal commas, in C (by LC_ALL) and in C++.
// To show that it did, it writes a number as C sees it to the file that FASCIA_LOCALE_MARK names.
#include "support/comma_locale.h"

#include <clocale>
#include <cstdio>
#include <cstdlib>

namespace {

__attribute__((constructor)) void choose_commas() {
    std::locale::global(std::locale(std::locale::classic(), new fascia::test::CommaNumbers));
    std::setlocale(LC_ALL, "");
    const char* mark = std::getenv("FASCIA_LOCALE_MARK");
    std::FILE* file = mark != nullptr ? std::fopen(mark, "w") : nullptr;
    if (file == nullptr) return;
    std::fprintf(file, "%.1f", 1.5);
    std::fclose(file);
}

}  // namespace
