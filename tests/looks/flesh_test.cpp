// It looks like flesh: the belly swings and comes to rest, ears and beard follow through, hands, feet and face stay
// put.
#include "fascia/measure.h"
#include "support/performer.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

using test::Performer;

RigPtr bound(const Character& character) {
    LayersSettings settings;
    settings = *settings_from<LayersSettings>(*preset("default"));
    return *bind(character, settings);
}

/// Vertices that follow only joints of these names.
std::vector<std::size_t> held_by(const Character& character, const std::vector<std::string>& patterns) {
    std::vector<std::size_t> out;
    const auto slots = std::size_t(character.weights.influences);
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
        double weight = 0;
        for (std::size_t k = v * slots; k < (v + 1) * slots; ++k)
            for (const std::string& pattern : patterns)
                if (glob_match(pattern, character.joints[character.weights.joints[k]].name)) {
                    weight += character.weights.weights[k];
                    break;
                }
        if (weight > 0.95) out.push_back(v);
    }
    return out;
}

double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b, const std::vector<std::size_t>& vertices) {
    double most = 0;
    for (const std::size_t v : vertices) most = std::max(most, double(length(a[v] - b[v])));
    return most;
}

TEST(Flesh, BelliesSwingOnAndComeToRest) {
    for (const char* name : {"bunny", "bloat"}) {
        const Character character = *bundled_character(name);
        const double size = character.size();
        const test::PoseAt pose = test::play(character, **find_clip(character, "shake"));
        const std::vector<std::size_t> belly = test::belly_of(character);
        Performer performer(bound(character));
        performer.start(pose(0));
        double most = 0, last = 0, turn = 0;
        int turns = 0;
        for (int k = 1; k <= 360; ++k) {
            performer.go(pose(k / 60.0), 1 / 60.0);
            if (k <= 120) continue;
            performer.look();
            const double y = test::mean_offset(performer, belly).y / size;
            most = std::max(most, std::abs(y));
            // A swing counts as long as it is larger than a tenth of a voxel.
            if (std::abs(y) > 0.003 && y * turn <= 0) turn = y, ++turns;
            last = farthest(performer.surface(), performer.skinned(), belly) / size;
        }
        EXPECT_GT(most, 0.03) << name;
        EXPECT_GE(turns, 6) << name << ": three cycles are six half swings";
        EXPECT_LT(last, 1e-3) << name;
        EXPECT_EQ(performer.state().asleep, 1u) << name;
        for (const float v : performer.state().velocities) ASSERT_EQ(v, 0.0f) << name;
    }
}

TEST(Flesh, EarsAndBeardFollowThrough) {
    for (const auto& [name, part] : {std::pair{"bunny", "*_ear"}, std::pair{"gnome", "beard"}}) {
        const Character character = *bundled_character(name);
        const test::PoseAt pose = test::play(character, **find_clip(character, "shake"));
        Performer performer(bound(character));
        performer.start(pose(0));
        double after = 0;
        for (int k = 1; k <= 140; ++k) {
            performer.go(pose(k / 60.0), 1 / 60.0);
            if (k <= 120) continue;
            performer.look();
            after = std::max(after, farthest(performer.surface(), performer.skinned(), held_by(character, {part})));
        }
        EXPECT_GT(after, 0.02 * character.size()) << name;
    }
}

/// Hands, feet and head compared with plain skinning over some seconds.
void expect_held(const Character& character, const Clip& clip, double seconds, double allowed, double allowed_face,
                 const std::vector<std::string>& ends, const std::vector<std::string>& face) {
    const test::PoseAt pose = test::play(character, clip);
    Performer layers(bound(character)), plain(*bind(character, LbsSettings{}));
    const auto tips = held_by(character, ends), head = held_by(character, face);
    ASSERT_FALSE(tips.empty() || head.empty()) << character.name;
    layers.start(pose(0));
    plain.start(pose(0));
    double tip = 0, most = 0;
    for (int k = 1; k <= int(60 * seconds); ++k) {
        layers.go(pose(k / 60.0), 1 / 60.0);
        plain.go(pose(k / 60.0), 1 / 60.0);
        layers.look();
        plain.look();
        tip = std::max(tip, farthest(layers.surface(), plain.surface(), tips) / character.size());
        most = std::max(most, farthest(layers.surface(), plain.surface(), head) / character.size());
    }
    EXPECT_LT(tip, allowed) << character.name << ": hands and feet";
    EXPECT_LT(most, allowed_face) << character.name << ": face";
}

TEST(Flesh, HandsFeetAndFaceStayPut) {
    for (const char* name : {"bunny", "gnome", "bloat"}) {
        const Character character = *bundled_character(name);
        expect_held(character, **find_clip(character, "shake"), 2.5, 0.02, 0.02, {"*hand*", "*foot*"}, {"head"});
    }
}

TEST(Flesh, HandsFeetAndFaceOfOthersStayPut) {
    FASCIA_NEEDS_SHARED_DATA();
    const Motion jacks = *load_motion(test::shared_data("motion/cmu_13_29_jumping_jacks.bvh")),
                 boxing = *load_motion(test::shared_data("motion/cmu_13_17_boxing.bvh"));
    const auto check = [&](const char* file, double allowed, double allowed_face, const std::vector<std::string>& ends,
                           const std::vector<std::string>& face) {
        const Character character = *load_character(test::shared_data(std::string("characters/") + file));
        for (const Motion* motion : {&jacks, &boxing})
            expect_held(character, retarget(character, *motion)->clip, 4, allowed, allowed_face, ends, face);
    };
    check("mh_heavy_male.glb", 0.02, 0.02, {"*hand*", "*foot*", "*toe*"}, {"head"});
    check("Yeti.gltf", 0.03, 0.03, {"*wrist*", "*foot*", "*ankle*"}, {"*head*"});
    check("CesiumMan.glb", 0.02, 0.02, {"leg_joint_?_[35]", "*arm_joint_R__3_", "*arm_joint_L__2_"}, {"*neck_joint_2"});
}

// ---- the tube --------------------------------------------------------------------------------------------------
void turn_tube(const char* clip, int resolution, double degrees, Vec3d axis, double volume_kept) {
    const Character tube = *bundled_character("tube");
    const double size = tube.size();
    LayersSettings settings;
    settings = *settings_from<LayersSettings>(*preset("default"));
    settings.resolution = resolution;
    Performer performer(*bind(tube, settings));
    const test::PoseAt pose = test::play(tube, **find_clip(tube, clip));
    const SurfaceMeter meter(tube.mesh.positions, tube.mesh.triangles, size);
    performer.start(pose(0));
    double low = 1, high = 1;
    for (int k = 1; k <= 300; ++k) {
        performer.go(pose(k / 60.0), 1 / 60.0);
        if (k % 6) continue;
        performer.look();
        const double ratio = *meter.volume_ratio(performer.surface());
        low = std::min(low, ratio);
        high = std::max(high, ratio);
    }
    // The end ring: how far it has turned about its own middle, and how far it is from where the bone puts it.
    double most = 0, off = 0;
    int count = 0;
    for (std::size_t v = 0; v < tube.mesh.positions.size(); ++v)
        most = std::max(most, double(tube.mesh.positions[v].x));
    Vec3d middle, before;
    std::vector<std::size_t> ring;
    for (std::size_t v = 0; v < tube.mesh.positions.size(); ++v) {
        if (tube.mesh.positions[v].x < most - 1e-5 * size) continue;
        ring.push_back(v);
        off = std::max(off, double(length(performer.surface()[v] - performer.skinned()[v])));
        middle += to_double(performer.surface()[v]);
        before += to_double(tube.mesh.positions[v]);
        ++count;
    }
    middle = middle * (1.0 / count);
    before = before * (1.0 / count);
    double reached = 0;
    for (const std::size_t v : ring) {
        const auto flat = [&](Vec3d d) { return d - axis * dot(d, axis); };
        const Vec3d from = flat(to_double(tube.mesh.positions[v]) - (axis.x > 0 ? before : Vec3d{}));
        const Vec3d to = flat(to_double(performer.surface()[v]) - (axis.x > 0 ? middle : Vec3d{}));
        if (length(from) < 0.05 * size) continue;
        const double angle = std::atan2(dot(cross(from, to), axis), dot(from, to)) * 57.29577951308232;
        reached = std::max(reached, std::abs(angle));
    }
    std::printf("%s at %d: %.1f degrees, ring %.2f %% off, volume %+.2f .. %+.2f %%\n", clip, resolution, reached,
                100 * off / size, 100 * (low - 1), 100 * (high - 1));
    EXPECT_GT(reached, degrees);
    EXPECT_LT(off, 0.02 * size);
    EXPECT_GT(low, 1 - volume_kept);
    EXPECT_LT(high, 1 + volume_kept);
}

TEST(Tube, BendsWithoutLosingVolume) {
    for (const int resolution : {32, 64}) turn_tube("bend", resolution, 118, {0, 0, 1}, 0.01);
}
TEST(Tube, TwistsWithoutLosingVolume) {
    for (const int resolution : {32, 64}) turn_tube("twist", resolution, 175, {1, 0, 0}, 0.03);
}

}  // namespace
}  // namespace fascia
