// `lattice` follows the rig: every shared character in its own clips and in captured motions.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "fascia/measure.h"
#include "support/performer.h"
#include "support/shared_data.h"

namespace fascia {
namespace {

using test::Performer;

constexpr std::size_t most_clips = 4;  ///< of a character's own, spread over all it has

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

/// The moment of a clip in which the joints are turned most against their parents, all together.
Pose deepest_pose(const Character& c, const Clip& clip) {
    const int frames = std::clamp(int(clip.duration * 15), 1, 150);
    Pose pose, out;
    double most = -1;
    for (int f = 0; f <= frames; ++f) {
        evaluate(c, &clip, clip.duration * f / frames, pose);
        double sum = 0;
        for (std::size_t j = 0; j < c.joints.size(); ++j) {
            const int p = c.joints[j].parent;
            if (p < 0) continue;
            const auto map = [&](std::size_t k) { return pose.joints[k] * inverse(c.joints[k].rest); };
            const Affine turn = inverse(map(std::size_t(p))) * map(j);
            sum += std::acos(std::clamp((turn.m[0][0] + turn.m[1][1] + turn.m[2][2] - 1) / 2, -1.0, 1.0));
        }
        if (sum > most) most = sum, out = pose;
    }
    return out;
}

LatticeSettings flesh() {
    return *settings_from<LatticeSettings>(*preset("default"));
}

/// Within 2 % of the size at the 99th percentile and 6 % everywhere, with hardly more flipped triangles than `dqs`.
void expect_on_plain_skinning(const Character& c, const std::vector<Pose>& poses) {
    LatticeSettings settings = flesh();
    settings.delta = 0;
    settings.preserve_volume = false;
    Performer lattice(*bind(c, settings)), plain(*bind(c, LbsSettings{})), dual(*bind(c, DqsSettings{}));
    const SurfaceMeter meter(c.mesh.positions, c.mesh.triangles, c.size());
    for (const Pose& pose : poses) {
        for (Performer* performer : {&lattice, &plain, &dual}) performer->start(pose.joints), performer->look();
        std::vector<double> off;
        for (std::size_t v = 0; v < plain.surface().size(); ++v)
            off.push_back(length(lattice.surface()[v] - plain.surface()[v]) / c.size());
        std::sort(off.begin(), off.end());
        ASSERT_LT(off[std::size_t(0.99 * double(off.size() - 1))], 0.02);
        ASSERT_LT(off.back(), 0.06);
        const auto flips = [&](const Performer& p) {
            return double(meter.flipped_triangles(p.surface(), plain.surface()));
        };
        ASSERT_LE(flips(lattice), flips(dual) + 0.01 * double(c.mesh.triangle_count()));
    }
}

/// Within 25 % of their volume at rest, with flesh.
void expect_volumes_kept(const Character& c, Performer& lattice, const std::vector<Pose>& poses) {
    for (const Pose& pose : poses) {
        lattice.start(pose.joints);
        for (const JointVolume& part : lattice.rig().inside()->joint_volumes(lattice.state())) {
            EXPECT_GT(part.ratio, 0.75) << c.joints[part.joint].name;
            EXPECT_LT(part.ratio, 1.25) << c.joints[part.joint].name;
        }
    }
}

/// Both in one test: reading and retargeting take longer than the checks.
TEST(LatticeSurvey, FollowsTheRigAndKeepsVolumesInTheDeepestPoses) {
    FASCIA_NEEDS_SHARED_DATA();
    const std::vector<Motion> motions{*load_motion(test::shared_data("motion/cmu_13_02_sit_stand.bvh")),
                                      *load_motion(test::shared_data("motion/cmu_13_17_boxing.bvh"))};
    int seen = 0;
    for (const std::string& file : shared_characters()) {
        SCOPED_TRACE(file);
        const auto character = load_character(file);
        if (!character) continue;
        const auto rig = bind(*character, flesh());
        if (!rig) continue;  // it fills no cell
        std::vector<Pose> poses;
        for (const Clip& clip : clips_for(*character, motions)) poses.push_back(deepest_pose(*character, clip));
        expect_on_plain_skinning(*character, poses);
        Performer lattice(*rig);
        expect_volumes_kept(*character, lattice, poses);
        ++seen;
    }
    EXPECT_GT(seen, 10);
}

}  // namespace
}  // namespace fascia
