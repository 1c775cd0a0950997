// What an instance still shows of the rig that it came from: at the switch all of it, then less and less. The other
// body is gone; what it showed beyond the skinned surface of this one turns with the body, and keeps swinging for a
// moment as it did.
#pragma once

#include "fascia/method.h"

namespace fascia {

inline bool is_handing_over(const State& state) {
    return !state.handover.positions.empty();
}

/// A surface of another rig at the moment of the switch. speeds: per second, beyond what the skeleton does; or empty.
struct LeftSurface {
    std::span<const Vec3> positions, normals, speeds;
};

/// Shows `left` from now on; `skinned` is the skinned surface of the rig itself. Both in the pose of the State.
void begin_handover(const LeftSurface& left, const Surface& skinned, double seconds, State& state);

/// Lets time pass; what has faded is freed.
void run_handover(double dt, State& state);

/// From the surface that the rig gives to the one that is shown.
void show_handover(const Rig& rig, const State& state, const Surface& out, Workspace& work);

/// The same for a mesh above the body's surface: each vertex moves along with the body's vertex beneath it.
void show_handover_above(const Rig& rig, const State& state, std::span<const std::uint32_t> beneath, const Surface& out,
                         Workspace& work);

}  // namespace fascia
