// `lattice` follows the rig: every shared character in its own clips and in captured motions.
#include <algorithm>
#include <filesystem>

#include "fascia/measure.h"
#include "support/performer.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

using test::Performer;

constexpr std::size_t most_clips = 4;  ///< of a character's own, spread over all it has
constexpr int poses_of_a_clip = 3;

std::vector<std::string> shared_characters() {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(test::shared_data("characters"))) {
        const std::string kind = entry.path().extension().string();
        if (kind == ".glb" || kind == ".gltf" || kind == ".vrm") out.push_back(entry.path().string());
    }
    std::sort(out.begin(), out.end());
    return out;
}

/// Some of its own clips, and the motions that its skeleton takes.
std::vector<Clip> clips_for(const Character& character, const std::vector<Motion>& motions) {
    std::vector<Clip> out;
    const std::size_t own = character.clips.size(), taken = std::min(own, most_clips);
    for (std::size_t k = 0; k < taken; ++k) out.push_back(character.clips[k * own / taken]);
    for (const Motion& motion : motions)
        if (const auto clip = retarget(character, motion)) out.push_back(clip->clip);
    return out;
}

class LatticeSurvey : public ::testing::Test {
protected:
    void SetUp() override {
        FASCIA_NEEDS_SHARED_DATA();
        motions_.push_back(*load_motion(test::shared_data("motion/cmu_13_02_sit_stand.bvh")));
    }

    /// Characters that fill cells at all.
    template <class Visit>
    void each_character(Visit visit) {
        int seen = 0;
        for (const std::string& file : shared_characters()) {
            SCOPED_TRACE(file);
            const auto character = load_character(file);
            if (!character || !bind(*character, LatticeSettings{})) continue;
            visit(*character, clips_for(*character, motions_));
            ++seen;
        }
        EXPECT_GT(seen, 10);
    }

    std::vector<Motion> motions_;
};

LatticeSettings flesh() {
    return *settings_from<LatticeSettings>(*preset("default"));
}

TEST_F(LatticeSurvey, WithoutFleshItLiesOnPlainSkinning) {
    each_character([](const Character& c, const std::vector<Clip>& clips) {
        LatticeSettings settings = flesh();
        settings.delta = 0;
        settings.preserve_volume = false;
        Performer lattice(*bind(c, settings)), plain(*bind(c, LbsSettings{})), dual(*bind(c, DqsSettings{}));
        const SurfaceMeter meter(c.mesh.positions, c.mesh.triangles, c.size());
        for (const Clip& clip : clips)
            for (int k = 0; k < poses_of_a_clip; ++k) {
                Pose pose;
                evaluate(c, &clip, clip.duration * (k + 0.5) / poses_of_a_clip, pose);
                for (Performer* performer : {&lattice, &plain, &dual}) performer->start(pose.joints), performer->look();
                std::vector<double> off;
                for (std::size_t v = 0; v < plain.surface().size(); ++v)
                    off.push_back(length(lattice.surface()[v] - plain.surface()[v]) / c.size());
                std::sort(off.begin(), off.end());
                ASSERT_LT(off[std::size_t(0.99 * double(off.size() - 1))], 0.02) << clip.name;
                ASSERT_LT(off.back(), 0.06) << clip.name;
                const auto flips = [&](const Performer& p) {
                    return double(meter.flipped_triangles(p.surface(), plain.surface()));
                };
                ASSERT_LE(flips(lattice), flips(dual) + 0.01 * double(c.mesh.triangle_count())) << clip.name;
            }
    });
}

TEST_F(LatticeSurvey, PartsAroundJointsKeepThreeQuartersOfTheirVolume) {
    each_character([](const Character& c, const std::vector<Clip>& clips) {
        Performer lattice(*bind(c, flesh()));
        for (const Clip& clip : clips)
            for (int k = 0; k < poses_of_a_clip; ++k) {
                Pose pose;
                evaluate(c, &clip, clip.duration * (k + 0.5) / poses_of_a_clip, pose);
                lattice.start(pose.joints);
                for (const JointVolume& part : lattice.rig().inside()->joint_volumes(lattice.state())) {
                    EXPECT_GT(part.ratio, 0.75) << clip.name << ", " << c.joints[part.joint].name;
                    EXPECT_LT(part.ratio, 1.25) << clip.name << ", " << c.joints[part.joint].name;
                }
            }
    });
}

}  // namespace
}  // namespace fascia
