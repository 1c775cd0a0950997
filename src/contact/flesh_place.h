// Where a place near deformed flesh is in the flesh's rest pose: followed from point to point until it lies in the cell
// of one, then between that point and those around it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/contact_sums.h"
#include "contact/touching_body.h"

namespace fascia::contact {

/// How points have turned: with the joints that carry them, then relative to those.
struct PointTurns {
    std::span<const float> duals;   ///< [joints * 8] from rest to now
    std::span<const float> fitted;  ///< [4 * stride] w x y z
};

struct Turn {
    float w = 1;
    Vec3 u;
    Vec3 forth(Vec3 v) const {
        const Vec3 t = cross(u, v) * 2;
        return v + t * w + cross(u, t);
    }
    Vec3 back(Vec3 v) const {
        const Vec3 t = cross(v, u) * 2;
        return v + t * w + cross(t, u);
    }
};

struct FleshPlace {
    std::uint32_t home = 0;  ///< the point in whose cell it is
    Vec3 rest;               ///< the place in the rest pose
    Turn turn;               ///< from rest to now
    std::uint32_t count = 0;
    std::uint32_t points[8]{};  ///< those around it
    float weights[8]{};         ///< with the sum 1
};

class FleshPlaces {
public:
    /// points, turns: as they are now, until the next time
    void begin(const TouchingBody& body, const PointTurns& turns);
    const Turn& turn_of(const TouchingBody& body, std::uint32_t point);
    /// start: a point nearby. False if the place is not near flesh that hangs together with it.
    bool find(const TouchingBody& body, const TouchedPoints& points, Vec3 place, std::uint32_t start, FleshPlace& out);

private:
    PointTurns turns_;
    std::vector<Turn> known_;
    std::vector<std::uint32_t> round_of_;  ///< [stride] in which a turn was computed
    std::uint32_t round_ = 0;
};

}  // namespace fascia::contact
