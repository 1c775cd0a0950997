// Verbs that change one instance, or the settings, while it runs.
#include "fascia/live.h"

#include <algorithm>
#include <cmath>

namespace fascia {

namespace {

constexpr double strongest = 8;

bool is_finite(Vec3d v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

}  // namespace

Result<RigPtr> Rig::retuned(const Settings&) const {
    return usage_error(std::string("the method '") + method() + "' has no settings to change");
}

Result<RigPtr> retune(const RigPtr& rig, const Settings& settings) {
    return rig->retuned(settings);
}

Status fade(const Rig& rig, const std::string& joints, double amount, double seconds, State& state) {
    if (!(amount >= 0 && amount <= 1))
        return usage_error("the amount of a fade must be from 0 to 1, not " + std::to_string(amount));
    if (!(seconds >= 0)) return usage_error("the seconds of a fade must not be below 0");
    return rig.fade(joints, amount, std::min(seconds, 1e6), state);
}

Status solo(const Rig& rig, const std::string& joints, double seconds, State& state) {
    std::vector<Fade> before = state.fades;
    Status status = fade(rig, "*", 0, seconds, state);
    if (status) status = fade(rig, joints, 1, seconds, state);
    if (!status) state.fades = std::move(before);
    return status;
}

std::optional<Vec3d> pick(const Rig& rig, const Ray& ray, const State& state, Workspace& work) {
    if (!is_finite(ray.origin) || !is_finite(ray.direction)) return std::nullopt;
    return rig.pick(ray, state, work);
}

bool pull(const Rig& rig, Vec3d point, Vec3d target, double strength, State& state) {
    release(state);
    if (!is_finite(point) || !is_finite(target) || !(strength >= 0) || !rig.grip(point, state)) return false;
    state.grip.target = state.grip.last_target = target;
    state.grip.strength = std::min(strength, strongest);
    return true;
}

bool pull(const Rig& rig, const Ray& ray, Vec3d target, double strength, State& state, Workspace& work) {
    const std::optional<Vec3d> point = pick(rig, ray, state, work);
    if (!point) release(state);
    return point && pull(rig, *point, target, strength, state);
}

void move_pull(Vec3d target, State& state) {
    if (!is_held(state) || !is_finite(target)) return;
    state.grip.target = target;
    state.asleep = 0;
}

void release(State& state) {
    if (!is_held(state)) return;
    state.grip = {};
    state.asleep = 0;
}

}  // namespace fascia
