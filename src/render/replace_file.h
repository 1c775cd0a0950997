// Files that appear under their final name only when they are complete.
#pragma once

#include <string>

#include "fascia/result.h"

namespace fascia::picture {

/// A name in the same folder and with the same extension as `path`, unique to this process.
std::string temporary_name(const std::string& path);
/// Renames `temporary` to `path`; if that fails, the temporary file is removed.
Status rename_into_place(const std::string& temporary, const std::string& path);
void remove_quietly(const std::string& path);

}  // namespace fascia::picture
