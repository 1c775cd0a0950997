// Files that a command reads must not be among those that it writes, whatever they are called.
#pragma once

#include <string>
#include <vector>

#include "bake_options.h"
#include "fascia/result.h"
#include "fascia/settings.h"

namespace fascia::cli {

class KeptInputs {
public:
    /// A file and everything it refers to (the buffers and pictures of a glTF). Anything that is not a file is ignored.
    void add(const std::string& path);
    /// The mask of a flesh, if it is an image.
    void add_mask(const Flesh& flesh);
    /// Refuses outputs that are inputs, directly or through links, and folders that contain one.
    Status check(const std::vector<std::string>& outputs) const;

private:
    std::vector<std::string> files_;
};

/// All files that the options name, and the flesh file beside the character.
KeptInputs inputs_of(const BakeOptions& options);

}  // namespace fascia::cli
