#include "character/motion_frames.h"

#include <algorithm>
#include <cmath>

namespace fascia {
namespace {

bool is_finite(Vec3d v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Larger than any scene, yet small enough that nothing computed from it overflows.
constexpr double kFarthest = 1e12;

bool is_near(Vec3d v) {
    return std::abs(v.x) < kFarthest && std::abs(v.y) < kFarthest && std::abs(v.z) < kFarthest;
}

bool is_rotation(Quat q) {
    const double square = dot(q, q);
    return std::isfinite(square) && square > 0;
}

/// Chains local transforms to world ones, parents first.
template <class Translation, class Rotation>
void chain(const Motion& motion, Translation translation, Rotation rotation, MotionFrame& out) {
    const std::size_t count = motion.joints.size();
    out.rotations.resize(count);
    out.positions.resize(count);
    for (std::size_t j = 0; j < count; ++j) {
        const int parent = motion.joints[j].parent;
        if (parent < 0) {
            out.rotations[j] = rotation(j);
            out.positions[j] = translation(j);
        } else {
            out.rotations[j] = normalized(out.rotations[parent] * rotation(j));
            out.positions[j] = out.positions[parent] + rotate(out.rotations[parent], translation(j));
        }
    }
}

/// How far one frame is from the next: the mean angle over the joints, and the distance that the root moves.
struct Change {
    double angle = 0, way = 0;
};

Change change_between(const Motion& motion, std::size_t a, std::size_t b) {
    const std::size_t count = motion.joints.size();
    Change change;
    std::size_t turning = 0;
    for (std::size_t j = 0; j < count; ++j) {
        const Quat p = motion.rotations[a * count + j], q = motion.rotations[b * count + j];
        if (motion.joints[j].end_site || !is_rotation(p) || !is_rotation(q)) continue;
        change.angle += 2 * std::acos(std::min(1.0, std::abs(dot(normalized(p), normalized(q)))));
        ++turning;
    }
    if (turning > 0) change.angle /= static_cast<double>(turning);
    const Vec3d step = motion.translations[b * count] - motion.translations[a * count];
    change.way = is_finite(step) ? length(step) : 0;
    return change;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

bool evaluate_motion(const Motion& motion, std::size_t frame, MotionFrame& out) {
    const std::size_t first = frame * motion.joints.size();
    for (std::size_t j = 0; j < motion.joints.size(); ++j)
        if (!is_near(motion.translations[first + j]) || !is_rotation(motion.rotations[first + j])) return false;
    chain(
        motion, [&](std::size_t j) { return motion.translations[first + j]; },
        [&](std::size_t j) { return normalized(motion.rotations[first + j]); }, out);
    return true;
}

void evaluate_motion_zero(const Motion& motion, MotionFrame& out) {
    chain(
        motion, [&](std::size_t j) { return motion.joints[j].offset; }, [](std::size_t) { return Quat{}; }, out);
}

bool first_frame_stands_apart(const Motion& motion) {
    const std::size_t frames = motion.frame_count();
    if (frames < 4) return false;
    std::vector<double> angles, ways;
    for (std::size_t f = 1; f + 1 < frames; ++f) {
        const Change change = change_between(motion, f, f + 1);
        angles.push_back(change.angle);
        ways.push_back(change.way);
    }
    double reach = 0;  // a length within the skeleton, to compare the root's travel with
    for (const MotionJoint& joint : motion.joints) reach = std::max(reach, length(joint.offset));
    // A jump is several times the usual change between frames, and large enough to be seen.
    constexpr double kTimes = 4, kLeastAngle = 0.07, kLeastWay = 0.5;
    const Change first = change_between(motion, 0, 1);
    const double largest_angle = *std::max_element(angles.begin(), angles.end());
    const bool joints_jump =
        first.angle > kLeastAngle && first.angle > kTimes * median(angles) && first.angle > 1.5 * largest_angle;
    const bool root_jumps = first.way > kLeastWay * reach && first.way > kTimes * median(ways) &&
                            first.way > 1.5 * *std::max_element(ways.begin(), ways.end());
    return joints_jump || root_jumps;
}

MotionSkeleton skeleton_of(const Motion& motion, const MotionFrame& rest) {
    MotionSkeleton out;
    std::vector<int> place(motion.joints.size(), -1);
    for (std::size_t j = 0; j < motion.joints.size(); ++j) {
        const MotionJoint& joint = motion.joints[j];
        if (joint.end_site) continue;
        place[j] = out.skeleton.size();
        out.joints.push_back(static_cast<int>(j));
        out.skeleton.names.push_back(joint.name);
        out.skeleton.parents.push_back(joint.parent < 0 ? -1 : place[joint.parent]);
        out.skeleton.positions.push_back(rest.positions[j]);
    }
    return out;
}

}  // namespace fascia
