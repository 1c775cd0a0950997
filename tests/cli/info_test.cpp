// info and bench: what they print, and that their JSON is as documented.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/json_schema.h"
#include "cli/run_fascia.h"
#include "support/places.h"
#include "support/shared_data.h"

namespace fascia::test {
namespace {

using nlohmann::json;

class Info : public CliTest {
protected:
    json info(const std::string& character) const {
        const Answer run = fascia({"info", character, "--json"});
        EXPECT_EQ(run.status, 0) << run.err;
        return json::parse(run.out, nullptr, false);
    }
    static SchemaCheck schema(const std::string& name) {
        return SchemaCheck(json::parse(read_text(source_folder() + "/docs/schemas/" + name + ".schema.json")));
    }
    static std::string shared(const std::string& path) { return std::filesystem::absolute(shared_data(path)).string(); }
    static std::size_t remark_count(const json& facts, const std::string& code) {
        for (const json& remark : facts["remarks"])
            if (remark["code"] == code) return remark["count"];
        return 0;
    }
};

TEST_F(Info, BundledCharactersFitTheSchema) {
    for (const char* name : {"bunny", "gnome", "bloat", "neck", "tube"}) {
        const json facts = info(name);
        EXPECT_EQ(schema("info")(facts), std::vector<std::string>{}) << name;
        EXPECT_EQ(facts["name"], name);
        EXPECT_EQ(facts["surface"]["closed_components"], facts["surface"]["components"]) << name;
        const json& build = facts["would_build"];
        ASSERT_TRUE(build["points"].is_object()) << name << facts["warnings"].dump();
        const json& points = build["points"];
        const int layers = points["bone"].get<int>() + points["muscle"].get<int>() + points["fat"].get<int>() +
                           points["skin"].get<int>();
        EXPECT_EQ(points["total"], layers) << name;
        // The estimate from volume and area alone is close to what is really built.
        EXPECT_NEAR(build["estimated_points"].get<double>() / points["total"].get<double>(), 1, 0.2) << name;
    }
}

TEST_F(Info, ForPeople) {
    const Answer run = fascia({"info", "bunny"});
    ASSERT_EQ(run.status, 0);
    for (const char* words : {"bunny", "vertices", "joints", "dance", "size", "box", "would build", "closed"})
        EXPECT_NE(run.out.find(words), std::string::npos) << words;
}

TEST_F(Info, AMeshWithoutASkeleton) {
    // A tetrahedron of volume 1/6 and a lone triangle with three borders.
    write("shape.obj",
          "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
          "v 5 0 0\nv 6 0 0\nv 5 1 0\nf 5 6 7\n");
    const json facts = info("shape.obj");
    EXPECT_EQ(schema("info")(facts), std::vector<std::string>{});
    EXPECT_FALSE(facts["rigged"].get<bool>());
    EXPECT_EQ(facts["triangles"], 5);
    EXPECT_EQ(facts["surface"]["components"], 2);
    EXPECT_EQ(facts["surface"]["closed_components"], 1);
    EXPECT_EQ(facts["surface"]["border_edges"], 3);
    EXPECT_NEAR(facts["surface"]["volume"].get<double>(), 1.0 / 6, 1e-7);
    EXPECT_TRUE(facts["would_build"].is_null());
    EXPECT_EQ(facts["size"], 6);
}

TEST_F(Info, SharedCharactersFitTheSchema) {
    FASCIA_NEEDS_SHARED_DATA();
    for (const auto& entry : std::filesystem::directory_iterator(shared_data("characters"))) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() == ".bin" || name == "SimpleSparseAccessor.gltf") continue;
        EXPECT_EQ(schema("info")(info(std::filesystem::absolute(entry.path()).string())), std::vector<std::string>{})
            << name;
    }
}

TEST_F(Info, WhatIsWrongIsCounted) {
    FASCIA_NEEDS_SHARED_DATA();
    const json yeti = info(shared("characters/Yeti.gltf"));
    EXPECT_EQ(yeti["skins"], 6);
    EXPECT_EQ(yeti["vertices"], 19476);
    EXPECT_EQ(yeti["surface"]["welded_vertices"], 17605);
    EXPECT_EQ(yeti["surface"]["closed_components"], 16);
    EXPECT_EQ(remark_count(yeti, "weights-renormalised"), 2584u) << yeti["remarks"].dump(1);
    const json frog = info(shared("characters/quaternius_Frog.glb"));
    EXPECT_EQ(frog["surface"]["nonmanifold_edges"], 56);
    EXPECT_EQ(frog["clips"].size(), 4u);
    const json barbarian = info(shared("characters/kaykit_Barbarian.glb"));
    EXPECT_EQ(barbarian["surface"]["border_edges"], 105);
    EXPECT_EQ(barbarian["rigid_parts"].size(), 7u);
    EXPECT_EQ(barbarian["clips"].size(), 76u);
    const json bunny = info(shared("characters/CoolBunny.vrm"));
    EXPECT_GT(bunny["humanoid_bones"], 10);
    EXPECT_NE(bunny["warnings"].dump().find(".bvh"), std::string::npos);
}

TEST_F(Info, Bench) {
    const Answer run = fascia({"bench", "--json", "--threads", "1", "--seconds", "0.01"});
    ASSERT_EQ(run.status, 0) << run.err;
    const json bench = json::parse(run.out, nullptr, false);
    EXPECT_EQ(schema("bench")(bench), std::vector<std::string>{});
    EXPECT_EQ(bench["threads"], 1);
    std::vector<std::string> pairs;
    for (const json& row : bench["results"]) {
        pairs.push_back(row["character"].get<std::string>() + " " + row["method"].get<std::string>());
        EXPECT_GT(row["ms_per_frame"], 0);
        EXPECT_GT(row["embed_ns_per_vertex"], 0);
    }
    // Pose, advance and embed of the bunny, alone and in a crowd of 50, on one and two threads.
    EXPECT_EQ(bench["crowds"].size(), 4u * 2 * 2);
    for (const json& row : bench["crowds"]) {
        EXPECT_EQ(row["character"], "bunny");
        EXPECT_NEAR(row["sum_ms"].get<double>(),
                    row["pose_ms"].get<double>() + row["advance_ms"].get<double>() + row["embed_ms"].get<double>(),
                    1e-9);
        EXPECT_GT(row["embed_ms"], 0);
        const bool flesh = row["rig"] != "lbs";
        EXPECT_EQ(row["state_kb"] > 100, flesh) << row;
    }
    for (const char* pair : {"bunny lbs", "bunny dqs", "gnome lbs", "bloat dqs", "tube lbs"})
        EXPECT_NE(std::find(pairs.begin(), pairs.end(), pair), pairs.end()) << pair;
}

TEST_F(Info, BenchOfACrowd) {
    const Answer run = fascia({"bench", "tube", "--crowds", "1,3", "--json", "--quiet", "--seconds", "0.01"});
    ASSERT_EQ(run.status, 0) << run.err;
    const json bench = json::parse(run.out, nullptr, false);
    EXPECT_EQ(schema("bench")(bench), std::vector<std::string>{});
    EXPECT_EQ(bench["results"].size(), 0u);
    EXPECT_EQ(bench["crowds"][2]["instances"], 3);
    EXPECT_EQ(bench["crowds"][1]["threads"], 2);
    const Answer shown = fascia({"bench", "tube", "--crowds", "1", "--quiet", "--seconds", "0.01"});
    for (const char* word : {"pose ms", "advance ms", "embed ms", "sum ms", "kB each", "layers 32, fast"})
        EXPECT_NE(shown.out.find(word), std::string::npos) << word;
    for (const char* wrong : {"0", "2.5", "many", "1,,2", ""})
        EXPECT_EQ(fascia({"bench", "tube", "--crowds", wrong}).status, 2) << wrong;
    EXPECT_EQ(fascia({"bench", "nobody.glb"}).status, 3);
}

}  // namespace
}  // namespace fascia::test
