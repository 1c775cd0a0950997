// Which joints belong together.
#include "body/joint_tree.h"

#include <gtest/gtest.h>

#include "fascia/bundled.h"

namespace fascia {
namespace {

constexpr int root = 0, hip = 1, leg = 2, shin = 3, foot = 4, toes = 5;

/// root -> hip -> leg -> shin, and a handle: root -> foot -> toes. Each vertex is held by two joints, half and half.
Character with_handle(const std::vector<std::pair<int, int>>& shared) {
    Character out;
    const int parents[] = {-1, root, hip, leg, root, foot};
    for (const int parent : parents) {
        Joint joint;
        joint.parent = parent;
        out.joints.push_back(joint);
    }
    out.weights.influences = 4;
    for (const auto& [a, b] : shared) {
        for (const int joint : {a, b, 0, 0}) out.weights.joints.push_back(std::uint16_t(joint));
        for (const float weight : {0.5f, 0.5f, 0.0f, 0.0f}) out.weights.weights.push_back(weight);
    }
    return out;
}

TEST(FleshParents, AHandleHangsOnTheShinWhoseSkinGoesOn) {
    const Character character = with_handle({{leg, shin}, {shin, foot}, {foot, shin}, {leg, foot}, {foot, toes}});
    EXPECT_EQ(flesh_parents(character), (std::vector<int>{-1, root, hip, leg, shin, foot}));
}

TEST(FleshParents, WhoSharesSkinAboveStays) {
    const Character character = with_handle({{leg, shin}, {root, foot}, {shin, foot}, {shin, foot}, {foot, toes}});
    EXPECT_EQ(flesh_parents(character), (std::vector<int>{-1, root, hip, leg, root, foot}));
}

TEST(FleshParents, NeighboursStay) {
    const Character character = with_handle({{leg, shin}, {leg, foot}, {leg, foot}, {foot, toes}});
    EXPECT_EQ(flesh_parents(character), (std::vector<int>{-1, root, hip, leg, root, foot}));
}

TEST(FleshParents, WithoutCommonSkinNothingChanges) {
    const Character character = with_handle({{root, root}, {shin, shin}, {foot, foot}});
    EXPECT_EQ(flesh_parents(character), (std::vector<int>{-1, root, hip, leg, root, foot}));
}

TEST(FleshParents, BundledCharactersKeepTheirs) {
    for (const char* name : {"bunny", "gnome", "bloat", "tube"}) {
        const Character character = *bundled_character(name);
        std::vector<int> own;
        for (const Joint& joint : character.joints) own.push_back(joint.parent);
        EXPECT_EQ(flesh_parents(character), own) << name;
    }
}

}  // namespace
}  // namespace fascia
