// Joints: plain names, tails, parents first; rest pose and weights that match.
#include <set>

#include "bundled_body.h"

namespace fascia::test {
namespace {

class Rig : public ::testing::TestWithParam<std::string> {
protected:
    const Character& body = bundled(GetParam());

    float weight(std::size_t vertex, const std::string& joint) const {
        const int j = joint_index(body, joint);
        float sum = 0;
        for (std::size_t k = 0; k < 4; ++k)
            if (body.weights.joints[vertex * 4 + k] == j) sum += body.weights.weights[vertex * 4 + k];
        return sum;
    }
    float side_weight(std::size_t vertex, const std::string& beginning) const {
        float sum = 0;
        for (std::size_t k = 0; k < 4; ++k)
            if (body.joints[body.weights.joints[vertex * 4 + k]].name.rfind(beginning, 0) == 0)
                sum += body.weights.weights[vertex * 4 + k];
        return sum;
    }
};

/// How often the surface winds around a point: 1 inside, 0 outside.
double winding(const Character& body, Vec3d p) {
    double sum = 0;
    const auto& t = body.mesh.triangles;
    for (std::size_t i = 0; i < t.size(); i += 3) {
        const Vec3d a = to_double(body.mesh.positions[t[i]]) - p, b = to_double(body.mesh.positions[t[i + 1]]) - p,
                    c = to_double(body.mesh.positions[t[i + 2]]) - p;
        const double la = length(a), lb = length(b), lc = length(c);
        sum += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return sum / (4 * 3.14159265358979);
}

TEST_P(Rig, HasPlainJointsInOrder) {
    EXPECT_GE(body.joints.size(), 15u);
    EXPECT_LE(body.joints.size(), 30u);
    std::set<std::string> names;
    for (std::size_t j = 0; j < body.joints.size(); ++j) {
        const Joint& joint = body.joints[j];
        EXPECT_TRUE(names.insert(joint.name).second) << joint.name;
        EXPECT_LT(joint.parent, static_cast<int>(j));
        EXPECT_EQ(joint.tree, 0);
        EXPECT_GT(length(joint.tail - translation_of(joint.rest)), 0.02) << joint.name;
        EXPECT_EQ(body.nodes.at(static_cast<std::size_t>(joint.node)).name, joint.name);
    }
    for (const char* wanted :
         {"hips", "spine", "chest", "head", "belly", "left_upper_arm", "left_lower_arm", "left_hand", "right_hand",
          "left_upper_leg", "left_lower_leg", "left_foot", "right_foot"})
        EXPECT_GE(joint_index(body, wanted), 0) << wanted;
    EXPECT_EQ(body.nodes[0].name, "root");
    EXPECT_EQ(body.nodes[0].parent, -1);
    EXPECT_EQ(body.nodes[static_cast<std::size_t>(body.joints[0].node)].parent, 0);
}

TEST_P(Rig, RestPoseIsTheDefaultPose) {
    Pose pose;
    evaluate(body, nullptr, 0, pose);
    for (std::size_t j = 0; j < body.joints.size(); ++j)
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 4; ++c) EXPECT_NEAR(pose.joints[j].m[r][c], body.joints[j].rest.m[r][c], 1e-12);
}

TEST_P(Rig, BonesLieInTheFlesh) {
    for (const Joint& joint : body.joints) {
        const Vec3d head = translation_of(joint.rest);
        for (const double t : {0.05, 0.5, 0.85})
            EXPECT_NEAR(winding(body, head + (joint.tail - head) * t), 1, 0.01) << joint.name << " at " << t;
    }
}

TEST_P(Rig, IsSymmetric) {
    for (const Joint& joint : body.joints) {
        if (joint.name.rfind("left_", 0) != 0) continue;
        const int other = joint_index(body, "right_" + joint.name.substr(5));
        ASSERT_GE(other, 0) << joint.name;
        const Vec3d a = translation_of(joint.rest),
                    b = translation_of(body.joints[static_cast<std::size_t>(other)].rest);
        EXPECT_GT(a.x, 0) << "the left side is at +x";
        EXPECT_NEAR(length(Vec3d{a.x + b.x, a.y - b.y, a.z - b.z}), 0, 1e-12);
    }
}

TEST_P(Rig, WeightsAreSortedAndSumToOne) {
    ASSERT_EQ(body.weights.influences, 4);
    ASSERT_EQ(body.weights.weights.size(), body.mesh.vertex_count() * 4);
    ASSERT_EQ(body.weights.joints.size(), body.mesh.vertex_count() * 4);
    std::set<int> used;
    for (std::size_t v = 0; v < body.mesh.vertex_count(); ++v) {
        double sum = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const float w = body.weights.weights[v * 4 + k];
            const auto j = body.weights.joints[v * 4 + k];
            ASSERT_LT(j, body.joints.size());
            EXPECT_GE(w, 0);
            if (k > 0) {
                EXPECT_LE(w, body.weights.weights[v * 4 + k - 1]);
            }
            if (w == 0) {
                EXPECT_EQ(j, 0);
            }
            if (w > 0.3f) used.insert(j);
            sum += static_cast<double>(w);
        }
        EXPECT_NEAR(sum, 1, 1e-6);
    }
    for (std::size_t j = 0; j < body.joints.size(); ++j) {
        if (body.joints[j].name == "neck") continue;  // hidden between cheeks and shoulders
        EXPECT_TRUE(used.count(static_cast<int>(j))) << body.joints[j].name << " moves nothing much";
    }
}

TEST_P(Rig, WeightsChangeSmoothly) {
    const auto& t = body.mesh.triangles;
    double largest = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
        const auto a = t[i], b = t[i % 3 == 2 ? i - 2 : i + 1];
        for (const Joint& joint : body.joints)
            largest = std::max(largest, static_cast<double>(std::abs(weight(a, joint.name) - weight(b, joint.name))));
    }
    EXPECT_LT(largest, 0.35) << "between neighbours";
}

TEST_P(Rig, NothingBleedsAcrossGaps) {
    for (std::size_t v = 0; v < body.mesh.vertex_count(); ++v) {
        const Vec3 p = body.mesh.positions[v];
        const float left_leg = weight(v, "left_upper_leg") + weight(v, "left_lower_leg") + weight(v, "left_foot");
        const float right_leg = weight(v, "right_upper_leg") + weight(v, "right_lower_leg") + weight(v, "right_foot");
        EXPECT_LT(std::min(left_leg, right_leg), 0.08f) << "at " << p.x << " " << p.y << " " << p.z;
        const float left_arm = weight(v, "left_upper_arm") + weight(v, "left_lower_arm") + weight(v, "left_hand");
        EXPECT_LT(std::min(left_arm, left_leg), 0.04f) << "at " << p.x << " " << p.y << " " << p.z;
        const float forearm = weight(v, "left_lower_arm") + weight(v, "left_hand");
        const float trunk = weight(v, "hips") + weight(v, "spine") + weight(v, "belly");
        EXPECT_LT(std::min(forearm, trunk), 0.08f) << "at " << p.x << " " << p.y << " " << p.z;
        if (std::abs(p.x) > 0.1f) {
            EXPECT_LT(side_weight(v, p.x > 0 ? "right_" : "left_"), 0.02f);
        }
    }
    // The far ends of hands and feet follow them alone.
    std::size_t hand = 0, foot = 0;
    for (std::size_t v = 0; v < body.mesh.vertex_count(); ++v) {
        if (body.mesh.positions[v].x > body.mesh.positions[hand].x) hand = v;
        if (body.mesh.positions[v].y < 0.1f && body.mesh.positions[v].z > body.mesh.positions[foot].z) foot = v;
        if (body.mesh.positions[foot].y >= 0.1f) foot = v;
    }
    EXPECT_GT(weight(hand, "left_hand"), 0.98f);
    EXPECT_GT(side_weight(foot, "left_foot") + side_weight(foot, "right_foot"), 0.98f);
}

INSTANTIATE_TEST_SUITE_P(Creatures, Rig, ::testing::ValuesIn(creatures()));

TEST(SoftParts, HaveAJointOnlyAtTheirRoot) {
    for (const auto& [name, joint] : {std::pair{"bunny", "left_ear"}, {"gnome", "beard"}, {"gnome", "hat"}}) {
        const Character& body = bundled(name);
        const int j = joint_index(body, joint);
        ASSERT_GE(j, 0);
        for (const Joint& other : body.joints) EXPECT_NE(other.parent, j) << other.name;
        // The part reaches far beyond its bone.
        const Joint& root = body.joints[static_cast<std::size_t>(j)];
        double reach = 0;
        for (std::size_t v = 0; v < body.mesh.vertex_count(); ++v)
            if (body.weights.joints[v * 4] == j)
                reach = std::max(reach, length(to_double(body.mesh.positions[v]) - translation_of(root.rest)));
        EXPECT_GT(reach, 2 * length(root.tail - translation_of(root.rest))) << joint;
    }
}

}  // namespace
}  // namespace fascia::test
