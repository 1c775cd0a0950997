// bake, compare, demo and characters, from the outside: files, frames, reports, and nothing left behind.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include <nlohmann/json.hpp>

#include "cli/json_schema.h"
#include "cli/run_fascia.h"
#include "fascia/bundled.h"
#include "fascia/io.h"
#include "fascia/settings.h"
#include "support/places.h"
#include "support/shared_data.h"

namespace fascia::test {
namespace {

using nlohmann::json;

constexpr int done = 0, wrong_usage = 2, bad_input = 3, cannot_write = 4;

/// A PC2 file: 'POINTCACHE2\0', version, points, start, rate, samples, then floats.
struct PointCache {
    std::int32_t points = 0, frames = 0;
    float start = -1, rate = -1;
    std::vector<float> values;
    const float* frame(std::int32_t k) const { return values.data() + static_cast<std::size_t>(k) * 3 * points; }
};

PointCache parse_pc2(const std::string& bytes) {
    PointCache cache;
    if (bytes.size() < 32 || std::memcmp(bytes.data(), "POINTCACHE2\0", 12) != 0) {
        ADD_FAILURE() << "not a PC2 file";
        return cache;
    }
    std::memcpy(&cache.points, bytes.data() + 16, 4);
    std::memcpy(&cache.start, bytes.data() + 20, 4);
    std::memcpy(&cache.rate, bytes.data() + 24, 4);
    std::memcpy(&cache.frames, bytes.data() + 28, 4);
    cache.values.resize((bytes.size() - 32) / 4);
    std::memcpy(cache.values.data(), bytes.data() + 32, cache.values.size() * 4);
    return cache;
}

double largest_difference(const float* a, const float* b, std::int32_t points) {
    double largest = 0;
    for (std::int32_t i = 0; i < 3 * points; ++i) largest = std::max(largest, std::fabs(double(a[i]) - double(b[i])));
    return largest;
}

json glb_json(const std::string& bytes) {
    std::uint32_t length = 0;
    if (bytes.size() < 20) return {};
    std::memcpy(&length, bytes.data() + 12, 4);
    return json::parse(bytes.substr(20, length), nullptr, false);
}

/// Times of the baked frames in a GLB: the input of the animation of the morph weights.
json baked_times(const json& document) {
    for (const json& animation : document["animations"])
        for (const json& channel : animation["channels"])
            if (channel["target"]["path"] == "weights")
                return document["accessors"][animation["samplers"][channel["sampler"].get<int>()]["input"].get<int>()];
    return {};
}

class Bake : public CliTest {
protected:
    /// Bakes with lbs and expects it to succeed.
    Answer lbs(std::vector<std::string> words) const {
        words.insert(words.begin(), "bake");
        words.insert(words.end(), {"--method", "lbs"});
        const Answer run = fascia(words);
        EXPECT_EQ(run.status, done) << run.err;
        return run;
    }
    void write_tube() const {
        const Result<Character> tube = bundled_character("tube");
        ASSERT_TRUE(tube.ok());
        ASSERT_TRUE(write_character(at("tube.glb").string(), *tube).ok());
    }
    json report(const std::string& name) const { return json::parse(read(name)); }
};

TEST_F(Bake, EveryFormat) {
    lbs({"tube", "--motion", "bend", "--to", "0.1", "-o", "a.glb", "-o", "a.pc2", "-o", "a.mdd", "-o", "a.usda", "-o",
         "a.obj", "--report", "a.json", "--preview", "a.png"});
    for (const char* name : {"a.glb", "a.pc2", "a.mdd", "a.usda", "a.json", "a.png"}) EXPECT_TRUE(exists(name)) << name;
    EXPECT_TRUE(exists("a.obj/00000.obj"));
    EXPECT_TRUE(exists("a.obj/00006.obj"));
    EXPECT_FALSE(exists("a.obj/00007.obj"));
    EXPECT_EQ(names().size(), 7u);
}

TEST_F(Bake, FrameCountAndTimes) {
    struct Case {
        const char *from, *to, *fps;
        int frames;
    };
    // floor((to - from) * fps + 1e-6) + 1
    for (const Case& c : {Case{"0", "1", "30", 31}, Case{"0.5", "1", "24", 13}, Case{"0", "0", "60", 1},
                          Case{"0", "0.1", "60", 7}, Case{"0", "0.0999", "60", 6}, Case{"0.2", "0.3", "10", 2}}) {
        lbs({"tube", "--motion", "bend", "--from", c.from, "--to", c.to, "--fps", c.fps, "-o", "a.pc2", "--report",
             "a.json"});
        const PointCache cache = parse_pc2(read("a.pc2"));
        EXPECT_EQ(cache.frames, c.frames) << c.from << " " << c.to << " " << c.fps;
        EXPECT_EQ(cache.start, 0);
        EXPECT_EQ(cache.rate, 1);
        const json r = report("a.json");
        EXPECT_EQ(r["motion"]["frames"], c.frames);
        EXPECT_EQ(r["motion"]["fps"], std::stod(c.fps));
        EXPECT_NEAR(r["motion"]["seconds"].get<double>(), (c.frames - 1) / std::stod(c.fps), 1e-9);
    }
}

TEST_F(Bake, FrameKIsAtFromPlusKOverFps) {
    lbs({"tube", "--motion", "bend", "--to", "1", "--fps", "60", "-o", "all.pc2"});
    lbs({"tube", "--motion", "bend", "--from", "0.5", "--to", "1", "--fps", "20", "-o", "some.pc2"});
    const PointCache all = parse_pc2(read("all.pc2")), some = parse_pc2(read("some.pc2"));
    ASSERT_EQ(some.frames, 11);
    for (int k = 0; k < some.frames; ++k)
        EXPECT_LT(largest_difference(some.frame(k), all.frame(30 + 3 * k), all.points), 1e-5) << k;
}

TEST_F(Bake, ReportsCountTrianglesThatCross) {
    lbs({"tube", "--motion", "rest", "--to", "0.1", "-o", "a.pc2", "--report", "a.json"});
    json penetration = report("a.json")["quality"]["penetration"];
    EXPECT_EQ(penetration["pairs"], 0);
    for (const char* key : {"depth", "twice_volume", "vertices_inside", "forced"})
        EXPECT_EQ(penetration[key], 0) << key;
    lbs({"tube", "--motion", "bend135", "--fps", "10", "-o", "a.pc2", "--report", "a.json"});
    penetration = report("a.json")["quality"]["penetration"];
    EXPECT_GT(penetration["pairs"], 100);
    EXPECT_GT(penetration["depth"], 0.001);
    EXPECT_LT(penetration["depth"], 0.1);
    EXPECT_GT(penetration["twice_volume"], 0.0005);
    EXPECT_LT(penetration["twice_volume"], 0.1);
    EXPECT_GT(penetration["vertices_inside"], 10);
    EXPECT_LT(penetration["forced"], penetration["pairs"]) << "bones that bend by this much have room";
}

TEST_F(Bake, DefaultRates) {
    lbs({"tube", "--motion", "bend", "--to", "1", "-o", "only.glb", "--report", "only.json"});
    EXPECT_EQ(report("only.json")["motion"]["fps"], 30);
    EXPECT_EQ(baked_times(glb_json(read("only.glb")))["count"], 31);

    lbs({"tube", "--motion", "bend", "--to", "1", "-o", "both.glb", "-o", "both.pc2", "--report", "both.json"});
    EXPECT_EQ(report("both.json")["motion"]["fps"], 60);
    EXPECT_EQ(parse_pc2(read("both.pc2")).frames, 61);
    const json times = baked_times(glb_json(read("both.glb")));
    EXPECT_EQ(times["count"], 31);
    EXPECT_NEAR(times["max"][0].get<double>(), 1.0, 1e-6);
    // The same frames at the same times, whether they were computed at 30 or picked from 60.
    EXPECT_EQ(read("only.glb"), read("both.glb"));

    lbs({"tube", "--motion", "bend", "--to", "1", "--fps", "24", "-o", "set.glb", "-o", "set.pc2"});
    EXPECT_EQ(baked_times(glb_json(read("set.glb")))["count"], 25);
    EXPECT_EQ(parse_pc2(read("set.pc2")).frames, 25);
}

TEST_F(Bake, MotionByNameByIndexAndByDefault) {
    lbs({"tube", "--motion", "bend", "--to", "0.1", "-o", "name.pc2"});
    lbs({"tube", "--motion", "1", "--to", "0.1", "-o", "index.pc2"});
    lbs({"tube", "--to", "0.1", "-o", "first.pc2", "--report", "first.json"});
    lbs({"tube", "--motion", "0", "--to", "0.1", "-o", "zero.pc2"});
    EXPECT_EQ(read("name.pc2"), read("index.pc2"));
    EXPECT_EQ(read("first.pc2"), read("zero.pc2"));
    EXPECT_NE(read("first.pc2"), read("name.pc2"));
    EXPECT_EQ(report("first.json")["motion"]["name"], "rest");
}

TEST_F(Bake, AllMotions) {
    const Answer run =
        lbs({"tube", "--motion", "all", "--to", "0.05", "-o", "out.pc2", "--report", "out.json", "--quiet"});
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "");
    for (const char* clip : {"rest", "bend", "bend135", "twist"}) {
        EXPECT_TRUE(exists(std::string("out.") + clip + ".pc2")) << clip;
        EXPECT_EQ(report(std::string("out.") + clip + ".json")["motion"]["name"], clip);
    }
    EXPECT_EQ(names().size(), 8u);
}

TEST_F(Bake, LoopMeetsItsBeginning) {
    // Part of a bend: the ends are 28 degrees apart.
    const Answer run = lbs({"tube", "--motion", "bend", "--from", "0.1", "--to", "0.8", "--loop", "-o", "a.pc2"});
    EXPECT_NE(run.err.find("cross-faded"), std::string::npos);
    lbs({"tube", "--motion", "bend", "--from", "0.1", "--to", "0.8", "-o", "b.pc2", "--report", "b.json"});
    const PointCache looped = parse_pc2(read("a.pc2")), plain = parse_pc2(read("b.pc2"));
    const double size = report("b.json")["character"]["size"];
    ASSERT_EQ(looped.frames, plain.frames);
    const int last = looped.frames - 1;
    EXPECT_GT(largest_difference(plain.frame(0), plain.frame(last), plain.points), 1e-2 * size);
    EXPECT_LT(largest_difference(looped.frame(0), looped.frame(last), looped.points), 1e-3 * size);
    // Only the last 0.2 s are blended, and smoothly: 36 degrees back in 12 frames, 8 degrees forward.
    for (int k = 0; k < last - 12; ++k) EXPECT_EQ(largest_difference(looped.frame(k), plain.frame(k), plain.points), 0);
    double plain_step = 0, loop_step = 0;
    for (int k = 1; k <= last; ++k) {
        plain_step = std::max(plain_step, largest_difference(plain.frame(k), plain.frame(k - 1), plain.points));
        loop_step = std::max(loop_step, largest_difference(looped.frame(k), looped.frame(k - 1), looped.points));
    }
    EXPECT_LT(loop_step, 8 * plain_step);
}

TEST_F(Bake, ALoopThatClosesIsLeftAlone) {
    const Answer run = lbs({"bunny", "--motion", "dance", "--loop", "--fps", "10", "-o", "a.pc2"});
    EXPECT_EQ(run.err, "");
    lbs({"bunny", "--motion", "dance", "--fps", "10", "-o", "b.pc2"});
    EXPECT_EQ(read("a.pc2"), read("b.pc2"));
}

TEST_F(Bake, FleshOfABodyThatTurnsOverClosesItsLoop) {
    FASCIA_NEEDS_SHARED_DATA();
    fascia({"bake", test::shared_data("characters/quaternius_Frog.glb"), "--motion", "1", "--loop", "--set",
            "resolution=16", "-o", "a.pc2", "--report", "a.json"});
    const PointCache looped = parse_pc2(read("a.pc2"));
    const double size = report("a.json")["character"]["size"];
    EXPECT_LT(largest_difference(looped.frame(0), looped.frame(looped.frames - 1), looped.points), 1e-3 * size);
}

TEST_F(Bake, EveryMethodWithAMemoryClosesALoopOfAnyPart) {
    for (const MethodInfo& method : methods()) {
        if (!method.abilities.simulates) continue;
        std::vector<std::string> words{"bake", "bunny", "--method", method.name, "--motion", "dance", "--from",
                                       "0.3",  "--to",  "1.4",      "--loop",    "-o",       "a.pc2"};
        if (method.abilities.takes_hand) words.push_back("--set"), words.push_back("resolution=16");
        const Answer run = fascia(words);
        ASSERT_EQ(run.status, done) << run.err;
        const PointCache looped = parse_pc2(read("a.pc2"));
        const double gap = largest_difference(looped.frame(0), looped.frame(looped.frames - 1), looped.points);
        EXPECT_LT(gap, 1e-3 * bundled_character("bunny")->size()) << method.name;
    }
}

TEST_F(Bake, FleshClosesItsLoop) {
    const std::vector<std::string> words{"bake", "bunny",     "--motion", "dance", "--fps",
                                         "30",   "--threads", "1",        "--set", "resolution=16"};
    double size = 0;
    const auto baked = [&](std::vector<std::string> more) {
        more.insert(more.begin(), words.begin(), words.end());
        more.insert(more.end(), {"-o", "a.pc2", "--report", "a.json"});
        const Answer run = fascia(more);
        EXPECT_EQ(run.status, done) << run.err;
        size = report("a.json")["character"]["size"];
        return parse_pc2(read("a.pc2"));
    };
    const PointCache plain = baked({}), looped = baked({"--loop"});
    const int last = plain.frames - 1;
    const auto apart = [&](const auto& a, const auto& b) { return largest_difference(a, b, plain.points) / size; };
    const double start = apart(plain.frame(0), plain.frame(last));
    EXPECT_GT(start, 1e-3) << "frame 0 stands still, the last one does not";
    EXPECT_LT(apart(looped.frame(0), looped.frame(last)), 1e-3);
    // The cycle has been running before its first frame, which is therefore near the end of the plain one, not near
    // its beginning.
    EXPECT_LT(apart(looped.frame(0), plain.frame(last)), 0.3 * start);
    EXPECT_GT(report("a.json")["quality"]["secondary_rms"]["max"], 1e-3);
}

TEST_F(Bake, FleshThatTravelsClosesItsLoopInTheFrameOfTheRoot) {
    FASCIA_NEEDS_SHARED_DATA();
    const Answer run = fascia({"bake", test::shared_data("characters/CesiumMan.glb"), "--motion",
                               test::shared_data("motion/cmu_09_01_run.bvh"), "--fps", "30", "--loop", "--set",
                               "resolution=16", "-o", "a.pc2", "--report", "a.json"});
    ASSERT_EQ(run.status, done) << run.err;
    EXPECT_NE(run.err.find("cross-faded"), std::string::npos) << run.err;
    const PointCache cache = parse_pc2(read("a.pc2"));
    const double size = report("a.json")["character"]["size"];
    const auto first = cache.frame(0), last = cache.frame(cache.frames - 1);
    EXPECT_GT(largest_difference(first, last, cache.points), size) << "it runs across the room";
    // Distances between points far apart do not depend on where the body stands or faces.
    for (int a = 0; a < cache.points; ++a) {
        const int b = int(std::int64_t(a) * 7919 % cache.points);
        const auto apart = [&](const auto& p) {
            return std::hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2]);
        };
        ASSERT_LT(std::abs(apart(first) - apart(last)), 1e-3 * size) << a;
    }
}

TEST_F(Bake, BeyondTheEndTheLastPoseHolds) {
    lbs({"bunny", "--motion", "walk", "--from", "1.9", "--to", "3", "--fps", "10", "-o", "a.pc2", "--report",
         "a.json"});
    const PointCache cache = parse_pc2(read("a.pc2"));
    ASSERT_EQ(cache.frames, 12);
    EXPECT_EQ(largest_difference(cache.frame(5), cache.frame(11), cache.points), 0);
    EXPECT_EQ(report("a.json")["quality"]["rest_jitter"], 0);
}

TEST_F(Bake, ThreadsDoNotChangeTheResult) {
    lbs({"tube", "--motion", "bend", "--to", "0.2", "--threads", "1", "-o", "a.pc2", "--report", "a.json"});
    lbs({"tube", "--motion", "bend", "--to", "0.2", "--threads", "3", "-o", "b.pc2", "--report", "b.json"});
    EXPECT_EQ(read("a.pc2"), read("b.pc2"));
    EXPECT_EQ(report("a.json")["hash"], report("b.json")["hash"]);
}

TEST_F(Bake, ReportFitsItsSchema) {
    lbs({"tube", "--motion", "bend", "--to", "0.5", "--report", "a.json"});
    SchemaCheck check(json::parse(read_text(source_folder() + "/docs/schemas/report.schema.json")));
    const json r = report("a.json");
    EXPECT_EQ(check(r), std::vector<std::string>{});
    EXPECT_EQ(r["fascia"], "0.1.0");
    EXPECT_EQ(r["method"], "lbs");
    EXPECT_EQ(r["character"]["name"], "tube");
    EXPECT_EQ(r["points"]["total"], r["character"]["vertices"]);
    EXPECT_TRUE(r["points"]["fat"].is_null());
    EXPECT_TRUE(r["time"]["ns_per_point_step"].is_null());
    EXPECT_TRUE(r["quality"]["finite"].get<bool>());
    EXPECT_EQ(r["quality"]["secondary_rms"]["max"], 0);
    EXPECT_GT(r["quality"]["volume_ratio"]["min"], 0.8);
    EXPECT_LE(r["quality"]["volume_ratio"]["min"], r["quality"]["volume_ratio"]["last"]);
    EXPECT_LE(r["quality"]["volume_ratio"]["last"], r["quality"]["volume_ratio"]["max"]);
    EXPECT_GT(r["quality"]["edge_strain"]["max"], 0);
    json broken = r;
    broken["quality"].erase("resets");
    broken["extra"] = 1;
    broken["motion"]["frames"] = 0;
    EXPECT_EQ(check(broken).size(), 3u);
}

TEST_F(Bake, ReportComparesWithPlainSkinning) {
    const auto quality = [&](const std::string& method, const std::string& motion) {
        const Answer run = fascia({"bake", "tube", "--method", method, "--motion", motion, "--report", "a.json"});
        EXPECT_EQ(run.status, done) << run.err;
        return report("a.json")["quality"];
    };
    const auto warns = [&] {
        return report("a.json")["warnings"].dump().find("leaves plain skinning by up to") != std::string::npos;
    };
    EXPECT_EQ(quality("lbs", "twist")["max_offset_from_lbs"], 0);
    EXPECT_FALSE(warns());
    // dqs is its own skinned surface, but not plain skinning, whose half twist takes the middle of the tube to its
    // axis.
    const json twisted = quality("dqs", "twist");
    EXPECT_EQ(twisted["max_offset"], 0);
    EXPECT_GT(twisted["max_offset_from_lbs"], 0.1);
    EXPECT_TRUE(warns());
    const json bent = quality("dqs", "bend");
    EXPECT_GT(bent["max_offset_from_lbs"], 1e-3);
    EXPECT_LT(bent["max_offset_from_lbs"], 0.1);
    EXPECT_FALSE(warns());
}

TEST_F(Bake, BeginsAsIfTheMotionHadBeenRunning) {
    const auto bake = [&](std::vector<std::string> words) {
        std::vector<std::string> all{"bake", "bunny", "--motion", "dance", "--set", "resolution=14", "-o", "a.pc2"};
        all.insert(all.end(), words.begin(), words.end());
        EXPECT_EQ(fascia(all).status, done);
        return parse_pc2(read("a.pc2"));
    };
    const double size = bundled_character("bunny")->size();
    // Flesh that is at rest stays where it is, however long the pose is held.
    const PointCache plain = bake({"--to", "0"}), held = bake({"--to", "0", "--settle", "2"});
    EXPECT_LT(largest_difference(plain.frame(0), held.frame(0), plain.points), 5e-4 * size);
    // Flesh remembers only a few swings. Begun that much earlier, a bake from the middle agrees with a bake of the
    // whole motion, even for flesh of 2.4 Hz.
    const PointCache whole = bake({"--to", "2"}), later = bake({"--from", "2", "--to", "2"});
    const auto last = whole.frame(whole.frames - 1), first = later.frame(0);
    EXPECT_LT(largest_difference(last, first, whole.points), 2e-3 * size);
}

TEST_F(Bake, SettleHoldsTheFirstPoseInsteadOfRunningUpToIt) {
    const auto first_frame = [&](std::vector<std::string> words) {
        std::vector<std::string> all{"bake", "bunny", "--motion", "dance",         "--from", "0.5",
                                     "--to", "0.5",   "--set",    "resolution=12", "-o",     "a.pc2"};
        all.insert(all.end(), words.begin(), words.end());
        EXPECT_EQ(fascia(all).status, done);
        return parse_pc2(read("a.pc2"));
    };
    const double size = bundled_character("bunny")->size();
    const PointCache running = first_frame({}), held = first_frame({"--settle", "1"}),
                     longer = first_frame({"--settle", "2"});
    EXPECT_GT(largest_difference(running.frame(0), held.frame(0), held.points), 3e-3 * size);
    EXPECT_LT(largest_difference(held.frame(0), longer.frame(0), held.points), 3e-4 * size);
}

TEST_F(Bake, WordsAboutFleshAreFeltOrExplained) {
    const auto bake = [&](std::vector<std::string> words) {
        std::vector<std::string> all{"bake",  "tube",     "--to",   "0.3",   "-o",
                                     "a.pc2", "--report", "a.json", "--set", "resolution=12"};
        all.insert(all.end(), words.begin(), words.end());
        return fascia(all);
    };
    ASSERT_EQ(bake({}).status, done);
    const double light = report("a.json")["quality"]["max_offset"];
    ASSERT_EQ(bake({"--set", "gravity=200"}).status, done);
    EXPECT_GT(report("a.json")["quality"]["max_offset"], 1.2 * light);

    const Answer literal = bake({"--mode", "literal"});
    EXPECT_EQ(literal.status, done) << literal.err;
    EXPECT_NE(literal.err.find("mode literal"), std::string::npos);
    EXPECT_NE(report("a.json")["warnings"].dump().find("mode literal"), std::string::npos);

    expect_error({"bake", "tube", "-o", "b.pc2", "--set", "mask=COLOR_1.r"}, wrong_usage,
                 {"COLOR_1.r", "COLOR_0 only"});
    expect_error({"bake", "tube", "-o", "b.pc2", "--set", "primary=lsb"}, wrong_usage, {"primary", "lbs"});
}

TEST_F(Bake, FleshBesideTheCharacterIsPickedUp) {
    write_tube();
    lbs({"tube.glb", "--to", "0", "-o", "a.pc2"});
    write("tube.flesh.json", "{\"parts\": [{\"joint\": \"frst\", \"amount\": 1}]}");
    expect_error({"bake", "tube.glb", "--method", "lbs", "-o", "b.pc2"}, wrong_usage, {"'frst'", "'first'"});
    write("tube.flesh.json", "{\"parts\": [{\"joint\": \"tentacle*\", \"amount\": 1}]}");
    EXPECT_NE(lbs({"tube.glb", "--to", "0", "-o", "a.pc2"}).err.find("'tentacle*'"), std::string::npos);
    EXPECT_EQ(lbs({"tube.glb", "--to", "0", "-o", "a.pc2", "--quiet"}).err, "");
}

TEST_F(Bake, LaterWordsAboutFleshWin) {
    write_tube();
    const auto points = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"bake", "tube.glb", "--to", "0", "--report", "a.json", "--quiet"});
        const Answer run = fascia(more);
        EXPECT_EQ(run.status, done) << run.err;
        return report("a.json")["points"]["total"].get<int>();
    };
    const int at_12 = points({"--set", "resolution=12"}), at_16 = points({"--set", "resolution=16"}),
              at_20 = points({"--set", "resolution=20"}), at_32 = points({}),
              at_64 = points({"--preset", "paper-smurf"});
    EXPECT_LT(at_12, at_16);
    EXPECT_LT(at_16, at_20);
    EXPECT_LT(at_20, at_32);
    EXPECT_LT(at_32, at_64);
    write("tube.flesh.json", "{\"resolution\": 12}");
    write("other.json", "{\"resolution\": 16}");
    EXPECT_EQ(points({}), at_12);
    EXPECT_EQ(points({"--preset", "paper-smurf"}), at_12);
    EXPECT_EQ(points({"--flesh", "other.json"}), at_16);
    EXPECT_EQ(points({"--flesh", "other.json", "--set", "resolution=20"}), at_20);
    EXPECT_EQ(points({"--set", "resolution=12", "--set", "resolution=20"}), at_20);
}

TEST_F(Bake, WeightsAreForMethodsThatChoose) {
    const std::vector<std::string> words{"bake", "tube", "--to", "0.1", "--motion", "bend135", "-o", "a.pc2"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), words.begin(), words.end());
        return more;
    };
    ASSERT_EQ(fascia(with({"--weights", "file", "--from", "0.1"})).status, done);
    const std::string by_file = read("a.pc2");
    ASSERT_EQ(fascia(with({"--weights", "geodesic", "--from", "0.1"})).status, done);
    EXPECT_NE(read("a.pc2"), by_file);
    EXPECT_EQ(fascia(with({"--weights", "file", "--method", "lbs"})).status, done);
    ASSERT_EQ(fascia(with({"--weights", "geodesic", "--method", "lbs"})).status, done);
    expect_error(with({"--weights", "geodesik", "--method", "lbs"}), wrong_usage, {"geodesic"});
}

TEST_F(Bake, TheCharacterIsNeverOverwritten) {
    write_tube();
    const std::string before = read("tube.glb");
    expect_error({"bake", "tube.glb", "--method", "lbs", "-o", "./tube.glb"}, wrong_usage, {"overwrite"});
    EXPECT_EQ(read("tube.glb"), before);
}

TEST_F(Bake, AFullDiskLeavesTheOldFile) {
    write("a.pc2", "old");
    write("a.glb", "old");
    for (const char* name : {"a.pc2", "a.glb"}) {
        const Answer run = fascia({"bake", "tube", "--method", "lbs", "--motion", "bend", "-o", name}, 1 << 16);
        EXPECT_EQ(run.status, cannot_write) << run.err;
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
        EXPECT_EQ(read(name), "old");
    }
    EXPECT_EQ(names().size(), 2u);
}

TEST_F(Bake, PlacesThatCannotBeWritten) {
    expect_error({"bake", "tube", "--method", "lbs", "--to", "0.1", "--report", "/dev/full"}, cannot_write,
                 {"/dev/full"});
    expect_error({"bake", "tube", "--method", "lbs", "--to", "0.1", "-o", "/proc/x.pc2"}, cannot_write,
                 {"/proc/x.pc2"});
}

TEST_F(Bake, ReportMayGoToAPipe) {
    const Answer run = fascia({"bake", "tube", "--method", "lbs", "--to", "0.1", "--quiet", "--report", "/dev/stdout"});
    EXPECT_EQ(run.status, done) << run.err;
    EXPECT_EQ(json::parse(run.out)["method"], "lbs");
}

TEST_F(Bake, InterruptLeavesNothing) {
    write("a.pc2", "old");
    const pid_t child = start({"bake", "tube", "--method", "dqs", "--motion", "bend", "--to", "900", "-o", "a.pc2"});
    // Wait until it is well under way: its temporary file exists.
    for (int i = 0; i < 3000 && names().size() < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_EQ(names().size(), 2u);
    kill(child, SIGINT);
    const Answer run = finish(child);
    EXPECT_EQ(run.status, 130);
    EXPECT_EQ(names(), std::vector<std::string>{"a.pc2"});
    EXPECT_EQ(read("a.pc2"), "old");
}

TEST_F(Bake, Pictures) {
    for (const char* color : {"weights", "strain", "offset"}) {
        const std::string name = std::string(color) + ".png";
        lbs({"tube", "--motion", "bend", "--to", "0.1", "--color", color, "--preview", name});
        const std::string png = read(name);
        EXPECT_EQ(png.substr(1, 3), "PNG") << color;
        EXPECT_GT(png.size(), 20000u) << color;
    }
    EXPECT_NE(read("weights.png"), read("strain.png"));
}

TEST_F(Bake, PicturesOfLayers) {
    const auto picture = [&](const std::string& method, const std::string& color, const std::string& camera) {
        const Answer run = fascia({"bake", "tube", "--method", method, "--motion", "bend", "--to", "0.1", "--size",
                                   "96", "--camera", camera, "--color", color, "--preview", "x.png", "--quiet"});
        EXPECT_EQ(run.status, done) << run.err;
        return read("x.png");
    };
    // Whatever the side it is seen from, the near half is gone and the inside of the other one is shown; which layers
    // there are depends on the method.
    for (const char* camera : {"front", "side", "back"}) {
        const std::string layers = picture("layers", "layers", camera);
        EXPECT_NE(layers, picture("layers", "parts", camera));
        EXPECT_NE(layers, picture("lattice", "layers", camera));
    }
    expect_error({"bake", "tube", "--method", "lbs", "--color", "layers", "--preview", "x.png"}, wrong_usage,
                 {"lbs", "layers"});
}

TEST_F(Bake, FilmsNeedFfmpegAndSaySo) {
    const std::vector<std::string> words{"bake", "tube", "--method", "lbs",       "--motion",
                                         "bend", "--to", "0.1",      "--preview", "a.mp4"};
    const char* path = std::getenv("PATH");
    const std::string old = path ? path : "";
    const Answer usual = fascia(words);
    if (usual.status == done)
        EXPECT_EQ(read("a.mp4").substr(4, 4), "ftyp");
    else
        EXPECT_NE(usual.err.find("ffmpeg"), std::string::npos) << usual.err;
    std::filesystem::remove(at("a.mp4"));
    setenv("PATH", "/nowhere", 1);
    expect_error(words, cannot_write, {"ffmpeg", "a.mp4"});
    setenv("PATH", old.c_str(), 1);
}

TEST_F(Bake, Compare) {
    const Answer run =
        fascia({"compare", "tube", "--methods", "lbs,dqs", "--motion", "twist", "--to", "0.5", "-o", "c"});
    ASSERT_EQ(run.status, done) << run.err;
    EXPECT_EQ(report("c/lbs.report.json")["method"], "lbs");
    EXPECT_EQ(report("c/dqs.report.json")["method"], "dqs");
    const std::string table = read("c/table.txt");
    EXPECT_EQ(run.out.rfind(table, 0), 0u);
    EXPECT_NE(table.find("\nlbs "), std::string::npos);
    EXPECT_NE(table.find("\ndqs "), std::string::npos);
    EXPECT_EQ(read("c/sheet.png").substr(1, 3), "PNG");
    // A second time into the same folder.
    EXPECT_EQ(fascia({"compare", "tube", "--methods", "lbs", "--to", "0", "-o", "c", "--quiet"}).out, "");
    expect_error({"compare", "tube", "--methods", "lbs", "--motion", "all", "-o", "d"}, wrong_usage, {"one motion"});
}

TEST_F(Bake, Demo) {
    const Answer run = fascia({"demo"});
    ASSERT_EQ(run.status, done) << run.err;
    for (const char* name : {"out/bunny.glb", "out/bunny.pc2", "out/bunny.report.json", "out/bunny.png"}) {
        EXPECT_TRUE(exists(name)) << name;
        EXPECT_NE(run.out.find(name), std::string::npos) << name;
    }
    EXPECT_NE(run.out.find("ms/frame"), std::string::npos);
    EXPECT_EQ(report("out/bunny.report.json")["motion"]["name"], "dance");
}

TEST_F(Bake, CharactersAreListedAndWritten) {
    const Answer list = fascia({"characters"});
    ASSERT_EQ(list.status, done) << list.err;
    ASSERT_EQ(fascia({"characters", "-o", "models"}).status, done);
    for (const char* name : {"bunny", "gnome", "bloat", "neck", "tube"}) {
        EXPECT_NE(list.out.find(name), std::string::npos);
        const std::string file = std::string("models/") + name + ".glb";
        const Answer info = fascia({"info", file, "--json"});
        ASSERT_EQ(info.status, done) << info.err;
        const json from_file = json::parse(info.out), built = json::parse(fascia({"info", name, "--json"}).out);
        for (const char* field : {"vertices", "triangles", "joints"}) EXPECT_EQ(from_file[field], built[field]) << name;
        EXPECT_EQ(from_file["clips"].size(), built["clips"].size());
    }
}

// ---- the shared characters -----------------------------------------------------------------------
using SharedBake = Bake;

std::vector<std::string> shared_characters() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(shared_data("characters"))) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".glb" || extension == ".gltf" || extension == ".vrm") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

TEST_F(SharedBake, EveryCharacter) {
    FASCIA_NEEDS_SHARED_DATA();
    const auto absolute = std::filesystem::absolute(shared_data("motion/cmu_02_01_walk.bvh")).string();
    int baked = 0;
    for (const std::string& file : shared_characters()) {
        const std::string name = std::filesystem::path(file).filename().string();
        std::vector<std::string> words{"bake",     std::filesystem::absolute(file).string(),
                                       "--method", "lbs",
                                       "--to",     "0.2",
                                       "-o",       "a.pc2",
                                       "--report", "a.json"};
        if (name == "SimpleSparseAccessor.gltf") {  // has no skin
            EXPECT_EQ(fascia(words).status, bad_input);
            continue;
        }
        const bool has_clips = name != "CoolBunny.vrm" && name.rfind("valid_", 0) != 0;
        if (!has_clips) {
            const Answer refused = fascia(words);
            EXPECT_EQ(refused.status, bad_input) << name;
            EXPECT_NE(refused.err.find(".bvh"), std::string::npos) << refused.err;
            EXPECT_NE(refused.err.find("bundled:walk"), std::string::npos) << refused.err;
            words.insert(words.end(), {"--motion", absolute});
        }
        const Answer run = fascia(words);
        ASSERT_EQ(run.status, done) << name << run.err;
        const json r = report("a.json");
        EXPECT_EQ(r["motion"]["frames"], 13) << name;
        EXPECT_TRUE(r["quality"]["finite"].get<bool>()) << name;
        EXPECT_EQ(r["quality"]["refused_poses"], 0) << name;
        const PointCache cache = parse_pc2(read("a.pc2"));
        EXPECT_EQ(cache.frames, 13) << name;
        EXPECT_GE(cache.points, r["character"]["vertices"].get<int>()) << name;
        ++baked;
    }
    EXPECT_GE(baked, 15);
}

TEST_F(SharedBake, BvhWithMapAndRest) {
    FASCIA_NEEDS_SHARED_DATA();
    const std::string man = std::filesystem::absolute(shared_data("characters/mh_heavy_male.glb")).string();
    const std::string walk = std::filesystem::absolute(shared_data("motion/cmu_02_01_walk.bvh")).string();
    lbs({man, "--motion", walk, "--to", "0.2", "-o", "a.pc2", "--report", "a.json"});
    EXPECT_EQ(report("a.json")["motion"]["name"], "cmu_02_01_walk");
    lbs({man, "--motion", walk, "--bvh-rest", "zero", "--to", "0.2", "-o", "zero.pc2"});
    EXPECT_NE(read("a.pc2"), read("zero.pc2"));
    lbs({man, "--motion", walk, "--raw-motion", "--to", "0.2", "-o", "raw.pc2"});
    EXPECT_NE(read("a.pc2"), read("raw.pc2"));
    expect_error({"bake", man, "--method", "lbs", "--raw-motion", "-o", "c.pc2"}, wrong_usage,
                 {"--raw-motion", ".bvh"});
    expect_error({"bake", man, "--method", "lbs", "--clear", "off", "-o", "c.pc2"}, wrong_usage, {"--clear", ".bvh"});
    write("map.json", "{\"LeftArm\": \"LeftArm\"}");
    lbs({man, "--motion", walk, "--map", "map.json", "--to", "0.2", "-o", "b.pc2"});
    EXPECT_EQ(read("a.pc2"), read("b.pc2"));
    write("map.json", "{\"LeftArm\": \"LeftAm\"}");
    expect_error({"bake", man, "--method", "lbs", "--motion", walk, "--map", "map.json", "-o", "c.pc2"}, wrong_usage,
                 {"'LeftAm'", "'LeftArm'"});
    write("map.json", "{\"LeftAm\": \"LeftArm\"}");
    expect_error({"bake", man, "--method", "lbs", "--motion", walk, "--map", "map.json", "-o", "c.pc2"}, wrong_usage,
                 {"'LeftAm'", "'LeftArm'"});
    write("map.json", "[]");
    expect_error({"bake", man, "--method", "lbs", "--motion", walk, "--map", "map.json", "-o", "c.pc2"}, bad_input,
                 {"map.json"});
}

TEST_F(SharedBake, SplitWritesOneFilePerMeshNode) {
    FASCIA_NEEDS_SHARED_DATA();
    const std::string yeti = std::filesystem::absolute(shared_data("characters/Yeti.gltf")).string();
    lbs({yeti, "--to", "0.05", "--split", "--axes", "blender", "-o", "y.pc2"});
    EXPECT_EQ(names().size(), 6u);
}

}  // namespace
}  // namespace fascia::test
