#include "methods/lattice/lattice_kin.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace fascia {
namespace {

/// Parents come first, as everywhere; two trees.
Character skeleton() {
    Character out;
    std::uint32_t seed = 7;
    for (int j = 0; j < 40; ++j) {
        seed = seed * 1664525u + 1013904223u;
        Joint joint;
        joint.parent = j == 0 || j == 25 ? -1 : j < 25 ? int((seed >> 8) % std::uint32_t(j)) : j - 1;
        out.joints.push_back(joint);
    }
    return out;
}

std::vector<int> line_up(const Character& character, int joint) {
    std::vector<int> out;
    for (; joint >= 0; joint = character.joints[std::size_t(joint)].parent) out.push_back(joint);
    return out;
}

/// From a up to where the lines meet, then down to b; up to a's root where they do not.
std::vector<int> whole_way(const Character& character, int a, int b) {
    std::vector<int> way = line_up(character, a), other = line_up(character, b);
    for (std::size_t k = 0; k < way.size(); ++k) {
        const auto meet = std::find(other.begin(), other.end(), way[k]);
        if (meet == other.end()) continue;
        way.resize(k + 1);
        for (auto down = meet; down != other.begin();) way.push_back(*--down);
        break;
    }
    return way;
}

TEST(LatticeKin, TheJointBetweenTwoIsInTheMiddleOfTheWay) {
    const Character character = skeleton();
    const Kin kin(character);
    for (std::uint16_t a = 0; a < 40; ++a)
        for (std::uint16_t b = 0; b < 40; ++b) {
            const std::vector<int> way = whole_way(character, std::min(a, b), std::max(a, b));
            EXPECT_EQ(kin.between(a, b), way[way.size() / 2]) << a << " " << b;
        }
}

}  // namespace
}  // namespace fascia
