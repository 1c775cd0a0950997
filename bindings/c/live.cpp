// What happens to an instance while it runs.
#include "objects.h"

namespace {

using namespace fascia_c;

int status_of(const fascia::Status& status, ErrorText error) {
    return status ? int(FASCIA_OK) : fail(status.error(), error);
}

}  // namespace

extern "C" {

int fascia_instance_use(fascia_instance* instance, const fascia_rig* retuned) {
    return with_status(instance, {}, [&](Instance& i) {
        const BoundRig* rig = find(retuned);
        if (rig == nullptr) return int(FASCIA_FOREIGN);
        if (rig->value->fingerprint() != i.rig->fingerprint())
            return fail(
                FASCIA_FOREIGN,
                "this rig is not the instance's own under other settings: it was bound to another character, or "
                "with other built-in settings; make a new instance for it");
        i.rig = rig->value;
        return int(FASCIA_OK);
    });
}

int fascia_fade(fascia_instance* instance, const char* joints, double amount, double seconds, char* error,
                size_t error_size) {
    const ErrorText to{error, error_size};
    return with_status(instance, to, [&](Instance& i) {
        return status_of(fascia::fade(*i.rig, text_or(joints, "*"), amount, seconds, i.state), to);
    });
}

int fascia_solo(fascia_instance* instance, const char* joints, double seconds, char* error, size_t error_size) {
    const ErrorText to{error, error_size};
    return with_status(instance, to, [&](Instance& i) {
        return status_of(fascia::solo(*i.rig, text_or(joints, "*"), seconds, i.state), to);
    });
}

int fascia_pick(fascia_instance* instance, const double* origin, const double* direction, double* point) {
    return with_status(instance, {}, [&](Instance& i) {
        if (origin == nullptr || direction == nullptr || point == nullptr)
            return fail(FASCIA_REFUSED, "a ray needs an origin and a direction, and room for the point");
        const auto hit = fascia::pick(*i.rig, {vector_of(origin), vector_of(direction)}, i.state, *i.work);
        if (!hit) return fail(FASCIA_NONE, "the ray misses the surface, or the method takes no hand");
        point[0] = hit->x;
        point[1] = hit->y;
        point[2] = hit->z;
        return int(FASCIA_OK);
    });
}

int fascia_pull(fascia_instance* instance, const double* point, const double* target, double strength) {
    return with_status(instance, {}, [&](Instance& i) {
        if (point == nullptr || target == nullptr) return fail(FASCIA_REFUSED, "a pull needs a point and a target");
        if (fascia::pull(*i.rig, vector_of(point), vector_of(target), strength, i.state)) return int(FASCIA_OK);
        return fail(FASCIA_NONE, "there is no flesh to hold at this point, or a number is not finite");
    });
}

int fascia_pull_to(fascia_instance* instance, const double* target) {
    return with_status(instance, {}, [&](Instance& i) {
        if (target == nullptr) return fail(FASCIA_REFUSED, "a pull needs a target");
        fascia::move_pull(vector_of(target), i.state);
        return int(FASCIA_OK);
    });
}

int fascia_release(fascia_instance* instance) {
    return with_status(instance, {}, [](Instance& i) {
        fascia::release(i.state);
        return int(FASCIA_OK);
    });
}

int fascia_enable_handles(fascia_instance* instance, const char* handles, int on, char* error, size_t error_size) {
    const ErrorText to{error, error_size};
    return with_status(instance, to, [&](Instance& i) {
        return status_of(fascia::enable_handles(*i.rig, text_or(handles, "*"), on != 0, i.state), to);
    });
}

int fascia_is_handle_enabled(const fascia_instance* instance, size_t handle) {
    return with(instance, 0, [&](const Instance& i) { return fascia::is_enabled(*i.rig, handle, i.state) ? 1 : 0; });
}

int fascia_turn_handles(fascia_instance* instance, const char* handles, const double* turn, char* error,
                        size_t error_size) {
    const ErrorText to{error, error_size};
    return with_status(instance, to, [&](Instance& i) {
        if (turn == nullptr) return fail(FASCIA_REFUSED, "no rotation was given", to);
        const fascia::Quat q{turn[0], turn[1], turn[2], turn[3]};
        return status_of(fascia::turn_handles(*i.rig, text_or(handles, "*"), q, i.state), to);
    });
}

int fascia_handle_pose(const fascia_instance* instance, double* joints) {
    return with_status(instance, {}, [&](const Instance& i) {
        if (joints == nullptr) return fail(FASCIA_REFUSED, "there is no room for the joints");
        std::vector<fascia::Affine> out(i.rig->joint_count());
        fascia::handle_pose(*i.rig, i.state, out);
        std::memcpy(joints, out.data(), out.size() * sizeof(fascia::Affine));
        return int(FASCIA_OK);
    });
}

int fascia_is_held(const fascia_instance* instance) {
    return with(instance, 0, [](const Instance& i) { return fascia::is_held(i.state) ? 1 : 0; });
}

}  // extern "C"
