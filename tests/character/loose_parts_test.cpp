// Tails and swords: they lie on the floor, and the body moves as if they were not there.
#include <gtest/gtest.h>

#include "character/fleshed_puppet.h"
#include "character/motion_quality.h"
#include "character/stunts.h"
#include "fascia/pose.h"

namespace fascia {
namespace {

using namespace test;

Clip clip_on(const Character& character, const Motion& motion) {
    auto result = retarget(character, motion);
    if (result) return std::move(result->clip);
    ADD_FAILURE() << result.error().message;
    return {};
}

/// A node at a place of the world, below the joint of this name; the puppet's nodes do not turn at rest.
int add_node(Character& character, const std::string& parent, Vec3d place) {
    Node node;
    node.name = "extra";
    node.parent = puppet_joint(parent);
    node.translation = place - translation_of(character.joints[node.parent].rest);
    character.nodes.push_back(node);
    return static_cast<int>(character.nodes.size()) - 1;
}

/// A capsule from `root` to `tip` that follows a joint of its own.
Character with_tail(Character character, const std::string& parent, Vec3d root, Vec3d tip, double radius) {
    Joint joint;
    joint.name = "extra";
    joint.node = add_node(character, parent, root);
    joint.parent = puppet_joint(parent);
    joint.rest = compose(root, {}, {1, 1, 1});
    character.joints.push_back(joint);
    const int index = static_cast<int>(character.joints.size()) - 1;
    add_capsule(character, index, -1, root, tip, radius);
    character.mesh.normals.assign(character.mesh.positions.size(), {0, 1, 0});
    return character;
}

/// A blade in the left hand, as long as the body's arm, downwards when the arm hangs.
Character with_sword(Character character) {
    const Vec3d hand = translation_of(character.joints[puppet_joint("LeftHand")].rest);
    Part part;
    part.name = "sword";
    part.node = add_node(character, "LeftHand", hand + Vec3d{0.5, 0, 0});
    part.first_vertex = static_cast<int>(character.rigid.positions.size());
    for (int along = 0; along < 10; ++along)
        for (const Vec3 across : {Vec3{0, 0.1f, 0}, Vec3{0, -0.1f, 0.1f}, Vec3{0, -0.1f, -0.1f}})
            character.rigid.positions.push_back({0.8f * static_cast<float>(along), across.y, across.z});
    part.vertex_count = static_cast<int>(character.rigid.positions.size()) - part.first_vertex;
    character.rigid.parts.push_back(part);
    return character;
}

double lowest_of_rigid(const Character& character, const Pose& pose) {
    double low = 1e9;
    for (const Part& part : character.rigid.parts)
        for (int v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v)
            low = std::min(low, transform_point(pose.nodes[part.node], to_double(character.rigid.positions[v])).y);
    return low;
}

void expect_same_body(const std::vector<Pose>& a, const std::vector<Pose>& b, const std::string& motion) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t f = 0; f < a.size(); ++f)
        for (std::size_t j = 0; j < puppet_joints().size(); ++j)
            ASSERT_LT(length(translation_of(a[f].joints[j]) - translation_of(b[f].joints[j])), 1e-4) << motion << f;
}

TEST(LooseParts, ATailLiesOnTheFloorAndDoesNotRaiseTheBody) {
    const Character body = fleshed_puppet({});
    const Character tailed = with_tail(body, "Hips", {0, 9.5, -1.2}, {0, 3, -5}, 0.3);
    double deepest_unturned = 0;
    for (const Motion& motion : {walk(), sit_down(), crawl(), jump()}) {
        const Clip clip = clip_on(tailed, motion);
        const std::vector<Pose> poses = poses_of(tailed, clip);
        expect_same_body(poses_of(body, clip_on(body, motion)), poses, motion.name);
        EXPECT_LT(quality_of(tailed, motion, clip).depth, 0.015) << motion.name;
        // Where its tip would be, had the tail not turned.
        for (const Pose& pose : poses) {
            const Affine& hips = pose.joints[0];
            const Vec3d tip = transform_point(hips, Vec3d{0, 3, -5} - Vec3d{0, 10, 0});
            deepest_unturned = std::max(deepest_unturned, -tip.y);
        }
    }
    EXPECT_GT(deepest_unturned, 1);
}

TEST(LooseParts, ACloakThatTrailsBelowTheFeetLeavesThemOnTheFloor) {
    const Character body = fleshed_puppet({});
    const Character cloaked = with_tail(body, "Spine1", {0, 15, -1.6}, {0, -3, -1.6}, 0.2);
    const std::vector<Pose> plain = poses_of(body, clip_on(body, walk()));
    expect_same_body(plain, poses_of(cloaked, clip_on(cloaked, walk())), "walk");
}

TEST(LooseParts, ASwordInTheHandTurnsUpFromTheFloor) {
    const Character body = fleshed_puppet({}), armed = with_sword(body);
    for (const Motion& motion : {walk(), sit_down()}) {
        const std::vector<Pose> poses = poses_of(armed, clip_on(armed, motion));
        expect_same_body(poses_of(body, clip_on(body, motion)), poses, motion.name);
        for (std::size_t f = 0; f < poses.size(); ++f) EXPECT_GT(lowest_of_rigid(armed, poses[f]), -0.3) << f;
    }
}

TEST(LooseParts, ABellyIsPartOfTheBody) {
    // As wide as it is long: it must not sink into the floor, and cannot turn away either.
    const Character body = fleshed_puppet({});
    const Character fat = with_tail(body, "Spine", {0, 12, 1}, {0, 12, 2}, 3.5);
    const Clip clip = clip_on(fat, crawl());
    EXPECT_LT(quality_of(fat, crawl(), clip).depth, 0.015);
    for (const Channel& channel : clip.channels) EXPECT_NE(channel.node, static_cast<int>(fat.nodes.size()) - 1);
}

}  // namespace
}  // namespace fascia
