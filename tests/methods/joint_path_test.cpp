// How joints move between frames: end points, dead stops, and how much of a shake is preserved at few frames per
// second.
#include "methods/shared/joint_path.h"

#include <cmath>
#include <complex>
#include <vector>

#include <gtest/gtest.h>

#include "base/portable_math.h"

namespace fascia {
namespace {

Quat about(Vec3d axis, double angle) {
    const Vec3d v = axis * (std::sin(angle / 2) / length(axis));
    return {std::cos(angle / 2), v.x, v.y, v.z};
}

JointPlace shifted(double x) {
    return {{}, {x, 0, 0}, 1};
}

JointPlace turned(double angle) {
    return {about({1, 2, 2}, angle), {}, 1};
}

/// Plays poses given at these times; returns what is seen `parts` times in each frame, from the second frame on.
template <class PoseAt, class See>
void play(const std::vector<double>& times, int parts, PoseAt pose, See see) {
    JointTrack track;
    for (std::size_t k = 1; k < times.size(); ++k) {
        const double dt = times[k] - times[k - 1];
        const JointPlace from = pose(times[k - 1]), to = pose(times[k]);
        const JointPath path =
            k == 1 ? JointPath(from, to) : JointPath(from, to, track, times[k - 1] - times[k - 2], dt);
        track = path.track(dt);
        for (int i = 0; i < parts; ++i) {
            const double t = (i + 0.5) / parts;
            see(times[k - 1] + t * dt, path.at(t), path);
        }
    }
}

std::vector<double> even(double fps, int frames) {
    std::vector<double> out;
    for (int k = 0; k <= frames; ++k) out.push_back(k / fps);
    return out;
}

/// How much of a shake along x is preserved, over many whole swings.
double gain(double hz, double fps, bool carried) {
    const int frames = int(20 * fps / hz + 0.5);
    const double w = 2 * portable::pi * hz;
    std::complex<double> sum = 0;
    int count = 0;
    const auto pose = [&](double t) { return shifted(std::cos(w * t)); };
    play(even(fps, frames + 4), 40, pose, [&](double t, const JointPlace& at, const JointPath&) {
        if (t < 4 / fps) return;
        const double k = std::floor(t * fps), s = t * fps - k;
        const double x = carried ? at.place.x : pose(k / fps).place.x * (1 - s) + pose((k + 1) / fps).place.x * s;
        sum += x * std::polar(1.0, -w * t);
        ++count;
    });
    return 2 * std::abs(sum) / count;
}

TEST(JointPath, AShakingKeepsItsStrengthAtFewFrames) {
    EXPECT_NEAR(gain(4, 24, false), 0.912, 0.002);  // sinc^2: what straight lines would preserve
    for (const double fps : {24.0, 30.0, 60.0})
        for (const double hz : {1.0, 2.0, 4.0}) EXPECT_NEAR(gain(hz, fps, true), 1, 0.01) << hz << " at " << fps;
}

TEST(JointPath, ReachesBothEnds) {
    const JointPlace from{about({1, 0, 2}, 0.3), {1, 2, 3}, 1}, to{about({0, 1, 2}, 0.9), {2, 1, 5}, 2};
    const JointPath path(from, to, {{{3, 1, 0}, {0, 1, 4}}, {{5, -1, 2}, {1, 1, 1}}}, 0.02, 0.03);
    EXPECT_EQ(length(path.at(0).place - from.place), 0);
    EXPECT_LT(length(path.at(1).place - to.place), 1e-15);
    EXPECT_NEAR(std::abs(dot(path.at(0).rotation, from.rotation)), 1, 1e-15);
    EXPECT_NEAR(std::abs(dot(path.at(1).rotation, to.rotation)), 1, 1e-15);
    EXPECT_EQ(path.at(0.25).scale, 1.25);
}

TEST(JointPath, AnEvenMotionIsAnEvenMotionWhateverTheFrames) {
    const std::vector<double> times{0, 0.04, 0.05, 0.11, 0.112, 0.15};
    play(
        times, 7, [](double t) { return shifted(3 * t); },
        [](double t, const JointPlace& at, const JointPath&) { EXPECT_NEAR(at.place.x, 3 * t, 1e-14); });
    play(
        times, 7, [](double t) { return turned(5 * t); },
        [](double t, const JointPlace& at, const JointPath&) {
            EXPECT_NEAR(std::abs(dot(at.rotation, turned(5 * t).rotation)), 1, 1e-14);
        });
}

TEST(JointPath, ADeadStopIsOne) {
    const auto pose = [](double t) {
        return JointPlace{about({1, 2, 2}, 4 * std::min(t, 0.2)), {std::min(t, 0.2) * 7, 0, 0}, 1};
    };
    play(even(25, 8), 9, pose, [&](double t, const JointPlace& at, const JointPath&) {
        if (t < 0.2 + 1e-9) return;
        EXPECT_LT(std::abs(at.place.x - 1.4), 1e-14);
        EXPECT_NEAR(std::abs(dot(at.rotation, pose(1).rotation)), 1, 1e-15);
    });
}

TEST(JointPath, GoesOnAsItCame) {
    // Steadily accelerating: no kick from frame to frame, and at the end as fast as it has become, not as fast as it
    // was on average.
    double last_end = -1;
    play(
        even(30, 12), 1, [](double t) { return shifted(t * t); },
        [&](double t, const JointPlace&, const JointPath& path) {
            if (t > 2.0 / 30) {
                const double start = (path.at(1e-6).place.x - path.at(0).place.x) * 1e6 * 30;
                EXPECT_NEAR(start, last_end, 1e-5);
            }
            last_end = path.track(1.0 / 30).end.place.x;
            const double mean = path.track(1.0 / 30).mean.place.x, true_end = 2 * (t + 0.5 / 30);
            if (t > 1.0 / 30) {
                EXPECT_GT(last_end, mean + 0.4 * (true_end - mean));
                EXPECT_LT(last_end, true_end + 1e-9);
            }
        });
}

TEST(JointPath, WhatHardlyMovesDoesNotSwingOut) {
    // From full speed to almost none: within one and a half times the displacement.
    const JointPath path(shifted(0), shifted(0.001), {{{50, 0, 0}, {}}, {{60, 20, 0}, {}}}, 0.03, 0.03);
    for (int i = 0; i <= 100; ++i) EXPECT_LT(length(path.at(i / 100.0).place), 0.0016);
}

}  // namespace
}  // namespace fascia
