// Tangents of a baked GLB: present if the file has some, and turned with the surface.
#include "cli/run_fascia.h"
#include "io/gltf_builder.h"
#include "support/glb_file.h"

namespace fascia::test {
namespace {

class BakedTangents : public CliTest {
protected:
    /// The strip turns about z by 90 degrees within a second; its tangents point along x, and the texture is mirrored.
    static StripFile turning_strip() {
        StripFile file;
        const int times = file.floats({0, 1}, "SCALAR");
        const int turns = file.floats({0, 0, 0, 1, 0, 0, std::sqrt(0.5f), std::sqrt(0.5f)}, "VEC4");
        file.push("animations",
                  {{"name", "turn"},
                   {"channels", json::array({{{"sampler", 0}, {"target", {{"node", 0}, {"path", "rotation"}}}}})},
                   {"samplers", json::array({{{"input", times}, {"output", turns}}})}});
        return file;
    }
    GlbFile bake(const StripFile& file, const std::string& method) {
        const std::vector<std::uint8_t> bytes = file.glb();
        write("strip.glb", {bytes.begin(), bytes.end()});
        const Answer answer =
            fascia({"bake", "strip.glb", "--method", method, "--fps", "2", "-o", "out.glb", "-o", "out.pc2"});
        EXPECT_EQ(answer.status, 0) << answer.err;
        return read_glb(at("out.glb").string());
    }
    static const json& primitive_of(const GlbFile& file, std::size_t p = 0) {
        return file.json["meshes"][0]["primitives"][p];
    }
};

TEST_F(BakedTangents, TurnWithTheSurfaceAndKeepTheirHandedness) {
    StripFile file = turning_strip();
    std::vector<float> tangents;
    for (int v = 0; v < 6; ++v) tangents.insert(tangents.end(), {1, 0, 0, v < 3 ? -1.0f : 1.0f});
    file.attributes()["TANGENT"] = file.floats(tangents, "VEC4");
    for (const char* method : {"lbs", "dqs", "bones-blending"}) {
        const GlbFile baked = bake(file, method);
        const json& primitive = primitive_of(baked);
        ASSERT_TRUE(primitive["attributes"].contains("TANGENT")) << method;
        const std::vector<float> rest = baked.floats(primitive["attributes"]["TANGENT"], 4);
        EXPECT_EQ(rest, tangents) << method;
        ASSERT_EQ(primitive["targets"].size(), 3u);
        for (std::size_t k = 0; k < 3; ++k) {
            const json& accessor = baked.json["accessors"][primitive["targets"][k]["TANGENT"].get<std::size_t>()];
            EXPECT_EQ(accessor["type"], "VEC3") << "a target has no handedness";
            const std::vector<float> by = baked.floats(primitive["targets"][k]["TANGENT"], 3);
            const double angle = static_cast<double>(k) * std::acos(-1) / 4;
            for (std::size_t v = 0; v < 6; ++v) {
                EXPECT_NEAR(rest[4 * v] + by[3 * v], std::cos(angle), 1e-6) << method << " frame " << k;
                EXPECT_NEAR(rest[4 * v + 1] + by[3 * v + 1], std::sin(angle), 1e-6) << method << " frame " << k;
                EXPECT_NEAR(rest[4 * v + 2] + by[3 * v + 2], 0, 1e-6) << method << " frame " << k;
            }
        }
    }
}

TEST_F(BakedTangents, OnlyPartsThatHaveSomeInTheFileGetThem) {
    StripFile file = turning_strip();
    EXPECT_FALSE(primitive_of(bake(file, "lbs"))["attributes"].contains("TANGENT"));

    json second = file.primitive();
    second["attributes"]["TANGENT"] =
        file.floats({2, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}, "VEC4");
    file.root["meshes"][0]["primitives"].push_back(second);
    const GlbFile baked = bake(file, "lbs");
    EXPECT_FALSE(primitive_of(baked, 0)["attributes"].contains("TANGENT"));
    EXPECT_FALSE(primitive_of(baked, 0)["targets"][0].contains("TANGENT"));
    ASSERT_TRUE(primitive_of(baked, 1)["attributes"].contains("TANGENT"));
    EXPECT_TRUE(primitive_of(baked, 1)["targets"][0].contains("TANGENT"));
    // Tangents are written with unit length, as the format requires, whatever the file has.
    const std::vector<float> rest = baked.floats(primitive_of(baked, 1)["attributes"]["TANGENT"], 4);
    for (std::size_t v = 0; v < 6; ++v)
        EXPECT_NEAR(std::hypot(rest[4 * v], rest[4 * v + 1], rest[4 * v + 2]), 1, 1e-6) << v;
}

}  // namespace
}  // namespace fascia::test
