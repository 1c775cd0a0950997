// Large arrays go on large pages: a step walks through dozens of channels at once, and with small pages the processor
// would spend a third of its time translating addresses.
#include <new>

#include "fascia/method.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fascia {

namespace {

constexpr std::size_t cache_line = 64, large_page = std::size_t(2) << 20;

std::align_val_t alignment_of(std::size_t bytes) {
    return std::align_val_t(bytes >= large_page ? large_page : cache_line);
}

}  // namespace

void* allocate_array(std::size_t bytes) {
    void* block = ::operator new(bytes, alignment_of(bytes));
#if defined(__linux__)
    // Only a hint; the system may ignore it.
    if (bytes >= large_page) (void)madvise(block, bytes / large_page * large_page, MADV_HUGEPAGE);
#endif
    return block;
}

void free_array(void* block, std::size_t bytes) {
    ::operator delete(block, alignment_of(bytes));
}

}  // namespace fascia
