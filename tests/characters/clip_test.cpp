// Clips: complete, loopable, on the ground, and the shake exactly as specified.
#include "bundled_body.h"

namespace fascia::test {
namespace {

class Clips : public ::testing::TestWithParam<std::string> {
protected:
    const Character& body = bundled(GetParam());
};

TEST_P(Clips, AreAllThere) {
    std::vector<std::string> names;
    for (const Clip& clip : body.clips) names.push_back(clip.name);
    EXPECT_EQ(names, (std::vector<std::string>{"rest", "walk", "jump", "dance", "spin", "shake"}));
    for (const Clip& clip : body.clips) {
        EXPECT_GE(clip.duration, 2);
        EXPECT_LE(clip.duration, clip.name == "shake" ? 6 : 4);
        ASSERT_FALSE(clip.channels.empty()) << clip.name;
        double last = 0;
        for (const Channel& channel : clip.channels) {
            ASSERT_GE(channel.node, 0);
            ASSERT_LT(channel.node, static_cast<int>(body.nodes.size()));
            const std::size_t n = channel.path == Channel::Path::rotation ? 4 : 3;
            ASSERT_EQ(channel.values.size(), channel.times.size() * n);
            EXPECT_EQ(channel.times.front(), 0);
            for (std::size_t i = 1; i < channel.times.size(); ++i) EXPECT_GT(channel.times[i], channel.times[i - 1]);
            last = std::max(last, static_cast<double>(channel.times.back()));
        }
        EXPECT_NEAR(last, clip.duration, 1e-6);
    }
}

TEST_P(Clips, CloseTheirLoop) {
    for (const Clip& clip : body.clips) {
        Pose first, last;
        evaluate(body, &clip, 0, first);
        evaluate(body, &clip, clip.duration, last);
        for (std::size_t j = 0; j < body.joints.size(); ++j)
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 4; ++c)
                    EXPECT_NEAR(first.joints[j].m[r][c], last.joints[j].m[r][c], 1e-6)
                        << clip.name << " " << body.joints[j].name;
    }
}

TEST_P(Clips, MoveSmoothly) {
    // At 60 frames a second no vertex jumps: its velocity changes by little from frame to frame, over the seam as well.
    for (const char* name : {"walk", "jump", "dance", "spin"}) {
        const Clip& clip = clip_named(body, name);
        const int frames = static_cast<int>(clip.duration * 60 + 0.5);
        std::vector<std::vector<Vec3d>> at;
        for (int i = 0; i < frames; ++i) at.push_back(skinned(body, &clip, i / 60.0));
        double fastest = 0, jolt = 0;
        for (int i = 0; i < frames; ++i) {
            const auto &a = at[static_cast<std::size_t>(i)], &b = at[static_cast<std::size_t>((i + 1) % frames)],
                       &c = at[static_cast<std::size_t>((i + 2) % frames)];
            for (std::size_t v = 0; v < a.size(); v += 7) {
                fastest = std::max(fastest, length(b[v] - a[v]) * 60);
                jolt = std::max(jolt, length(a[v] + c[v] - b[v] * 2.0) * 60);
            }
        }
        EXPECT_LT(fastest, 16) << name;
        EXPECT_LT(jolt, std::string(name) == "jump" ? 8 : 4) << name;  // a landing stops the feet at once
        EXPECT_GT(fastest, 0.5) << name << " hardly moves";
    }
}

TEST_P(Clips, FeetStayOnTheGround) {
    for (const Clip& clip : body.clips) {
        if (clip.name == "shake") continue;
        double deepest = 0, highest_low = 0;
        for (double t = 0; t < clip.duration; t += 0.05) {
            const Box box = box_of(skinned(body, &clip, t));
            deepest = std::min(deepest, box.low.y);
            highest_low = std::max(highest_low, box.low.y);
        }
        EXPECT_GT(deepest, -0.03) << clip.name;
        if (clip.name == "jump") {
            EXPECT_GT(highest_low, 0.25);
        } else {
            EXPECT_LT(highest_low, 0.04) << clip.name << " floats";
        }
    }
}

TEST_P(Clips, WalkPlantsItsFeet) {
    // A foot on the ground moves back at the treadmill's constant speed: no skating.
    const Clip& clip = clip_named(body, "walk");
    const int foot = joint_index(body, "left_foot");
    std::vector<double> speeds;
    for (double t = 0.13 * clip.duration / 2; t < 0.32 * clip.duration / 2; t += 1.0 / 60) {
        Pose now, then;
        evaluate(body, &clip, t, now);
        evaluate(body, &clip, t + 1.0 / 60, then);
        const Vec3d move = translation_of(then.joints[static_cast<std::size_t>(foot)]) -
                           translation_of(now.joints[static_cast<std::size_t>(foot)]);
        speeds.push_back(move.z * 60);
        EXPECT_LT(std::abs(move.x) + std::abs(move.y), 0.004);
    }
    ASSERT_GT(speeds.size(), 5u);
    for (const double s : speeds) EXPECT_NEAR(s, speeds[0], 0.12 * std::abs(speeds[0]));
    EXPECT_LT(speeds[0], -0.1);
}

TEST_P(Clips, JumpIsAThrow) {
    // In the air the hips follow a parabola: the second difference is constant and points down.
    const Clip& clip = clip_named(body, "jump");
    std::vector<double> y;
    for (double t = 0.95; t < 1.55; t += 1.0 / 30) {
        Pose pose;
        evaluate(body, &clip, t, pose);
        y.push_back(translation_of(pose.joints[0]).y);
    }
    std::vector<double> bends;
    for (std::size_t i = 1; i + 1 < y.size(); ++i) bends.push_back((y[i - 1] + y[i + 1] - 2 * y[i]) * 900);
    for (const double b : bends) {
        EXPECT_LT(b, -3);
        EXPECT_NEAR(b, bends[0], 0.1 * std::abs(bends[0]));
    }
}

TEST_P(Clips, ShakeIsTheSpecifiedOne) {
    const Clip& clip = clip_named(body, "shake");
    const double size = box_of(rest_points(body)).longest();
    ASSERT_EQ(clip.channels.size(), 1u);
    EXPECT_EQ(clip.channels[0].node, 0);
    EXPECT_EQ(clip.channels[0].path, Channel::Path::translation);
    const auto height = [&](double t) {
        Pose pose;
        evaluate(body, &clip, t, pose);
        const Vec3d p = translation_of(pose.nodes[0]);
        EXPECT_EQ(p.x, 0);
        EXPECT_EQ(p.z, 0);
        return p.y;
    };
    for (double t = 0; t <= 2; t += 0.0123) {
        EXPECT_NEAR(height(t), 0.2 * size * std::sin(2 * 3.14159265358979 * 1.5 * t), 1e-4 * size);
    }
    // Full speed just before the stop, none after it.
    const double speed = (height(2.0) - height(2.0 - 1.0 / 240)) * 240;
    EXPECT_NEAR(speed, 0.2 * size * 2 * 3.14159265358979 * 1.5, 0.01 * speed);
    for (const double t : {2.0, 2.0 + 1.0 / 240, 3.0, 6.0}) EXPECT_EQ(height(t), 0);
    EXPECT_EQ(std::count(clip.channels[0].times.begin(), clip.channels[0].times.end(), 2.0f), 1);
    EXPECT_EQ(clip.duration, 6);
}

TEST_P(Clips, SpinGoesRoundAndRestStays) {
    const Clip& spin = clip_named(body, "spin");
    double turned = 0;
    for (const Channel& channel : spin.channels) {
        if (channel.node != 0 || channel.path != Channel::Path::rotation) continue;
        for (std::size_t i = 4; i < channel.values.size(); i += 4) {
            const auto* a = &channel.values[i - 4];
            const auto* b = &channel.values[i];
            const double same = static_cast<double>(a[3] * b[3] + a[1] * b[1]);
            EXPECT_GT(same, 0.9) << "neighbouring keys must not be a half turn apart";
            turned += 2 * std::atan2(static_cast<double>(a[3] * b[1] - a[1] * b[3]), same);
        }
    }
    EXPECT_NEAR(turned / (2 * 3.14159265358979), 2, 1e-3);
    const auto rest = rest_points(body), held = skinned(body, &clip_named(body, "rest"), 1);
    for (std::size_t v = 0; v < rest.size(); ++v) EXPECT_LT(length(rest[v] - held[v]), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Creatures, Clips, ::testing::ValuesIn(creatures()));

}  // namespace
}  // namespace fascia::test
