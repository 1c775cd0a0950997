// Anatomy files: what is read, and what is said about what cannot be.
#include <cstring>

#include <gtest/gtest.h>

#include "fascia/bundled.h"
#include "fascia/io.h"
#include "fascia/measure.h"
#include "support/places.h"

namespace fascia {
namespace {

const char* const sound = R"({
  "unit": 0.5,
  "bodies": [
    {"name": "hip", "joint": "hips", "capsule": {"from": [0, 0, 0], "to": [0, 1, 0], "radius": 0.2}},
    {"name": "tail", "joint": "tail", "free": true, "mass": 0.3, "ellipsoid": {"centre": [0, 0, 1], "radii": [0.1, 0.2, 0.3]}}
  ],
  "joints": [{"a": "hip", "b": "tail", "at": [0, 0, 0.5], "limit": 40},
             {"type": "revolute", "a": "hip", "b": "tail", "at": [0, 0, 0.5], "axis": [0, 1, 0]}],
  "muscles": [{"name": "m", "young": 1e6, "sweep": {"path": [[0, 0, 0], [0, 0, 1]], "radii": [0.1, 0.05], "segments": 5},
               "attach": [{"body": "tail", "within": 0.1}]}],
  "actuators": [{"name": "lift", "a": "hip", "b": "tail", "from": [0, 1, 0], "to": [0, 0, 1], "f0": 20, "activation": 0.5}],
  "springs": [{"a": "hip", "b": "tail", "from": [0.1, 0, 0], "to": [-0.1, 0, 1], "stiffness": 80}],
  "skin": {"reach": 0.3}
})";

TEST(AnatomyFile, ExamplesAreThoseOfTheBundledCharacters) {
    for (const std::string name : {"bunny", "gnome", "bloat"}) {
        const std::string path = test::source_folder() + "/examples/anatomy/" + name + ".anatomy.json";
        const Result<AnatomyScene> file = load_anatomy(path);
        ASSERT_TRUE(file.ok()) << file.error().message;
        const AnatomyScene& built = *bundled_character(name)->scene;
        EXPECT_EQ(file->unit, built.unit);
        EXPECT_EQ(file->skin.reach, built.skin.reach);
        EXPECT_EQ(file->skin.epidermal, built.skin.epidermal);
        ASSERT_EQ(file->bodies.size(), built.bodies.size());
        for (std::size_t k = 0; k < built.bodies.size(); ++k) {
            EXPECT_EQ(file->bodies[k].name, built.bodies[k].name);
            EXPECT_EQ(file->bodies[k].free, built.bodies[k].free);
            EXPECT_EQ(file->bodies[k].density, built.bodies[k].density) << built.bodies[k].name;
            EXPECT_EQ(file->bodies[k].solid.points, built.bodies[k].solid.points) << built.bodies[k].name;
        }
        ASSERT_EQ(file->joints.size(), built.joints.size());
        for (std::size_t k = 0; k < built.joints.size(); ++k) EXPECT_EQ(file->joints[k].at, built.joints[k].at);
        ASSERT_EQ(file->muscles.size(), built.muscles.size());
        for (std::size_t k = 0; k < built.muscles.size(); ++k) {
            EXPECT_EQ(file->muscles[k].young, built.muscles[k].young);
            EXPECT_EQ(file->muscles[k].density, built.muscles[k].density);
            EXPECT_EQ(file->muscles[k].points, built.muscles[k].points);
        }
        EXPECT_EQ(file->actuators.size(), built.actuators.size());
        EXPECT_EQ(file->springs.size(), built.springs.size());
    }
}

TEST(AnatomyFile, IsReadWhole) {
    const Result<AnatomyScene> scene = parse_anatomy(sound, "x.anatomy.json");
    ASSERT_TRUE(scene.ok()) << scene.error().message;
    EXPECT_EQ(scene->unit, 0.5);
    ASSERT_EQ(scene->bodies.size(), 2u);
    EXPECT_TRUE(scene->bodies[1].free);
    EXPECT_EQ(scene->bodies[1].mass, 0.3);
    EXPECT_EQ(scene->joints[0].limit, 40);
    EXPECT_TRUE(scene->joints[1].revolute);
    EXPECT_EQ(scene->muscles[0].hexahedra.size(), 8u * 4 * 5);
    EXPECT_EQ(scene->muscles[0].attachments[0].stiffness, 2000) << "as published unless stated";
    EXPECT_EQ(scene->actuators[0].f0, 20);
    EXPECT_EQ(scene->springs[0].stiffness, 80);
    EXPECT_EQ(scene->skin.epidermal, 1200);
}

TEST(AnatomyFile, SolidsAreClosedAndFaceOutwards) {
    for (const AnatomyScene::Solid& solid :
         {capsule_solid({0, 0, 0}, {1, 2, 0}, 0.3), ellipsoid_solid({1, 1, 1}, {0.3, 0.4, 0.5}, 24)}) {
        Mesh mesh;
        for (const Vec3d& p : solid.points) mesh.positions.push_back(to_float(p));
        mesh.triangles = solid.triangles;
        const MeshCheck check = check_mesh(mesh);
        EXPECT_EQ(check.border_edges, 0u);
        EXPECT_EQ(check.closed_components, 1u);
        EXPECT_EQ(check.degenerate_triangles, 0u);
        EXPECT_GT(check.signed_volume, 0);
    }
}

struct Fault {
    const char* find;
    const char* put;
    const char* sentence;
};

TEST(AnatomyFile, WhatIsWrongIsNamedWithItsPlace) {
    const Fault faults[] = {
        {"\"joints\":", "\"jonts\":", "has no field 'jonts'; did you mean 'joints'?"},
        {"\"young\"", "\"yung\"", "muscles[0] has no field 'yung'; did you mean 'young'?"},
        {"\"radius\": 0.2", "\"radius\": -1", "bodies[0].capsule.radius must be a number from 1e-09 to"},
        {"\"hip\", \"b\"", "\"hop\", \"b\"", "joints[0].a names a body 'hop' that is not there; did you mean 'hip'?"},
        {"\"body\": \"tail\"", "\"body\": \"tall\"", "muscles[0].attach[0].body names a body 'tall'"},
        {"\"revolute\"", "\"revolut\"", "did you mean 'revolute'?"},
        {"[0, 0, 0.5], \"limit\"", "[0, 0], \"limit\"", "joints[0].at must be a place [x, y, z], not [0,0]"},
        {"\"joint\": \"hips\", ", "", "bodies[0] needs a 'joint'"},
        {"\"free\": true", "\"free\": 1", "bodies[1].free must be true or false, not 1"},
        {"\"limit\": 40", "\"limit\": 400", "joints[0].limit must be a number from 0 to 180, not 400"},
        {"\"name\": \"tail\"", "\"name\": \"hip\"", "bodies[1] has the name of another body, 'hip'"},
        {"\"springs\": [", "\"springs\": [3, ", "springs[0] must be an object, not number"},
        {"\"f0\": 20", "\"f0\": 20, \"lo\": 1, \"lmax\": 0.5", "actuators[0].lmax must be above lo"},
        {"\"young\": 1e6", "\"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"tetrahedra\": [0, 1, 2, 3, 0]",
         "muscles[0].tetrahedra must have 4 numbers to each"},
        {"\"unit\": 0.5,", "\"unit\": 0.5", "not valid JSON"},
    };
    for (const Fault& fault : faults) {
        std::string text = sound;
        const std::size_t at = text.find(fault.find);
        ASSERT_NE(at, std::string::npos) << fault.find;
        text.replace(at, std::string(fault.find).size(), fault.put);
        const Result<AnatomyScene> scene = parse_anatomy(text, "x.anatomy.json");
        ASSERT_FALSE(scene.ok()) << fault.sentence;
        EXPECT_EQ(scene.error().message.rfind("x.anatomy.json: ", 0), 0u);
        EXPECT_NE(scene.error().message.find(fault.sentence), std::string::npos) << scene.error().message;
    }
}

TEST(AnatomyFile, AFewWordsDoNotFillTheMemory) {
    std::string text = R"({"muscles": [)";
    for (int k = 0; k < 5000; ++k)
        text += std::string(k == 0 ? "" : ",") +
                R"({"name": "m", "sweep": {"path": [[0, 0, 0], [0, 0, 1]], "radii": [1], "segments": 1000}})";
    const Result<AnatomyScene> large = parse_anatomy(text + "]}", "x");
    ASSERT_FALSE(large.ok());
    EXPECT_NE(large.error().message.find("more than 4000000 points"), std::string::npos) << large.error().message;
    const std::string deep = "{\"unit\": " + std::string(1000000, '[');
    EXPECT_NE(parse_anatomy(deep, "x").error().message.find("nests more than 128 levels deep"), std::string::npos);
}

TEST(AnatomyFile, WhatIsWrittenIsReadBackTheSame) {
    const AnatomyScene& scene = *bundled_character("neck")->scene;
    const std::string text = anatomy_to_json(scene);
    const Result<AnatomyScene> back = parse_anatomy(text, "neck.anatomy.json");
    ASSERT_TRUE(back.ok()) << back.error().message;
    const auto same = [](const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
        return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3d)) == 0;
    };
    ASSERT_EQ(back->bodies.size(), scene.bodies.size());
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
        const AnatomyScene::Body &a = scene.bodies[k], &b = back->bodies[k];
        EXPECT_EQ(a.name + a.joint, b.name + b.joint);
        EXPECT_EQ(a.free, b.free) << a.name;
        EXPECT_EQ(a.density, b.density) << a.name;
        EXPECT_TRUE(same(a.solid.points, b.solid.points)) << a.name;
        EXPECT_EQ(a.solid.triangles, b.solid.triangles) << a.name;
    }
    ASSERT_EQ(back->muscles.size(), scene.muscles.size());
    for (std::size_t k = 0; k < scene.muscles.size(); ++k) {
        const AnatomyScene::Muscle &a = scene.muscles[k], &b = back->muscles[k];
        EXPECT_EQ(a.name, b.name);
        EXPECT_TRUE(same(a.points, b.points)) << a.name;
        EXPECT_EQ(a.hexahedra, b.hexahedra) << a.name;
        EXPECT_EQ(a.tetrahedra, b.tetrahedra) << a.name;
        EXPECT_EQ(a.young + a.poisson + a.density, b.young + b.poisson + b.density);
        ASSERT_EQ(a.attachments.size(), b.attachments.size());
        for (std::size_t i = 0; i < a.attachments.size(); ++i) {
            EXPECT_EQ(a.attachments[i].body, b.attachments[i].body);
            EXPECT_EQ(a.attachments[i].within, b.attachments[i].within);
            EXPECT_EQ(a.attachments[i].stiffness, b.attachments[i].stiffness);
        }
    }
    ASSERT_EQ(back->actuators.size(), scene.actuators.size());
    EXPECT_EQ(back->actuators[0].joint, scene.actuators[0].joint);
    EXPECT_EQ(back->actuators[0].lmax, scene.actuators[0].lmax);
    // Whatever these comparisons leave out would change the text.
    EXPECT_EQ(anatomy_to_json(*back), text);
}

TEST(AnatomyFile, BonesThatWeigh) {
    AnatomyScene scene = *parse_anatomy(sound, "x");
    scene.bodies[0].mass = 2.5;
    EXPECT_EQ(parse_anatomy(anatomy_to_json(scene), "y")->bodies[0].mass, 2.5);
    EXPECT_EQ(anatomy_to_json(*parse_anatomy(anatomy_to_json(scene), "y")), anatomy_to_json(scene));
}

TEST(AnatomyFile, JointsMustBeThoseOfTheCharacter) {
    AnatomyScene scene = *parse_anatomy(sound, "x");
    const Character bunny = *bundled_character("bunny");
    EXPECT_TRUE(check_anatomy(scene, bunny).ok());
    scene.bodies[1].joint = "tale";
    const Status status = check_anatomy(scene, bunny);
    ASSERT_FALSE(status.ok());
    EXPECT_NE(
        status.error().message.find("bodies[1] follows a joint 'tale' that bunny does not have; did you mean 'tail'?"),
        std::string::npos)
        << status.error().message;
}

}  // namespace
}  // namespace fascia
