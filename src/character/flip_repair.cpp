#include "character/flip_repair.h"

#include <algorithm>
#include <cmath>

namespace fascia {
namespace {

constexpr double kRadiansPerDegree = 3.14159265358979323846 / 180;

/// The product of two unit quaternions is the cosine of half the angle between their rotations.
bool differ_by_more(Quat a, Quat b, double degrees) {
    return std::abs(dot(normalized(a), normalized(b))) < std::cos(degrees * kRadiansPerDegree / 2);
}

bool is_rotation(Quat q) {
    const double square = dot(q, q);
    return std::isfinite(square) && square > 0;
}

std::size_t longest_flip(const Motion& motion) {
    constexpr double kSeconds = 0.05;
    const bool timed = std::isfinite(motion.frame_time) && motion.frame_time > 0;
    return timed ? static_cast<std::size_t>(std::clamp(kSeconds / motion.frame_time, 1.0, 100.0)) : 1;
}

/// The rotations of one joint, frame after frame.
struct Track {
    Motion& motion;
    std::size_t joint;
    Quat& operator[](std::size_t frame) { return motion.rotations[frame * motion.joints.size() + joint]; }
};

/// How many frames from `first` on are turned away from both the frame before and the frame after them; 0 for none.
std::size_t flip_length(Track& track, std::size_t first, std::size_t frames, std::size_t longest) {
    constexpr double kFlip = 60, kBack = 30;
    const Quat before = track[first - 1];
    if (!is_rotation(before) || !is_rotation(track[first]) || !differ_by_more(before, track[first], kFlip)) return 0;
    for (std::size_t count = 1; count <= longest && first + count < frames; ++count) {
        const Quat last = track[first + count - 1], behind = track[first + count];
        if (!is_rotation(last) || !is_rotation(behind) || !differ_by_more(before, last, kFlip)) return 0;
        if (differ_by_more(last, behind, kFlip) && !differ_by_more(before, behind, kBack)) return count;
    }
    return 0;
}

}  // namespace

FlipRepair repair_flips(Motion& motion, std::size_t first_frame) {
    FlipRepair repair;
    const std::size_t frames = motion.frame_count(), longest = longest_flip(motion);
    for (std::size_t j = 0; j < motion.joints.size(); ++j) {
        Track track{motion, j};
        const std::size_t flips_before = repair.flips;
        for (std::size_t f = first_frame + 1; f < frames; ++f) {
            const std::size_t count = flip_length(track, f, frames, longest);
            if (count == 0) continue;
            const Quat before = normalized(track[f - 1]), behind = normalized(track[f + count]);
            for (std::size_t i = 0; i < count; ++i)
                track[f + i] = slerp(before, behind, static_cast<double>(i + 1) / static_cast<double>(count + 1));
            ++repair.flips;
        }
        if (repair.flips > flips_before) repair.joints.push_back(static_cast<int>(j));
    }
    return repair;
}

}  // namespace fascia
