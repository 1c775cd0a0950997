// What a World is made of.
#pragma once

#include <vector>

#include "contact/solid.h"
#include "fascia/world.h"

namespace fascia {

struct SolidPlace {
    Vec3d place;
    Quat turn;
};
/// On a straight line, which a share outside 0 to 1 extends.
SolidPlace between(const SolidPlace& from, const SolidPlace& to, double share);

/// A wave of the eddies: its push is perpendicular to its direction, so that flesh is neither gathered nor spread.
struct WindWave {
    Vec3d along;   ///< radians per scene unit
    Vec3d across;  ///< its push
    double pace = 0, phase = 0;
};

struct World::Impl {
    WorldSettings settings;
    std::vector<contact::Solid> solids;
    std::vector<SolidPlace> last, now;  ///< [colliders] at the beginning and at the end of this frame
    std::vector<WindWave> waves;
    double time = 0;

    bool has_field() const;  ///< wind or attractors
    bool has_gravity() const;
    /// Does the field change by itself?
    bool is_restless() const { return !waves.empty(); }
    Vec3d field(Vec3d place) const;
};

/// The world of the instance that is being advanced with this workspace; null: none.
struct WorldOfCall {
    const World::Impl* world = nullptr;
};

}  // namespace fascia
