// Bones blending against linear blending on the bundled characters: a whole frame, one thread, positions and normals.
#include <string>

#include <benchmark/benchmark.h>

#include "fascia/bundled.h"
#include "fascia/method.h"
#include "fascia/pose.h"

namespace fascia::bench {
namespace {

void frames(benchmark::State& run, const std::string& name, const Settings& settings) {
    const auto character = bundled_character(name);
    const auto rig = fascia::bind(*character, settings);
    Workspace work;
    State state = make_state(**rig);
    Pose pose;
    evaluate(*character, &character->clips[0], 0.3, pose);
    std::vector<Vec3> positions(character->mesh.vertex_count()), normals(positions.size());
    for (auto _ : run) {
        advance(**rig, pose.joints, 1 / 60.0, state, work);
        embed(**rig, state, {positions, normals, {}}, work);
        benchmark::ClobberMemory();
    }
    run.counters["ns/vertex"] = benchmark::Counter(
        double(positions.size()) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace
}  // namespace fascia::bench

int main(int argc, char** argv) {
    using namespace fascia;
    benchmark::Initialize(&argc, argv);
    for (const std::string& name : bundled_names()) {
        benchmark::RegisterBenchmark((name + "/lbs").c_str(), bench::frames, name, Settings{LbsSettings{}});
        benchmark::RegisterBenchmark((name + "/bones-blending").c_str(), bench::frames, name,
                                     Settings{BonesBlendingSettings{}});
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
