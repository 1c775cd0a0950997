// The shortest complete example: a character, a method, a second of motion.
#include <cstdio>

#include "fascia/fascia.h"

int main() {
    // [readme]
    auto character = fascia::bundled_character("bunny");
    auto rig = fascia::bind(*character, fascia::LayersSettings{});
    fascia::State state = fascia::make_state(**rig);
    fascia::Workspace work(2);
    fascia::Pose pose;
    std::vector<fascia::Vec3> positions(character->mesh.vertex_count());
    for (int frame = 0; frame < 60; ++frame) {
        fascia::evaluate(*character, &character->clips[0], frame / 60.0, pose);
        fascia::advance(**rig, pose.joints, 1 / 60.0, state, work);
        fascia::embed(**rig, state, {.positions = positions}, work);
    }
    // [/readme]
    std::printf("%zu vertices, hash %016llx\n", positions.size(), static_cast<unsigned long long>(fascia::hash(state)));
    return positions.empty() ? 1 : 0;
}
