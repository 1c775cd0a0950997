// How often this test program has allocated, to prove that a function does not.
#pragma once

#include <cstddef>

namespace fascia::test {

std::size_t allocation_count();

}  // namespace fascia::test
