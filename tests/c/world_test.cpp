// A world in C does exactly what it does in C++.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "fascia/fascia.h"
#include "fascia/fascia_c.h"

namespace {

const char* const text = R"({"colliders": [{"name": "ball", "shape": "sphere", "radius": 0.5, "place": [0, 1.3, 0]}],
                             "attractors": [{"place": [0, 9, 0], "strength": 0}]})";

TEST(WorldInC, PressesAsInCpp) {
    fascia_character* character = fascia_character_load("tube", nullptr, 0);
    fascia_rig* rig = fascia_bind(character, "layers", "{\"resolution\": 16}", nullptr, 0);
    fascia_instance *with = fascia_instance_new(rig, 1), *without = fascia_instance_new(rig, 1);
    fascia_world* world = fascia_world_new(text, nullptr, 0);
    ASSERT_NE(world, nullptr) << fascia_last_error();
    EXPECT_EQ(fascia_world_collider_count(world), 1u);
    EXPECT_EQ(fascia_world_find(world, "ball"), 0u);
    EXPECT_EQ(fascia_world_find(world, "box"), 1u);

    std::vector<double> joints(12 * fascia_rig_joint_count(rig));
    fascia_rest_pose(character, joints.data());
    fascia_reset(with, joints.data());
    fascia_reset(without, joints.data());
    const fascia::Character tube = *fascia::bundled_character("tube");
    fascia::LayersSettings settings;
    settings.resolution = 16;
    const fascia::RigPtr own = *fascia::bind(tube, settings);
    fascia::State state = make_state(*own);
    fascia::Workspace work;
    fascia::World cpp = *fascia::World::make(fascia::parse_world(text, "x")->settings);
    std::vector<fascia::Affine> pose;
    for (const fascia::Joint& joint : tube.joints) pose.push_back(joint.rest);
    reset(*own, pose, state, work);
    for (int k = 1; k <= 10; ++k) {
        const double place[3] = {0, 1.3 - 0.01 * k, 0};
        EXPECT_EQ(fascia_world_begin_frame(world, 1 / 60.0), FASCIA_OK);
        EXPECT_EQ(fascia_world_move(world, 0, place, nullptr, 0), FASCIA_OK);
        EXPECT_EQ(fascia_advance_in(with, world, joints.data(), 1 / 60.0), FASCIA_OK);
        EXPECT_EQ(fascia_advance(without, joints.data(), 1 / 60.0), FASCIA_OK);
        cpp.begin_frame(1 / 60.0);
        cpp.move(0, {0, 1.3 - 0.01 * k, 0});
        advance(*own, pose, 1 / 60.0, cpp, state, work);
    }
    EXPECT_EQ(fascia_hash(with), hash(state));
    EXPECT_NE(fascia_hash(with), fascia_hash(without));
    EXPECT_EQ(fascia_settle_in(with, world), FASCIA_OK);

    fascia_workspace* crowd = fascia_workspace_new(1);
    const fascia_frame frame{with, joints.data(), 1 / 60.0, nullptr, nullptr};
    EXPECT_EQ(fascia_advance_many_in(crowd, world, &frame, 1), FASCIA_OK);
    EXPECT_EQ(fascia_advance_many_in(crowd, nullptr, &frame, 1), FASCIA_FOREIGN);
    fascia_workspace_free(crowd);

    EXPECT_STREQ(fascia_world_collider_name(world, 0), "ball");
    EXPECT_EQ(fascia_world_collider_name(world, 1), nullptr);
    double where[3], turn[4], away = 0, pull[3] = {1, 1, 1};
    const double beside[3] = {2, 1.2, 0};
    EXPECT_EQ(fascia_world_place(world, 0, where, turn), FASCIA_OK);
    EXPECT_DOUBLE_EQ(where[1], 1.3 - 0.01 * 10);
    EXPECT_EQ(turn[0], 1);
    EXPECT_EQ(fascia_world_distance(world, 0, beside, &away), FASCIA_OK);
    EXPECT_NEAR(away, 1.5, 1e-6);
    EXPECT_EQ(fascia_world_field(world, beside, pull), FASCIA_OK);
    EXPECT_EQ(pull[1], 0);
    EXPECT_EQ(fascia_world_distance(world, 1, beside, &away), FASCIA_NONE);

    const double nowhere[3] = {std::nan(""), 0, 0}, there[3] = {0, 5, 0}, none[4] = {0, 0, 0, 0};
    EXPECT_EQ(fascia_world_move(world, 0, nowhere, nullptr, 1), FASCIA_REFUSED);
    EXPECT_EQ(fascia_world_move(world, 0, there, none, 1), FASCIA_REFUSED);
    EXPECT_EQ(fascia_world_move(world, 3, there, nullptr, 1), FASCIA_REFUSED);
    EXPECT_EQ(fascia_world_move(world, 0, nullptr, nullptr, 1), FASCIA_REFUSED);
    EXPECT_EQ(fascia_world_move_attractor(world, 0, there), FASCIA_OK);
    EXPECT_EQ(fascia_world_move_attractor(world, 1, there), FASCIA_REFUSED);
    fascia_world_free(world);
    EXPECT_EQ(fascia_advance_in(with, world, joints.data(), 1 / 60.0), FASCIA_FOREIGN);
    EXPECT_EQ(fascia_world_begin_frame(nullptr, 0), FASCIA_FOREIGN);
    char error[200];
    EXPECT_EQ(fascia_world_new("{\"colider\": []}", error, sizeof error), nullptr);
    EXPECT_STREQ(error, "world: has no field 'colider'; did you mean 'colliders'?");
    EXPECT_EQ(fascia_world_new(nullptr, error, sizeof error), nullptr);
    fascia_instance_free(with);
    fascia_instance_free(without);
    fascia_rig_free(rig);
    fascia_character_free(character);
}

}  // namespace
