// The anatomy of the bust on other characters.
#include "fascia/fit_neck.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/io.h"
#include "fascia/pose.h"
#include "measure/closest_triangle.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

const Character& bust() {
    static const Character character = *bundled_character("neck");
    return character;
}

int joint_index(const Character& character, const std::string& name) {
    for (std::size_t j = 0; j < character.joints.size(); ++j)
        if (character.joints[j].name == name) return int(j);
    return -1;
}

/// The bust under names that skeletons of characters have.
Character named_bust() {
    Character out = bust();
    const auto rename = [&](const char* from, const char* to) {
        const int j = joint_index(out, from);
        out.joints[std::size_t(j)].name = to;
        out.nodes[std::size_t(out.joints[std::size_t(j)].node)].name = to;
    };
    rename("base", "Spine"), rename("C7", "Neck"), rename("skull", "Head");
    for (const char* name : {"C6", "C5", "C4", "C3", "C2", "C1"}) rename(name, (std::string("Neck_") + name).c_str());
    return out;
}

void scale(double by, Character& character) {
    for (Vec3& p : character.mesh.positions) p = to_float(to_double(p) * by);
    for (Node& node : character.nodes) node.translation = node.translation * by;
    for (Joint& joint : character.joints) {
        for (auto& row : joint.rest.m) row[3] *= by;
        joint.tail = joint.tail * by;
    }
}

TEST(FitNeck, TheBustFitsItself) {
    for (const double size : {1.0, 40.0}) {
        Character target = named_bust();
        scale(size, target);
        const auto fitted = fit_neck(bust(), target);
        ASSERT_TRUE(fitted.ok()) << fitted.error().message;
        EXPECT_TRUE(fitted->notes.empty());
        EXPECT_NEAR(fitted->scene.unit * size, 1, 0.02);
        ASSERT_EQ(fitted->scene.muscles.size(), bust().scene->muscles.size());
        double most = 0, sum = 0;
        std::size_t count = 0;
        for (std::size_t m = 0; m < fitted->scene.muscles.size(); ++m)
            for (std::size_t k = 0; k < fitted->scene.muscles[m].points.size(); ++k, ++count) {
                const double off =
                    length(fitted->scene.muscles[m].points[k] * (1 / size) - bust().scene->muscles[m].points[k]);
                most = std::max(most, off);
                sum += off;
            }
        EXPECT_LT(sum / double(count), 1e-3) << "metres";
        EXPECT_LT(most, 6e-3) << "metres";
    }
}

TEST(FitNeck, VertebraeFollowTheBonesThatTheyLieAlong) {
    const auto fitted = fit_neck(bust(), named_bust());
    ASSERT_TRUE(fitted.ok()) << fitted.error().message;
    const auto joint_of = [&](const std::string& body) {
        for (const AnatomyScene::Body& each : fitted->scene.bodies)
            if (each.name == body) return each.joint;
        return std::string();
    };
    EXPECT_EQ(joint_of("base"), "Spine");
    EXPECT_EQ(joint_of("skull"), "Head");
    EXPECT_EQ(joint_of("jaw"), "jaw");
    EXPECT_EQ(joint_of("C4"), "Neck_C4");
    EXPECT_EQ(fitted->joints.front(), "Spine");
    EXPECT_EQ(fitted->joints.back(), "Head");
}

TEST(FitNeck, WithoutAHeadThereIsNoNeck) {
    const auto fitted = fit_neck(bust(), *bundled_character("tube"));
    ASSERT_FALSE(fitted.ok());
    EXPECT_NE(fitted.error().message.find("no joint of a head was found"), std::string::npos) << fitted.error().message;
}

/// Everything lies below the skin; the file can be read back and moves with the body.
TEST(FitNeck, HumansGetANeckBelowTheirSkin) {
    FASCIA_NEEDS_SHARED_DATA();
    for (const char* name : {"mh_heavy_male", "mh_female_hires_quantized"}) {
        const auto character = load_character(test::shared_data(std::string("characters/") + name + ".glb"));
        ASSERT_TRUE(character.ok()) << character.error().message;
        const auto fitted = fit_neck(bust(), *character);
        ASSERT_TRUE(fitted.ok()) << fitted.error().message;
        const auto again = parse_anatomy(anatomy_to_json(fitted->scene), name);
        ASSERT_TRUE(again.ok()) << again.error().message;
        EXPECT_TRUE(check_anatomy(*again, *character).ok());
        EXPECT_EQ(fitted->joints.back(), "Head");
        const ClosestTriangle skin(character->mesh.positions, character->mesh.triangles);
        const auto depth = [&](Vec3d p) {
            const SurfacePoint at = skin.find(p);
            const std::uint32_t* corner = &character->mesh.triangles[3 * at.triangle];
            Vec3d outward;
            for (std::size_t k = 0; k < 3; ++k) outward += to_double(character->mesh.normals[corner[k]]) * at.share[k];
            return dot(at.point - p, outward) < 0 ? -at.distance : at.distance;
        };
        const auto outside = [&](const std::vector<Vec3d>& points) {
            return double(std::count_if(points.begin(), points.end(), [&](Vec3d p) { return depth(p) < 1e-3; })) /
                   double(points.size());
        };
        // These lie about the cavity of mouth and throat, whose inside is a surface as well.
        const auto about_mouth = [](const std::string& part) {
            return part == "skull" || part == "jaw" || part == "C1" || part == "C2" ||
                   part.find("hyoid") != std::string::npos;
        };
        for (const AnatomyScene::Muscle& muscle : fitted->scene.muscles) {
            if (about_mouth(muscle.name)) continue;
            EXPECT_LT(outside(muscle.points), 0.005) << name << " " << muscle.name;
        }
        for (const AnatomyScene::Body& body : fitted->scene.bodies) {
            if (about_mouth(body.name)) continue;
            EXPECT_LT(outside(body.solid.points), 0.005) << name << " " << body.name;
        }
    }
}

}  // namespace
}  // namespace fascia
