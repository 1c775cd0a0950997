// write_bodies FOLDER: the odd bodies as GLB files, for `fascia compare` and other programs.
#include <cstdio>
#include <string>

#include "bodies.h"
#include "fascia/io.h"

int main(int count, char** words) {
    if (count != 2) {
        std::fprintf(stderr, "usage: write_bodies FOLDER\n");
        return 2;
    }
    for (const fascia::test::NamedBody& body : fascia::test::odd_bodies) {
        const std::string path = std::string(words[1]) + "/" + body.name + ".glb";
        if (const fascia::Status written = fascia::write_character(path, body.make()); !written) {
            std::fprintf(stderr, "%s\n", written.error().message.c_str());
            return 1;
        }
        std::printf("%s\n", path.c_str());
    }
    return 0;
}
