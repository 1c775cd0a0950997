#include "base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace fascia {

namespace {
constexpr int most_spins = 4000;  ///< a fifth of a millisecond or less
}

// One pass at a time: what to do, and in how many pieces.
//
// Own threads wait for `generation` to change: first by spinning (a step has several passes of a few microseconds
// each), then asleep on the condition variable. None spins if there are more threads than cores: the one being waited
// for needs the core.
struct ThreadPool::Shared {
    void* context = nullptr;
    Task task = nullptr;
    std::size_t count = 0, grain = 1;
    int pieces = 1;
    std::atomic<bool> failed{false};
    std::exception_ptr problem;  ///< of the first piece that failed

    Jobs jobs;  ///< of the host, or else:
    std::vector<std::thread> threads;
    int crew = 1;  ///< how many take part, including the caller; threads beyond it exit
    int spins = 0;
    std::mutex mutex;
    std::condition_variable wake;
    std::atomic<unsigned> generation{0};
    std::atomic<int> busy{0};
    std::atomic<int> sleepers{0};

    static void pause() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }

    void begin(std::size_t items, std::size_t cut_at, void* with, Task what) {
        context = with;
        task = what;
        count = items;
        grain = std::max<std::size_t>(1, cut_at);
        pieces = crew;
    }

    /// Exceptions must not leave a thread, nor pass through the host's code.
    void work(int piece) noexcept {
        const std::size_t blocks = (count + grain - 1) / grain, k = std::size_t(piece), of = std::size_t(pieces);
        const std::size_t from = blocks * k / of * grain, to = std::min(count, blocks * (k + 1) / of * grain);
        if (from >= to) return;
        try {
            task(context, from, to, piece);
        } catch (...) {
            if (!failed.exchange(true)) problem = std::current_exception();
        }
    }

    void report() {
        if (!failed.load()) return;
        failed.store(false);
        std::rethrow_exception(std::exchange(problem, nullptr));
    }

    void loop(int worker) {
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
            if (worker >= crew) return;
            work(worker);
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

    /// As many threads as are wanted. If the system runs out (of memory, processes), half of those it gave are
    /// returned: whatever comes next needs room, too.
    void start(int wanted) {
        threads.reserve(std::size_t(wanted) - 1);
        try {
            for (int worker = 1; worker < wanted; ++worker) threads.emplace_back([this, worker] { loop(worker); });
        } catch (const std::exception&) {  // system_error or bad_alloc
            keep(int(threads.size()) / 2);
        }
        crew = int(threads.size()) + 1;
    }

    void keep(int kept) {
        crew = kept + 1;
        busy.store(kept);
        pieces = 1, count = 0;  // nothing to do for those that stay
        announce();
        for (std::size_t k = std::size_t(kept); k < threads.size(); ++k) threads[k].join();
        threads.resize(std::size_t(kept));
        wait();
    }

    void wait() const {
        for (int spin = 0; busy.load(std::memory_order_acquire) > 0; ++spin) {
            if (spin < spins) {
                pause();
            } else {
                std::this_thread::yield();
            }
        }
    }
};

ThreadPool::ThreadPool(int threads) : size_(std::clamp(threads, 1, most_threads)) {
    if (size_ == 1) return;
    shared_ = std::make_unique<Shared>();
    // Set before the threads start, because they read it; if fewer start, that costs only a little speed.
    if (unsigned(size_) <= std::thread::hardware_concurrency()) shared_->spins = most_spins;
    shared_->start(size_);
    size_ = shared_->crew;
}

ThreadPool::ThreadPool(const Jobs& jobs) {
    if (jobs.parallel_for == nullptr) return;
    size_ = std::clamp(jobs.threads, 1, most_threads);
    shared_ = std::make_unique<Shared>();
    shared_->jobs = jobs;
    shared_->crew = size_;
}

ThreadPool::~ThreadPool() {
    if (shared_ && !shared_->threads.empty()) shared_->keep(0);
}

void ThreadPool::run(std::size_t count, std::size_t grain, void* context, Task task) {
    Shared& s = *shared_;
    s.begin(count, grain, context, task);
    if (s.jobs.parallel_for != nullptr) {
        const std::size_t blocks = (count + s.grain - 1) / s.grain;
        s.pieces = int(std::min<std::size_t>(blocks, std::size_t(s.crew)));
        s.jobs.parallel_for(
            std::size_t(s.pieces), [](void* shared, std::size_t k) { static_cast<Shared*>(shared)->work(int(k)); }, &s,
            s.jobs.user);
    } else {
        s.busy.store(size_ - 1);
        s.announce();
        s.work(0);
        s.wait();
    }
    s.report();
}

}  // namespace fascia
