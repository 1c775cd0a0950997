// `fascia rig`, then `fascia bake` by layers in a walk, on three well-known meshes.
#include <nlohmann/json.hpp>

#include "cli/run_fascia.h"
#include "support/places.h"
#include "support/shared_data.h"

namespace fascia::test {
namespace {

struct Walker {
    const char *mesh, *name;
};
class RigCommand : public CliTest, public ::testing::WithParamInterface<Walker> {};
INSTANTIATE_TEST_SUITE_P(Known, RigCommand,
                         ::testing::Values(Walker{"armadillo.obj", "armadillo"}, Walker{"spot.obj", "spot"},
                                           Walker{"bunny.off", "bunny"}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(RigCommand, MeshesWalkAndJiggle) {
    FASCIA_NEEDS_SHARED_DATA();
    const std::string name = GetParam().name;
    const std::string skeleton = source_folder() + "/examples/skeletons/" + name + ".tgf";
    const Answer rigged = fascia(
        {"rig", shared_data(std::string("static/") + GetParam().mesh), "--skeleton", skeleton, "-o", "body.glb"});
    ASSERT_EQ(rigged.status, 0) << rigged.err;
    EXPECT_NE((rigged.out + rigged.err).find("0.00 % of the vertices by fallback"), std::string::npos);
    const Answer baked =
        fascia({"bake", "body.glb", "-o", "body.pc2", "--motion", shared_data("motion/cmu_02_01_walk.bvh"), "--to",
                "0.5", "--fps", "30", "--report", "report.json", "--quiet"});
    ASSERT_EQ(baked.status, 0) << baked.err;
    const auto report = nlohmann::json::parse(read("report.json"));
    const auto& quality = report["quality"];
    EXPECT_TRUE(quality["finite"].get<bool>());
    EXPECT_GT(quality["volume_ratio"]["min"].get<double>(), 0.95);
    EXPECT_LT(quality["volume_ratio"]["max"].get<double>(), 1.05);
    EXPECT_LT(quality["edge_strain"]["p99"].get<double>(), 0.8);  // 1.3 and 2.1 when belly and feet were ragged
    EXPECT_LT(quality["edge_strain"]["max"].get<double>(), 4);    // 5.9 and 11
    EXPECT_LT(quality["flipped_triangles"]["max"].get<double>(), 0.01 * report["character"]["triangles"].get<double>());
    EXPECT_GT(quality["secondary_rms"]["max"].get<double>(), 5e-4);  // it jiggles
    EXPECT_LT(quality["max_offset"].get<double>(), 0.2);
}

TEST_F(CliTest, RigSaysWhatIsWrong) {
    write("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 1 3 4\n");
    write("bad.tgf", "1 0 0 0\n2 1 0 0\n#\n1 3\n#\n");
    const Answer bad = fascia({"rig", "mesh.obj", "--skeleton", "bad.tgf", "-o", "x.glb"});
    EXPECT_EQ(bad.status, 3);
    EXPECT_NE(bad.err.find("line 4"), std::string::npos) << bad.err;
    EXPECT_FALSE(exists("x.glb"));
    write("good.tgf", "1 0.1 0.1 0.1 low\n2 0.3 0.2 0.2 high\n3 0.5 0.2 0.2\n#\n1 2\n2 3\n#\n");
    const Answer good = fascia(
        {"rig", "mesh.obj", "--skeleton", "good.tgf", "--weights", "biharmonic", "--resolution", "12", "-o", "x.glb"});
    EXPECT_EQ(good.status, 0) << good.err;
    const Answer info = fascia({"info", "x.glb"});
    EXPECT_EQ(info.status, 0) << info.err;
    EXPECT_NE(info.out.find("2 joints"), std::string::npos) << info.out;
}

}  // namespace
}  // namespace fascia::test
