// Counts every allocation of a program, to test that nothing is allocated per frame, and can make them fail. Replaces
// the global operators: include it in exactly one file of a program.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace fascia::test {

inline std::atomic<std::size_t> allocations{0};
inline std::atomic<std::ptrdiff_t> living{0};  ///< allocations that have not been freed
/// Allocations with these numbers, counted from 0, fail.
inline std::atomic<std::size_t> first_to_fail{std::size_t(-1)}, last_to_fail{std::size_t(-1)};

inline void* counted(std::size_t size, std::size_t alignment) noexcept {
    const std::size_t number = allocations++;
    if (number >= first_to_fail && number <= last_to_fail) return nullptr;
    void* p = alignment > alignof(std::max_align_t)
                  ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                  : std::malloc(size == 0 ? 1 : size);
    living += p != nullptr;
    return p;
}

inline void free_counted(void* p) noexcept {
    living -= p != nullptr;
    std::free(p);
}

inline void* counted_or_throw(std::size_t size, std::size_t alignment) {
    if (void* p = counted(size, alignment)) return p;
    throw std::bad_alloc();
}

}  // namespace fascia::test

// The thread sanitizer brings operators of its own and lets nobody replace them: there nothing is counted.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FASCIA_OPERATORS_ARE_TAKEN
#endif
#endif

#ifndef FASCIA_OPERATORS_ARE_TAKEN
// All of them: memory from one kind of new may be freed by any delete.
void* operator new(std::size_t size) {
    return fascia::test::counted_or_throw(size, 0);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return fascia::test::counted_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return fascia::test::counted(size, 0);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return fascia::test::counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept {
    fascia::test::free_counted(p);
}
void operator delete(void* p, std::size_t) noexcept {
    fascia::test::free_counted(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
    fascia::test::free_counted(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
    fascia::test::free_counted(p);
}
void operator delete(void* p, const std::nothrow_t&) noexcept {
    fascia::test::free_counted(p);
}
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept {
    fascia::test::free_counted(p);
}
#endif
