#include <gtest/gtest.h>

#include "fascia/settings.h"

namespace fascia {
namespace {

TEST(NearestName, FewestEditsWin) {
    const std::vector<std::string> known{"layers", "lattice", "lbs", "dqs"};
    EXPECT_EQ(nearest_name("layres", known), "layers");
    EXPECT_EQ(nearest_name("latice", known), "lattice");
    EXPECT_EQ(nearest_name("lsb", known), "lbs");  // a swap of neighbours is one edit
    EXPECT_EQ(nearest_name("DQS", known), "dqs");  // case is not a mistake
}

TEST(NearestName, AWordInsideALongNameIsNear) {
    EXPECT_EQ(nearest_name("jump", {"Idle", "FrogArmature|Frog_Jump", "Bump"}), "Bump");
    EXPECT_EQ(nearest_name("jump", {"Idle", "FrogArmature|Frog_Jump"}), "FrogArmature|Frog_Jump");
}

TEST(NearestName, NothingKnownGivesNothing) {
    EXPECT_EQ(nearest_name("x", {}), "");
    EXPECT_EQ(nearest_name("", {"a", "b"}), "a");
}

}  // namespace
}  // namespace fascia
