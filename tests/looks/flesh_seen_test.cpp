// What is seen of flesh at the defaults: a heavy belly swings visibly, a lean figure hardly, and what touches things
// or looks at people stays where the animator put it.
#include "fascia/measure.h"
#include "support/performer.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

using test::Performer;

/// Over a motion: how far flesh is moved from where it hangs on average.
class SwingMeter {
public:
    SwingMeter(const Character& character, const std::vector<std::size_t>& vertices)
        : size_(character.size()), vertices_(vertices), sums_(vertices.size()) {}

    void look(const Performer& performer) {
        for (std::size_t k = 0; k < vertices_.size(); ++k) {
            const std::size_t v = vertices_[k];
            const Vec3d offset = to_double(performer.surface()[v] - performer.skinned()[v]);
            offsets_.push_back(offset);
            sums_[k] += offset;
            farthest_ = std::max(farthest_, length(offset) / size_);
        }
        ++frames_;
    }
    /// The largest distance of the mean of all vertices from its own mean over time.
    double swing() const {
        Vec3d mean;
        for (const Vec3d sum : sums_) mean += sum * (1.0 / double(offsets_.size()));
        double most = 0;
        for (std::size_t f = 0; f < frames_; ++f) {
            Vec3d now;
            for (std::size_t k = 0; k < vertices_.size(); ++k) now += offsets_[f * vertices_.size() + k];
            most = std::max(most, length(now * (1.0 / double(vertices_.size())) - mean));
        }
        return most / size_;
    }
    double farthest() const { return farthest_; }

private:
    double size_, farthest_ = 0;
    std::vector<std::size_t> vertices_;
    std::vector<Vec3d> sums_, offsets_;
    std::size_t frames_ = 0;
};

struct Seen {
    double belly = 0, ends = 0;  ///< shares of the size
};

Seen watch(const Character& character, const test::PoseAt& pose, double seconds) {
    Performer performer(*bind(character, "layers", *preset("default")));
    SwingMeter belly(character, test::belly_of(character));
    SwingMeter ends(character,
                    test::vertices_of(character, {"*hand*", "*finger*", "*thumb*", "*foot*", "*toe*", "*head*"}));
    performer.start(pose(0));
    for (int k = 1; k <= int(60 * seconds); ++k) {
        performer.go(pose(k / 60.0), 1 / 60.0);
        if (k < 30) continue;  // the motion begins from a stand
        performer.look();
        belly.look(performer);
        ends.look(performer);
    }
    return {belly.swing(), ends.farthest()};
}

Seen watch_walking(const std::string& file) {
    const Character character = *load_character(test::shared_data("characters/" + file));
    const Retargeted walk = *retarget(character, *load_motion(test::shared_data("motion/cmu_02_01_walk.bvh")));
    return watch(character, test::play(character, walk.clip), 2.5);
}

/// Stands in the air, falls by 0.17 of its size as fast as a man of 1.8 m would, and is stopped over 0.08 of it.
test::PoseAt landing(const Character& character) {
    Pose pose;
    evaluate(character, nullptr, 0, pose);
    const double size = character.size();
    return [joints = pose.joints, size](double t) {
        const double g = 9.81 / 1.8, high = 0.17, stop = 0.08, begin = 0.6;
        const double falls = std::sqrt(2 * high / g), speed = g * falls, stops = 2 * stop / speed;
        const double in_air = std::clamp(t - begin, 0.0, falls), braked = std::clamp(t - begin - falls, 0.0, stops);
        const double down = g * in_air * in_air / 2 + speed * braked - speed * braked * braked / (2 * stops);
        std::vector<Affine> out = joints;
        for (Affine& joint : out) joint.m[1][3] -= down * size;
        return out;
    };
}

TEST(FleshIsSeen, AHeavyBellySwingsInAWalkAndALeanOneHardly) {
    if (!test::has_shared_data()) GTEST_SKIP() << "needs the shared characters";
    const Seen heavy = watch_walking("mh_heavy_male.glb");
    EXPECT_GT(heavy.belly, 0.01);
    EXPECT_LT(heavy.belly, 0.015);
    EXPECT_LT(heavy.ends, 0.01);
    EXPECT_LT(watch_walking("mh_female_hires_quantized.glb").belly, 0.005);
}

TEST(FleshIsSeen, AHeavyBellyIsFlungByALandingButNotTooFar) {
    FASCIA_NEEDS_SHARED_DATA();
    const Character man = *load_character(test::shared_data("characters/mh_heavy_male.glb"));
    const Seen seen = watch(man, landing(man), 1.5);
    EXPECT_GT(seen.belly, 0.03);
    EXPECT_LT(seen.belly, 0.04);
    EXPECT_LT(seen.ends, 0.01);
}

// ---- jelly -----------------------------------------------------------------------------------------------------

/// How long triangles have been turned over against a surface.
class FoldMeter {
public:
    explicit FoldMeter(const Character& character)
        : triangles_(character.mesh.triangles), frames_(triangles_.size() / 3, 0) {}

    void look(const std::vector<Vec3>& surface, const std::vector<Vec3>& skinned) {
        for (std::size_t t = 0; t < frames_.size(); ++t) {
            frames_[t] = dot(area(surface, t), area(skinned, t)) < 0 ? frames_[t] + 1 : 0;
            lasting_ += frames_[t] == 3;
        }
    }
    /// For more than two frames.
    int lasting() const { return lasting_; }

private:
    Vec3d area(const std::vector<Vec3>& p, std::size_t t) const {
        const auto at = [&](std::size_t k) { return to_double(p[triangles_[3 * t + k]]); };
        return cross(at(1) - at(0), at(2) - at(0));
    }
    const std::vector<std::uint32_t>& triangles_;
    std::vector<int> frames_;
    int lasting_ = 0;
};

/// Wild, and yet a body: whatever jelly does, no triangle is turned over, compared with dual quaternions, for more
/// than two frames; edges are stretched by at most their own length (dual quaternions stretch bloat's by 2.8 times
/// that where it turns at the waist); and the body is not inflated.
void expect_a_body(const Character& character, const Clip& clip, double from, double seconds) {
    const test::PoseAt pose = test::play(character, clip);
    Performer jelly(*bind(character, "layers", *preset("jelly"))), dual(*bind(character, DqsSettings{}));
    const SurfaceMeter meter(character.mesh.positions, character.mesh.triangles, character.size());
    FoldMeter folds(character);
    double strain = 0, most = 0;
    jelly.start(pose(from));
    for (int k = 1; k <= int(60 * seconds); ++k) {
        const std::vector<Affine> joints = pose(from + k / 60.0);
        jelly.go(joints, 1 / 60.0);
        dual.start(joints);
        for (Performer* performer : {&jelly, &dual}) performer->look();
        folds.look(jelly.surface(), dual.surface());
        strain = std::max(strain, meter.edge_strain(jelly.surface()).p99);
        most = std::max(most, surface_offset(jelly.surface(), jelly.skinned(), character.size()).max);
        const auto volume = meter.volume_ratio(jelly.surface());
        ASSERT_TRUE(volume.has_value());
        EXPECT_NEAR(*volume, 1, 0.03) << from + k / 60.0;
    }
    EXPECT_EQ(folds.lasting(), 0);
    EXPECT_LE(strain, 1);
    EXPECT_GT(most, 0.05) << "it wobbles";
}

TEST(FleshIsSeen, JellyWobblesAndStaysABody) {
    FASCIA_NEEDS_SHARED_DATA();
    const Motion jacks = *load_motion(test::shared_data("motion/cmu_13_29_jumping_jacks.bvh"));
    const Character man = *load_character(test::shared_data("characters/mh_heavy_male.glb")),
                    yeti = *load_character(test::shared_data("characters/Yeti.gltf")),
                    bloat = *bundled_character("bloat");
    for (const Character* character : {&man, &yeti, &bloat}) {
        SCOPED_TRACE(character->name);
        expect_a_body(*character, retarget(*character, jacks)->clip, 4, 4);
    }
}

}  // namespace
}  // namespace fascia
