// What happens to one instance while it runs: settings change, secondary motion is faded, a hand pulls at the flesh.
//
//     rig = *retune(rig, new_settings);                      the State goes on as it is
//     fade(*rig, "*", 0, 0.5, state);                        mute: fully skinned half a second from now
//     solo(*rig, "belly*", 0.5, state);                      only the belly swings
//     pull(*rig, ray, target, 1, state, work);               take hold where the ray meets the surface
//     each frame:  move_pull(target, state);  advance(...)
//     release(state);                                        it springs back
//
// None of these may run beside an advance of the same State. All of it is part of the State: copied, hashed, saved.
#pragma once

#include <optional>
#include <string>

#include "fascia/method.h"

namespace fascia {

/// The same rig under other settings, without binding anew: points, weights and surface are shared, and States of `rig`
/// go on under the new one without a jump. Only live fields may differ (FieldInfo::live); the error names one that bind
/// built in. Milliseconds where frequencies and the step stay; a few dozen steps' worth of time where they change.
Result<RigPtr> retune(const RigPtr& rig, const Settings& settings);
/// The same for one field by its `--set` key.
Result<RigPtr> retune(const RigPtr& rig, const std::string& key, const std::string& value);

/// Shows `amount` (0..1) of the secondary motion around the joints that match `joints` (a glob, "*" for all), `seconds`
/// from now, smoothly. 0 is the fully skinned surface itself. The flesh swings on unseen, so that it can be shown again
/// at any time. The error names the nearest joint.
Status fade(const Rig& rig, const std::string& joints, double amount, double seconds, State& state);
/// Shows these joints and hides all others.
Status solo(const Rig& rig, const std::string& joints, double seconds, State& state);

/// Where a ray first meets the surface as it is now.
std::optional<Vec3d> pick(const Rig& rig, const Ray& ray, const State& state, Workspace& work);

/// Takes hold of the flesh at a place of the surface and pulls it towards `target`: smoothly, with a force that falls
/// off around it and has an upper limit, so that it reaches as far as flesh gives way. Bones are not moved. `strength`:
/// 1 is a firm hand, above 8 counts as 8. What was held before is let go. False where there is no flesh to hold, or a
/// number is not finite.
bool pull(const Rig& rig, Vec3d point, Vec3d target, double strength, State& state);
/// The same where the ray meets the surface; false where it misses.
bool pull(const Rig& rig, const Ray& ray, Vec3d target, double strength, State& state, Workspace& work);
/// Where to pull from now on; a target that is not finite is not taken.
void move_pull(Vec3d target, State& state);
void release(State& state);
inline bool is_held(const State& state) {
    return !state.grip.points.empty();
}

}  // namespace fascia
