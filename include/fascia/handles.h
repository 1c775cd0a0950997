// Points that pose a body (method `handles`): its joints, dragged by the matrices that advance takes.
//
//     enable_handles(*rig, "*", false, state);
//     enable_handles(*rig, "hand*", true, state);            now only the hands hold it; the rest follows
//     pose[hand].m[0][3] += 0.1;  advance(*rig, pose, dt, state, work);
//
// A set of enabled handles needs a factorisation, made the first time that a State with this set is advanced (a few
// milliseconds for 5,000 vertices) and cached for a few sets. Everything handles do is part of the State.
#pragma once

#include <cstddef>
#include <string>

#include "fascia/api.h"
#include "fascia/method.h"

FASCIA_API_BEGIN
namespace fascia {

/// A surface posed by points: joints are handles that are dragged, and the surface between them stays as rigid as it
/// can.
struct HandlesSettings {
    static constexpr const char* method = "handles";
    int iterations = 3;                 ///< of turning and moving per frame, 0..100
    double proximal = 0.95;             ///< the weight above which a handle holds a vertex, 0.5..1
    std::string turns = "eigenvector";  ///< "eigenvector", "slerp", "fast", "printed", or "given": as the joints turn
    std::string links = "rigid";        ///< flesh along a link: "rigid", as along a bone, or "free" to bend
    std::string solver = "full";        ///< "full": every vertex; "reduced": a few frames that skin the surface
    std::string smoothing = "rigid";    ///< of vertices that handles hold: "rigid", "printed" or "none"
    std::string influence = "points";   ///< weights computed from the handles, or those of the "file"
    std::string disabled;               ///< handles that hold nothing at first: globs, comma-separated
};

/// What a rig of method `handles` offers in addition; the functions below call it.
class Handling {
public:
    virtual ~Handling() = default;
    virtual Status enable(const std::string& handles, bool on, State& state) const = 0;
    virtual bool is_enabled(std::size_t handle, const State& state) const = 0;
    virtual Status turn(const std::string& handles, Quat turn, State& state) const = 0;
};

/// Lets the handles that match `handles` (a glob, "*" for all) hold the surface, or not. The next advance shows it. The
/// error suggests the nearest handle, or says that the rig's method has none.
Status enable_handles(const Rig& rig, const std::string& handles, bool on, State& state);
bool is_enabled(const Rig& rig, std::size_t handle, const State& state);

/// Turns handles about their own centres, in the axes of the rest pose, on top of the turns from their links or joints.
Status turn_handles(const Rig& rig, const std::string& handles, Quat turn, State& state);

}  // namespace fascia
FASCIA_API_END
