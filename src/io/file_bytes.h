// Reads whole files into memory, or says in one sentence why not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fascia/result.h"

namespace fascia::io {

using Bytes = std::vector<std::uint8_t>;

/// Reads a regular file. Folders, pipes and devices are refused; so is an empty file.
Result<Bytes> read_file(const std::string& path);

/// The folder part of a path, "." if it has none.
std::string folder_of(const std::string& path);

/// The part after the last slash.
std::string file_name_of(const std::string& path);

/// ".glb" of "a/b.GLB"; empty if there is none.
std::string lower_extension(const std::string& path);
/// NAME.anatomy.json beside a character NAME.glb, whether it exists or not.
std::string anatomy_beside(const std::string& path);

}  // namespace fascia::io
