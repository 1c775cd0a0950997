#include "character/allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

#include <gtest/gtest.h>

namespace {
std::atomic<std::size_t> allocations{0};
}

void* operator new(std::size_t size) {
    ++allocations;
    if (void* p = std::malloc(size ? size : 1)) return p;
    std::abort();
}
void operator delete(void* p) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
    std::free(p);
}

namespace fascia::test {

std::size_t allocation_count() {
    return allocations;
}

TEST(AllocationCount, SeesAnAllocation) {
    const std::size_t before = allocation_count();
    const auto number = std::make_unique<volatile int>(1);
    EXPECT_GT(allocation_count(), before);
}

}  // namespace fascia::test
