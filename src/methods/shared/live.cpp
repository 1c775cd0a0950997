// Functions that change one instance, or its settings, while it runs.
#include "fascia/live.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/number_text.h"
#include "methods/method_lookup.h"
#include "settings/settings_access.h"

namespace fascia {

namespace {

constexpr double strongest = 8;

bool is_finite(Vec3d v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

}  // namespace

Result<RigPtr> retune(const RigPtr& rig, const Settings& settings) {
    const Result<const Method*> method = need_method(rig->method());
    if (!method) return method.error();
    if (std::string_view(settings.method()) != rig->method()) return usage_error("another method needs a bind");
    const Live* live = rig->live();
    if (!live || (*method)->fields.fields.empty())
        return usage_error(std::string("the method '") + rig->method() + "' has no settings to change");
    Settings asked = settings;
    (*method)->complete(asked);
    if (const Status checked = check(asked, nullptr); !checked) return checked.error();
    const std::string built_in =
        built_in_difference((*method)->fields, rig->settings().own(), asked.own(), live->joint_names());
    if (!built_in.empty()) return usage_error(built_in + " is built in: bind again to change it");
    return live->retuned(asked);
}

Result<RigPtr> retune(const RigPtr& rig, const std::string& key, const std::string& value) {
    Settings asked = rig->settings();
    if (const Status set = set_field(asked, key, value); !set) return set.error();
    return retune(rig, asked);
}

Status fade(const Rig& rig, const std::string& joints, double amount, double seconds, State& state) {
    if (!(amount >= 0 && amount <= 1))
        return usage_error("the amount of a fade must be from 0 to 1, not " + number_text(amount, 6));
    if (!(seconds >= 0)) return usage_error("the seconds of a fade must not be below 0");
    if (state.rig != 0 && state.rig != rig.fingerprint())
        return usage_error("the state belongs to another rig; use it with the rig that it was made for");
    const Live* live = rig.live();
    return live ? live->fade(joints, amount, std::min(seconds, 1e6), state) : ok_status();
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
    const Live* live = rig.live();
    return live ? live->pick(ray, state, work) : std::nullopt;
}

bool pull(const Rig& rig, Vec3d point, Vec3d target, double strength, State& state) {
    release(state);
    const Live* live = rig.live();
    if (!live || !is_finite(point) || !is_finite(target) || !(strength >= 0) || !live->grip(point, state)) return false;
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
