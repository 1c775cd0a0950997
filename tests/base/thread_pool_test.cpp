#include "base/thread_pool.h"

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/limited_room.h"

namespace fascia {
namespace {

void expect_every_item_once(ThreadPool& pool) {
    for (std::size_t count : {0u, 1u, 7u, 64u, 1000u, 1001u}) {
        std::vector<int> hits(count, 0);
        for (int round = 0; round < 20; ++round) {
            std::vector<std::atomic<int>> ranges(ThreadPool::most_threads);
            pool.for_ranges(count, 8, [&](std::size_t begin, std::size_t end, int worker) {
                ASSERT_GE(worker, 0);
                ASSERT_LT(worker, pool.size());
                ++ranges[std::size_t(worker)];
                for (std::size_t i = begin; i < end; ++i) ++hits[i];
            });
            for (const auto& taken : ranges) EXPECT_LE(taken, 1);
        }
        EXPECT_EQ(hits, std::vector<int>(count, 20));
    }
}

TEST(ThreadPool, CoversEveryItemOnceForAnyNumberOfThreads) {
    for (int threads : {1, 2, 3, 4}) {
        ThreadPool pool(threads);
        EXPECT_EQ(pool.size(), threads);
        expect_every_item_once(pool);
    }
}

TEST(ThreadPool, RangesStartAtMultiplesOfTheGrain) {
    ThreadPool pool(3);
    pool.for_ranges(100, 16, [&](std::size_t begin, std::size_t, int) { EXPECT_EQ(begin % 16, 0u); });
}

// ---- threads of the host
// ----------------------------------------------------------------------------------------------
/// A host that runs everything by itself, the last task first, and counts its calls.
void backwards(std::size_t count, Jobs::Task task, void* context, void* user) {
    ++*static_cast<int*>(user);
    for (std::size_t k = count; k-- > 0;) task(context, k);
}

/// A host with threads, here of another pool.
void elsewhere(std::size_t count, Jobs::Task task, void* context, void* user) {
    static_cast<ThreadPool*>(user)->for_ranges(count, 1, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t k = begin; k < end; ++k) task(context, k);
    });
}

TEST(ThreadPool, OfTheHostCoversEveryItemOnce) {
    int calls = 0;
    ThreadPool by_itself(Jobs{backwards, &calls, 5});
    EXPECT_EQ(by_itself.size(), 5);
    expect_every_item_once(by_itself);
    EXPECT_EQ(calls, 3 * 20) << "whatever is worth more than one task went to the host";
    ThreadPool host(3), guest(Jobs{elsewhere, &host, 4});
    expect_every_item_once(guest);
}

TEST(ThreadPool, OfTheHostHasNoMoreTasksThanPieces) {
    std::size_t most = 0;
    const Jobs jobs{[](std::size_t count, Jobs::Task task, void* context, void* user) {
                        *static_cast<std::size_t*>(user) = count;
                        for (std::size_t k = 0; k < count; ++k) task(context, k);
                    },
                    &most, 64};
    ThreadPool(jobs).for_ranges(30, 10, [](std::size_t, std::size_t, int) {});
    EXPECT_EQ(most, 3u);
}

TEST(ThreadPool, WithoutACallbackRunsInPlace) {
    ThreadPool pool(Jobs{nullptr, nullptr, 8});
    EXPECT_EQ(pool.size(), 1);
    expect_every_item_once(pool);
}

// ---- when something fails
// ---------------------------------------------------------------------------------------------
void expect_throws_here(ThreadPool& pool) {
    const auto fails_at = [&](std::size_t bad, std::vector<int>& hits) {
        pool.for_ranges(hits.size(), 1, [&](std::size_t begin, std::size_t end, int) {
            for (std::size_t i = begin; i < end; ++i) ++hits[i];
            if (begin <= bad && bad < end) throw std::runtime_error("item " + std::to_string(bad));
        });
    };
    for (const std::size_t bad : {0u, 5u, 7u}) {
        std::vector<int> hits(8, 0);
        try {
            fails_at(bad, hits);
            ADD_FAILURE() << "nothing was thrown";
        } catch (const std::runtime_error& problem) {
            EXPECT_EQ(problem.what(), "item " + std::to_string(bad));
        }
        EXPECT_EQ(hits, std::vector<int>(8, 1)) << "the others go on";
    }
    std::vector<int> hits(8, 0);
    EXPECT_NO_THROW(fails_at(8, hits)) << "a failure is told once";
}

TEST(ThreadPool, ThrowsInTheCallerWhatABodyThrows) {
    ThreadPool one(1), four(4);
    expect_throws_here(one);
    expect_throws_here(four);
    int calls = 0;
    ThreadPool host(Jobs{backwards, &calls, 3});
    expect_throws_here(host);
}

// The stack of a thread takes 8 MB of address space.
TEST(ThreadPool, HasFewerThreadsWhereNoMoreCanStart) {
    if (test::sanitized) GTEST_SKIP() << "limits of memory do not go with sanitizers";
    const auto size_and_sum = [] {
        ThreadPool pool(64);
        std::vector<int> items(1000, 1);
        pool.for_ranges(items.size(), 1, [&](std::size_t begin, std::size_t end, int) {
            for (std::size_t i = begin; i < end; ++i) items[i] += int(i % 2);
        });
        return std::accumulate(items.begin(), items.end(), 0) == 1500 ? pool.size() : 98;
    };
    // Stacks of earlier threads are kept for reuse, at most 40 MB of them, which allows a few threads more.
    const int some = test::with_room_for(100, size_and_sum);
    EXPECT_GE(some, 5);
    EXPECT_LE(some, 9) << "half of what the room is enough for stays free";
    EXPECT_LE(test::with_room_for(2, size_and_sum), 3);
    EXPECT_EQ(test::with_room_for(1000, size_and_sum), 64);
}

}  // namespace
}  // namespace fascia
