// Places on a surface that have got into something solid: how they are pushed out again, and what that asks of the
// points that carry them.
//
//     d: depth, n: the way out, r: speed of the place relative to the solid, r_n = dot(r, n), r_t = r - r_n n
//     move = min(d, most + max(0, -r_n) dt) n - min(|r_t|, friction max(0, -r_n)) dt r_t / |r_t|       [Coulomb]
//
// The velocity of a point becomes that of its actual path, so that pressed flesh at rest has none, but a move never
// adds speed away from a solid: nothing bounces or springs apart.
#pragma once

#include "contact/contact_sums.h"
#include "contact/solid.h"

namespace fascia::contact {

/// A place in something solid.
struct SolidTouch {
    float depth = 0;
    Vec3 out;          ///< of length 1
    Vec3 speed;        ///< of the place relative to the solid
    Vec3 solid_speed;  ///< of the solid there
    float friction = 0;
};

/// most: how far it is pushed out in one step at most, in addition to how far it came in
Vec3 move_out(const SolidTouch& touch, float most, float dt);

/// The path of a place relative to a solid, in the solid's coordinates, with lengths in scene units.
struct WayInSolid {
    Vec3 from, to;
};
/// Is the place inside the solid at the end of its path, or has it passed through? If so, depth and out are set.
bool has_met(const Solid& solid, const WayInSolid& way, SolidTouch& touch);

/// What solids ask of the points that carry the places they touch.
class PressSums : public AskedMoves {
public:
    /// Every point makes the average of the moves asked of it, less where hardly anything asks, within its limit.
    void apply(const TouchedPoints& points);
};

}  // namespace fascia::contact
