// Every available character: its motions begin without a jolt, and in the deepest pose of a motion it comes to rest.
#include "fascia/bundled.h"
#include "fascia/io.h"
#include "support/performer.h"
#include "support/shared_data.h"
#include "support/steady_body.h"

namespace fascia {
namespace {

struct Cast {
    std::string name;                   ///< bundled, or a file of the shared data
    std::vector<std::string> captures;  ///< further motions
    std::size_t clips = 6;              ///< of its own, at most
};

const std::vector<Cast>& cast() {
    static const std::vector<std::string> captures{"cmu_02_01_walk", "cmu_13_02_sit_stand", "cmu_13_17_boxing",
                                                   "cmu_60_01_salsa"};
    static const std::vector<Cast> all{{"bunny", {}},
                                       {"gnome", {}},
                                       {"bloat", {}},
                                       {"tube", {}},
                                       {"CesiumMan.glb", {}},
                                       {"Fox.glb", {}},
                                       {"RiggedFigure.glb", {}},
                                       {"RobotExpressive.glb", {}},
                                       {"SimpleSkin.gltf", {}},
                                       {"quaternius_FinnTheFrog_draco.glb", {}},
                                       {"quaternius_Frog.glb", {}},
                                       {"quaternius_Manta_ray.glb", {}},
                                       {"kaykit_Barbarian.glb", {}},
                                       {"Yeti.gltf", {}},
                                       {"CoolBunny.vrm", captures},
                                       {"mh_heavy_male.glb", captures},
                                       {"mh_female_hires_quantized.glb", {"cmu_13_17_boxing"}},
                                       {"valid_Black_F_2_Casual_meshopt.glb", {"cmu_60_01_salsa"}}};
    return all;
}

Character character_of(const Cast& one) {
    const auto& names = bundled_names();
    if (std::find(names.begin(), names.end(), one.name) != names.end()) return *bundled_character(one.name);
    return *load_character(test::shared_data("characters/" + one.name));
}

std::vector<Clip> clips_of(const Character& character, const Cast& one) {
    std::vector<Clip> out(character.clips.begin(),
                          character.clips.begin() + std::ptrdiff_t(std::min(one.clips, character.clips.size())));
    for (const std::string& capture : one.captures)
        out.push_back(retarget(character, *load_motion(test::shared_data("motion/" + capture + ".bvh")))->clip);
    return out;
}

double angle_between(const Affine& a, const Affine& b) {
    Vec3d place, scale;
    Quat p, q;
    if (!decompose(a, place, p, scale) || !decompose(b, place, q, scale)) return 0;
    return 2 * std::acos(std::min(1.0, std::abs(dot(p, q))));
}

/// Where the joints of a clip are turned farthest from rest.
std::vector<Affine> deepest_pose(const Character& character, const Clip& clip) {
    std::vector<Affine> out;
    double deepest = -1;
    for (int k = 0; k <= int(clip.duration * 15); ++k) {
        Pose pose;
        evaluate(character, &clip, k / 15.0, pose);
        double sum = 0;
        for (std::size_t j = 0; j < character.joints.size(); ++j) {
            const int p = character.joints[j].parent;
            if (p < 0) continue;
            const double angle =
                angle_between(inverse(pose.joints[std::size_t(p)]) * pose.joints[j],
                              inverse(character.joints[std::size_t(p)].rest) * character.joints[j].rest);
            sum += angle * angle;
        }
        if (sum > deepest) out = pose.joints;
        deepest = std::max(deepest, sum);
    }
    return out;
}

/// Ten times the decay of the slowest flesh.
double time_to_rest(const Rig& rig) {
    double slowest = 1e9;
    for (const LayerFrequency& layer : rig.inside()->layer_frequencies()) slowest = std::min(slowest, layer.hz);
    return std::max(3.0, 10 / (LayerSettings{}.damping * steady::turn * slowest));
}

void comes_to_rest(const RigPtr& rig, const std::vector<Affine>& pose) {
    test::Performer performer(rig);
    performer.start(pose);
    double seconds = 0;
    for (const double most = time_to_rest(*rig); seconds < most && !performer.state().asleep; seconds += 1 / 60.0)
        performer.go(pose, 1 / 60.0);
    EXPECT_TRUE(performer.state().asleep);
}

/// Largest change of the offset from the skinned surface between two frames: the first two, and the others of a second.
void begins_without_a_jolt(const Character& character, const RigPtr& rig, const Clip& clip) {
    constexpr double fps = 30;
    State state = make_state(*rig);
    Workspace work;
    std::vector<Vec3> surface(rig->vertex_count()), skinned(surface), last(surface);
    double first = 0, later = 0, moved = 0;
    const test::PoseAt pose = test::play(character, clip);
    for (int k = 0; k <= int(std::min(1.0, clip.duration) * fps); ++k) {
        if (k == 0)
            reset_settled(*rig, pose(0), state, work);
        else
            advance(*rig, pose(k / fps), 1 / fps, state, work);
        embed(*rig, state, {surface, {}, {}}, work);
        const std::vector<Vec3> before = skinned;
        rig->embed_skinned(state, {skinned, {}, {}}, work);
        double most = 0;
        for (std::size_t v = 0; v < surface.size(); ++v) {
            const Vec3 offset = surface[v] - skinned[v];
            if (k > 0) most = std::max(most, double(length(offset - last[v])));
            if (k == 1) moved = std::max(moved, double(length(skinned[v] - before[v])));
            last[v] = offset;
        }
        if (k > 0) (k == 1 ? first : later) = std::max(k == 1 ? first : later, most);
    }
    const double size = character.size();
    EXPECT_LE(first, 1.2 * later + 1e-5 * size) << "in the first frame " << first / size << ", later " << later / size;
    if (moved < 1e-3 * size) {
        EXPECT_LE(first, 5e-3 * size);
    }
}

class Rest : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, Rest, ::testing::ValuesIn(steady::methods_that_swing_everywhere()),
                         steady::method_name);

TEST_P(Rest, EveryCharacterBeginsSmoothlyAndComesToRest) {
    FASCIA_NEEDS_SHARED_DATA();
    for (const Cast& one : cast()) {
        const Character character = character_of(one);
        const RigPtr rig = *fascia::bind(character, GetParam(), *preset("default"));
        for (const Clip& clip : clips_of(character, one)) {
            SCOPED_TRACE(one.name + ", " + clip.name);
            comes_to_rest(rig, deepest_pose(character, clip));
            begins_without_a_jolt(character, rig, clip);
        }
    }
}

}  // namespace
}  // namespace fascia
