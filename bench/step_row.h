// One body in the middle of a motion: nanoseconds per point and fixed step, all passes and each stage.
#pragma once

#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "fascia/method.h"
#include "fascia/pose.h"
#include "machine.h"

namespace fascia::bench {

struct StepRow {
    std::string what;
    std::size_t points = 0;
    int threads = 1;
    double step = 0;  ///< all passes of a step, ns per point; work done once per frame is divided among its steps
    std::map<std::string, double> stages;  ///< the parts of it, ns per point
    double embed = 0;                      ///< ns per vertex
    double state_bytes = 0;
    double bind_ms = 0;
};

/// 0 for a stage that the method does not have.
inline double stage(const StepRow& row, const char* name) {
    const auto found = row.stages.find(name);
    return found == row.stages.end() ? 0 : found->second;
}

inline std::size_t bytes_of(const State& s) {
    return sizeof(float) * (s.positions.size() + s.velocities.size() + s.rotations.size() + s.memory.size());
}

inline const Clip* clip_named(const Character& character, const char* name) {
    for (const Clip& clip : character.clips)
        if (clip.name == name) return &clip;
    return nullptr;
}

/// Plays the dance over and over; every figure is from the frame that was disturbed least.
inline StepRow measure_steps(const std::string& what, const Character& character, const Rig& rig, int threads,
                             int frames) {
    constexpr double fps = 60;
    StepRow row;
    row.what = what;
    row.points = rig.point_count();
    row.threads = threads;
    const Clip* clip = clip_named(character, "dance");
    Workspace work(threads);
    State state = rig.make_state();
    std::vector<Vec3> positions(rig.vertex_count()), normals(rig.vertex_count());
    Pose pose;
    evaluate(character, clip, 0, pose);
    rig.reset(pose.joints, state, work);
    const double points = double(row.points);
    row.step = row.embed = 1e300;
    for (int k = 1; k <= frames; ++k) {
        evaluate(character, clip, std::fmod(k / fps, clip->duration), pose);
        work.times = {};
        const std::uint64_t before = state.counters.steps;
        const double seconds = seconds_of([&] { rig.advance(pose.joints, 1 / fps, state, work); });
        const double steps = double(state.counters.steps - before);
        if (steps == 0) continue;
        row.step = std::min(row.step, seconds / steps / points * 1e9);
        for (const StageTimes::Stage& stage : work.times.all()) {
            const double ns = stage.seconds / steps / points * 1e9;
            const auto [least, first] = row.stages.try_emplace(stage.name, ns);
            if (!first) least->second = std::min(least->second, ns);
        }
        if (k % 8 == 0 || k == frames) {
            const double embedding = seconds_of([&] { rig.embed(state, {positions, normals, {}}, work); });
            row.embed = std::min(row.embed, embedding / double(positions.size()) * 1e9);
        }
    }
    row.state_bytes = double(bytes_of(state)) / points;
    return row;
}

/// --json: figures for programs; --quick: the smaller bodies only.
struct Options {
    bool json = false, quick = false;
};
inline Options options_of(int argc, char** argv) {
    Options out;
    for (int k = 1; k < argc; ++k) {
        out.json |= std::strcmp(argv[k], "--json") == 0;
        out.quick |= std::strcmp(argv[k], "--quick") == 0;
    }
    return out;
}

}  // namespace fascia::bench
