// advance_many: the same bits as one instance after another, for every method, on our own threads and on those of a
// host.
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/thread_pool.h"
#include "fascia/bundled.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "methods/allocation_count.h"

namespace fascia {
namespace {

constexpr double frame_time = 1 / 30.0;

/// The clip that moves: a body at rest would have the same bits in spite of any mistake.
const Clip& moving(const Character& character) {
    for (const Clip& clip : character.clips)
        if (clip.name == "dance" || clip.name == "twist") return clip;
    return character.clips.back();
}

/// Bound once: rigs are shared by all instances, and some take seconds under a sanitizer.
RigPtr bound(const Character& character, const std::string& method) {
    static std::map<std::pair<std::string, std::string>, RigPtr> known;
    RigPtr& rig_of_both = known[{character.name, method}];
    if (rig_of_both) return rig_of_both;
    auto flesh = preset("default");
    EXPECT_TRUE(set_field(*flesh, "resolution", "12").ok());
    const auto rig = bind(character, *settings_for(method, *flesh), {});
    EXPECT_TRUE(rig.ok()) << method;
    return rig_of_both = *rig;
}

/// Some bunnies at different times of their dance, and a tube among them.
class Crowd {
public:
    explicit Crowd(const std::string& method) : rigs_{bound(bunny_, method), bound(tube_, method)} {
        for (std::size_t k = 0; k < 7; ++k) {
            const Rig& rig = *rigs_[k == 4 ? 1 : 0];
            Member& member =
                members_.emplace_back(Member{rig, k == 4 ? tube_ : bunny_, 0.13 * double(k), {}, {}, {}, {}});
            member.state = make_state(rig);
            member.positions.resize(rig.vertex_count());
            member.normals.resize(rig.vertex_count());
        }
    }

    void begin(Workspace& work) {
        pose_all(0);
        for (Member& m : members_) reset(m.rig, m.pose.joints, m.state, work);
    }
    void frame(int k, Workspace& work) {
        pose_all(k);
        advance_many(frames_, work);
    }
    void frame_one_by_one(int k, Workspace& work) {
        pose_all(k);
        for (const InstanceFrame& f : frames_) {
            advance(*f.rig, f.joints, f.dt, *f.state, work);
            if (!f.surface.positions.empty()) embed(*f.rig, *f.state, f.surface, work);
        }
    }
    std::vector<std::uint64_t> hashes() const {
        std::vector<std::uint64_t> out;
        for (const Member& m : members_) {
            Hasher hasher;
            hasher.values(std::span<const Vec3>(m.positions));
            hasher.values(std::span<const Vec3>(m.normals));
            out.insert(out.end(), {hash(m.state), hasher.value()});
        }
        return out;
    }

private:
    struct Member {
        const Rig& rig;
        const Character& character;
        double ahead;
        State state;
        Pose pose;
        std::vector<Vec3> positions, normals;
    };

    /// The third is only advanced.
    void pose_all(int k) {
        frames_.clear();
        for (Member& m : members_) {
            const Clip& clip = moving(m.character);
            evaluate(m.character, &clip, std::fmod(m.ahead + k * frame_time, clip.duration), m.pose);
            const bool shown = frames_.size() != 2;
            frames_.push_back(
                {&m.rig, m.pose.joints, frame_time, &m.state, shown ? Surface{m.positions, m.normals, {}} : Surface{}});
        }
    }

    const Character bunny_ = *bundled_character("bunny"), tube_ = *bundled_character("tube");
    RigPtr rigs_[2];
    std::vector<Member> members_;
    std::vector<InstanceFrame> frames_;
};

std::vector<std::uint64_t> after_some_frames(Crowd& crowd, Workspace& work) {
    crowd.begin(work);
    for (int k = 1; k <= 4; ++k) crowd.frame(k, work);
    return crowd.hashes();
}

/// A host with threads of its own.
void on_a_pool(std::size_t count, Jobs::Task task, void* context, void* user) {
    static_cast<ThreadPool*>(user)->for_ranges(count, 1, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t k = begin; k < end; ++k) task(context, k);
    });
}

TEST(Crowd, HasTheSameBitsAsOneInstanceAfterAnother) {
    for (const MethodInfo& method : methods()) {
        Crowd crowd(method.name);
        Workspace alone;
        crowd.begin(alone);
        for (int k = 1; k <= 4; ++k) crowd.frame_one_by_one(k, alone);
        const std::vector<std::uint64_t> expected = crowd.hashes();
        for (const int threads : {1, 2, 4, 16}) {
            Workspace work(threads);
            EXPECT_EQ(after_some_frames(crowd, work), expected) << method.name << " " << threads;
        }
        ThreadPool host(3);
        Workspace hosted(Jobs{on_a_pool, &host, 5});
        EXPECT_EQ(after_some_frames(crowd, hosted), expected) << method.name << " on a host";
        EXPECT_EQ(hosted.threads(), 5);
    }
}

TEST(Crowd, OneInstanceOnTheHostHasTheSameBits) {
    const auto bunny = bundled_character("bunny");
    ThreadPool host(3);
    for (const MethodInfo& method : methods()) {
        const RigPtr rig = bound(*bunny, method.name);
        Workspace alone, hosted(Jobs{on_a_pool, &host, 4});
        State one = make_state(*rig), other = one;
        Pose pose;
        for (int k = 0; k < 4; ++k) {
            evaluate(*bunny, &moving(*bunny), k * frame_time, pose);
            if (k == 0) {
                reset(*rig, pose.joints, one, alone);
                reset(*rig, pose.joints, other, hosted);
            }
            advance(*rig, pose.joints, frame_time, one, alone);
            const InstanceFrame frame{rig.get(), pose.joints, frame_time, &other, {}};
            advance_many({&frame, 1}, hosted);
        }
        EXPECT_EQ(hash(one), hash(other)) << method.name;
    }
}

TEST(Crowd, NobodyIsNothing) {
    Workspace work(2);
    advance_many({}, work);
}

TEST(Crowd, AllocatesNothingAfterTheFirstFrame) {
    const Character bunny = *bundled_character("bunny");
    const RigPtr rig = bound(bunny, "layers");
    std::vector<State> states(6, make_state(*rig));
    std::vector<Vec3> positions(rig->vertex_count() * states.size());
    for (const int threads : {1, 3}) {
        Workspace work(threads);
        std::vector<Pose> poses(12);
        for (std::size_t k = 0; k < poses.size(); ++k)
            evaluate(bunny, &moving(bunny), double(k) * frame_time, poses[k]);
        for (State& state : states) reset(*rig, poses[0].joints, state, work);
        std::vector<InstanceFrame> frames;
        for (std::size_t i = 0; i < states.size(); ++i)
            frames.push_back({rig.get(),
                              {},
                              frame_time,
                              &states[i],
                              {std::span(positions).subspan(i * rig->vertex_count(), rig->vertex_count()), {}, {}}});
        std::size_t before = 0;
        for (std::size_t k = 1; k < poses.size(); ++k) {
            for (InstanceFrame& frame : frames) frame.joints = poses[k].joints;
            if (k == 2) before = test::allocation_count();
            advance_many(frames, work);
        }
        EXPECT_EQ(test::allocation_count() - before, 0u) << threads;
    }
}

TEST(Crowd, TellsTheTimeOfItsStages) {
    const Character bunny = *bundled_character("bunny");
    const RigPtr rig = bound(bunny, "layers");
    State one = make_state(*rig), other = one;
    Workspace work(2);
    Pose pose;
    evaluate(bunny, &moving(bunny), 0.1, pose);
    const InstanceFrame frames[] = {{rig.get(), pose.joints, frame_time, &one, {}},
                                    {rig.get(), pose.joints, frame_time, &other, {}}};
    advance_many(frames, work);
    EXPECT_GT(work.times.of("match"), 0);
}

// What an engine pays per instance of the bundled bunny, besides the workspace that all share.
TEST(Crowd, AnInstanceOfTheBunnyTakesLessThan700Kilobytes) {
    const Character bunny = *bundled_character("bunny");
    const auto rig = bind(bunny, LayersSettings{});
    const State s = make_state(**rig);
    const std::size_t bytes =
        sizeof s +
        (s.positions.capacity() + s.velocities.capacity() + s.rotations.capacity() + s.memory.capacity()) * 4 +
        (s.joints.capacity() + s.previous_joints.capacity()) * sizeof(Affine) +
        s.tracks.capacity() * sizeof(JointTrack);
    EXPECT_LE(bytes, 700000u);
    EXPECT_GT(bytes, 100000u);
}

}  // namespace
}  // namespace fascia
