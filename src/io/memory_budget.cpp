#include "io/memory_budget.h"

#include <fmt/format.h>

namespace fascia::io {

Status MemoryBudget::take(std::uint64_t count, std::uint64_t bytes_each, const std::string& what) {
    const std::uint64_t left = limit_ - used_;
    if (bytes_each != 0 && count > left / bytes_each) {
        return input_error(
            fmt::format("{} asks for {} items of {} bytes, far more than the file holds; it is damaged or "
                        "not meant to be read: export it again.",
                        what, count, bytes_each));
    }
    used_ += count * bytes_each;
    return ok_status();
}

}  // namespace fascia::io
