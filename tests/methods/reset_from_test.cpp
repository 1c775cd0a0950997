// A body that changes its level of detail while it moves: resolutions of flesh, and plain skinning far away.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/live.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "fascia/vertex_buffers.h"

namespace fascia {
namespace {

constexpr double frame_time = 1 / 60.0;

RigPtr bound(const Character& character, const std::string& method, const char* resolution) {
    Flesh flesh = *preset("default");
    if (resolution != nullptr) {
        EXPECT_TRUE(set_field(flesh, "resolution", resolution).ok());
    }
    const Result<RigPtr> rig = fascia::bind(character, method, flesh);
    EXPECT_TRUE(rig.ok()) << rig.error().message;
    return *rig;
}

const Clip* clip_of(const Character& character, const std::string& name) {
    for (const Clip& clip : character.clips)
        if (clip.name == name) return &clip;
    return nullptr;
}

/// The body moves as in a clip while it goes away from us and comes back.
class Walk {
public:
    explicit Walk(const Character& character, const char* clip)
        : character_(character), clip_(clip_of(character, clip)), size_(character.size()) {}
    double size() const { return size_; }
    const std::vector<Affine>& at(int frame) {
        const double t = frame * frame_time;
        evaluate(character_, clip_, std::fmod(t, clip_->duration), pose_);
        for (Affine& joint : pose_.joints) joint.m[2][3] += size_ * (t < 3 ? t : 6 - t);
        return pose_.joints;
    }

private:
    const Character& character_;
    const Clip* clip_;
    double size_;
    Pose pose_;
};

struct Body {
    RigPtr rig;
    State state;
    std::vector<Vec3> surface;

    explicit Body(RigPtr from) : rig(std::move(from)), state(make_state(*rig)), surface(rig->vertex_count()) {}
    void show(Workspace& work) { EXPECT_EQ(embed(*rig, state, {surface}, work), Verdict::fine); }
    void go(const std::vector<Affine>& joints, Workspace& work) {
        EXPECT_EQ(advance(*rig, joints, frame_time, state, work), Verdict::fine);
        show(work);
    }
};

double furthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double out = 0;
    for (std::size_t v = 0; v < a.size(); ++v) out = std::max(out, double(length(a[v] - b[v])));
    return out;
}

double mean_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double sum = 0;
    for (std::size_t v = 0; v < a.size(); ++v) sum += double(length(a[v] - b[v]));
    return sum / double(a.size());
}

/// How far `v` lies from the straight line between `a` and `b`.
double off_the_way(Vec3 v, Vec3 a, Vec3 b) {
    const Vec3 along = b - a;
    const float l2 = dot(along, along), t = l2 > 0 ? std::clamp(dot(v - a, along) / l2, 0.0f, 1.0f) : 0.0f;
    return double(length(v - (a + along * t)));
}

/// How much of a switch can be seen, divided by the size: the jump at once, and how much further the surface moves from
/// frame to frame than that of a body which was of the one or the other kind all the time.
struct Seen {
    double at_once = 0, first_frame = 0, per_frame = 0;
};

/// For this many frames, more of the old body is shown than of the new one. Later, bodies of few points go their own
/// ways: creased flesh can come to rest in more than one place.
constexpr int frames_of_handover = 12;

Seen seen_in_switch(const Body& before, const Body& all_along, Walk& walk, int frame, Body& after, Workspace& work) {
    Seen out;
    Body stays = before, other = all_along;
    after = Body(all_along.rig);
    EXPECT_EQ(reset_from(*after.rig, *before.rig, before.state, after.state, work), Verdict::fine);
    after.show(work);
    out.at_once = furthest(before.surface, after.surface) / walk.size();
    Body goes = after;
    for (int k = 1; k <= frames_of_handover; ++k) {
        const std::vector<Vec3> last_stays = stays.surface, last_goes = goes.surface, last_other = other.surface;
        for (Body* body : {&stays, &goes, &other}) body->go(walk.at(frame + k), work);
        double most = 0;
        for (std::size_t v = 0; v < last_goes.size(); ++v)
            most = std::max(most, off_the_way(goes.surface[v] - last_goes[v], stays.surface[v] - last_stays[v],
                                              other.surface[v] - last_other[v]));
        if (k == 1) out.first_frame = most / walk.size();
        out.per_frame = std::max(out.per_frame, most / walk.size());
    }
    return out;
}

class ResetFrom : public ::testing::TestWithParam<const char*> {
protected:
    const Character bunny_ = *bundled_character("bunny");
    RigPtr middle_ = bound(bunny_, GetParam(), "12"), near_ = bound(bunny_, GetParam(), "24");
    Workspace work_;

    /// A body of this rig in the middle of a motion.
    Body moving(const RigPtr& rig, Walk& walk, int frames) {
        Body out(rig);
        reset_settled(*rig, walk.at(0), out.state, work_);
        for (int k = 1; k <= frames; ++k) out.go(walk.at(k), work_);
        return out;
    }
};
INSTANTIATE_TEST_SUITE_P(Methods, ResetFrom, ::testing::Values("layers", "lattice"));

// Away: fine, coarse, skinned; and back.
TEST_P(ResetFrom, NoSwitchIsSeenOnTheWayAwayAndBack) {
    Walk walk(bunny_, "walk");
    const RigPtr skinned = bound(bunny_, "lbs", nullptr);
    middle_ = bound(bunny_, GetParam(), "16");
    near_ = bound(bunny_, GetParam(), "32");
    Body far = moving(skinned, walk, 0), middle = moving(middle_, walk, 0), near = moving(near_, walk, 0), body = near;
    for (Body* one : {&far, &middle, &near, &body}) one->show(work_);
    int frame = 0;
    for (const Body* next : {&middle, &far, &middle, &near}) {
        for (int k = 0; k < 72; ++k) {
            ++frame;
            for (Body* one : {&far, &middle, &near, &body}) one->go(walk.at(frame), work_);
        }
        EXPECT_FALSE(body.state.handover.positions.size() > 0) << "it is over after 0.4 s, and its memory is freed";
        Body after = body;
        const Seen seen = seen_in_switch(body, *next, walk, frame, after, work_);
        EXPECT_LT(seen.at_once, 1e-5) << frame;
        EXPECT_LT(seen.first_frame, 0.005) << frame;
        EXPECT_LT(seen.per_frame, 0.01) << frame;
        body = after;
    }
}

// Without a hand-over the switch would be seen: otherwise the test above tests nothing.
TEST_P(ResetFrom, ThereIsSomethingToHandOver) {
    Walk walk(bunny_, "walk");
    const Body before = moving(near_, walk, 72);
    Body after(middle_);
    reset_from(*middle_, *near_, before.state, after.state, work_, 0);
    after.show(work_);
    EXPECT_GT(furthest(before.surface, after.surface), 0.005 * walk.size());
}

TEST_P(ResetFrom, FleshSwingsOn) {
    Walk walk(bunny_, "dance");
    Body before = moving(near_, walk, 60);
    Body carried(middle_), fresh(middle_);
    reset_from(*middle_, *near_, before.state, carried.state, work_, 0);
    reset(*middle_, walk.at(60), fresh.state, work_);
    carried.show(work_), fresh.show(work_);
    EXPECT_LT(mean_distance(before.surface, carried.surface), 0.8 * mean_distance(before.surface, fresh.surface));
    EXPECT_EQ(carried.state.last_frame, before.state.last_frame);
    EXPECT_GT(length(before.state.tracks[1].end.place), 0);
    EXPECT_EQ(length(carried.state.tracks[1].end.place), length(before.state.tracks[1].end.place));
}

/// q and -q are the same turn.
TEST_P(ResetFrom, SignsOfTurnsDoNotMatter) {
    Walk walk(bunny_, "dance");
    const Body before = moving(near_, walk, 30);
    State mixed = before.state;
    const std::size_t stride = mixed.rotations.size() / 4;
    for (std::size_t k = 0; k < mixed.rotations.size(); ++k)
        if (k % stride % 2 == 1) mixed.rotations[k] = -mixed.rotations[k];
    Body one(middle_), other(middle_);
    reset_from(*middle_, *near_, before.state, one.state, work_, 0);
    reset_from(*middle_, *near_, mixed, other.state, work_, 0);
    one.show(work_), other.show(work_);
    EXPECT_LT(furthest(one.surface, other.surface), 1e-5 * walk.size());
}

/// A body that glides does not lurch when its level changes.
TEST_P(ResetFrom, ASteadyMotionIsNotFelt) {
    const auto gliding = [&](int frame) {
        std::vector<Affine> out;
        for (const Joint& joint : bunny_.joints) {
            out.push_back(joint.rest);
            out.back().m[2][3] += 2 * bunny_.size() * frame * frame_time;
        }
        return out;
    };
    Body before(near_), all_along(middle_), after(middle_);
    for (Body* body : {&before, &all_along}) {
        reset_settled(*body->rig, gliding(0), body->state, work_);
        for (int k = 1; k <= 90; ++k) body->go(gliding(k), work_);
    }
    reset_from(*middle_, *near_, before.state, after.state, work_, 0);
    for (int k = 91; k <= 96; ++k) all_along.go(gliding(k), work_), after.go(gliding(k), work_);
    EXPECT_LT(furthest(all_along.surface, after.surface), 0.01 * bunny_.size());
}

TEST_P(ResetFrom, IsSavedRestoredAndTheSameOnAnyNumberOfThreads) {
    Walk walk(bunny_, "walk");
    const Body before = moving(near_, walk, 30);
    Workspace three(3);
    Body one(middle_), other(middle_);
    reset_from(*middle_, *near_, before.state, one.state, work_);
    reset_from(*middle_, *near_, before.state, other.state, three);
    EXPECT_EQ(hash(one.state), hash(other.state));
    for (int k = 31; k < 40; ++k) one.go(walk.at(k), work_), other.go(walk.at(k), three);
    EXPECT_EQ(hash(one.state), hash(other.state));
    EXPECT_EQ(furthest(one.surface, other.surface), 0);
    ASSERT_FALSE(one.state.handover.positions.empty());
    State without = one.state;
    without.handover = {};
    EXPECT_NE(hash(without), hash(one.state));

    const Result<State> restored = load_state(*middle_, save_state(*middle_, one.state));
    ASSERT_TRUE(restored.ok()) << restored.error().message;
    other.state = *restored;
    for (int k = 40; k < 44; ++k) one.go(walk.at(k), work_), other.go(walk.at(k), work_);
    EXPECT_EQ(hash(one.state), hash(other.state));
    EXPECT_EQ(furthest(one.surface, other.surface), 0);

    reset(*middle_, walk.at(44), one.state, work_);
    EXPECT_TRUE(one.state.handover.positions.empty());
}

TEST_P(ResetFrom, EveryWayOutShowsIt) {
    Walk walk(bunny_, "walk");
    const Body before = moving(near_, walk, 40);
    Body after(middle_);
    reset_from(*middle_, *near_, before.state, after.state, work_);
    after.go(walk.at(41), work_);
    std::vector<Vec3> written(after.surface.size());
    VertexBuffers buffers;
    buffers.positions = {written.data(), 0, written.size(), NumberType::f32};
    buffers.skip_after_still_frames = 1;
    EXPECT_TRUE(embed_into(*middle_, after.state, buffers, work_).written);
    EXPECT_EQ(furthest(written, after.surface), 0);
    // A body that stands still is drawn as long as it changes.
    const Affine* const pose = after.state.joints.data();
    const std::vector<Affine> held(pose, pose + after.state.joints.size());
    EXPECT_EQ(advance(*middle_, held, frame_time, after.state, work_), Verdict::fine);
    EXPECT_TRUE(embed_into(*middle_, after.state, buffers, work_).written);
    // Clothes go along.
    Mesh skin;
    skin.positions = bunny_.mesh.positions;
    const AttachedMesh old_clothes = *attach(near_, skin), new_clothes = *attach(middle_, skin);
    std::vector<Vec3> worn(skin.positions.size()), worn_on(worn.size());
    reset_from(*middle_, *near_, before.state, after.state, work_);
    embed(old_clothes, before.state, {worn}, work_);
    embed(new_clothes, after.state, {worn_on}, work_);
    EXPECT_LT(furthest(worn, worn_on), 0.01 * walk.size());
}

TEST_P(ResetFrom, WhatIsFadedStaysFaded) {
    Walk walk(bunny_, "walk");
    Body before = moving(near_, walk, 10);
    ASSERT_TRUE(fade(*near_, "*", 0.25, 0, before.state).ok());
    Body after(middle_);
    reset_from(*middle_, *near_, before.state, after.state, work_);
    ASSERT_EQ(after.state.fades.size(), before.state.fades.size());
    EXPECT_EQ(after.state.fades[1].to, 0.25f);
    // In place, too.
    reset_from(*near_, *middle_, after.state, after.state, work_);
    EXPECT_EQ(after.state.rig, near_->fingerprint());
}

}  // namespace
}  // namespace fascia
