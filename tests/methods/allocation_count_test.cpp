#include "methods/allocation_count.h"

// In a file of its own: where the compiler sees both a `new` and this `free`, it takes them for a mismatch.
#include "support/count_allocations.h"

namespace fascia::test {

std::size_t allocation_count() {
    return allocations;
}

}  // namespace fascia::test
