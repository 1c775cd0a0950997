// The points of a character's skin that may be the first to touch the floor, by the part of the body they belong to.
#pragma once

#include <array>
#include <vector>

#include "character/body_frame.h"
#include "character/skin_parts.h"

namespace fascia {

class LooseParts;

class SkinPoints {
public:
    /// Without the `loose` parts. `standing`: how high the joint of a carrier is above the floor when the carrier
    /// touches it. The joint takes the place of the skin in a part that has none.
    SkinPoints(const Character& character, const CharacterRest& rest, const Anatomy& anatomy, const BodyFrame& frame,
               const LooseParts& loose, const std::array<double, kCarriers>& standing);

    double floor() const { return floor_; }    ///< height on which the feet, or else the whole body, stand at rest
    double height() const { return height_; }  ///< of the body at rest

    /// Lowest points above the floor, for nodes at `world`.
    PartHeights lowest(const std::vector<Affine>& world) const;

private:
    struct Influence {
        int node = -1;
        double weight = 0;
        Vec3d place;  ///< in the node's space at rest
    };
    struct Point {
        int part = trunk;
        double clearance = 0;      ///< height above the floor when it touches
        int first = 0, count = 0;  ///< its influences
    };

    void add_surface(const Character& character, const CharacterRest& rest, const Anatomy& anatomy,
                     const BodyFrame& frame, const LooseParts& loose);
    void add_joints(const CharacterRest& rest, const Anatomy& anatomy, const std::array<double, kCarriers>& standing);
    void add_point(const Character& character, int vertex, int part);
    void add_rigid_point(const CharacterRest& rest, int node, Vec3d place, int part, double clearance);
    double height_of(const Point& point, const std::vector<Affine>& world) const;

    Vec3d up_;
    double floor_ = 0, height_ = 0;
    std::vector<Point> points_;
    std::vector<Influence> influences_;
};

}  // namespace fascia
