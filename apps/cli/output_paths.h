// Where results go: checked before the work starts, so that an hour of baking does not end in a misspelt folder.
#pragma once

#include <string>
#include <vector>

#include "bake_options.h"
#include "fascia/result.h"
#include "kept_inputs.h"

namespace fascia::cli {

/// All files of one motion.
struct OutputPaths {
    std::vector<std::string> frames;  ///< -o
    std::string report, preview;      ///< empty: not asked for

    std::vector<std::string> all() const {
        std::vector<std::string> out = frames;
        for (const std::string& path : {report, preview})
            if (!path.empty()) out.push_back(path);
        return out;
    }
};

/// Lower-case extension with its dot.
std::string extension_of(const std::string& path);

/// Checks that the folder exists and is writable, and that the name is not a folder itself. `folder_output`: the path
/// is a folder that we create.
Status check_writable(const std::string& path, bool folder_output = false);
/// Checks the folder of that name, or that it could be created.
Status check_folder(const std::string& path);
Status make_folder(const std::string& path);

/// Checks extensions, folders and duplicates; nothing may overwrite what is read.
Status check_outputs(const BakeOptions& options, const KeptInputs& inputs);

/// The path as given for a single motion; NAME.PART.ext for several.
OutputPaths output_paths(const BakeOptions& options, const std::string& part, bool many);

}  // namespace fascia::cli
