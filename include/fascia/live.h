// What happens to one instance while it runs: settings change, secondary motion is faded, a hand pulls at the flesh.
//
//     rig = *retune(rig, new_settings);                      the State continues as it is
//     fade(*rig, "*", 0, 0.5, state);                        mute: fully skinned half a second from now
//     solo(*rig, "belly*", 0.5, state);                      only the belly swings
//     pull(*rig, ray, target, 1, state, work);               take hold where the ray meets the surface
//     each frame:  move_pull(target, state);  advance(...)
//     release(state);                                        it springs back
//
// None of these may run while the same State is being advanced. Everything they do is part of the State: copied, hashed
// and saved with it.
#pragma once

#include <optional>
#include <string>

#include "fascia/api.h"
#include "fascia/method.h"

FASCIA_API_BEGIN
namespace fascia {

/// The same rig under other settings, without binding again: points, weights and surface are shared, and States of
/// `rig` continue under the new one without a jump. Only live fields may differ (FieldInfo::live); the error names a
/// field that is fixed at bind. Takes milliseconds if frequencies and the step stay the same, otherwise as long as a
/// few dozen steps.
Result<RigPtr> retune(const RigPtr& rig, const Settings& settings);
/// The same for one field, given by its `--set` key.
Result<RigPtr> retune(const RigPtr& rig, const std::string& key, const std::string& value);

/// Fades to showing `amount` (0..1) of the secondary motion around the joints that match `joints` (a glob, "*" for
/// all), smoothly within `seconds`. 0 is exactly the fully skinned surface. The flesh keeps swinging unseen, so that it
/// can be shown again at any time. The error suggests the nearest joint.
Status fade(const Rig& rig, const std::string& joints, double amount, double seconds, State& state);
/// Shows these joints and hides all others.
Status solo(const Rig& rig, const std::string& joints, double seconds, State& state);

/// Where a ray first meets the surface as it is now.
std::optional<Vec3d> pick(const Rig& rig, const Ray& ray, const State& state, Workspace& work);

/// Takes hold of the flesh at a point of the surface and pulls it smoothly towards `target`. The force falls off around
/// that point and has an upper limit, so that the flesh moves only as far as it gives way. Bones are not moved.
/// `strength`: 1 is a firm hand, anything above 8 counts as 8. Any earlier hold is released. False where there is no
/// flesh to hold within a quarter of the size, or if a number is not finite.
bool pull(const Rig& rig, Vec3d point, Vec3d target, double strength, State& state);
/// The same at the point where the ray meets the surface; false if it misses.
bool pull(const Rig& rig, const Ray& ray, Vec3d target, double strength, State& state, Workspace& work);
/// Where to pull from now on; a target that is not finite is ignored.
void move_pull(Vec3d target, State& state);
void release(State& state);
inline bool is_held(const State& state) {
    return !state.grip.points.empty();
}

}  // namespace fascia
FASCIA_API_END
