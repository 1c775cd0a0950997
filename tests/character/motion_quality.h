// How well a retargeted motion respects the floor: how deep the skin sinks, how far planted feet slide, how much it
// jerks.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "character/anatomy.h"
#include "character/body_frame.h"
#include "character/character_rest.h"
#include "character/motion_start.h"
#include "fascia/pose.h"

namespace fascia::test {

/// Every frame of a clip as world matrices of the joints. Frames are those of the clip's first channel.
inline std::vector<Pose> poses_of(const Character& character, const Clip& clip) {
    std::vector<Pose> poses;
    for (float time : clip.channels[0].times) {
        poses.emplace_back();
        evaluate(character, &clip, time, poses.back());
    }
    return poses;
}

/// Is it attached to a hand? A weapon may go wherever the hand does.
inline bool is_in_hand(const Character& character, int node) {
    for (int n = node; n >= 0; n = character.nodes[n].parent) {
        const NameMeaning meaning = meaning_of_name(character.nodes[n].name);
        if (meaning.kind == NameMeaning::Kind::arm && meaning.fit[limb_end] == 10) return true;
    }
    return false;
}

/// Heights of all skinned vertices and of the body's rigid parts, by plain skinning; y is up.
inline std::vector<double> vertex_heights(const Character& character, const Pose& pose) {
    std::vector<Affine> moves;
    for (std::size_t j = 0; j < pose.joints.size(); ++j)
        moves.push_back(pose.joints[j] * inverse(character.joints[j].rest));
    const auto slots = static_cast<std::size_t>(character.weights.influences);
    std::vector<double> heights;
    for (std::size_t v = 0; v < character.mesh.positions.size(); ++v) {
        double height = 0;
        for (std::size_t i = v * slots; i < (v + 1) * slots; ++i) {
            const double weight = character.weights.weights[i];
            if (weight == 0) continue;
            height +=
                weight * transform_point(moves[character.weights.joints[i]], to_double(character.mesh.positions[v])).y;
        }
        heights.push_back(height);
    }
    for (const Part& part : character.rigid.parts) {
        if (part.node < 0 || is_in_hand(character, part.node)) continue;
        for (int v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v)
            heights.push_back(transform_point(pose.nodes[part.node], to_double(character.rigid.positions[v])).y);
    }
    return heights;
}

struct Heights {
    double low = 0, high = 0;
};

inline Heights extent_of(const Character& character, const Pose& pose) {
    const std::vector<double> heights = vertex_heights(character, pose);
    const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
    return {*low, *high};
}

/// A joint that stands still while the performer's does: an ankle or the toes.
struct FootTrack {
    std::vector<Vec3d> source, target;  ///< [frames]
    double scale = 1;                   ///< of the travel
    double leg = 1;                     ///< the performer's
};

inline std::vector<FootTrack> foot_tracks(const Character& character, const Motion& motion,
                                          const std::vector<Pose>& poses) {
    const MotionStart start = *start_of(motion, MotionRest::automatic);
    const CharacterRest rest = rest_of(character);
    std::vector<std::pair<std::string, int>> bones;
    for (const HumanoidBone& bone : character.humanoid) bones.emplace_back(bone.bone, rest.joint_of_node[bone.node]);
    const Anatomy target = bones.empty() ? find_anatomy(rest.skeleton) : anatomy_from_humanoid(rest.skeleton, bones);
    std::vector<FootTrack> tracks;
    for (int s = 0; s < 2; ++s) {
        for (int part : {static_cast<int>(limb_end), static_cast<int>(limb_tip)}) {
            const int from = start.anatomy.legs[s][part], to = target.legs[s][part];
            if (from < 0 || to < 0) continue;
            FootTrack track;
            track.leg = leg_length(start.source.skeleton, start.anatomy, true);
            track.scale = leg_length(rest.skeleton, target, true) / track.leg;
            MotionFrame frame;
            for (std::size_t f = 0; f < poses.size(); ++f) {
                evaluate_motion(motion, start.first_frame + f, frame);
                track.source.push_back(frame.positions[start.source.joints[from]]);
                track.target.push_back(translation_of(poses[f].nodes[rest.nodes[to]]));
            }
            tracks.push_back(std::move(track));
        }
    }
    return tracks;
}

/// How far a planted joint slides, from touching down to lifting off.
struct Slide {
    double source = 0;  ///< in the character's units
    double target = 0;
};

inline std::vector<Slide> slides_of(const FootTrack& track, double frame_time) {
    std::vector<double> sorted;
    for (const Vec3d& place : track.source) sorted.push_back(place.y);
    std::sort(sorted.begin(), sorted.end());
    const double standing = sorted[sorted.size() / 20];
    const auto across = [](Vec3d a, Vec3d b) { return std::hypot(a.x - b.x, a.z - b.z); };
    const auto stands = [&](std::size_t f) {
        const bool low = track.source[f].y - standing < 0.05 * track.leg;
        return low && length(track.source[f] - track.source[f - 1]) < 0.35 * track.leg * frame_time;
    };
    std::vector<Slide> slides;
    for (std::size_t f = 1; f < track.source.size(); ++f) {
        Slide slide;
        std::size_t steps = 0;
        for (; f < track.source.size() && stands(f); ++f, ++steps) {
            slide.source += across(track.source[f], track.source[f - 1]) * track.scale;
            slide.target += across(track.target[f], track.target[f - 1]);
        }
        if (steps >= 2) slides.push_back(slide);
    }
    return slides;
}

struct MotionQuality {
    double depth = 0;         ///< of the deepest vertex below the floor, in heights
    double float_height = 0;  ///< of the lowest vertex at its highest moment, in heights
    double excess = 0;  ///< largest slide beyond 1.3 times the source's plus half a percent of the height; <= 0 is good
    double slide_ratio = 0;  ///< all slides of the character over the source's
    double jerk = 0;         ///< root mean square over all joints, in heights per frame cubed
    double worst_jerk = 0;
};

inline MotionQuality quality_of(const Character& character, const Motion& motion, const Clip& clip,
                                std::size_t step = 1) {
    MotionQuality quality;
    const std::vector<Pose> poses = poses_of(character, clip);
    const Heights rest = extent_of(character, rest_pose(character));
    const double height = rest.high - rest.low;
    for (std::size_t f = 0; f < poses.size(); f += step) {
        const double low = extent_of(character, poses[f]).low;
        quality.depth = std::max(quality.depth, (rest.low - low) / height);
        quality.float_height = std::max(quality.float_height, (low - rest.low) / height);
    }
    double source = 0, target = 0;
    quality.excess = -1;
    for (const FootTrack& track : foot_tracks(character, motion, poses)) {
        for (const Slide& slide : slides_of(track, motion.frame_time)) {
            source += slide.source;
            target += slide.target;
            const double allowed = std::max(1.3 * slide.source, slide.source + 0.005 * height);
            quality.excess = std::max(quality.excess, (slide.target - allowed) / height);
        }
    }
    quality.slide_ratio = source > 0 ? target / source : 0;
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t f = 0; f + 3 < poses.size(); ++f) {
        for (std::size_t j = 0; j < poses[f].joints.size(); ++j) {
            const auto at = [&](std::size_t g) { return translation_of(poses[g].joints[j]); };
            const double jerk = length(at(f + 3) - at(f + 2) * 3 + at(f + 1) * 3 - at(f)) / height;
            quality.worst_jerk = std::max(quality.worst_jerk, jerk);
            sum += jerk * jerk;
            ++count;
        }
    }
    quality.jerk = count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
    return quality;
}

}  // namespace fascia::test
