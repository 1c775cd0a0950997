// A small pool for passes that write only their own items: the result never depends on the number of threads.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "fascia/workspace.h"

namespace fascia {

class ThreadPool {
public:
    static constexpr int most_threads = Workspace::most_threads;

    /// `threads` includes the caller: 1 runs everything in place and starts no thread. If some cannot be started, there
    /// are fewer.
    explicit ThreadPool(int threads);
    /// Passes go to the host, which may run their pieces one after another: no piece may wait for another.
    explicit ThreadPool(const Jobs& jobs);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int size() const { return size_; }

    /// Calls body(begin, end, worker) on disjoint ranges that cover [0, count), and waits. Allocates nothing.
    /// Ranges are cut at multiples of `grain`; worker is in [0, size()), different for each range. An exception thrown
    /// by a body (one, if there are several) is rethrown here when all are done.
    template <class Body>
    void for_ranges(std::size_t count, std::size_t grain, Body&& body) {
        if (size_ == 1 || count <= grain) {
            if (count > 0) body(std::size_t{0}, count, 0);
            return;
        }
        using Plain = std::remove_reference_t<Body>;
        run(count, grain, const_cast<void*>(static_cast<const void*>(std::addressof(body))),
            [](void* context, std::size_t begin, std::size_t end, int worker) {
                (*static_cast<Plain*>(context))(begin, end, worker);
            });
    }

private:
    using Task = void (*)(void* context, std::size_t begin, std::size_t end, int worker);
    void run(std::size_t count, std::size_t grain, void* context, Task task);

    int size_ = 1;
    struct Shared;
    std::unique_ptr<Shared> shared_;
};

}  // namespace fascia
