// Workspaces that C's instances share, the threads of the host, and crowds in one call.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "c/small_arrays.h"
#include "support/limited_room.h"

namespace {

using fascia::test::SmallArrays;

constexpr int members = 5;

/// Runs tasks one after another, the last first, and counts the calls.
void on_the_host(size_t count, fascia_task task, void* context, void* user) {
    ++*static_cast<int*>(user);
    for (size_t k = count; k-- > 0;) task(context, k);
}

class Workspaces : public ::testing::Test {
protected:
    void SetUp() override {
        const SmallArrays source;
        character_ = fascia_character_make(&source.arrays, nullptr, 0);
        rig_ = fascia_bind(character_, "layers", "{\"resolution\": 8}", nullptr, 0);
        ASSERT_NE(rig_, nullptr) << fascia_last_error();
        joints_.resize(24);
        ASSERT_EQ(fascia_rest_pose(character_, joints_.data()), FASCIA_OK);
        positions_.resize(members * 3 * fascia_rig_vertex_count(rig_));
    }
    void TearDown() override {
        fascia_rig_free(rig_);
        fascia_character_free(character_);
    }

    /// The column leaps sideways, each member by its own amount.
    std::vector<double> pose(int member, int frame) const {
        std::vector<double> out = joints_;
        for (const size_t joint : {0u, 1u}) out[12 * joint + 3] += 0.02 * frame * (member + 1);
        return out;
    }

    std::vector<uint64_t> one_by_one() const {
        std::vector<uint64_t> hashes;
        for (int m = 0; m < members; ++m) {
            fascia_instance* instance = fascia_instance_new(rig_, 1);
            fascia_reset(instance, joints_.data());
            for (int k = 1; k <= 6; ++k) EXPECT_EQ(fascia_advance(instance, pose(m, k).data(), 1 / 60.0), FASCIA_OK);
            hashes.push_back(fascia_hash(instance));
            fascia_instance_free(instance);
        }
        return hashes;
    }
    std::vector<uint64_t> together(fascia_workspace* workspace) {
        std::vector<fascia_instance*> crowd;
        for (int m = 0; m < members; ++m) {
            crowd.push_back(fascia_instance_new_in(rig_, workspace));
            EXPECT_EQ(fascia_reset(crowd.back(), joints_.data()), FASCIA_OK);
        }
        for (int k = 1; k <= 6; ++k) {
            std::vector<std::vector<double>> poses;
            std::vector<fascia_frame> frames;
            for (int m = 0; m < members; ++m) poses.push_back(pose(m, k));
            for (size_t m = 0; m < members; ++m)
                frames.push_back({crowd[m], poses[m].data(), 1 / 60.0,
                                  positions_.data() + m * positions_.size() / members, nullptr});
            EXPECT_EQ(fascia_advance_many(workspace, frames.data(), frames.size()), FASCIA_OK) << fascia_last_error();
        }
        std::vector<uint64_t> hashes;
        for (fascia_instance* instance : crowd) {
            hashes.push_back(fascia_hash(instance));
            fascia_instance_free(instance);
        }
        return hashes;
    }

    fascia_character* character_ = nullptr;
    fascia_rig* rig_ = nullptr;
    std::vector<double> joints_;
    std::vector<float> positions_;
};

TEST_F(Workspaces, ACrowdHasTheSameBitsAsOneInstanceAfterAnother) {
    const std::vector<uint64_t> expected = one_by_one();
    for (const int threads : {1, 3}) {
        fascia_workspace* workspace = fascia_workspace_new(threads);
        EXPECT_EQ(fascia_workspace_threads(workspace), threads);
        EXPECT_EQ(together(workspace), expected) << threads;
        fascia_workspace_free(workspace);
    }
    int calls = 0;
    fascia_workspace* hosted = fascia_workspace_on_host(on_the_host, &calls, 4);
    EXPECT_EQ(together(hosted), expected);
    EXPECT_GE(calls, 6);
    fascia_workspace_free(hosted);
}

TEST_F(Workspaces, ACrowdIsEmbeddedToo) {
    fascia_workspace* workspace = fascia_workspace_new(2);
    together(workspace);
    fascia_instance* alone = fascia_instance_new(rig_, 1);
    fascia_reset(alone, joints_.data());
    for (int k = 1; k <= 6; ++k) fascia_advance(alone, pose(3, k).data(), 1 / 60.0);
    const size_t n = positions_.size() / members;
    std::vector<float> expected(n);
    EXPECT_EQ(fascia_embed(alone, expected.data(), nullptr), FASCIA_OK);
    EXPECT_EQ(
        std::vector<float>(positions_.begin() + std::ptrdiff_t(3 * n), positions_.begin() + std::ptrdiff_t(4 * n)),
        expected);
    fascia_instance_free(alone);
    fascia_workspace_free(workspace);
}

TEST_F(Workspaces, AreSharedAndOutliveTheirHandle) {
    fascia_workspace* workspace = fascia_workspace_new(2);
    fascia_instance* one = fascia_instance_new_in(rig_, workspace);
    fascia_instance* other = fascia_instance_new(rig_, 1);
    EXPECT_EQ(fascia_instance_work_in(other, workspace), FASCIA_OK);
    fascia_instance* copy = fascia_instance_copy(one);
    fascia_workspace_free(workspace);
    for (fascia_instance* instance : {one, other, copy}) {
        EXPECT_EQ(fascia_reset(instance, joints_.data()), FASCIA_OK);
        EXPECT_EQ(fascia_advance(instance, pose(0, 1).data(), 1 / 60.0), FASCIA_OK);
    }
    EXPECT_EQ(fascia_hash(one), fascia_hash(other));
    EXPECT_EQ(fascia_hash(one), fascia_hash(copy));
    EXPECT_EQ(fascia_workspace_threads(workspace), 0);
    EXPECT_EQ(fascia_instance_new_in(rig_, workspace), nullptr);
    EXPECT_EQ(fascia_instance_work_in(one, workspace), FASCIA_FOREIGN);
    EXPECT_EQ(fascia_advance_many(workspace, nullptr, 0), FASCIA_FOREIGN);
    for (fascia_instance* instance : {one, other, copy}) fascia_instance_free(instance);
}

TEST_F(Workspaces, ABadFrameStopsTheCrowdBeforeAnythingIsDone) {
    fascia_workspace* workspace = fascia_workspace_new(2);
    fascia_instance* one = fascia_instance_new_in(rig_, workspace);
    fascia_instance* other = fascia_instance_new_in(rig_, workspace);
    for (fascia_instance* instance : {one, other}) fascia_reset(instance, joints_.data());
    const uint64_t before = fascia_hash(one);
    const std::vector<double> next = pose(1, 1);
    const fascia_frame good{one, next.data(), 1 / 60.0, nullptr, nullptr};
    const auto both = [&](const fascia_frame& second) {
        const fascia_frame frames[] = {good, second};
        return fascia_advance_many(workspace, frames, 2);
    };
    EXPECT_EQ(both(good), FASCIA_REFUSED);
    EXPECT_NE(std::string(fascia_last_error()).find("twice"), std::string::npos);
    EXPECT_EQ(both({other, nullptr, 1 / 60.0, nullptr, nullptr}), FASCIA_REFUSED);
    EXPECT_EQ(both({nullptr, next.data(), 1 / 60.0, nullptr, nullptr}), FASCIA_FOREIGN);
    EXPECT_EQ(fascia_advance_many(workspace, nullptr, 2), FASCIA_REFUSED);
    EXPECT_EQ(fascia_workspace_on_host(nullptr, nullptr, 2), nullptr);
    EXPECT_EQ(fascia_hash(one), before);

    std::vector<double> bad = next;
    bad[0] = std::nan("");
    EXPECT_EQ(both({other, bad.data(), 1 / 60.0, nullptr, nullptr}), FASCIA_BAD_POSE);
    EXPECT_NE(fascia_hash(one), before) << "the others went on";
    EXPECT_EQ(both({other, next.data(), 1 / 60.0, nullptr, nullptr}), FASCIA_OK) << "nobody is still in a batch";
    for (fascia_instance* instance : {one, other}) fascia_instance_free(instance);
    fascia_workspace_free(workspace);
}

TEST_F(Workspaces, HaveFewerThreadsWhereNoMoreCanStart) {
    if (fascia::test::sanitized) GTEST_SKIP() << "limits of memory do not go with sanitizers";
    const std::vector<uint64_t> expected = one_by_one();
    EXPECT_EQ(fascia::test::with_room_for(150,
                                          [&] {
                                              fascia_workspace* workspace = fascia_workspace_new(64);
                                              const int threads = fascia_workspace_threads(workspace);
                                              if (threads < 2 || threads >= 32) return 2;
                                              if (fascia_instance_new(rig_, 64) == nullptr) return 3;
                                              return together(workspace) == expected ? 0 : 4;
                                          }),
              0);
}

}  // namespace
