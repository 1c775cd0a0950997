#include "base/thread_pool.h"

#include <vector>

#include <gtest/gtest.h>

namespace fascia {
namespace {

TEST(ThreadPool, CoversEveryItemOnceForAnyNumberOfThreads) {
    for (int threads : {1, 2, 3, 4}) {
        ThreadPool pool(threads);
        for (std::size_t count : {0u, 1u, 7u, 64u, 1000u, 1001u}) {
            std::vector<int> hits(count, 0);
            for (int round = 0; round < 20; ++round)
                pool.for_ranges(count, 8, [&](std::size_t begin, std::size_t end, int worker) {
                    ASSERT_GE(worker, 0);
                    ASSERT_LT(worker, threads);
                    for (std::size_t i = begin; i < end; ++i) ++hits[i];
                });
            for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(hits[i], 20);
        }
    }
}

TEST(ThreadPool, RangesStartAtMultiplesOfTheGrain) {
    ThreadPool pool(3);
    pool.for_ranges(100, 16, [&](std::size_t begin, std::size_t, int) { EXPECT_EQ(begin % 16, 0u); });
}

}  // namespace
}  // namespace fascia
