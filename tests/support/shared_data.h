// Finds the shared characters, motions and meshes: in FASCIA_DATA, or else in ../shared/data beside the project.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "support/places.h"

namespace fascia::test {

inline std::string shared_data_folder() {
    if (const char* folder = std::getenv("FASCIA_DATA")) return folder;
    return source_folder() + "/../shared/data";
}

inline bool has_shared_data() {
    return std::filesystem::exists(shared_data_folder() + "/README.md");
}

inline std::string shared_data(const std::string& path) {
    return shared_data_folder() + "/" + path;
}

}  // namespace fascia::test

#define FASCIA_NEEDS_SHARED_DATA() \
    if (!fascia::test::has_shared_data()) GTEST_SKIP() << "no shared data: set FASCIA_DATA to its folder"
