// Prints our node matrices of every clip of a file, for comparison with three.js's (tests/web/compare_poses.mjs).
//
//     dump_poses FILE
//
// {"size": 1.2, "sources": [node index in the file], "joints": [1 where a skin names the node],
//  "clips": [{"clip": -1, "times": [...], "frames": [[12 numbers per node, row by row], ...]}, ...]}
#include <cstdio>
#include <vector>

#include "fascia/io.h"
#include "fascia/pose.h"

namespace {

using namespace fascia;

/// Both ends, beyond them, between keys, and right around a key in the middle.
std::vector<double> times_to_try(const Clip& clip) {
    const double end = clip.duration;
    std::vector<double> times{0, 0.1234 * end, 0.5 * end, 0.777 * end, end, end + 1.5};
    for (const Channel& channel : clip.channels) {
        if (channel.times.size() < 3) continue;
        const double key = channel.times[channel.times.size() / 2];
        times.insert(times.end(), {key - 1e-4, key + 1e-4, key + 0.01});
        break;
    }
    return times;
}

void print_pose(const Pose& pose) {
    std::printf("[");
    for (std::size_t i = 0; i < pose.nodes.size(); ++i)
        for (int k = 0; k < 12; ++k) std::printf("%s%.9g", i + k ? "," : "", pose.nodes[i].m[k / 4][k % 4]);
    std::printf("]");
}

void print_clip(const Character& character, int index) {
    const Clip* clip = index < 0 ? nullptr : &character.clips[index];
    const std::vector<double> times = clip ? times_to_try(*clip) : std::vector<double>{0};
    std::printf("%s{\"clip\":%d,\"times\":[", index < 0 ? "" : ",\n", index);
    for (std::size_t i = 0; i < times.size(); ++i) std::printf("%s%.17g", i ? "," : "", times[i]);
    std::printf("],\"frames\":[");
    Pose pose;
    for (std::size_t i = 0; i < times.size(); ++i) {
        evaluate(character, clip, times[i], pose);
        std::printf("%s", i ? "," : "");
        print_pose(pose);
    }
    std::printf("]}");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: dump_poses FILE\n");
        return 2;
    }
    const Result<Character> character = load_character(argv[1]);
    if (!character) {
        std::fprintf(stderr, "%s\n", character.error().message.c_str());
        return 3;
    }
    std::vector<int> is_joint(character->nodes.size(), 0);
    for (const Joint& joint : character->joints) is_joint[joint.node] = 1;
    std::printf("{\"size\":%.9g,\"sources\":[", character->size());
    for (std::size_t i = 0; i < character->nodes.size(); ++i)
        std::printf("%s%d", i ? "," : "", character->nodes[i].source);
    std::printf("],\"joints\":[");
    for (std::size_t i = 0; i < is_joint.size(); ++i) std::printf("%s%d", i ? "," : "", is_joint[i]);
    std::printf("],\n\"clips\":[");
    for (int clip = -1; clip < static_cast<int>(character->clips.size()); ++clip) print_clip(*character, clip);
    std::printf("]}\n");
    return 0;
}
