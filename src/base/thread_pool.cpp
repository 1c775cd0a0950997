#include "base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace fascia {

namespace {
constexpr int most_spins = 4000;  ///< a fifth of a millisecond or less
}

// Workers wait for `generation` to change: first by spinning (a step has several passes of a few microseconds each),
// then asleep on the condition variable. Nobody spins where there are more threads than cores: whoever is waited for
// needs the core.
struct ThreadPool::Shared {
    int spins = 0;
    std::vector<std::thread> threads;
    std::mutex mutex;
    std::condition_variable wake;
    std::atomic<unsigned> generation{0};
    std::atomic<int> busy{0};
    std::atomic<bool> stop{false};
    std::atomic<int> sleepers{0};

    void* context = nullptr;
    Task task = nullptr;
    std::size_t count = 0, grain = 1;

    static void pause() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }

    void work(int worker, int workers) const {
        const std::size_t blocks = (count + grain - 1) / grain;
        const std::size_t begin = blocks * worker / workers * grain;
        const std::size_t end = std::min(count, blocks * (worker + 1) / workers * grain);
        if (begin < end) task(context, begin, end, worker);
    }

    void loop(int worker, int workers) {
        unsigned seen = 0;
        for (;;) {
            for (int spin = 0; spin < spins && generation.load(std::memory_order_acquire) == seen; ++spin) pause();
            if (generation.load(std::memory_order_acquire) == seen) {
                std::unique_lock lock(mutex);
                sleepers.fetch_add(1);
                wake.wait(lock, [&] { return generation.load() != seen; });
                sleepers.fetch_sub(1);
            }
            seen = generation.load(std::memory_order_acquire);
            if (stop.load()) return;
            work(worker, workers);
            busy.fetch_sub(1, std::memory_order_release);
        }
    }

    void announce() {
        {
            std::lock_guard lock(mutex);
            generation.fetch_add(1, std::memory_order_release);
        }
        if (sleepers.load() > 0) wake.notify_all();
    }
};

ThreadPool::ThreadPool(int threads) : size_(std::clamp(threads, 1, most_threads)) {
    if (size_ == 1) return;
    shared_ = std::make_unique<Shared>();
    if (unsigned(size_) <= std::thread::hardware_concurrency()) shared_->spins = most_spins;
    for (int worker = 1; worker < size_; ++worker)
        shared_->threads.emplace_back(
            [shared = shared_.get(), worker, workers = size_] { shared->loop(worker, workers); });
}

ThreadPool::~ThreadPool() {
    if (!shared_) return;
    shared_->stop.store(true);
    shared_->announce();
    for (auto& thread : shared_->threads) thread.join();
}

void ThreadPool::run(std::size_t count, std::size_t grain, void* context, Task task) {
    Shared& s = *shared_;
    s.context = context;
    s.task = task;
    s.count = count;
    s.grain = std::max<std::size_t>(1, grain);
    s.busy.store(size_ - 1);
    s.announce();
    s.work(0, size_);
    for (int spin = 0; s.busy.load(std::memory_order_acquire) > 0; ++spin) {
        if (spin < s.spins) {
            Shared::pause();
        } else {
            std::this_thread::yield();
        }
    }
}

}  // namespace fascia
