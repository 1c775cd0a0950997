// What can be done to an instance while it runs: other settings, a hand that pulls.
#include "handles.h"

/// Continues under other settings without a jump; 1 if they need a bind (the error message says which).
FASCIA_WASM int fascia_retune(InstanceHandle* instance, const char* flesh_json) {
    return fascia_wasm::guarded(1, [&] {
        const auto base = fascia::preset("default");
        const auto flesh = fascia::parse_flesh(flesh_json, "flesh", *base);
        if (!flesh) return fascia_wasm::fail(flesh.error().message), 1;
        const auto settings = fascia::settings_for(instance->rig->method(), *flesh);
        if (!settings) return fascia_wasm::fail(settings.error().message), 1;
        auto retuned = fascia::retune(instance->rig, *settings);
        if (!retuned) return fascia_wasm::fail(retuned.error().message), 1;
        instance->rig = *retuned;
        return 0;
    });
}

/// Changes one setting by its key; 1 if it needs a bind or is out of range.
FASCIA_WASM int fascia_set(InstanceHandle* instance, const char* key, const char* value) {
    return fascia_wasm::guarded(1, [&] {
        auto retuned = fascia::retune(instance->rig, key, value);
        if (!retuned) return fascia_wasm::fail(retuned.error().message), 1;
        instance->rig = *retuned;
        return 0;
    });
}
/// The setting that the instance runs with; null for a key that its method does not have.
FASCIA_WASM const char* fascia_get(const InstanceHandle* instance, const char* key) {
    return fascia_wasm::guarded<const char*>(nullptr, [&]() -> const char* {
        const auto value = fascia::get_field(instance->rig->settings(), key);
        if (!value) return fascia_wasm::fail(value.error().message);
        return fascia_wasm::text(*value);
    });
}

/// Takes hold of the flesh at a point of the surface; 1 if there is none to hold.
FASCIA_WASM int fascia_pull(InstanceHandle* instance, double x, double y, double z, double strength) {
    const fascia::Vec3d point{x, y, z};
    return fascia_wasm::guarded(
        1, [&] { return fascia::pull(*instance->rig, point, point, strength, instance->state) ? 0 : 1; });
}
FASCIA_WASM void fascia_pull_to(InstanceHandle* instance, double x, double y, double z) {
    fascia::move_pull({x, y, z}, instance->state);
}
FASCIA_WASM void fascia_release(InstanceHandle* instance) {
    fascia::release(instance->state);
}
