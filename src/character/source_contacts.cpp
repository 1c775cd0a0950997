#include "character/source_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "character/body_frame.h"

namespace fascia {
namespace {

// All heights and speeds are in leg lengths, so that they fit performers of every size and motions in every unit.
constexpr double kNear = 0.25;         ///< a hand, knee or seat lower than this may be touching
constexpr double kPlantHeight = 0.12;  ///< a planted joint is no higher than this above its standing height ...
constexpr double kLeaveHeight = 0.2;   ///< ... and remains planted up to this one
constexpr double kPlantSpeed = 0.45, kLeaveSpeed = 0.8;  ///< per second
constexpr double kLargestDrift = 0.1;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A joint of the performer that may come down to the floor.
struct Probe {
    int carrier = trunk;
    int joint = -1;             ///< index in Motion::joints
    double clearance = 0;       ///< rough thickness of the flesh below the joint, in legs
    bool stands_often = false;  ///< feet: their usual lowest height is the one they stand at
    int kind = 0;               ///< left and right joints of one kind share a standing height
    TimeSeries height;          ///< [frames] in legs
};

int end_site_below(const Motion& motion, int joint) {
    for (std::size_t j = 0; j < motion.joints.size(); ++j)
        if (motion.joints[j].parent == joint && motion.joints[j].end_site) return static_cast<int>(j);
    return -1;
}

class ContactFinder {
public:
    ContactFinder(const Motion& motion, const MotionStart& start, const std::vector<MotionFrame>& frames,
                  double seconds, Vec3d up)
        : motion_(motion), start_(start), frames_(frames), seconds_(seconds), up_(up) {}

    SourceContacts find() {
        out_.leg = leg_length(start_.source.skeleton, start_.anatomy, true);
        if (!(out_.leg > 0)) out_.leg = leg_length(start_.source.skeleton, start_.anatomy, false) * 2;
        if (!(out_.leg > 0) || !std::isfinite(out_.leg) || frames_.empty()) return out_;
        collect_probes();
        measure_heights();
        find_standing_heights();
        follow_floor();
        for (Probe& probe : probes_) add_to_carrier(probe);
        for (CarrierTrack& track : out_.carriers)
            for (double& lift : track.lift) lift = std::max(0.0, lift) * out_.leg;
        for (int limb = 0; limb < kLimbs; ++limb) {
            plant(out_.ends[limb]);
            plant(out_.tips[limb]);
        }
        return out_;
    }

private:
    enum Kind { ankle, toes, wrist, knee, elbow, seat, back, head, kinds };

    void add(int carrier, int skeleton_joint, Kind kind) {
        if (skeleton_joint < 0) return;
        add_motion_joint(carrier, start_.source.joints[skeleton_joint], kind);
    }

    void add_motion_joint(int carrier, int joint, Kind kind) {
        constexpr double kClearance[kinds] = {0.06, 0.02, 0.04, 0.06, 0.05, 0.12, 0.12, 0.12};
        probes_.push_back({carrier, joint, kClearance[kind], kind == ankle || kind == toes, kind, {}});
    }

    void collect_probes() {
        const Anatomy& body = start_.anatomy;
        for (int s = 0; s < 2; ++s) {
            const Limb &leg = body.legs[s], &arm = body.arms[s];
            add(left_foot + s, leg[limb_end], ankle);
            add(left_foot + s, leg[limb_tip], toes);
            add(left_hand + s, arm[limb_end], wrist);
            add(left_knee + s, leg[limb_lower], knee);
            add(left_elbow + s, arm[limb_lower], elbow);
            add(trunk, arm[limb_upper], back);
            out_.ends[left_foot + s].joint = motion_joint(leg[limb_end]);
            out_.tips[left_foot + s].joint = motion_joint(leg[limb_tip]);
            out_.ends[left_hand + s].joint = motion_joint(arm[limb_end]);
            if (leg[limb_end] >= 0 && leg[limb_tip] < 0) {
                const int site = end_site_below(motion_, motion_joint(leg[limb_end]));
                if (site >= 0) add_motion_joint(left_foot + s, site, toes);
                out_.tips[left_foot + s].joint = site;
            }
        }
        add(trunk, body.hips, seat);
        for (int joint : body.spine) add(trunk, joint, back);
        add(trunk, body.head, head);
    }

    int motion_joint(int skeleton_joint) const {
        return skeleton_joint < 0 ? -1 : start_.source.joints[skeleton_joint];
    }

    double height(std::size_t frame, int joint) const { return dot(frames_[frame].positions[joint], up_) / out_.leg; }

    void measure_heights() {
        for (Probe& probe : probes_)
            for (std::size_t f = 0; f < frames_.size(); ++f) probe.height.push_back(height(f, probe.joint));
        // The floor is the height that the lowest part keeps coming down to; a few frames of noise below it do not
        // count.
        floor_ = kInfinity;
        for (const Probe& probe : probes_) floor_ = std::min(floor_, quantile(probe.height, 0.05) - probe.clearance);
    }

    /// How high the joints of each kind are while they touch. A foot stands at its usual lowest height. Other parts do
    /// not come down in every motion, so they count only when close to the floor.
    void find_standing_heights() {
        for (int kind = 0; kind < kinds; ++kind) {
            TimeSeries low(frames_.size(), kInfinity), touching;
            double nominal = 0;
            bool often = false;
            for (const Probe& probe : probes_) {
                if (probe.kind != kind) continue;
                for (std::size_t f = 0; f < low.size(); ++f) low[f] = std::min(low[f], probe.height[f]);
                nominal = floor_ + probe.clearance;
                often = probe.stands_often;
            }
            for (double value : low)
                if (value < floor_ + kNear) touching.push_back(value);
            if (often && std::isfinite(low.front())) {
                standing_[kind] = quantile(low, 0.05);
            } else {
                standing_[kind] = touching.empty() ? nominal : std::min(quantile(touching, 0.2), 2 * nominal - floor_);
            }
        }
    }

    /// Captured floors drift, in CMU's walks by 6 % of a leg in three seconds: the floor is what the body comes down to
    /// within half a second before and after. Steps and jumps that are higher than any drift keep their height.
    void follow_floor() {
        TimeSeries low(frames_.size(), kInfinity);
        for (const Probe& probe : probes_)
            for (std::size_t f = 0; f < low.size(); ++f)
                low[f] = std::min(low[f], probe.height[f] - standing_[probe.kind]);
        constexpr double kSeconds = 0.5, kMostFrames = 500;
        const auto reach = static_cast<std::size_t>(std::clamp(std::ceil(kSeconds / seconds_), 1.0, kMostFrames));
        // The mean of minima over the same window never rises above the lowest part.
        drift_ = running_mean(running_minimum(low, reach), reach);
        for (double& value : drift_) value = std::min(value, kLargestDrift);
        stand_on_planted_feet(low);
    }

    /// A body that has a foot standing still near the floor, or is hardly above it, stands on it: the joint's height
    /// says little about that of the heel or the toes that the foot rolls over.
    void stand_on_planted_feet(const TimeSeries& low) {
        TimeSeries moves(frames_.size(), 1);
        for (int limb : {left_foot, right_foot}) {
            for (ContactPoint* point : {&out_.ends[limb], &out_.tips[limb]}) {
                plant(*point);
                for (std::size_t f = 0; f < low.size(); ++f) moves[f] = point->planted[f] ? 0 : moves[f];
            }
        }
        constexpr double kSeconds = 0.05, kTouches = 0.02, kFlies = 0.08;
        const TimeSeries free = smooth_envelope(moves, std::clamp(kSeconds / seconds_, 0.1, 100.0));
        for (std::size_t f = 0; f < low.size(); ++f) {
            const double lift = low[f] - drift_[f];
            const double standing = (1 - free[f]) * (1 - ramp(lift, kPlantHeight, kLeaveHeight));
            drift_[f] += lift * std::max(standing, 1 - ramp(lift, kTouches, kFlies));
        }
    }

    /// 0 up to `from`, 1 from `to` on, smooth in between.
    static double ramp(double value, double from, double to) {
        const double t = std::clamp((value - from) / (to - from), 0.0, 1.0);
        return t * t * (3 - 2 * t);
    }

    void add_to_carrier(const Probe& probe) {
        CarrierTrack& track = out_.carriers[probe.carrier];
        const double standing = (standing_[probe.kind] - floor_) * out_.leg;
        track.standing = track.known ? std::min(track.standing, standing) : standing;
        track.known = true;
        track.lift.resize(frames_.size(), kInfinity);
        for (std::size_t f = 0; f < frames_.size(); ++f)
            track.lift[f] = std::min(track.lift[f], probe.height[f] - standing_[probe.kind] - drift_[f]);
    }

    double speed(std::size_t frame, int joint) const {
        const std::size_t before = frame > 0 ? frame - 1 : 0, behind = std::min(frame + 1, frames_.size() - 1);
        if (behind == before) return 0;
        const Vec3d way = frames_[behind].positions[joint] - frames_[before].positions[joint];
        return length(way) / (out_.leg * seconds_ * static_cast<double>(behind - before));
    }

    /// Contact begins when the point is low and slow, and lasts until it is clearly neither.
    void plant(ContactPoint& point) const {
        point.planted.assign(frames_.size(), false);
        if (point.joint < 0) return;
        double standing = 0;
        for (const Probe& probe : probes_)
            if (probe.joint == point.joint) standing = standing_[probe.kind];
        const auto is_within = [&](std::size_t f, double most_height, double most_speed) {
            return height(f, point.joint) - standing - drift_[f] < most_height && speed(f, point.joint) < most_speed;
        };
        for (std::size_t f = 0; f < frames_.size(); ++f) {
            if (point.planted[f] || !is_within(f, kPlantHeight, kPlantSpeed)) continue;
            for (std::size_t g = f + 1; g-- > 0 && !point.planted[g] && is_within(g, kLeaveHeight, kLeaveSpeed);)
                point.planted[g] = true;
            for (std::size_t g = f + 1; g < frames_.size() && is_within(g, kLeaveHeight, kLeaveSpeed); ++g)
                point.planted[g] = true;
        }
    }

    const Motion& motion_;
    const MotionStart& start_;
    const std::vector<MotionFrame>& frames_;
    double seconds_;
    Vec3d up_;

    SourceContacts out_;
    std::vector<Probe> probes_;
    double floor_ = 0;
    double standing_[kinds] = {};
    TimeSeries drift_;
};

}  // namespace

bool SourceContacts::is_empty() const {
    return std::none_of(carriers.begin(), carriers.end(), [](const CarrierTrack& track) { return track.known; });
}

SourceContacts find_contacts(const Motion& motion, const MotionStart& start, const std::vector<MotionFrame>& frames,
                             double seconds, Vec3d up) {
    return ContactFinder(motion, start, frames, seconds, up).find();
}

}  // namespace fascia
