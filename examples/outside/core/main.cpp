// A crowd on the threads of the host: Fascia starts none of its own.
#include <cstdio>
#include <thread>
#include <vector>

#include "fascia/bundled.h"
#include "fascia/method.h"
#include "fascia/pose.h"
#include "fascia/version.h"

#if FASCIA_VERSION < 100
#error "this program needs Fascia 0.1"
#endif

namespace {

/// Stands in for an engine's job system.
void parallel_for(std::size_t count, fascia::Jobs::Task task, void* context, void*) {
    std::vector<std::thread> helpers;
    for (std::size_t k = 1; k < count; ++k) helpers.emplace_back(task, context, k);
    task(context, 0);
    for (std::thread& helper : helpers) helper.join();
}

}  // namespace

int main() {
    const auto tube = fascia::bundled_character("tube");
    const auto rig = fascia::bind(*tube, fascia::LayersSettings{});
    if (!rig) {
        std::fprintf(stderr, "%s\n", rig.error().message.c_str());
        return 2;
    }
    fascia::Workspace work(fascia::Jobs{parallel_for, nullptr, 2});
    std::vector<fascia::State> crowd(5, fascia::make_state(**rig));
    fascia::Pose pose;
    for (int frame = 0; frame < 10; ++frame) {
        fascia::evaluate(*tube, &tube->clips.back(), frame / 60.0, pose);
        if (frame == 0)
            for (fascia::State& state : crowd) fascia::reset(**rig, pose.joints, state, work);
        std::vector<fascia::InstanceFrame> frames;
        for (fascia::State& state : crowd) frames.push_back({rig->get(), pose.joints, 1 / 60.0, &state, {}});
        fascia::advance_many(frames, work);
    }
    for (const fascia::State& state : crowd)
        if (fascia::hash(state) != fascia::hash(crowd[0])) return 1;
    std::printf("%zu instances, %zu points each\n", crowd.size(), (*rig)->point_count());
    return 0;
}
