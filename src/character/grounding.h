// Puts a retargeted body on the floor: parts that touch it in the source touch it here, parts that stand still there
// stand still here, and nothing sinks in.
//
// The root rises by the average of what the parts that carry the body need, where trunk and knees count more than
// hands, and sways if planted feet would be out of reach of short legs below wide hips. The ends of the limbs make up
// for the rest: a planted foot or hand follows the source's own path, scaled like the travel, so that it slides no more
// than the source, whatever the length of the legs. Skin that would still be under the floor lifts its limb, or else
// the root. All corrections fade in and out over swings.
#pragma once

#include <array>
#include <vector>

#include "character/posed_body.h"
#include "character/skin_points.h"
#include "character/source_contacts.h"
#include "character/two_bone_ik.h"

namespace fascia {

class Grounding {
public:
    /// `frames` are the frames that are played, `seconds` the time between two of them. All arguments must outlive this
    /// object.
    Grounding(PosedBody& body, const CharacterRest& rest, const Anatomy& anatomy, const SourceContacts& contacts,
              const SkinPoints& skin, const std::vector<MotionFrame>& frames, double seconds);

    /// Puts the body into frame `f`, corrected.
    void pose(std::size_t f);

    /// Raises the whole body by `depths` [frames; or empty] while neither feet nor knees nor seat carry it.
    void raise_where_nothing_stands(const TimeSeries& depths);

private:
    /// A leg or an arm of the character that can be bent to reach a point.
    struct LimbState {
        int upper = -1, lower = -1, end = -1, tip = -1;  ///< nodes; upper is -1 if the limb cannot be bent
        Vec3d usual_hinge;                               ///< at rest
        double reach = 0;
        // [frames]
        std::vector<Vec3d> top_path, end_path, tip_path;  ///< as retargeted, with the travel
        std::vector<Quat> foot_turn;                      ///< steadies a long foot, in the world; or empty
        std::vector<Vec3d> offset;                        ///< moves the end, relative to its path and the rise
        TimeSeries bend;   ///< of the knee or elbow, relative to the plain motion, eased; empty while it is being found
        TimeSeries stand;  ///< 1 while the end stands still, 0 while it moves
        TimeSeries hold;   ///< 1 while the end touches and stays put when the root moves, 0 while it is free

        bool can_bend() const { return upper >= 0; }
    };

    void set_up_limb(int limb, const Limb& joints, const CharacterRest& rest, bool is_leg);
    void pose_plainly(std::size_t f);
    void steady_feet();
    void record_plain_motion();
    void find_rise();
    void find_offsets(int limb);
    TimeSeries vertical_offset(int limb, std::vector<bool>& touching) const;
    std::vector<Vec3d> bridged_across(std::vector<Vec3d> values, const std::vector<bool>& known) const;
    std::vector<Vec3d> horizontal_offset(int limb, const std::vector<bool>& planted) const;
    std::vector<Vec3d> planted_path(int limb) const;
    std::vector<bool> planted_frames(int limb) const;
    void share_offsets_with_pelvis();
    void sway_to_reach();
    void move_all(Vec3d way);
    Vec3d missing_sway(std::size_t f) const;
    std::vector<Vec3d> smoothed_across(std::vector<Vec3d> values, double sigma) const;
    TimeSeries stillness(const ContactPoint& point) const;
    void lift_out_of_floor();
    void ease_bends();
    void clear_floor();
    TimeSeries depth_below_floor(double allowed, bool with_limb_ends);
    void lift_limbs();
    TimeSeries lift_of_foot(TimeSeries depth) const;
    TimeSeries lift_of_hand(TimeSeries depth) const;
    void lift_root(bool with_limb_ends);
    void measure(std::vector<PartHeights>& out);

    double nearness(int carrier, std::size_t f) const;
    double carrier_height(const PartHeights& low, int carrier) const;
    Vec3d goal(const LimbState& limb, std::size_t f) const;
    Vec3d reachable_goal(const LimbState& limb, const TwoBones& now, std::size_t f) const;
    Vec3d shift_pelvis(std::size_t f);
    TwoBones bones(const LimbState& limb) const;
    double frames_in(double seconds) const;

    PosedBody& body_;
    const SourceContacts& contacts_;
    const SkinPoints& skin_;
    const std::vector<MotionFrame>& frames_;
    double seconds_;
    Vec3d up_;
    double scale_;

    std::array<LimbState, kLimbs> limbs_;
    std::vector<int> pelvis_nodes_;
    std::vector<Vec3d> travel_;      ///< [frames]
    std::vector<PartHeights> low_;   ///< [frames] as retargeted, with the travel
    TimeSeries rise_, push_;         ///< [frames] of the root: for what carries it, and to reach or leave the floor
    std::vector<Vec3d> sway_;        ///< [frames] of the root, so that planted feet are in reach
    std::vector<Quat> pelvis_turn_;  ///< [frames]
    TimeSeries clear_;               ///< [frames] by which the whole body is raised in the end
};

}  // namespace fascia
