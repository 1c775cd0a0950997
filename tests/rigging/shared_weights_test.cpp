// Automatic weights on all shared data: valid everywhere, close to the artists', no leaks.
#include <filesystem>

#include <gtest/gtest.h>

#include "fascia/measure.h"
#include "support/shared_data.h"
#include "support/sound_weights.h"
#include "support/weight_quality.h"

namespace fascia {
namespace {

const std::vector<std::string> characters{"CesiumMan.glb",
                                          "CoolBunny.vrm",
                                          "Fox.glb",
                                          "RecursiveSkeletons.glb",
                                          "RiggedFigure.glb",
                                          "RobotExpressive.glb",
                                          "SimpleSkin.gltf",
                                          "SimpleSparseAccessor.gltf",
                                          "Yeti.gltf",
                                          "kaykit_Barbarian.glb",
                                          "mh_female_hires_quantized.glb",
                                          "mh_heavy_male.glb",
                                          "quaternius_FinnTheFrog_draco.glb",
                                          "quaternius_Frog.glb",
                                          "quaternius_Manta_ray.glb",
                                          "valid_Black_F_2_Casual_meshopt.glb"};
const std::vector<std::string> meshes{"armadillo.obj",   "bunny.off", "moebius.obj",
                                      "sheet_50x50.obj", "spot.obj",  "suzanne.obj"};

TEST(SharedFiles, AreAllTried) {
    FASCIA_NEEDS_SHARED_DATA();
    std::set<std::string> tried(characters.begin(), characters.end());
    tried.insert(meshes.begin(), meshes.end());
    const std::set<std::string> endings{".glb", ".gltf", ".vrm", ".obj", ".off"};
    for (const char* folder : {"characters", "static"})
        for (const auto& entry : std::filesystem::directory_iterator(test::shared_data(folder)))
            if (endings.count(entry.path().extension().string()) > 0) {
                EXPECT_EQ(tried.count(entry.path().filename().string()), 1u) << entry.path();
            }
}

std::string plain_name(const ::testing::TestParamInfo<std::string>& info) {
    std::string out = info.param;
    for (char& c : out)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return out;
}

bool is_closed(const Mesh& mesh) {
    const Components found = find_components(mesh.triangles, weld_by_position(mesh.positions));
    return std::find(found.closed.begin(), found.closed.end(), false) == found.closed.end();
}

void expect_all_methods_sound(const Character& c) {
    for (const std::string& method : weight_methods()) {
        if (method == "file") continue;
        const auto w = compute_weights(c, {.method = method, .resolution = 20, .influences = 4, .threads = 2});
        ASSERT_TRUE(w.ok()) << method << ": " << w.error().message;
        test::expect_sound(w->weights, c);
        if (::testing::Test::HasFatalFailure()) FAIL() << method;
        EXPECT_NEAR(w->fallback_share, double(w->fallback_vertices) / double(c.mesh.vertex_count()), 1e-12);
    }
}

class SharedCharacters : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, SharedCharacters, ::testing::ValuesIn(characters), plain_name);

TEST_P(SharedCharacters, GetSoundWeights) {
    FASCIA_NEEDS_SHARED_DATA();
    const auto c = load_character(test::shared_data("characters/" + GetParam()));
    if (GetParam() == "SimpleSparseAccessor.gltf") {  // no skeleton at all: the error says so
        ASSERT_FALSE(c.ok());
        EXPECT_NE(c.error().message.find("skin"), std::string::npos) << c.error().message;
        return;
    }
    ASSERT_TRUE(c.ok());
    expect_all_methods_sound(*c);
}

class SharedMeshes : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, SharedMeshes, ::testing::ValuesIn(meshes), plain_name);

/// Four bones through the middle, along the longest side.
Skeleton straight(const Mesh& mesh) {
    Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const Vec3 p : mesh.positions) {
        low = {std::min(low.x, double(p.x)), std::min(low.y, double(p.y)), std::min(low.z, double(p.z))};
        high = {std::max(high.x, double(p.x)), std::max(high.y, double(p.y)), std::max(high.z, double(p.z))};
    }
    Vec3d a = (low + high) * 0.5, b = a;
    const Vec3d side = high - low;
    if (side.x >= side.y && side.x >= side.z)
        a.x = low.x, b.x = high.x;
    else if (side.y >= side.z)
        a.y = low.y, b.y = high.y;
    else
        a.z = low.z, b.z = high.z;
    Skeleton out;
    for (int k = 0; k < 4; ++k) out.push_back({"bone" + std::to_string(k), k - 1, a + (b - a) * (k / 4.0), {}});
    out.back().tail = b;
    return out;
}

TEST_P(SharedMeshes, GetSoundWeights) {
    FASCIA_NEEDS_SHARED_DATA();
    const auto mesh = load_mesh(test::shared_data("static/" + GetParam()));
    ASSERT_TRUE(mesh.ok());
    RigOptions options;
    options.fit = RigOptions::Fit::none;
    options.weights.resolution = 20;
    const auto rigged = rig_mesh(*mesh, "mesh", straight(*mesh), options);
    ASSERT_TRUE(rigged.ok());
    expect_all_methods_sound(rigged->character);
    if (is_closed(*mesh)) {
        EXPECT_LT(rigged->fallback_share, 0.01);
    }
}

// ---- quality ---------------------------------------------------------------------------------------------------

class WeightQuality : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Volume, WeightQuality, ::testing::Values("geodesic", "diffusion", "biharmonic"));

ComputedWeights weights_of(const test::Painted& painted, const std::string& method) {
    return *compute_weights(painted.character, {.method = method, .influences = 8, .threads = 2});
}

TEST_P(WeightQuality, IsNearTheArtists) {
    FASCIA_NEEDS_SHARED_DATA();
    const auto arm = test::painted_arm(test::shared_data_folder()),
               hand = test::painted_hand(test::shared_data_folder());
    const auto on_arm = weights_of(arm, GetParam()), on_hand = weights_of(hand, GetParam());
    EXPECT_LT(test::difference(arm, on_arm.weights), GetParam() == "diffusion" ? 0.42 : 0.25);
    EXPECT_LT(test::difference(hand, on_hand.weights), 0.28);
    EXPECT_LT(test::finger_leak(hand, on_hand.weights), 0.05);
    EXPECT_LT(on_hand.fallback_share, 0.01);
    EXPECT_LT(on_arm.fallback_share, 0.01);
}

TEST_P(WeightQuality, NothingLeaksBetweenTheLimbsOfAHeavyMan) {
    FASCIA_NEEDS_SHARED_DATA();
    const auto man = test::painted_file(test::shared_data("characters/mh_heavy_male.glb"));
    const auto on_man = weights_of(man, GetParam());
    const auto legs = test::leg_leak(man.character, on_man.weights);
    EXPECT_LT(legs.below, 0.01);
    EXPECT_LT(legs.above, 0.05);
    const auto arms = test::arm_leak(man, on_man.weights);
    EXPECT_LT(arms.on_arm, 0.01);
    EXPECT_LT(arms.on_torso, 0.1);
    EXPECT_LT(test::difference(man, on_man.weights), 0.28);
    EXPECT_LT(on_man.fallback_share, 0.01);
}

/// The measures themselves: they detect a leak if there is one.
TEST(WeightQualityMeasures, SeeALeak) {
    FASCIA_NEEDS_SHARED_DATA();
    const auto man = test::painted_file(test::shared_data("characters/mh_heavy_male.glb"));
    EXPECT_LT(test::difference(man, man.character.weights), 1e-6);
    SkinWeights swapped = man.character.weights;
    const auto left = test::limb(man.character, "LeftUpLeg"), right = test::limb(man.character, "RightUpLeg");
    ASSERT_EQ(left.size(), right.size());
    for (std::uint16_t& j : swapped.joints)
        if (left.count(j) > 0) j = std::uint16_t(*right.begin());
    EXPECT_GT(test::leg_leak(man.character, swapped).below, 0.9);
}

}  // namespace
}  // namespace fascia
