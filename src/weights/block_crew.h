// Threads that share the blocks of many short passes. Whichever thread is free takes the next block: a late thread
// costs nothing, as the leader does its share. (A pool that waits for all threads in each pass loses more than it gains
// on a busy machine.)
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>

namespace fascia::weights {

class BlockCrew {
public:
    /// For the leader: runs task(block) for all blocks below `blocks`, in any order, on whichever threads are there,
    /// and waits.
    template <class Task>
    void run(std::size_t blocks, Task&& task) {
        using Plain = std::remove_reference_t<Task>;
        context_ = const_cast<void*>(static_cast<const void*>(std::addressof(task)));
        task_ = [](void* context, std::size_t block) { (*static_cast<Plain*>(context))(block); };
        done_.store(0, std::memory_order_relaxed);
        ++pass_;
        left_.store(pass_ << 32 | blocks, std::memory_order_release);
        while (take()) continue;
        while (done_.load(std::memory_order_acquire) < blocks) std::this_thread::yield();
    }

    /// For the other threads: takes blocks of every pass until the leader is done.
    void serve() {
        while (!over_.load(std::memory_order_acquire))
            if (!take()) std::this_thread::yield();
    }
    /// While it exists, others serve; it also ends if the leader fails, because otherwise they would serve for ever.
    class Leader {
    public:
        explicit Leader(BlockCrew& crew) : crew_(crew) {}
        ~Leader() { crew_.over_.store(true, std::memory_order_release); }
        Leader(const Leader&) = delete;
        Leader& operator=(const Leader&) = delete;

    private:
        BlockCrew& crew_;
    };

private:
    /// One block, if any is left. The pass number is part of the comparison, so that no thread takes a block of a
    /// finished pass.
    bool take() {
        std::uint64_t left = left_.load(std::memory_order_acquire);
        do {
            if ((left & 0xffffffff) == 0) return false;
        } while (!left_.compare_exchange_weak(left, left - 1, std::memory_order_acq_rel));
        task_(context_, (left & 0xffffffff) - 1);
        done_.fetch_add(1, std::memory_order_release);
        return true;
    }

    std::atomic<std::uint64_t> left_{0};  ///< number of the pass, blocks not taken yet
    std::atomic<std::size_t> done_{0};
    std::atomic<bool> over_{false};
    std::uint64_t pass_ = 0;
    void* context_ = nullptr;
    void (*task_)(void* context, std::size_t block) = nullptr;
};

}  // namespace fascia::weights
