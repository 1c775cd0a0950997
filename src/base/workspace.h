// The inside of Workspace: the pool, and scratch memory by type. Whoever needs scratch declares a struct for it; the
// workspace keeps one of each, so that two users can never take the same array for different things.
#pragma once

#include <memory>
#include <vector>

#include "base/thread_pool.h"
#include "fascia/method.h"

namespace fascia {

/// The first `size` items of an array that only grows; they hold whatever was left there.
template <class T, class Allocator>
std::span<T> sized(std::vector<T, Allocator>& array, std::size_t size) {
    if (array.size() < size) array.resize(size);
    return {array.data(), size};
}

struct Workspace::Impl {
    explicit Impl(int threads) : pool(threads) {}
    explicit Impl(const Jobs& jobs) : pool(jobs) {}

    ThreadPool pool;

    /// One workspace of one thread for each of the pool's, for passes whose items need scratch of their own.
    std::span<Workspace> lanes() {
        if (lanes_.empty()) lanes_.resize(std::size_t(pool.size()));
        return lanes_;
    }

    /// The workspace's one Scratch; made on first use, then always the same.
    template <class Scratch>
    Scratch& scratch() {
        for (const Slot& slot : slots_)
            if (slot.type == &tag<Scratch>) return *static_cast<Scratch*>(slot.memory.get());
        slots_.push_back({&tag<Scratch>, {new Scratch, [](void* memory) { delete static_cast<Scratch*>(memory); }}});
        return *static_cast<Scratch*>(slots_.back().memory.get());
    }

private:
    template <class Scratch>
    static inline const char tag = 0;  ///< its address stands for the type

    struct Slot {
        const void* type;
        std::unique_ptr<void, void (*)(void*)> memory;
    };
    std::vector<Slot> slots_;
    std::vector<Workspace> lanes_;
};

}  // namespace fascia
