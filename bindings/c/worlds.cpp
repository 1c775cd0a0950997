// Worlds: the solids, wind and attractors that bodies meet.
#include "objects.h"

namespace {

using namespace fascia_c;

int moved(bool done) {
    return done ? int(FASCIA_OK) : fail(FASCIA_REFUSED, "there is no such collider, or a number is not finite");
}

}  // namespace

extern "C" {

fascia_world* fascia_world_new(const char* json, char* error, size_t error_size) {
    const ErrorText also{error, error_size};
    return guarded<fascia_world*>(nullptr, also, [&]() -> fascia_world* {
        const fascia::Result<fascia::WorldScene> scene = fascia::parse_world(text_or(json, ""), "world");
        if (!scene) return fail(scene.error(), also), nullptr;
        fascia::Result<fascia::World> world = fascia::World::make(scene->settings);
        if (!world) return fail(world.error(), also), nullptr;
        return hand_out<fascia_world>(std::move(*world));
    });
}

void fascia_world_free(fascia_world* world) {
    put_away(world);
}

size_t fascia_world_collider_count(const fascia_world* world) {
    return with<size_t>(world, 0, [](const fascia::World& w) { return w.collider_count(); });
}

size_t fascia_world_find(const fascia_world* world, const char* collider) {
    return with<size_t>(world, 0, [&](const fascia::World& w) { return w.find(text_or(collider, "")); });
}

const char* fascia_world_collider_name(const fascia_world* world, size_t collider) {
    return with<const char*>(world, nullptr, [&](const fascia::World& w) {
        return collider < w.collider_count() ? w.collider(collider).name.c_str() : nullptr;
    });
}

int fascia_world_place(const fascia_world* world, size_t collider, double* place, double* turn) {
    return with_status(world, {}, [&](const fascia::World& w) {
        if (collider >= w.collider_count()) return fail(FASCIA_NONE, "there is no such collider");
        const fascia::Vec3d at = w.place(collider);
        const fascia::Quat q = w.turn(collider);
        if (place != nullptr) place[0] = at.x, place[1] = at.y, place[2] = at.z;
        if (turn != nullptr) turn[0] = q.w, turn[1] = q.x, turn[2] = q.y, turn[3] = q.z;
        return int(FASCIA_OK);
    });
}

int fascia_world_distance(const fascia_world* world, size_t collider, const double* place, double* distance) {
    return with_status(world, {}, [&](const fascia::World& w) {
        if (collider >= w.collider_count()) return fail(FASCIA_NONE, "there is no such collider");
        if (place == nullptr || distance == nullptr)
            return fail(FASCIA_REFUSED, "a place and room for the distance are needed");
        *distance = w.distance(collider, vector_of(place));
        return int(FASCIA_OK);
    });
}

int fascia_world_field(const fascia_world* world, const double* place, double* acceleration) {
    return with_status(world, {}, [&](const fascia::World& w) {
        if (place == nullptr || acceleration == nullptr)
            return fail(FASCIA_REFUSED, "a place and room for the acceleration are needed");
        const fascia::Vec3d a = w.field(vector_of(place));
        acceleration[0] = a.x, acceleration[1] = a.y, acceleration[2] = a.z;
        return int(FASCIA_OK);
    });
}

int fascia_world_begin_frame(fascia_world* world, double dt) {
    return with_status(world, {}, [&](fascia::World& w) {
        w.begin_frame(dt);
        return int(FASCIA_OK);
    });
}

int fascia_world_move(fascia_world* world, size_t collider, const double* place, const double* turn, int at_once) {
    return with_status(world, {}, [&](fascia::World& w) {
        if (place == nullptr) return fail(FASCIA_REFUSED, "no place was given");
        const fascia::Quat q = turn == nullptr ? fascia::Quat{} : fascia::Quat{turn[0], turn[1], turn[2], turn[3]};
        return moved(at_once != 0 ? w.put(collider, vector_of(place), q) : w.move(collider, vector_of(place), q));
    });
}

int fascia_world_move_attractor(fascia_world* world, size_t attractor, const double* place) {
    return with_status(world, {}, [&](fascia::World& w) {
        if (place == nullptr) return fail(FASCIA_REFUSED, "no place was given");
        return moved(w.move_attractor(attractor, vector_of(place)));
    });
}

int fascia_advance_in(fascia_instance* instance, const fascia_world* world, const double* joints, double dt) {
    return with_status(instance, {}, [&](Instance& i) {
        const fascia::World* w = find(world);
        if (w == nullptr) return int(FASCIA_FOREIGN);
        if (joints == nullptr) return fail(FASCIA_REFUSED, "no matrices were given for the joints");
        take_joints(joints, i);
        return told(fascia::advance(*i.rig, i.joints, dt, *w, i.state, *i.work));
    });
}

int fascia_settle_in(fascia_instance* instance, const fascia_world* world) {
    return with_status(instance, {}, [&](Instance& i) {
        const fascia::World* w = find(world);
        if (w == nullptr) return int(FASCIA_FOREIGN);
        return told(fascia::settle(*i.rig, *w, i.state, *i.work));
    });
}

}  // extern "C"
