// A file that appears under its name only when it is whole.
#pragma once

#include <string>

#include "fascia/result.h"

namespace fascia::picture {

/// A name beside `path`, of the same extension, for this process alone.
std::string temporary_name(const std::string& path);
/// Moves `temporary` to `path`; where that fails the temporary file is removed.
Status rename_into_place(const std::string& temporary, const std::string& path);
void remove_quietly(const std::string& path);

}  // namespace fascia::picture
