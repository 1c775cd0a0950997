#include "c/failing_memory.h"

// In a separate file: a compiler that sees both a `new` and this `free` reports a mismatch.
#include "support/count_allocations.h"

namespace fascia::test {

namespace {

std::size_t begun = 0;

}  // namespace

std::size_t allocation_count() {
    return allocations;
}

std::ptrdiff_t living_allocations() {
    return living;
}

void fail_allocation(std::size_t first, bool all) {
    begun = allocations;
    last_to_fail = all ? std::size_t(-2) : begun + first;
    first_to_fail = begun + first;
}

std::size_t stop_failing() {
    first_to_fail = std::size_t(-1);
    return allocations - begun;
}

}  // namespace fascia::test
