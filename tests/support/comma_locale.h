// A host that writes numbers as 1.234,5: the C locale de_DE where the system has it or can make it, and a C++ global
// locale of our own, which needs nothing from the system.
#pragma once

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <locale>
#include <string>

#include <unistd.h>

namespace fascia::test {

class CommaNumbers : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

/// A folder with de_DE.UTF-8, for LOCPATH; empty if the system cannot make one. Made once per process, and removed.
inline const std::string& german_locale_folder() {
    struct Folder {
        std::string path;
        Folder() {
            const std::string wanted =
                (std::filesystem::temp_directory_path() / ("fascia_locale_" + std::to_string(getpid()))).string();
            std::filesystem::create_directories(wanted);
            const std::string make = "localedef -i de_DE -f UTF-8 " + wanted + "/de_DE.UTF-8 > /dev/null 2>&1";
            if (std::system(make.c_str()) == 0) path = wanted;
        }
        ~Folder() {
            std::error_code ignored;
            if (!path.empty()) std::filesystem::remove_all(path, ignored);
        }
    };
    static const Folder folder;
    return folder.path;
}

/// While this object lives, the process has commas.
class CommaLocale {
public:
    CommaLocale() : old_(std::setlocale(LC_ALL, nullptr)) {
        std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
        std::setlocale(LC_ALL, old_.c_str());  // the line above may have set it
        if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr && !german_locale_folder().empty()) {
            setenv("LOCPATH", german_locale_folder().c_str(), 1);
            std::setlocale(LC_ALL, "de_DE.UTF-8");
            unsetenv("LOCPATH");
        }
    }
    ~CommaLocale() {
        std::locale::global(std::locale::classic());
        std::setlocale(LC_ALL, old_.c_str());
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;

    /// Whether C's functions have commas, too.
    bool in_c() const { return std::localeconv()->decimal_point[0] == ','; }

private:
    std::string old_;
};

}  // namespace fascia::test
