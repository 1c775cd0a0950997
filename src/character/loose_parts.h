// Tails, ears, pointed hats, capes and things held in a hand: whatever hangs on a body without carrying it.
//
// They do not raise a body that stands or sits. Where they would be under the floor, they turn about the place they
// hang on until they lie on it.
#pragma once

#include <functional>
#include <vector>

#include "character/anatomy.h"
#include "character/body_frame.h"
#include "character/character_rest.h"
#include "character/posed_body.h"
#include "character/time_series.h"

namespace fascia {

class LooseParts {
public:
    LooseParts(const Character& character, const CharacterRest& rest, const Anatomy& anatomy, const PosedBody& body);

    /// Does this node move with a loose part?
    bool is_loose(int node) const { return is_loose_[node]; }

    /// Finds the turns for all frames. `pose(f)` puts the body into frame f with its loose parts as they are at rest,
    /// `floor` is the height of the floor, `ease` the time in frames in which a turn begins and ends.
    void rest_on_floor(const PosedBody& body, double floor, std::size_t frames, double ease,
                       const std::function<void(std::size_t)>& pose);
    /// [frames] How deep the loose parts still are below the floor; empty if there are none.
    TimeSeries remaining_depths(double floor) const;
    /// Turns the loose parts of a body that has been put into frame f.
    void turn(PosedBody& body, std::size_t f) const;
    /// Nodes that are turned in any frame.
    std::vector<int> turned_nodes() const;

private:
    struct Thing {
        int node = -1;              ///< turns, with all nodes below it
        Vec3d pivot;                ///< in the node's space
        std::vector<Vec3d> points;  ///< outermost ones, in the node's space
        Vec3d middle;               ///< of all its points
        // [frames]
        std::vector<Affine> world;  ///< of the node, not turned
        std::vector<Vec3d> axis;
        TimeSeries angle;
    };

    struct Vertices {
        std::vector<int> node;  ///< [vertices] that each one follows most
        std::vector<Vec3d> place;
    };

    void find_joints(const Character& character, const CharacterRest& rest, const Vertices& skin,
                     const std::vector<bool>& may_hang);
    void find_rigid(const Character& character, const CharacterRest& rest, const Vertices& skin,
                    const std::vector<int>& parts, const PosedBody& body);
    void add(const CharacterRest& rest, int node, Vec3d pivot, const std::vector<Vec3d>& places);
    void mark_below(const Character& character, int node);
    void find_axes(Thing& thing, double ease) const;
    double lowest_at(const Thing& thing, std::size_t f, double angle) const;
    double angle_to_clear(const Thing& thing, std::size_t f, double floor) const;

    BodyFrame frame_;
    std::vector<bool> is_loose_;  ///< [nodes]
    std::vector<Thing> things_;
};

}  // namespace fascia
