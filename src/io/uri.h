// Where a glTF says its bytes are: inside the URI itself, or in a file beside it.
#pragma once

#include <string>
#include <string_view>

#include "fascia/result.h"
#include "io/file_bytes.h"

namespace fascia::io {

struct UriBytes {
    Bytes bytes;
    std::string mime;  ///< of a data URI, else empty
    bool from_file = false;
};

/// The file that a URI names, relative to the glTF; empty for a data URI and for anything elsewhere.
std::string file_of_uri(std::string_view uri);

/// Reads a data URI or a file relative to `base_dir` (empty: files are refused). The error begins with `what`.
Result<UriBytes> read_uri(std::string_view uri, const std::string& base_dir, const std::string& what);

}  // namespace fascia::io
