// Motions that any character can borrow.
#include <cmath>

#include <gtest/gtest.h>

#include "bundled_body.h"

namespace fascia::test {
namespace {

Clip borrowed(const Character& character, const std::string& name) {
    const Result<Retargeted> made = bundled_motion(character, name);
    EXPECT_TRUE(made) << name << ": " << made.error().message;
    return made ? made->clip : Clip{};
}

Vec3d place(const Character& character, const Clip& clip, const std::string& joint, double seconds) {
    Pose pose;
    evaluate(character, &clip, seconds, pose);
    return transform_point(pose.joints[static_cast<std::size_t>(joint_index(character, joint))], {});
}

TEST(BundledMotions, EndWhereTheyBegan) {
    const Character& gnome = bundled("gnome");
    for (const std::string& name : bundled_motion_names()) {
        const Clip clip = borrowed(gnome, name);
        ASSERT_GT(clip.duration, 1) << name;
        Pose first, last;
        evaluate(gnome, &clip, 0, first);
        evaluate(gnome, &clip, clip.duration, last);
        for (std::size_t j = 0; j < gnome.joints.size(); ++j) {
            const Vec3d tail = gnome.joints[j].tail;
            EXPECT_LT(length(transform_point(first.joints[j], tail) - transform_point(last.joints[j], tail)), 1e-3)
                << name << ", " << gnome.joints[j].name;
        }
    }
}

TEST(BundledMotions, AWalkMovesFeetInTurnAndSwingsHangingArms) {
    const Character& gnome = bundled("gnome");
    const Clip walk = borrowed(gnome, "walk");
    double together = 0, most = 0, highest_hand = -1e9;
    for (double t = 0; t < walk.duration; t += 1.0 / 30) {
        const double left = place(gnome, walk, "left_foot", t).z, right = place(gnome, walk, "right_foot", t).z;
        together += left * right;
        most = std::max(most, std::abs(left - right));
        highest_hand =
            std::max(highest_hand, place(gnome, walk, "left_hand", t).y - place(gnome, walk, "left_upper_arm", t).y);
    }
    EXPECT_LT(together, 0);
    EXPECT_GT(most, 0.05 * gnome.size()) << "its legs are short";
    EXPECT_LT(highest_hand, 0);
}

TEST(BundledMotions, ABounceIsAThrowStraightUp) {
    Character tube = bundled("tube");
    const double size = tube.size();
    const auto check = [&](const Character& character, const char* which) {
        const Clip bounce = borrowed(character, "bounce");
        const std::string& root = character.joints[0].name;
        const Vec3d down = place(character, bounce, root, 0), up = place(character, bounce, root, 1.0 / 3);
        EXPECT_NEAR(up.y - down.y, 0.2 * size, 1e-5 * size) << which;
        EXPECT_NEAR(up.x, down.x, 1e-5 * size) << which;
        EXPECT_NEAR(place(character, bounce, root, 1.0 / 6).y - down.y, 0.75 * 0.2 * size, 1e-5 * size) << which;
    };
    check(tube, "as it is");
    // The topmost node has a matrix, which cannot be animated, and turns what is below it.
    Node turned;
    turned.matrix = compose({}, Quat{std::sqrt(0.5), 0, 0, std::sqrt(0.5)}, {2, 2, 2});
    for (Node& node : tube.nodes) ++node.parent;  // a root hangs on the new first node
    for (Joint& joint : tube.joints) ++joint.node;
    tube.nodes.insert(tube.nodes.begin(), turned);
    check(tube, "below a turned and scaled node");
}

TEST(BundledMotions, EverySkeletonSwaysAndShakes) {
    const Character& tube = bundled("tube");
    const Clip sway = borrowed(tube, "sway"), shake = borrowed(tube, "shake");
    Pose rest, bent;
    evaluate(tube, &sway, 0, rest);
    evaluate(tube, &sway, 0.5, bent);  // a quarter of a cycle: the root has turned by 8 degrees
    const Vec3d before = transform_vector(rest.joints[0], {0, 1, 0}),
                after = transform_vector(bent.joints[0], {0, 1, 0});
    EXPECT_NEAR(dot(before, after), std::cos(8 * 3.14159265358979 / 180), 1e-6);
    EXPECT_GT(length(place(tube, shake, tube.joints[0].name, 1.0 / 6) - place(tube, shake, tube.joints[0].name, 0)),
              0.09 * tube.size());
    EXPECT_EQ(place(tube, shake, tube.joints[0].name, 3), place(tube, shake, tube.joints[0].name, 5));
}

TEST(BundledMotions, WithoutLimbsAWalkIsRefused) {
    const Result<Retargeted> walk = bundled_motion(bundled("tube"), "walk");
    ASSERT_FALSE(walk);
    EXPECT_NE(walk.error().message.find("too few joints"), std::string::npos);
    const Result<Retargeted> unknown = bundled_motion(bundled("tube"), "wlak");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("walk"), std::string::npos);
}

}  // namespace
}  // namespace fascia::test
