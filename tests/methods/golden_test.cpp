// Whole runs, pinned: any changed bit on any machine, compiler, vector level or thread count shows here.
#include <gtest/gtest.h>

#include "support/golden_character.h"

namespace fascia {
namespace {

TEST(Golden, Lbs) {
    for (const int threads : {1, 2, 3}) EXPECT_EQ(test::golden_hash(LbsSettings{}, threads), 0x1fde0e9370404598ull);
}

TEST(Golden, Dqs) {
    for (const int threads : {1, 2, 3}) EXPECT_EQ(test::golden_hash(DqsSettings{}, threads), 0xaa3d4359d481a88full);
}

}  // namespace
}  // namespace fascia
