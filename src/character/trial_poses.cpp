#include "character/trial_poses.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "character/joint_turns.h"

namespace fascia {

namespace {

constexpr std::size_t most_poses = 48;
/// 1 - cos(half the angle) below which turns count as alike: 8 degrees.
constexpr double alike = 0.0024;

struct Moment {
    const Clip* clip;
    double seconds;
};

std::vector<Moment> moments_of(std::span<const Clip> clips, std::span<const Clip> more_clips) {
    constexpr double samples_per_second = 15, most = 150;
    std::vector<Moment> out;
    for (const std::span<const Clip> list : {clips, more_clips})
        for (const Clip& clip : list) {
            const int frames = int(std::clamp(clip.duration * samples_per_second, 1.0, most));
            for (int k = 0; k <= frames; ++k) out.push_back({&clip, clip.duration * k / frames});
        }
    return out;
}

double difference(const Quat& a, const Quat& b) {
    return 1 - std::abs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
}

/// Always picks the moment farthest from those picked before, by the joint that differs most. turns: [moments * joints]
std::vector<std::size_t> farthest(const std::vector<Quat>& turns, std::size_t joints) {
    std::vector<double> apart;  // [moments * joints] from the nearest one picked
    for (const Quat& turn : turns) apart.push_back(difference(turn, Quat{}));
    std::vector<std::size_t> out;
    while (out.size() < most_poses) {
        const auto most = std::max_element(apart.begin(), apart.end());
        if (most == apart.end() || *most < alike) break;
        const std::size_t taken = std::size_t(most - apart.begin()) / joints;
        out.push_back(taken);
        for (std::size_t i = 0; i < apart.size(); ++i)
            apart[i] = std::min(apart[i], difference(turns[i], turns[taken * joints + i % joints]));
    }
    return out;
}

}  // namespace

std::vector<Pose> trial_poses(const Character& character, std::span<const int> joints, std::span<const Clip> clips,
                              std::span<const Clip> more_clips) {
    const std::vector<Moment> moments = moments_of(clips, more_clips);
    const JointTurns turn(character);
    std::vector<Quat> turns;
    Pose pose;
    for (const Moment& moment : moments) {
        evaluate(character, moment.clip, moment.seconds, pose);
        for (const int j : joints) turns.push_back(turn.of(std::size_t(j), pose));
    }
    std::vector<Pose> out;
    for (const std::size_t k : farthest(turns, joints.size())) {
        evaluate(character, moments[k].clip, moments[k].seconds, pose);
        out.push_back(pose);
    }
    return out;
}

std::vector<Pose> turned_poses(const Character& character, std::span<const int> joints, double angle) {
    const double c = portable::cosine(angle / 2), s = portable::sine(angle / 2);
    std::vector<bool> turns(character.joints.size(), false);
    for (const int j : joints) turns[std::size_t(j)] = true;
    std::vector<Pose> out;
    for (int axis = 0; axis < 3; ++axis)
        for (const double way : {s, -s}) {
            const Quat q{c, axis == 0 ? way : 0, axis == 1 ? way : 0, axis == 2 ? way : 0};
            Pose pose;
            std::vector<Affine> maps;  // pose * inverse(rest)
            for (std::size_t j = 0; j < character.joints.size(); ++j) {
                const Joint& joint = character.joints[j];
                const Vec3d at = translation_of(joint.rest);
                Affine map = joint.parent >= 0 && joint.parent < int(j) ? maps[std::size_t(joint.parent)] : Affine{};
                if (turns[j]) map = map * compose(at, q, {1, 1, 1}) * compose(-at, {}, {1, 1, 1});
                maps.push_back(map);
                pose.joints.push_back(map * joint.rest);
            }
            out.push_back(std::move(pose));
        }
    return out;
}

}  // namespace fascia
