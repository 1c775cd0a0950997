// Keeps the arms of a retargeted body out of its trunk.
//
// A motion that was captured on a slender performer sends the arms of a stout character through its belly: bone in
// bone, which no flesh can give way to. Where the middle of an arm would come nearer to the skin of the rest of the
// body than its own bone is thick (and nearer than at rest), shoulder and elbow are turned by the least angles that
// bring it out. The turns are smoothed over time, so that the arm glides along the body. A hand that touches the body
// in the motion stays at its skin, and one that carries the body stays where it is.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "character/anatomy.h"
#include "character/posed_body.h"
#include "character/skin_points.h"
#include "character/time_series.h"
#include "character/trunk_skin.h"
#include "character/two_bone_ik.h"

namespace fascia {

class LooseParts;

class ArmClearing {
public:
    /// `loose` parts such as capes are not kept clear of. All arguments must outlive this object.
    ArmClearing(const Character& character, const CharacterRest& rest, const Anatomy& anatomy, const LooseParts& loose,
                const PosedBody& body);

    /// Finds the turns for all frames. `pose(f)` puts the body into frame f, `carries` [sides][frames] is 1 while a
    /// hand carries the body, `skin` may touch the floor, `seconds` is the time between two frames.
    void find(PosedBody& body, const std::array<TimeSeries, 2>& carries, const SkinPoints& skin, double seconds,
              const std::function<void(std::size_t)>& pose);

    /// Turns the arms of a body that has been put into frame f.
    void turn(PosedBody& body, std::size_t f) const;

    /// The largest turns of any frame, in radians.
    struct Most {
        double shoulder = 0, elbow = 0;
    };
    Most most() const;

private:
    /// Of a shoulder, as a rotation vector, and of an elbow, beyond its bend.
    struct Turn {
        Vec3d shoulder;
        double elbow = 0;
    };

    /// A place on the middle of an arm.
    struct Sample {
        int node = -1;
        Vec3d place;             ///< in the node's space
        bool is_lower = true;    ///< below the elbow
        double needed = 0;       ///< distance from the skin
        double above_floor = 0;  ///< where the skin around it touches
    };

    struct Arm {
        int upper = -1, lower = -1, end = -1;       ///< nodes; upper is -1 if the arm cannot be turned
        std::vector<int> below_upper, below_lower;  ///< driven nodes that turn with them, themselves included
        Vec3d usual_hinge;                          ///< of the elbow, in the upper arm's turn
        std::vector<Sample> samples;
        std::vector<Turn> turns;  ///< [frames]
    };

    /// An arm in one frame.
    struct ArmPose {
        Vec3d shoulder, elbow, hinge;
        double bend = 0;            ///< of the elbow
        std::vector<Vec3d> places;  ///< of its samples
    };

    void add_samples(const Character& character, const CharacterRest& rest, Arm& arm);
    void find_hinges(const PosedBody& body, std::size_t frames, const std::function<void(std::size_t)>& pose);
    static TwoBones bones_of(const Arm& arm, const PosedBody& body);
    ArmPose pose_of(const Arm& arm, const PosedBody& body) const;
    Turn cleared(const Arm& arm, const ArmPose& pose, Turn turn) const;
    static Vec3d turned(const Arm& arm, const ArmPose& pose, const Turn& turn, std::size_t sample);
    void stay_above_floor(PosedBody& body, int side, const SkinPoints& skin, double ease,
                          const std::function<void(std::size_t)>& pose);
    static void smooth(std::vector<Turn>& turns, double sigma);
    static Turn faded(const Turn& turn, double share);
    static bool is_none(const Turn& turn);

    std::array<Arm, 2> arms_;
    TrunkSkin skin_;
    Vec3d up_;
    double floor_ = 0;
};

}  // namespace fascia
