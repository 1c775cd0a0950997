// The shortest complete example: a character, a method, a second of motion.
#include <cstdio>

#include "fascia/fascia.h"

int main() {
    // [readme]
    auto character = fascia::bundled_character("bunny");
    auto rig = fascia::bind(*character, fascia::LayersSettings{});
    auto dance = fascia::find_clip(*character, "dance");
    fascia::State state = fascia::make_state(**rig);
    fascia::Workspace work(2);
    fascia::Pose pose;
    std::vector<fascia::Vec3> positions(character->mesh.vertex_count());
    for (int frame = 0; frame < 60; ++frame) {
        fascia::evaluate(*character, *dance, frame / 60.0, pose);
        if (frame == 0) fascia::reset(**rig, pose.joints, state, work);
        fascia::advance(**rig, pose.joints, 1 / 60.0, state, work);
        fascia::embed(**rig, state, {.positions = positions}, work);
    }
    // [/readme]
    const float way = length(positions[0] - character->mesh.positions[0]);
    std::printf("%zu vertices, hash %016llx, the first went %.3f\n", positions.size(),
                static_cast<unsigned long long>(fascia::hash(state)), way);
    return way > 0.01f ? 0 : 1;
}
