// Flesh that is seen, at the defaults: a heavy belly swings visibly, a lean figure hardly, and what touches things or
// looks at people stays where the animator put it.
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
    /// The largest way of the mean of all vertices from its own mean over time.
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

Seen watch(const std::string& file, const std::string& motion, const std::string& preset_name, double seconds) {
    const Character character = *load_character(test::shared_data("characters/" + file));
    const Result<Retargeted> retargeted =
        retarget(character, *load_motion(test::shared_data("motion/" + motion + ".bvh")));
    EXPECT_TRUE(retargeted.ok());
    const test::PoseAt pose = test::play(character, retargeted->clip);
    Performer performer(*bind(character, "layers", *preset(preset_name)));
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

TEST(FleshIsSeen, AHeavyBellySwingsInAWalkAndALeanOneHardly) {
    if (!test::has_shared_data()) GTEST_SKIP() << "needs the shared characters";
    const Seen heavy = watch("mh_heavy_male.glb", "cmu_02_01_walk", "default", 2.5);
    EXPECT_GT(heavy.belly, 0.007);
    EXPECT_LT(heavy.belly, 0.02);
    EXPECT_LT(heavy.ends, 0.01);
    const Seen lean = watch("mh_female_hires_quantized.glb", "cmu_02_01_walk", "default", 2.5);
    EXPECT_LT(lean.belly, 0.005);
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

/// Wild, and yet a body: whatever jelly does, no triangle turns over against dual quaternions for more than two frames,
/// it is stretched no more than they stretch it, and not pumped up.
void expect_a_body(const Character& character, const Clip& clip, double from, double seconds) {
    const test::PoseAt pose = test::play(character, clip);
    Performer jelly(*bind(character, "layers", *preset("jelly"))), dual(*bind(character, DqsSettings{}));
    const SurfaceMeter meter(character.mesh.positions, character.mesh.triangles, character.size());
    FoldMeter folds(character);
    double strain = 0, skinned_strain = 0, most = 0;
    jelly.start(pose(from));
    for (int k = 1; k <= int(60 * seconds); ++k) {
        const std::vector<Affine> joints = pose(from + k / 60.0);
        jelly.go(joints, 1 / 60.0);
        dual.start(joints);
        for (Performer* performer : {&jelly, &dual}) performer->look();
        folds.look(jelly.surface(), dual.surface());
        strain = std::max(strain, meter.edge_strain(jelly.surface()).p99);
        skinned_strain = std::max(skinned_strain, meter.edge_strain(dual.surface()).p99);
        most = std::max(most, surface_offset(jelly.surface(), jelly.skinned(), character.size()).max);
        const auto volume = meter.volume_ratio(jelly.surface());
        ASSERT_TRUE(volume.has_value());
        EXPECT_NEAR(*volume, 1, 0.03) << from + k / 60.0;
    }
    EXPECT_EQ(folds.lasting(), 0);
    // Where the rig itself stretches more than that (bloat, turned at the waist), flesh stretches clearly less.
    EXPECT_LE(strain, std::max(1.0, 0.75 * skinned_strain));
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
