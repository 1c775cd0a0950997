// What a method says it can do is what its rigs can do.
#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/fields.h"
#include "fascia/method.h"
#include "fascia/pose.h"

namespace fascia {
namespace {

TEST(Abilities, AreThoseOfTheRig) {
    const Character tube = *bundled_character("tube");
    for (const MethodInfo& method : methods()) {
        SCOPED_TRACE(method.name);
        const Abilities& can = method.abilities;
        const RigPtr rig = *fascia::bind(tube, method.name, *preset("default"));
        const Inside* inside = rig->inside();
        EXPECT_EQ(can.has_layers, !layer_counts(*rig).empty());
        EXPECT_EQ(can.has_cells, inside != nullptr && !inside->point_cells().empty());
        EXPECT_EQ(can.has_parts, inside != nullptr && !inside->point_parts().joints.empty());
        EXPECT_EQ(can.takes_clothes, rig->clothes() != nullptr);
        State state = make_state(*rig);
        Workspace work;
        Pose pose;
        evaluate(tube, nullptr, 0, pose);
        reset(*rig, pose.joints, state, work);
        advance(*rig, pose.joints, 0.1, state, work);
        EXPECT_EQ(can.simulates, state.counters.steps > 0);
    }
}

}  // namespace
}  // namespace fascia
