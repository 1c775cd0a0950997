// A character bound to a method as the options ask, and the time it took.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bake_options.h"
#include "bake_session.h"
#include "fascia/fascia.h"
#include "inputs.h"

namespace fascia::cli {

struct BoundRig {
    RigPtr rig;
    std::optional<AttachedMesh> clothes;  ///< what --attach added
    double bind_ms = 0;
};
Result<BoundRig> bind_method(const Character& character, const BakeOptions& options, const std::string& method,
                             const Flesh& flesh, const std::vector<MotionJob>& jobs);

/// What --floor and --collider ask for; empty if neither is given.
Result<std::optional<WorldScene>> open_world(const BakeOptions& options, const Character& character);

/// world: null, or what open_world returned
SessionSettings session_settings(const BakeOptions& options, const BoundRig& bound, const WorldScene* world);

/// Everything a user should know about a run: remarks about the file, the motion, the rig and the run, and patterns
/// that matched nothing.
std::vector<std::string> gather_warnings(const Character& character, const Flesh& flesh, const MotionJob& job,
                                         const Rig& rig, const BakeMeasures& measures);

void print_warnings(const std::vector<std::string>& warnings, bool quiet);

}  // namespace fascia::cli
