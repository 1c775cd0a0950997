// Every shared character, with the counts given in its README.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "fascia/io.h"
#include "io/skinning_twin.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

std::size_t count_of(const Character& character, const std::string& code) {
    for (const Remark& remark : character.remarks)
        if (remark.code == code) return remark.count;
    return 0;
}

struct Expected {
    const char* file;
    std::size_t vertices, triangles, rigid_vertices, rigid_triangles, joints, clips;
    std::size_t welded, border, nonmanifold, parts;  ///< of the skinned surface after welding
    int influences;
    std::size_t renormalised, out_of_range;
};

// The README gives no topology for the two compressed files: theirs is that of the decoded data.
const Expected all[] = {
    {"CesiumMan.glb", 3273, 4672, 0, 0, 19, 1, 2338, 0, 0, 1, 4, 0, 0},
    {"RiggedFigure.glb", 370, 256, 0, 0, 19, 1, 130, 0, 0, 1, 4, 0, 0},
    {"Fox.glb", 1728, 576, 0, 0, 24, 3, 290, 0, 0, 1, 4, 0, 0},
    {"RecursiveSkeletons.glb", 84 * 40, 84 * 76, 0, 0, 840, 1, 84 * 40, 0, 0, 84, 4, 0, 0},
    {"SimpleSkin.gltf", 10, 8, 0, 0, 2, 1, 10, 10, 0, 1, 4, 0, 0},
    {"RobotExpressive.glb", 1108, 544, 7214 - 1108, 3237 - 544, 43, 14, 276, 0, 0, 2, 4, 734, 0},
    {"kaykit_Barbarian.glb", 3342, 4045, 5922 - 3342, 6543 - 4045, 41, 76, 2095, 105, 0, 14, 4, 0, 0},
    {"Yeti.gltf", 19476, 35146, 0, 0, 67, 1, 17605, 0, 0, 16, 4, 2584, 12339},
    {"CoolBunny.vrm", 3093, 3754, 0, 0, 65, 0, 1897, 16, 0, 7, 4, 0, 0},
    {"mh_heavy_male.glb", 13380, 26756, 0, 0, 31, 1, 13380, 0, 0, 1, 8, 0, 0},
    {"mh_female_hires_quantized.glb", 53514, 107024, 0, 0, 31, 1, 53514, 0, 0, 1, 4, 0, 0},
    {"valid_Black_F_2_Casual_meshopt.glb", 45169, 79716, 0, 0, 84, 0, 42494, 5258, 0, 25, 4, 0, 0},
    {"quaternius_FinnTheFrog_draco.glb", 6269, 5846, 0, 0, 13, 17, 3060, 80, 0, 55, 4, 0, 0},
    {"quaternius_Frog.glb", 9840, 4920, 0, 0, 28, 4, 2442, 0, 56, 3, 4, 0, 0},
    {"quaternius_Manta_ray.glb", 1432, 696, 0, 0, 13, 1, 350, 0, 0, 1, 4, 0, 0},
};

class SharedLoad : public ::testing::TestWithParam<Expected> {
protected:
    Result<Character> load() { return load_character(test::shared_data(std::string("characters/") + GetParam().file)); }
};

void expect_sound(const Character& character) {
    const Mesh& mesh = character.mesh;
    const std::size_t slots = static_cast<std::size_t>(character.weights.influences), n = mesh.vertex_count();
    ASSERT_EQ(mesh.normals.size(), n);
    ASSERT_EQ(character.weights.joints.size(), n * slots);
    ASSERT_EQ(character.weights.weights.size(), n * slots);
    for (std::size_t v = 0; v < n; ++v) {
        EXPECT_NEAR(length(mesh.normals[v]), 1, 1e-5) << v;
        double sum = 0;
        for (std::size_t i = v * slots; i < (v + 1) * slots; ++i) {
            sum += character.weights.weights[i];
            ASSERT_LT(character.weights.joints[i], character.joints.size());
            ASSERT_TRUE(i == v * slots || character.weights.weights[i] <= character.weights.weights[i - 1]);
        }
        ASSERT_NEAR(sum, 1, 1e-6) << v;
    }
    for (std::uint32_t index : mesh.triangles) ASSERT_LT(index, n);
    std::vector<std::string> names;
    for (std::size_t j = 0; j < character.joints.size(); ++j) {
        const Joint& joint = character.joints[j];
        EXPECT_LT(joint.parent, static_cast<int>(j));
        EXPECT_FALSE(joint.name.empty());
        EXPECT_TRUE(is_invertible(joint.rest));
        EXPECT_GT(length(joint.tail - translation_of(joint.rest)), 0) << joint.name;
        names.push_back(joint.name);
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
    for (std::size_t i = 0; i < character.nodes.size(); ++i) EXPECT_LT(character.nodes[i].parent, static_cast<int>(i));
    int vertices = 0, triangles = 0;
    for (const Part& part : mesh.parts) {
        EXPECT_EQ(part.first_vertex, vertices);
        EXPECT_EQ(part.first_triangle, triangles);
        vertices += part.vertex_count;
        triangles += part.triangle_count;
        EXPECT_GE(part.skin, 0);
    }
    EXPECT_EQ(static_cast<std::size_t>(vertices), n);
    EXPECT_EQ(static_cast<std::size_t>(triangles), mesh.triangle_count());
}

TEST_P(SharedLoad, HasTheCountsOfItsReadme) {
    FASCIA_NEEDS_SHARED_DATA();
    const Expected& e = GetParam();
    auto character = load();
    ASSERT_TRUE(character) << character.error().message;
    EXPECT_EQ(character->mesh.vertex_count(), e.vertices);
    EXPECT_EQ(character->mesh.triangle_count(), e.triangles);
    EXPECT_EQ(character->rigid.vertex_count(), e.rigid_vertices);
    EXPECT_EQ(character->rigid.triangle_count(), e.rigid_triangles);
    EXPECT_EQ(character->joints.size(), e.joints);
    EXPECT_EQ(character->clips.size(), e.clips);
    EXPECT_EQ(character->weights.influences, e.influences);
    EXPECT_EQ(count_of(*character, "weights-renormalised"), e.renormalised);
    EXPECT_EQ(count_of(*character, "joints-out-of-range"), e.out_of_range);
    EXPECT_EQ(count_of(*character, "joints-out-of-range-weighted"), 0u);
    EXPECT_EQ(count_of(*character, "channels-ignored"), 0u);
    EXPECT_EQ(count_of(*character, "skins-disagree"), 0u);
    const MeshCheck check = check_mesh(character->mesh);
    EXPECT_EQ(check.welded_vertices, e.welded);
    EXPECT_EQ(check.border_edges, e.border);
    EXPECT_EQ(check.nonmanifold_edges, e.nonmanifold);
    EXPECT_EQ(check.components, e.parts);
    EXPECT_EQ(check.unreferenced_vertices, 0u);
    expect_sound(*character);
}

/// Bends every node a little, each differently, the same for both evaluations.
double bend_angle(std::size_t source) {
    return 0.3 * std::sin(1.0 + static_cast<double>(source));
}

TEST_P(SharedLoad, SkinsLikeTheFileItself) {
    FASCIA_NEEDS_SHARED_DATA();
    auto character = load();
    ASSERT_TRUE(character) << character.error().message;
    const gltf::Model& model = character->document->model;
    for (const bool bent : {false, true}) {
        std::vector<test::Matrix4> local(model.nodes.size());
        std::vector<Affine> ours(character->nodes.size());
        for (std::size_t n = 0; n < ours.size(); ++n) {
            const Node& node = character->nodes[n];
            const auto source = static_cast<std::size_t>(node.source);
            const double a = bent ? bend_angle(source) : 0;
            const test::Matrix4 turn{
                {std::cos(a), std::sin(a), 0, 0, -std::sin(a), std::cos(a), 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
            local[source] = test::times(test::local_matrix(model.nodes[source]), turn);
            ours[n] = (node.matrix ? *node.matrix : compose(node.translation, node.rotation, node.scale)) *
                      compose({}, quat_from_axis_angle({0, 0, 1}, a), {1, 1, 1});
        }
        const auto expected = test::skinned_by_file(model, local);
        const auto got = test::skinned_by_character(*character, test::world_of(character->nodes, ours));
        ASSERT_EQ(expected.size(), got.size());
        double worst = 0;
        for (std::size_t v = 0; v < got.size(); ++v) worst = std::max(worst, length(expected[v] - got[v]));
        // Rest positions are stored as floats: a few units in the last place of the size.
        double size = 0;
        for (const Vec3& p : character->mesh.positions)
            size = std::max({size, std::abs(double(p.x)), std::abs(double(p.y)), std::abs(double(p.z))});
        EXPECT_LT(worst / size, 2e-6) << (bent ? "bent" : "default pose");
    }
}

INSTANTIATE_TEST_SUITE_P(All, SharedLoad, ::testing::ValuesIn(all), [](const auto& info) {
    std::string name = info.param.file;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
});

TEST(SharedFiles, RefusesWhatHasNoSkin) {
    FASCIA_NEEDS_SHARED_DATA();
    auto character = load_character(test::shared_data("characters/SimpleSparseAccessor.gltf"));
    ASSERT_FALSE(character);
    EXPECT_NE(character.error().message.find("skin"), std::string::npos);
    EXPECT_EQ(character.error().kind, Error::Kind::input);
}

TEST(SharedFiles, ReadsASparseMeshWithoutItsSkeleton) {
    FASCIA_NEEDS_SHARED_DATA();
    auto mesh = load_mesh(test::shared_data("characters/SimpleSparseAccessor.gltf"));
    ASSERT_TRUE(mesh) << mesh.error().message;
    ASSERT_EQ(mesh->vertex_count(), 14u);
    EXPECT_EQ(mesh->triangle_count(), 12u);
    // Vertices 8, 10 and 12 are moved by the sparse part of the accessor (the sample's own documentation).
    EXPECT_EQ(mesh->positions[8], (Vec3{1, 2, 0}));
    EXPECT_EQ(mesh->positions[10], (Vec3{3, 3, 0}));
    EXPECT_EQ(mesh->positions[12], (Vec3{5, 4, 0}));
    EXPECT_EQ(mesh->positions[9], (Vec3{2, 1, 0}));
}

TEST(SharedFiles, ReadsTheHumanoidMapOfAVrm) {
    FASCIA_NEEDS_SHARED_DATA();
    auto character = load_character(test::shared_data("characters/CoolBunny.vrm"));
    ASSERT_TRUE(character);
    const auto node_of = [&](const std::string& bone) {
        for (const HumanoidBone& entry : character->humanoid)
            if (entry.bone == bone) return entry.node;
        return -1;
    };
    ASSERT_GE(node_of("hips"), 0);
    ASSERT_GE(node_of("leftUpperLeg"), 0);
    ASSERT_GE(node_of("head"), 0);
    std::vector<Affine> local;
    for (const Node& node : character->nodes)
        local.push_back(node.matrix ? *node.matrix : compose(node.translation, node.rotation, node.scale));
    const auto world = test::world_of(character->nodes, local);
    const auto height = [&](const std::string& bone) { return world[static_cast<std::size_t>(node_of(bone))].m[1][3]; };
    EXPECT_GT(height("head"), height("hips"));
    EXPECT_GT(height("hips"), height("leftFoot"));
}

TEST(SharedFiles, KeepsMaterialsAndPictures) {
    FASCIA_NEEDS_SHARED_DATA();
    auto man = load_character(test::shared_data("characters/CesiumMan.glb"));
    ASSERT_TRUE(man);
    ASSERT_EQ(man->materials.size(), 1u);
    ASSERT_EQ(man->materials[0].texture, 0);
    ASSERT_EQ(man->textures.size(), 1u);
    EXPECT_EQ(man->textures[0].mime, "image/jpeg");
    ASSERT_GT(man->textures[0].bytes.size(), 1000u);
    EXPECT_EQ(man->textures[0].bytes[0], 0xFF);
    EXPECT_EQ(man->mesh.uvs.size(), man->mesh.vertex_count());

    auto woman = load_character(test::shared_data("characters/valid_Black_F_2_Casual_meshopt.glb"));
    ASSERT_TRUE(woman);
    ASSERT_GE(woman->materials[0].texture, 0);
    EXPECT_EQ(woman->textures[static_cast<std::size_t>(woman->materials[0].texture)].mime, "image/webp");
    // Nothing compressed is left in the document.
    const gltf::Model& model = woman->document->model;
    for (const auto& view : model.buffer_views) EXPECT_FALSE(view.extensions->contains("EXT_meshopt_compression"));
    for (const auto& accessor : model.accessors) {
        EXPECT_GE(accessor.buffer_view, 0);
        EXPECT_FALSE(accessor.sparse);
    }

    auto yeti = load_character(test::shared_data("characters/Yeti.gltf"));
    ASSERT_TRUE(yeti);
    EXPECT_EQ(count_of(*yeti, "image-missing"), 3u);
    EXPECT_EQ(yeti->materials[0].texture, -1);
}

TEST(SharedFiles, ReadsClips) {
    FASCIA_NEEDS_SHARED_DATA();
    auto fox = load_character(test::shared_data("characters/Fox.glb"));
    ASSERT_TRUE(fox);
    EXPECT_EQ(fox->clips[0].name, "Survey");
    EXPECT_EQ(fox->clips[1].name, "Walk");
    EXPECT_EQ(fox->clips[2].name, "Run");
    EXPECT_EQ(count_of(*fox, "normals-computed"), 1728u);
    struct Duration {
        const char* file;
        double seconds;
    };
    for (const Duration& d : {Duration{"CesiumMan.glb", 2.0}, Duration{"RiggedFigure.glb", 1.25},
                              Duration{"SimpleSkin.gltf", 5.5}, Duration{"Yeti.gltf", 4.98},
                              Duration{"mh_heavy_male.glb", 9.97}, Duration{"quaternius_Manta_ray.glb", 4.2}}) {
        auto character = load_character(test::shared_data(std::string("characters/") + d.file));
        ASSERT_TRUE(character);
        EXPECT_NEAR(character->clips[0].duration, d.seconds, 0.04) << d.file;
    }
    auto robot = load_character(test::shared_data("characters/RobotExpressive.glb"));
    ASSERT_TRUE(robot);
    EXPECT_GT(count_of(*robot, "morph-animation-ignored"), 0u);
}

TEST(SharedFiles, PutsScaledArmaturesIntoSceneUnits) {
    FASCIA_NEEDS_SHARED_DATA();
    struct Height {
        const char* file;
        double low, high;
    };
    // Metres under a scale of 0.1, decimetres, quantised numbers folded into the inverse bind matrices: all are people.
    for (const Height& h :
         {Height{"mh_heavy_male.glb", 1.6, 1.9}, Height{"mh_female_hires_quantized.glb", 1.6, 1.8},
          Height{"valid_Black_F_2_Casual_meshopt.glb", 1.6, 1.8}, Height{"CesiumMan.glb", 1.4, 1.6}}) {
        auto character = load_character(test::shared_data(std::string("characters/") + h.file));
        ASSERT_TRUE(character);
        float low = 1e9f, high = -1e9f;
        for (const Vec3& p : character->mesh.positions) {
            low = std::min(low, p.y);
            high = std::max(high, p.y);
        }
        EXPECT_GT(high - low, h.low) << h.file;
        EXPECT_LT(high - low, h.high) << h.file;
    }
}

}  // namespace
}  // namespace fascia
