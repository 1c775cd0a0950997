// What a body touches, and the wind: a world, in which instances are advanced.
#include "handles.h"

/// From the text of a world file (docs/schemas/world.schema.json).
FASCIA_WASM fascia::World* fascia_world_make(const char* text) {
    return fascia_wasm::guarded<fascia::World*>(nullptr, [&]() -> fascia::World* {
        const auto scene = fascia::parse_world(text, "the world");
        if (!scene) return fascia_wasm::fail(scene.error().message);
        auto world = fascia::World::make(scene->settings);
        if (!world) return fascia_wasm::fail(world.error().message);
        return new fascia::World(std::move(*world));
    });
}
FASCIA_WASM void fascia_world_free(fascia::World* world) {
    delete world;
}
FASCIA_WASM int fascia_world_colliders(const fascia::World* world) {
    return int(world->collider_count());
}
/// Whatever moved in the last frame has arrived.
FASCIA_WASM void fascia_world_begin_frame(fascia::World* world, double dt) {
    world->begin_frame(dt);
}
/// Where a collider will be at the end of this frame; `at_once`: it is there, without speed.
FASCIA_WASM void fascia_world_move(fascia::World* world, int collider, double x, double y, double z, int at_once) {
    const fascia::Vec3d place{x, y, z};
    if (at_once != 0) {
        world->put(std::size_t(collider), place);
    } else {
        world->move(std::size_t(collider), place);
    }
}
FASCIA_WASM void fascia_advance_in(InstanceHandle* instance, double dt, const fascia::World* world) {
    fascia::advance(*instance->rig, instance->pose.joints, dt, *world, instance->state, instance->work);
}
