// Where results go: checked before the work starts, so that an hour of baking does not end in a misspelt folder.
#pragma once

#include <string>
#include <vector>

#include "bake_options.h"
#include "fascia/result.h"

namespace fascia::cli {

/// All files of one motion.
struct OutputPaths {
    std::vector<std::string> frames;  ///< -o
    std::string report, preview;      ///< empty: not asked for
};

/// Lower-case extension with its dot.
std::string extension_of(const std::string& path);

/// The folder is there and takes files, and the name is not a folder itself. `folder_output`: the path is a folder of
/// ours.
Status check_writable(const std::string& path, bool folder_output = false);
/// The folder of that name, or one that could be made there.
Status check_folder(const std::string& path);
Status make_folder(const std::string& path);

/// Extensions, folders, doubles; nothing may overwrite the character itself.
Status check_outputs(const BakeOptions& options);

/// As given for a single motion; NAME.PART.ext where there are many.
OutputPaths output_paths(const BakeOptions& options, const std::string& part, bool many);

}  // namespace fascia::cli
