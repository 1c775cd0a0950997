#include "methods/allocation_count.h"

// In a separate file: a compiler that sees both a `new` and this `free` reports a mismatch.
#include "support/count_allocations.h"

namespace fascia::test {

std::size_t allocation_count() {
    return allocations;
}

}  // namespace fascia::test
