// C's handles: freed ones, foreign ones, NULL, and what can be asked of each.
#include <cmath>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "c/small_arrays.h"

namespace {

using fascia::test::SmallArrays;

fascia_character* small() {
    const SmallArrays source;
    return fascia_character_make(&source.arrays, nullptr, 0);
}

std::string last_error() {
    return fascia_last_error();
}

TEST(Handles, AFreedHandleIsToldApart) {
    fascia_character* character = small();
    fascia_rig* rig = fascia_bind(character, "layers", "{\"resolution\": 6}", nullptr, 0);
    fascia_instance* instance = fascia_instance_new(rig, 1);
    std::vector<double> joints(24);
    std::vector<float> positions(3 * fascia_vertex_count(character));
    fascia_rest_pose(character, joints.data());
    fascia_character_free(character);
    EXPECT_EQ(fascia_vertex_count(character), 0u);
    EXPECT_NE(last_error().find("freed"), std::string::npos);
    EXPECT_EQ(fascia_bind(character, "lbs", nullptr, nullptr, 0), nullptr);
    fascia_character_free(character);  // twice

    // The instance keeps its rig alive, but not the rig's handle.
    fascia_rig_free(rig);
    EXPECT_EQ(fascia_instance_new(rig, 1), nullptr);
    EXPECT_EQ(fascia_instance_use(instance, rig), FASCIA_FOREIGN);
    EXPECT_EQ(fascia_reset(instance, joints.data()), FASCIA_OK);
    EXPECT_EQ(fascia_embed(instance, positions.data(), nullptr), FASCIA_OK);
    fascia_instance_free(instance);
    EXPECT_EQ(fascia_advance(instance, joints.data(), 0.1), FASCIA_FOREIGN);
    EXPECT_EQ(fascia_embed(instance, positions.data(), nullptr), FASCIA_FOREIGN);
    EXPECT_EQ(fascia_hash(instance), 0u);

    // A new object in the old place is not taken for the old one.
    fascia_character* next = small();
    EXPECT_NE(next, character);
    EXPECT_EQ(fascia_joint_count(character), 0u);
    EXPECT_EQ(fascia_joint_count(next), 2u);
    EXPECT_EQ(fascia_rig_vertex_count(reinterpret_cast<fascia_rig*>(next)), 0u) << "of another kind";
    fascia_character_free(next);
}

TEST(Handles, NullIsAnswered) {
    EXPECT_EQ(fascia_vertex_count(nullptr), 0u);
    EXPECT_EQ(fascia_joint_name(nullptr, 0), nullptr);
    EXPECT_EQ(fascia_joint_parent(nullptr, 0), -2);
    EXPECT_EQ(fascia_character_make(nullptr, nullptr, 0), nullptr);
    EXPECT_EQ(fascia_rig_load(nullptr, 12, nullptr, 0), nullptr);
    EXPECT_EQ(fascia_rig_save(nullptr, nullptr, 0), 0u);
    EXPECT_EQ(fascia_reset(nullptr, nullptr), FASCIA_FOREIGN);
    EXPECT_EQ(fascia_pull_to(nullptr, nullptr), FASCIA_FOREIGN);
    EXPECT_EQ(fascia_rig_fingerprint(nullptr), 0u);
    fascia_rig_free(nullptr);
    fascia_character* character = small();
    fascia_rig* rig = fascia_bind(character, "lbs", nullptr, nullptr, 0);
    fascia_instance* instance = fascia_instance_new(rig, 1);
    EXPECT_EQ(fascia_advance(instance, nullptr, 0.1), FASCIA_REFUSED);
    EXPECT_EQ(fascia_embed_into(instance, nullptr, nullptr, nullptr), FASCIA_REFUSED);
    EXPECT_EQ(fascia_pose(character, 3, 0, nullptr), FASCIA_NONE);
    EXPECT_EQ(fascia_bind(character, nullptr, nullptr, nullptr, 0), nullptr);
    fascia_instance_free(instance);
    fascia_rig_free(rig);
    fascia_character_free(character);
}

/// Once a heap overflow: an instance that goes on under the rig of a larger character with as many joints.
TEST(Handles, AnInstanceGoesOnOnlyUnderItsOwnRigRetuned) {
    fascia_character* character = small();
    SmallArrays larger;
    for (fascia::Vec3& p : larger.like.mesh.positions) p = p * 2.5f;
    fascia_character* other = fascia_character_make(&larger.arrays, nullptr, 0);
    const char* flesh = "{\"resolution\": 10}";
    fascia_rig* rig = fascia_bind(character, "layers", flesh, nullptr, 0);
    fascia_rig* foreign = fascia_bind(other, "layers", flesh, nullptr, 0);
    fascia_rig* finer = fascia_bind(character, "layers", "{\"resolution\": 11}", nullptr, 0);
    fascia_rig* softer = fascia_rig_set(rig, "gravity", "0,-1,0", nullptr, 0);
    fascia_instance* instance = fascia_instance_new(rig, 1);
    EXPECT_EQ(fascia_instance_use(instance, foreign), FASCIA_FOREIGN);
    EXPECT_NE(last_error().find("another character"), std::string::npos);
    EXPECT_EQ(fascia_instance_use(instance, finer), FASCIA_FOREIGN);
    EXPECT_EQ(fascia_instance_use(instance, softer), FASCIA_OK);
    std::vector<std::uint8_t> state(fascia_instance_save(instance, nullptr, 0));
    fascia_instance_save(instance, state.data(), state.size());
    for (fascia_rig* strange : {foreign, finer}) {
        fascia_instance* elsewhere = fascia_instance_new(strange, 1);
        char error[300] = "";
        EXPECT_NE(fascia_instance_restore(elsewhere, state.data(), state.size(), error, sizeof error), FASCIA_OK);
        EXPECT_NE(std::string(error).find("another rig"), std::string::npos) << error;
        EXPECT_EQ(last_error(), error);
        fascia_instance_free(elsewhere);
    }
    const float patch[9] = {0.65f, 1, 0, 0.65f, 1.2f, 0, 0.65f, 1, 0.1f};
    float there[9];
    fascia_attached* attached = fascia_attach(finer, patch, nullptr, 3, nullptr, 0);
#ifdef NDEBUG
    EXPECT_EQ(fascia_embed_attached(instance, attached, there, nullptr), FASCIA_FOREIGN);
#endif
    fascia_instance* own = fascia_instance_new(finer, 1);
    EXPECT_EQ(fascia_embed_attached(own, attached, there, nullptr), FASCIA_OK);
    EXPECT_EQ(fascia_attached_vertex_count(attached), 3u);
    for (fascia_instance* i : {instance, own}) fascia_instance_free(i);
    for (fascia_rig* r : {rig, foreign, finer, softer}) fascia_rig_free(r);
    fascia_attached_free(attached);
    for (fascia_character* c : {character, other}) fascia_character_free(c);
}

TEST(Handles, ErrorsArePerThread) {
    EXPECT_EQ(fascia_character_load("no such file", nullptr, 0), nullptr);
    const std::string here = last_error();
    std::string there = "unset", afterwards;
    std::thread([&] {
        there = last_error();
        fascia_find_joint(nullptr, "x");
        afterwards = last_error();
    }).join();
    EXPECT_EQ(there, "");
    EXPECT_NE(afterwards, here);
    EXPECT_EQ(last_error(), here);
    EXPECT_NE(here.find("no such file"), std::string::npos);
}

TEST(Handles, ManyThreadsMakeAndFreeThem) {
    fascia_character* character = small();
    fascia_rig* rig = fascia_bind(character, "lbs", nullptr, nullptr, 0);
    const auto work = [&] {
        std::vector<fascia_instance*> mine;
        for (int k = 0; k < 600; ++k) {
            mine.push_back(fascia_instance_new(rig, 1));
            if (k % 3 == 0) fascia_instance_free(mine[std::size_t(k) / 2]);
        }
        int alive = 0;
        for (fascia_instance* instance : mine) alive += fascia_hash(instance) != 0;
        EXPECT_EQ(alive, 400);
        for (fascia_instance* instance : mine) fascia_instance_free(instance);
    };
    std::thread other(work);
    work();
    other.join();
    fascia_rig_free(rig);
    fascia_character_free(character);
}

TEST(Queries, WhatARigAndACharacterKnow) {
    SmallArrays source;
    fascia_character* character = fascia_character_make(&source.arrays, nullptr, 0);
    EXPECT_EQ(fascia_vertex_count(character), source.like.mesh.vertex_count());
    EXPECT_STREQ(fascia_joint_name(character, 1), "upper");
    EXPECT_EQ(fascia_joint_parent(character, 1), 0);
    EXPECT_EQ(fascia_find_joint(character, "upper"), 1);
    EXPECT_EQ(fascia_find_joint(character, "up"), -1);
    double rest[12], tail[3];
    EXPECT_EQ(fascia_joint_rest(character, 1, rest, tail), FASCIA_OK);
    EXPECT_EQ(rest[7], 1);
    EXPECT_EQ(tail[1], 2);
    EXPECT_EQ(fascia_joint_rest(character, 2, rest, tail), FASCIA_NONE);
    std::vector<float> positions(3 * fascia_vertex_count(character)), uvs = positions;
    EXPECT_EQ(fascia_rest_surface(character, positions.data(), nullptr, nullptr, nullptr), FASCIA_OK);
    EXPECT_EQ(positions[1 + 3 * 19], 2);
    EXPECT_EQ(fascia_rest_surface(character, nullptr, nullptr, nullptr, uvs.data()), FASCIA_NONE);

    fascia_rig* rig = fascia_bind(character, "layers", "{\"resolution\": 8}", nullptr, 0);
    EXPECT_EQ(fascia_rig_vertex_count(rig), fascia_vertex_count(character));
    EXPECT_EQ(fascia_rig_joint_count(rig), 2u);
    EXPECT_STREQ(fascia_rig_method(rig), "layers");
    EXPECT_EQ(fascia_rig_resolution(rig), 8);
    EXPECT_NEAR(fascia_rig_spacing(rig), 0.25, 1e-6);
    EXPECT_STREQ(fascia_layer_name(rig, 0), "bone");
    EXPECT_EQ(fascia_layer_name(rig, 9), nullptr);
    std::vector<std::uint8_t> layers(fascia_point_count(rig));
    EXPECT_EQ(fascia_point_layers(rig, layers.data()), FASCIA_OK);
    std::vector<float> softness(fascia_vertex_count(character));
    EXPECT_EQ(fascia_vertex_softness(rig, softness.data()), FASCIA_OK);
    EXPECT_GT(fascia_layer_frequency(rig, "fat"), 0);
    EXPECT_EQ(fascia_layer_frequency(rig, "no such"), 0);
    fascia_abilities can;
    EXPECT_EQ(fascia_method_abilities("layers", &can), FASCIA_OK);
    EXPECT_TRUE(can.simulates && can.takes_hand && !can.has_cells);
    EXPECT_EQ(fascia_method_abilities("none", &can), FASCIA_NONE);

    fascia_instance* instance = fascia_instance_new(rig, 1);
    std::vector<double> joints(24);
    fascia_rest_pose(character, joints.data());
    fascia_reset(instance, joints.data());
    for (int k = 0; k < 30; ++k) fascia_advance(instance, joints.data(), 1 / 60.0);
    fascia_counters counters;
    EXPECT_EQ(fascia_instance_counters(instance, &counters), FASCIA_OK);
    EXPECT_EQ(counters.resets, 1u);
    EXPECT_GT(counters.steps, 0u);
    EXPECT_EQ(fascia_instance_asleep(instance), 1);
    EXPECT_GT(fascia_instance_still_frames(instance), 0u);
    fascia_instance* copy = fascia_instance_copy(instance);
    EXPECT_EQ(fascia_hash(copy), fascia_hash(instance));

    // From far away there is nothing to hold.
    const double near[3] = {0.6, 1.2, 0}, far[3] = {40, 1, 0};
    EXPECT_EQ(fascia_pull(instance, far, near, 1), FASCIA_NONE);
    EXPECT_EQ(fascia_is_held(instance), 0);
    EXPECT_EQ(fascia_pull(instance, near, far, 1), FASCIA_OK);
    EXPECT_EQ(fascia_is_held(instance), 1);
    EXPECT_EQ(fascia_release(instance), FASCIA_OK);
    EXPECT_EQ(fascia_is_held(instance), 0);

    // Matrices of another kind, one of them spoilt; then transposed ones.
    const fascia_array columns{source.rests, 2, 0, FASCIA_FLOAT};
    EXPECT_EQ(fascia_matrices(&columns, FASCIA_COLUMNS_4X4, joints.data()), FASCIA_OK);
    EXPECT_EQ(joints[12 + 7], 1);
    joints[12] = std::nan("");
    EXPECT_EQ(fascia_advance(instance, joints.data(), 1 / 60.0), FASCIA_BAD_POSE);
    EXPECT_EQ(fascia_matrices(&columns, FASCIA_ROWS_4X4, joints.data()), FASCIA_OK);
    EXPECT_EQ(fascia_advance(instance, joints.data(), 1 / 60.0), FASCIA_TRANSPOSED);
    EXPECT_NE(last_error().find("transposed"), std::string::npos);
    for (fascia_instance* i : {instance, copy}) fascia_instance_free(i);
    fascia_rig_free(rig);
    fascia_character_free(character);
}

}  // namespace
