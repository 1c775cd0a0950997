// A program outside the tree: finds the installed package and includes only fascia's headers.
#include <cstdio>

#include "fascia/fascia.h"

int main(int argc, char** argv) {
    const auto character = argc > 1 ? fascia::load_character(argv[1]) : fascia::bundled_character("tube");
    if (!character) {
        std::fprintf(stderr, "%s\n", character.error().message.c_str());
        return 3;
    }
    const auto rig = fascia::bind(*character, fascia::LbsSettings{});
    if (!rig) {
        std::fprintf(stderr, "%s\n", rig.error().message.c_str());
        return 2;
    }
    std::printf("%s: %zu joints, %zu vertices\n", character->name.c_str(), (*rig)->joint_count(),
                (*rig)->vertex_count());
    return 0;
}
