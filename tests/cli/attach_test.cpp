// --attach in the program, and whether a bake agrees with the library.
#include <cmath>
#include <cstring>
#include <fstream>

#include <nlohmann/json.hpp>

#include "cli/run_fascia.h"
#include "fascia/bundled.h"
#include "fascia/io.h"
#include "fascia/method.h"
#include "support/flesh.h"

namespace fascia::test {
namespace {

using nlohmann::json;

constexpr float sleeve_off = 0.1f;  ///< distance from the tube, whose radius is 1

class AttachedBake : public CliTest {
protected:
    /// A sleeve around the tube, a little outside it; returns its number of vertices.
    std::size_t write_sleeve() const {
        const Character tube = *bundled_character("tube");
        float low = 1e9f, high = -1e9f;
        for (const Vec3 p : tube.mesh.positions) low = std::min(low, p.y), high = std::max(high, p.y);
        std::vector<int> number(tube.mesh.vertex_count(), 0);
        std::ofstream out(at("sleeve.obj"));
        int count = 0;
        for (std::size_t v = 0; v < number.size(); ++v) {
            const Vec3 p = tube.mesh.positions[v];
            const float t = (p.y - low) / (high - low);
            if (t < 0.3f || t > 0.7f) continue;
            number[v] = ++count;
            const Vec3 n = tube.mesh.normals[v] * sleeve_off;
            out << "v " << p.x + n.x << " " << p.y + n.y << " " << p.z + n.z << "\n";
        }
        for (std::size_t t = 0; t + 2 < tube.mesh.triangles.size(); t += 3) {
            const int a = number[tube.mesh.triangles[t]], b = number[tube.mesh.triangles[t + 1]],
                      c = number[tube.mesh.triangles[t + 2]];
            if (a > 0 && b > 0 && c > 0) out << "f " << a << " " << b << " " << c << "\n";
        }
        return std::size_t(count);
    }
};

TEST_F(AttachedBake, RidesAlongInEveryFormat) {
    const std::size_t sleeve = write_sleeve(), tube = bundled_character("tube")->mesh.vertex_count();
    ASSERT_GT(sleeve, 20u);
    const Answer run =
        fascia({"bake",     "tube",       "--motion", "bend",  "--to",      "0.1",   "--set", "resolution=12",
                "--attach", "sleeve.obj", "-o",       "a.pc2", "-o",        "a.mdd", "-o",    "a.obj",
                "-o",       "a.usda",     "-o",       "a.glb", "--preview", "a.png"});
    ASSERT_EQ(run.status, 0) << run.err;
    // OBJ readers merge equal vertices; as many must come out as went in.
    const std::size_t read_in = load_mesh(at("sleeve.obj").string())->vertex_count();
    std::int32_t points = 0;
    const std::string cache = read("a.pc2");
    std::memcpy(&points, cache.data() + 16, 4);
    EXPECT_EQ(std::size_t(points), tube + read_in);
    const std::string obj = read("a.obj/00003.obj");
    EXPECT_NE(obj.find("o sleeve"), std::string::npos);
    EXPECT_NE(read("a.usda").find("\"sleeve\""), std::string::npos);
    const auto glb = load_mesh(at("a.glb").string());
    ASSERT_TRUE(glb.ok()) << glb.error().message;
    EXPECT_EQ(glb->vertex_count(), tube + read_in);

    // The sleeve is where the tube is: no vertex is further from it than at rest.
    std::vector<float> values((cache.size() - 32) / 4);
    std::memcpy(values.data(), cache.data() + 32, values.size() * 4);
    const float* last = values.data() + values.size() - 3 * std::size_t(points);
    const auto place = [&](std::size_t v) { return Vec3{last[3 * v], last[3 * v + 1], last[3 * v + 2]}; };
    for (std::size_t v = tube; v < tube + read_in; v += 7) {
        float least = 1e9f;
        for (std::size_t b = 0; b < tube; ++b) least = std::min(least, length(place(v) - place(b)));
        EXPECT_LT(least, 2 * sleeve_off);
        EXPECT_GT(least, 0.5f * sleeve_off);
    }
}

TEST_F(AttachedBake, WorksByEveryMethodAndNamesWhatIsMissing) {
    write_sleeve();
    const Answer compared = fascia({"compare", "tube", "--methods", "lbs,dqs", "--motion", "bend", "--to", "0.05",
                                    "--attach", "sleeve.obj", "-o", "c"});
    EXPECT_EQ(compared.status, 0) << compared.err;
    EXPECT_TRUE(exists("c/sheet.png"));
    const Answer none = fascia({"bake", "tube", "--attach", "no.obj", "-o", "a.pc2"});
    EXPECT_EQ(none.status, 3);
    EXPECT_NE(none.err.find("no.obj"), std::string::npos);
    EXPECT_FALSE(exists("a.pc2"));
}

/// The bundled tube twists about its axis, x: clothes that turn with the skin keep their distance from it, whereas
/// linear blending lets them collapse.
TEST_F(AttachedBake, BonesBlendingTurnsClothesAsItTurnsTheSkin) {
    write_sleeve();
    const auto least_radius = [&](const std::string& method) {
        const Answer run = fascia({"bake", "tube", "--method", method, "--motion", "twist", "--to", "2.5", "--fps", "2",
                                   "--attach", "sleeve.obj", "-o", "t.pc2"});
        EXPECT_EQ(run.status, 0) << run.err;
        const std::string cache = read("t.pc2");
        std::int32_t points = 0, frames = 0;
        std::memcpy(&points, cache.data() + 16, 4);
        std::memcpy(&frames, cache.data() + 28, 4);
        std::vector<Vec3> last(std::size_t(points), Vec3{});
        std::memcpy(last.data(), cache.data() + 32 + sizeof(Vec3) * last.size() * std::size_t(frames - 1),
                    sizeof(Vec3) * last.size());
        double least = 1e9;
        for (std::size_t v = bundled_character("tube")->mesh.vertex_count(); v < last.size(); ++v)
            if (std::abs(last[v].x) < 3.9f)  // not its ends
                least = std::min(least, std::hypot(double(last[v].y), double(last[v].z)));
        return least;
    };
    EXPECT_NEAR(least_radius("bones-blending"), 1 + sleeve_off, 0.01);
    EXPECT_LT(least_radius("lbs"), 0.9);
}

TEST_F(AttachedBake, ABakeIsTheSameAsSteppingLive) {
    const Answer run = fascia({"bake", "bunny", "--motion", "dance", "--to", "0.5", "--set", "resolution=12",
                               "--threads", "2", "--report", "a.json"});
    ASSERT_EQ(run.status, 0) << run.err;
    Flesh flesh = *preset("default");
    ASSERT_TRUE(set_field(flesh, "resolution", "12"));
    const Character bunny = *bundled_character("bunny");
    const RigPtr rig = *::fascia::bind(bunny, "layers", flesh);
    State state = make_state(*rig);
    Workspace work;
    Pose pose;
    for (int k = 0; k <= 30; ++k) {
        evaluate(bunny, *find_clip(bunny, "dance"), k / 60.0, pose);
        if (k == 0)
            reset_settled(*rig, pose.joints, state, work);
        else
            advance(*rig, pose.joints, 1 / 60.0, state, work);
    }
    char text[20];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash(state)));
    EXPECT_EQ(json::parse(read("a.json"))["hash"], text);
}

}  // namespace
}  // namespace fascia::test
