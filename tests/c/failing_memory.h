// Allocations that fail on demand.
#pragma once

#include <cstddef>

namespace fascia::test {

std::size_t allocation_count();
/// Allocations that have not been freed.
std::ptrdiff_t living_allocations();
/// From now on, counting from here, allocation `first` fails and, if `all`, every one after it.
void fail_allocation(std::size_t first, bool all);
/// Memory is back. Returns how many allocations there have been since then.
std::size_t stop_failing();

}  // namespace fascia::test
