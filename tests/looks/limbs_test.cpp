// What a limb may move: an arm moves no leg, even on bodies whose arms hang beside their hips.
#include <set>

#include "support/flesh.h"
#include "support/performer.h"
#include "support/points.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

/// Joints around which particles move by more than a millionth of the size when a limb is turned.
std::set<std::string> parts_moved_by(const Character& c, const std::string& limb) {
    const RigPtr rig = *fascia::bind(c, "lattice", test::flesh_with("default", {{"resolution", 24}}));
    State state = make_state(*rig);
    Workspace work;
    const auto posed = [&](const std::vector<Affine>& joints) {
        reset(*rig, joints, state, work);
        std::vector<Vec3> out(rig->point_count());
        test::point_positions(*rig, state, out);
        return out;
    };
    std::vector<Affine> rest, moved;
    std::size_t root = 0;
    for (std::size_t j = 0; j < c.joints.size(); ++j) {
        rest.push_back(c.joints[j].rest);
        if (c.joints[j].name == limb) root = j;
    }
    EXPECT_EQ(c.joints[root].name, limb);
    const Affine turn = rest[root] * compose({}, quat_from_axis_angle({0, 0, 1}, 0.8), {1, 1, 1}) * inverse(rest[root]);
    for (std::size_t j = 0; j < rest.size(); ++j) {
        int up = int(j);
        while (up >= 0 && std::size_t(up) != root) up = c.joints[std::size_t(up)].parent;
        moved.push_back(up >= 0 ? turn * rest[j] : rest[j]);
    }
    const std::vector<Vec3> before = posed(rest), after = posed(moved);
    const PointParts parts = rig->inside()->point_parts();
    std::set<std::string> out;
    for (std::size_t p = 0; p < before.size(); ++p)
        if (length(after[p] - before[p]) > 1e-6 * c.size()) out.insert(c.joints[parts.joints[p]].name);
    return out;
}

TEST(Limbs, AnArmOfTheBunnyMovesNoLeg) {
    const std::set<std::string> moved = parts_moved_by(*bundled_character("bunny"), "left_upper_arm");
    for (const char* name : {"left_upper_arm", "left_lower_arm", "left_hand", "chest"})
        EXPECT_EQ(moved.count(name), 1u);
    for (const char* side : {"left", "right"})
        for (const char* name : {"_upper_leg", "_lower_leg", "_foot"})
            EXPECT_EQ(moved.count(std::string(side) + name), 0u) << side << name;
    EXPECT_EQ(moved.count("hips") + moved.count("tail"), 0u);
}

TEST(Limbs, AnArmOfAHeavyManMovesNoLeg) {
    FASCIA_NEEDS_SHARED_DATA();
    const Character man = *load_character(test::shared_data("characters/mh_heavy_male.glb"));
    const std::set<std::string> moved = parts_moved_by(man, "LeftArm");
    for (const char* name : {"LeftArm", "LeftForeArm", "LeftHand", "LeftShoulder"}) EXPECT_EQ(moved.count(name), 1u);
    for (const char* side : {"Left", "Right"})
        for (const char* name : {"UpLeg", "Leg", "Foot", "ToeBase"})
            EXPECT_EQ(moved.count(std::string(side) + name), 0u) << side << name;
    EXPECT_EQ(moved.count("Hips"), 0u);
}

}  // namespace
}  // namespace fascia
