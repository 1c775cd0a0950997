// The setting `quality`: a lower price for less exact flesh.
#include <gtest/gtest.h>

#include "fascia/live.h"
#include "fascia/method.h"
#include "support/small_character.h"

namespace fascia {
namespace {

/// `quality` is only another name for a step length: rig files hold nothing but the step.
TEST(Quality, IsANameForAStep) {
    for (const char* method : {"layers", "lattice"}) {
        Settings settings = *settings_for(method, *preset("default"));
        EXPECT_EQ(*get_field(settings, "quality"), "full") << method;
        ASSERT_TRUE(set_field(settings, "quality", "fast").ok());
        EXPECT_EQ(*get_field(settings, "quality"), "fast");
        EXPECT_EQ(*get_field(settings, "step"), to_text(1.0 / 120));
        ASSERT_TRUE(set_field(settings, "step", to_text(1.0 / 240)).ok());
        EXPECT_EQ(*get_field(settings, "quality"), "full");
        EXPECT_FALSE(set_field(settings, "quality", "best").ok());

        // The last one set wins.
        Flesh flesh = *preset("default");
        for (const auto& [key, value] : {std::pair{"resolution", "8"}, {"step", "0.002"}, {"quality", "fast"}})
            ASSERT_TRUE(set_field(flesh, key, value).ok()) << key;
        EXPECT_EQ(*get_field(*settings_for(method, flesh), "step"), to_text(1.0 / 120));
        const RigPtr rig = *fascia::bind(test::small_character(), method, flesh);
        EXPECT_EQ(*get_field((*load_rig(*save_rig(*rig)))->settings(), "quality"), "fast");
        const RigPtr full = *retune(rig, "quality", "full");
        EXPECT_EQ(*get_field(full->settings(), "step"), to_text(1.0 / 240));
        ASSERT_TRUE(set_field(flesh, "step", "0.002").ok());
        EXPECT_EQ(*get_field(*settings_for(method, flesh), "quality"), "full");
    }
}

}  // namespace
}  // namespace fascia
