// Keeps a reader from allocating what a file merely claims to hold: every large array is charged here first.
//
// The promise is 16 times the file plus 200 MB. Whatever is counted here may take 10 times the file plus 120 MB; the
// rest is left for the file's own bytes, the JSON tree and the allocator.
#pragma once

#include <cstdint>
#include <string>

#include "fascia/result.h"

namespace fascia::io {

class MemoryBudget {
public:
    explicit MemoryBudget(std::uint64_t file_bytes) : limit_(120'000'000 + 10 * file_bytes) {}

    /// An external file belongs to the input too.
    void add_input(std::uint64_t file_bytes) { limit_ += 10 * file_bytes; }

    /// Asks for `count * bytes_each`; `what` begins the sentence of the error.
    Status take(std::uint64_t count, std::uint64_t bytes_each, const std::string& what);

private:
    std::uint64_t limit_, used_ = 0;
};

}  // namespace fascia::io
