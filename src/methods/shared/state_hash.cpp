#include <type_traits>

#include "base/hash.h"
#include "fascia/method.h"

namespace fascia {

namespace {

template <class Array>
void add(Hasher& hasher, const Array& array) {
    // Includes the length: otherwise a value could move from one array to the next unnoticed.
    const std::uint64_t size = array.size();
    hasher.bytes(&size, sizeof size);
    hasher.bytes(array.data(), array.size() * sizeof(typename Array::value_type));
}

void add(Hasher& hasher, const Handover& handover) {
    add(hasher, handover.positions);
    add(hasher, handover.normals);
    add(hasher, handover.speeds);
    add(hasher, handover.joints);
    hasher.bytes(&handover.elapsed, sizeof handover.elapsed);
    hasher.bytes(&handover.seconds, sizeof handover.seconds);
}

void add(Hasher& hasher, const Grip& grip) {
    add(hasher, grip.points);
    add(hasher, grip.shares);
    for (const Vec3d& v : {grip.arm, grip.target, grip.last_target}) hasher.bytes(&v, sizeof v);
    hasher.bytes(&grip.strength, sizeof grip.strength);
}

}  // namespace

std::uint64_t hash(const State& state) {
    static_assert(sizeof(Affine) == 12 * sizeof(double), "padding would make the hash depend on chance");
    static_assert(sizeof(Fade) == 4 * sizeof(float) && sizeof(Vec3d) == 3 * sizeof(double));
    static_assert(sizeof(Vec3) == 3 * sizeof(float));
    static_assert(sizeof(JointTrack) == 4 * sizeof(Vec3d));
    Hasher hasher;
    add(hasher, state.positions);
    add(hasher, state.velocities);
    add(hasher, state.rotations);
    add(hasher, state.memory);
    add(hasher, state.joints);
    hasher.bytes(&state.frame, sizeof state.frame);
    hasher.bytes(&state.accumulator, sizeof state.accumulator);
    if (!state.tracks.empty()) {
        add(hasher, state.tracks);
        hasher.bytes(&state.last_frame, sizeof state.last_frame);
    }
    if (!state.fades.empty()) add(hasher, state.fades);
    if (!state.grip.points.empty()) add(hasher, state.grip);
    if (!state.handover.positions.empty()) add(hasher, state.handover);
    return hasher.value();
}

}  // namespace fascia
