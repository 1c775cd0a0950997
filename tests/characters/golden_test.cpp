// The same bits from every compiler and at every optimisation level: other golden tests build on the characters. If the
// shape of a character changes, take the new numbers from the failure message.
#include "base/hash.h"
#include "bundled_body.h"
#include "design.h"

namespace fascia::test {
namespace {

std::uint64_t hash_of(const Character& c) {
    Hasher hash;
    const auto add = [&](const auto& values) { hash.bytes(values.data(), values.size() * sizeof(values[0])); };
    add(c.mesh.positions);
    add(c.mesh.normals);
    add(c.mesh.colors);
    add(c.mesh.triangles);
    add(c.weights.joints);
    add(c.weights.weights);
    for (const Clip& clip : c.clips) {
        for (const Channel& channel : clip.channels) {
            add(channel.times);
            add(channel.values);
        }
    }
    return hash.value();
}

TEST(Golden, CharactersAreTheSameEverywhere) {
    const std::map<std::string, std::uint64_t> golden{{"bunny", 0xdcdf280411060df7ull},
                                                      {"gnome", 0xb988212220c24701ull},
                                                      {"bloat", 0x59489ca5d1c45af0ull},
                                                      {"neck", 0xf221704de6494190ull},
                                                      {"tube", 0xa36970e2d63e8baaull}};
    for (const auto& [name, wanted] : golden)
        EXPECT_EQ(hash_of(bundled(name)), wanted)
            << name << " is now 0x" << std::hex << hash_of(bundled(name)) << "ull";
}

TEST(Golden, BuildingTwiceGivesTheSame) {
    EXPECT_EQ(hash_of(characters::build(characters::bunny_design())), hash_of(bundled("bunny")));
}

}  // namespace
}  // namespace fascia::test
