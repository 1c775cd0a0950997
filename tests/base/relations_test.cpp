// Relatives against a table of all pairs.
#include "base/relations.h"

#include <random>

#include <gtest/gtest.h>

namespace fascia {
namespace {

TEST(Relations, AreMutualAndIncludeItself) {
    constexpr std::size_t count = 40;
    std::mt19937 random(2);
    Relations::Pairs pairs;
    std::vector<bool> table(count * count, false);
    for (std::size_t k = 0; k < count; ++k) table[k * count + k] = true;
    for (int k = 0; k < 90; ++k) {
        const auto a = std::uint16_t(random() % count), b = std::uint16_t(random() % count);
        pairs.emplace_back(a, b);
        table[a * count + b] = table[b * count + a] = true;
    }
    const Relations relations(count, pairs);
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = 0; b < count; ++b)
            EXPECT_EQ(relations.related(a, b), table[a * count + b]) << a << " " << b;
}

}  // namespace
}  // namespace fascia
