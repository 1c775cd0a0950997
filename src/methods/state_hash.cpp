#include <type_traits>

#include "base/hash.h"
#include "fascia/method.h"

namespace fascia {

namespace {

template <class Array>
void add(Hasher& hasher, const Array& array) {
    // The length too: otherwise a value could move from one array to the next unseen.
    const std::uint64_t size = array.size();
    hasher.bytes(&size, sizeof size);
    hasher.bytes(array.data(), array.size() * sizeof(typename Array::value_type));
}

}  // namespace

std::uint64_t hash(const State& state) {
    static_assert(sizeof(Affine) == 12 * sizeof(double), "padding would make the hash depend on chance");
    Hasher hasher;
    add(hasher, state.positions);
    add(hasher, state.velocities);
    add(hasher, state.rotations);
    add(hasher, state.driven);
    add(hasher, state.joints);
    hasher.bytes(&state.frame, sizeof state.frame);
    hasher.bytes(&state.accumulator, sizeof state.accumulator);
    return hasher.value();
}

}  // namespace fascia
